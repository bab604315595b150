package trace

import (
	"encoding/json"

	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/internal/fields"
)

// ContextEvent is something that happened in the browser by itself: "page",
// "pageClosed", "dialog", "download", "pageError", or whatever protocol event
// a recorder keeps.
type ContextEvent struct {
	Time   Time
	Class  string
	Method string
	Params json.RawMessage
	PageID string
	Extra
}

// EventType returns "event".
func (*ContextEvent) EventType() string { return "event" }

func (e *ContextEvent) fields() []fields.Field {
	return []fields.Field{
		{Name: "time", Ptr: &e.Time, Empty: true}, {Name: "class", Ptr: &e.Class}, {Name: "method", Ptr: &e.Method, Empty: true},
		{Name: "params", Ptr: &e.Params}, {Name: "pageId", Ptr: &e.PageID},
	}
}

// Console is a message of a page's or worker's console.
type Console struct {
	Time     Time
	PageID   string
	Kind     string // "log", "info", "warning", "error", "debug", "trace", "table", …
	Text     string
	Args     []ConsoleArg
	Location Location
	Extra
}

// EventType returns "console".
func (*Console) EventType() string { return "console" }

func (e *Console) fields() []fields.Field {
	return []fields.Field{
		{Name: "messageType", Ptr: &e.Kind, Empty: true}, {Name: "text", Ptr: &e.Text, Empty: true}, {Name: "args", Ptr: &e.Args},
		{Name: "location", Ptr: &e.Location, Empty: true}, {Name: "time", Ptr: &e.Time, Empty: true}, {Name: "pageId", Ptr: &e.PageID},
	}
}

// ConsoleArg is one argument of a console call. Value is kept for primitives.
type ConsoleArg struct {
	Preview string
	Value   json.RawMessage
	rest    extraMembers
}

// UnmarshalJSON reads it, and keeps what it does not know.
func (a *ConsoleArg) UnmarshalJSON(b []byte) (err error) {
	a.rest, err = decodeNested(b, a.fields())
	return err
}

// MarshalJSON writes it with the members it was read with.
func (a ConsoleArg) MarshalJSON() ([]byte, error) { return fields.Encode(nil, "", a.fields(), a.rest) }

func (a *ConsoleArg) fields() []fields.Field {
	return []fields.Field{{Name: "preview", Ptr: &a.Preview, Empty: true}, {Name: "value", Ptr: &a.Value}}
}

// Location is a place in a script. Line and Column are counted from 0.
type Location struct {
	URL    string
	Line   int
	Column int
	rest   extraMembers
}

// UnmarshalJSON reads it, and keeps what it does not know.
func (l *Location) UnmarshalJSON(b []byte) (err error) {
	l.rest, err = decodeNested(b, l.fields())
	return err
}

// MarshalJSON writes it with the members it was read with.
func (l Location) MarshalJSON() ([]byte, error) { return fields.Encode(nil, "", l.fields(), l.rest) }

func (l *Location) fields() []fields.Field {
	return []fields.Field{{Name: "url", Ptr: &l.URL, Empty: true}, {Name: "lineNumber", Ptr: &l.Line, Empty: true}, {Name: "columnNumber", Ptr: &l.Column, Empty: true}}
}

// Stdio is what a test wrote to one of its standard streams. Exactly one of
// Text and Base64 is set.
type Stdio struct {
	Stream string // "stdout" or "stderr"
	Time   Time
	Text   string
	Base64 string
	Extra
}

// EventType returns "stdout" or "stderr".
func (e *Stdio) EventType() string { return e.Stream }

func (e *Stdio) fields() []fields.Field {
	return []fields.Field{{Name: "timestamp", Ptr: &e.Time, Empty: true}, {Name: "text", Ptr: &e.Text}, {Name: "base64", Ptr: &e.Base64}}
}

// TestError is a failure of the test as a whole. Message may hold SGR colours.
type TestError struct {
	Message string
	Stack   []StackFrame
	Extra
}

// EventType returns "error".
func (*TestError) EventType() string { return "error" }

func (e *TestError) fields() []fields.Field {
	return []fields.Field{{Name: "message", Ptr: &e.Message, Empty: true}, {Name: "stack", Ptr: &e.Stack}}
}

// ScreencastFrame is a picture of a page. Width and Height are the viewport's
// in Playwright's traces and the picture's in Vibium's.
type ScreencastFrame struct {
	PageID            string
	File              string // name of the archive's entry
	Width             float64
	Height            float64
	Timestamp         Time
	FrameSwapWallTime float64 // milliseconds since the epoch; 0 if unknown
	Extra
}

// EventType returns "screencast-frame".
func (*ScreencastFrame) EventType() string { return "screencast-frame" }

func (e *ScreencastFrame) fields() []fields.Field {
	return []fields.Field{
		{Name: "pageId", Ptr: &e.PageID}, {Name: "file", Ptr: &e.File, Empty: true}, {Name: "width", Ptr: &e.Width, Empty: true},
		{Name: "height", Ptr: &e.Height, Empty: true}, {Name: "timestamp", Ptr: &e.Timestamp, Empty: true}, {Name: "frameSwapWallTime", Ptr: &e.FrameSwapWallTime},
	}
}

// Phase says at which moment of an action a snapshot was taken.
type Phase string

// The moments of an action.
const (
	PhaseBefore Phase = "before"
	PhaseAction Phase = "action" // the target is known and about to get its input
	PhaseAfter  Phase = "after"
)

// Screenshot is a full picture of a page at a moment of an action.
type Screenshot struct {
	CallID    string
	Phase     Phase
	PageID    string
	Timestamp Time
	File      string
	Extra
}

// EventType returns "screenshot".
func (*Screenshot) EventType() string { return "screenshot" }

func (e *Screenshot) fields() []fields.Field {
	return []fields.Field{
		{Name: "callId", Ptr: &e.CallID, Empty: true}, {Name: "phase", Ptr: (*string)(&e.Phase)}, {Name: "pageId", Ptr: &e.PageID},
		{Name: "timestamp", Ptr: &e.Timestamp}, {Name: "file", Ptr: &e.File},
	}
}

// AriaSnapshot is the accessibility tree of a page at a moment of an action.
type AriaSnapshot struct {
	CallID    string
	Phase     Phase
	PageID    string
	Timestamp Time
	File      string // a JSON array of nodes
	Extra
}

// EventType returns "aria-snapshot".
func (*AriaSnapshot) EventType() string { return "aria-snapshot" }

func (e *AriaSnapshot) fields() []fields.Field {
	return []fields.Field{
		{Name: "callId", Ptr: &e.CallID, Empty: true}, {Name: "phase", Ptr: (*string)(&e.Phase)}, {Name: "pageId", Ptr: &e.PageID},
		{Name: "timestamp", Ptr: &e.Timestamp}, {Name: "file", Ptr: &e.File},
	}
}

// FrameSnapshot is the DOM of one frame at a moment of an action. Package
// trace/snapshot makes HTML of it.
type FrameSnapshot struct {
	CallID            string
	Phase             Phase
	Name              string // "before@call@9": written by versions before 9, and kept
	PageID            string
	FrameID           string
	FrameURL          string
	Doctype           string // the name only
	HTML              json.RawMessage
	Viewport          *Size // of the frame
	Timestamp         Time
	WallTime          float64 // milliseconds since the epoch on the page's clock, which a test may have changed
	CollectionTime    float64 // milliseconds that taking it took
	ResourceOverrides []ResourceOverride
	IsMainFrame       bool
	Extra
	outer Extra
}

// EventType returns "frame-snapshot".
func (*FrameSnapshot) EventType() string { return "frame-snapshot" }

func (e *FrameSnapshot) wrapper() *Extra { return &e.outer }

func (e *FrameSnapshot) fields() []fields.Field {
	return []fields.Field{
		{Name: "callId", Ptr: &e.CallID}, {Name: "phase", Ptr: (*string)(&e.Phase)}, {Name: "snapshotName", Ptr: &e.Name},
		{Name: "pageId", Ptr: &e.PageID}, {Name: "frameId", Ptr: &e.FrameID, Empty: true}, {Name: "frameUrl", Ptr: &e.FrameURL, Empty: true},
		{Name: "doctype", Ptr: &e.Doctype}, {Name: "html", Ptr: &e.HTML, Empty: true}, {Name: "viewport", Ptr: &e.Viewport},
		{Name: "timestamp", Ptr: &e.Timestamp, Empty: true}, {Name: "wallTime", Ptr: &e.WallTime}, {Name: "collectionTime", Ptr: &e.CollectionTime},
		{Name: "resourceOverrides", Ptr: &e.ResourceOverrides}, {Name: "isMainFrame", Ptr: &e.IsMainFrame, Empty: true},
	}
}

// ResourceOverride gives a page's resource other bytes than the network did,
// because a script changed it. Exactly one of File and Ref is set.
type ResourceOverride struct {
	URL  string
	File string // name of the archive's entry
	Ref  *int   // as in the snapshot of this frame that many places earlier
	rest extraMembers
}

// UnmarshalJSON reads it, and keeps what it does not know.
func (o *ResourceOverride) UnmarshalJSON(b []byte) (err error) {
	o.rest, err = decodeNested(b, o.fields())
	return err
}

// MarshalJSON writes it with the members it was read with.
func (o ResourceOverride) MarshalJSON() ([]byte, error) {
	return fields.Encode(nil, "", o.fields(), o.rest)
}

func (o *ResourceOverride) fields() []fields.Field {
	return []fields.Field{{Name: "url", Ptr: &o.URL, Empty: true}, {Name: "file", Ptr: &o.File}, {Name: "ref", Ptr: &o.Ref}}
}

// ResourceSnapshot is one request and its answer.
type ResourceSnapshot struct {
	Entry har.Entry
	Extra
}

// EventType returns "resource-snapshot".
func (*ResourceSnapshot) EventType() string { return "resource-snapshot" }

func (e *ResourceSnapshot) fields() []fields.Field {
	return []fields.Field{{Name: "snapshot", Ptr: &e.Entry, Empty: true}}
}
