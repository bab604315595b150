package trace

import (
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/fields"
)

// ContextOptions is the first event of a file: who recorded what, and the
// pair of clocks that ties the file's times to the calendar.
type ContextOptions struct {
	Version           int
	Origin            string // "library" or "testRunner"
	BrowserName       string // "chromium", "firefox", "webkit"; "" for test runners and API requests
	Channel           string
	PlaywrightVersion string // set by Playwright
	LibraryName       string // set by Vibium ("vibium") and tracedeck
	LibraryVersion    string
	Options           json.RawMessage // of the browser context; see [ContextOptions.Viewport]
	Platform          string          // "linux", "darwin", "win32" (Vibium: "windows")
	WallTime          float64         // milliseconds since the epoch, at MonotonicTime
	MonotonicTime     Time
	SDKLanguage       string // "javascript", "python", "java", "csharp"
	TestIDAttribute   string // "data-testid" where it is empty
	ContextID         string
	Title             string
	TestTimeout       float64 // milliseconds; of test runners
	Annotations       json.RawMessage
	Extra
}

// EventType returns "context-options".
func (*ContextOptions) EventType() string { return "context-options" }

func (c *ContextOptions) fields() []fields.Field {
	return []fields.Field{
		{Name: "version", Ptr: &c.Version, Empty: true}, {Name: "origin", Ptr: &c.Origin},
		{Name: "libraryName", Ptr: &c.LibraryName}, {Name: "libraryVersion", Ptr: &c.LibraryVersion},
		{Name: "browserName", Ptr: &c.BrowserName, Empty: true}, {Name: "channel", Ptr: &c.Channel},
		{Name: "playwrightVersion", Ptr: &c.PlaywrightVersion}, {Name: "options", Ptr: &c.Options},
		{Name: "platform", Ptr: &c.Platform}, {Name: "wallTime", Ptr: &c.WallTime, Empty: true},
		{Name: "monotonicTime", Ptr: &c.MonotonicTime, Empty: true}, {Name: "sdkLanguage", Ptr: &c.SDKLanguage},
		{Name: "testIdAttributeName", Ptr: &c.TestIDAttribute}, {Name: "contextId", Ptr: &c.ContextID},
		{Name: "title", Ptr: &c.Title}, {Name: "testTimeout", Ptr: &c.TestTimeout}, {Name: "annotations", Ptr: &c.Annotations},
	}
}

// Viewport returns the size of the page in CSS pixels; ok is false where the
// options do not hold it.
func (c *ContextOptions) Viewport() (size Size, ok bool) {
	var o struct{ Viewport *Size }
	if json.Unmarshal(c.Options, &o) != nil || o.Viewport == nil {
		return Size{}, false
	}
	return *o.Viewport, true
}

// Producer returns the program that recorded the context and its version,
// such as "playwright 1.65.1", and "" where the file does not tell.
func (c *ContextOptions) Producer() string {
	switch {
	case c.LibraryName != "":
		return strings.TrimSpace(c.LibraryName + " " + c.LibraryVersion)
	case c.PlaywrightVersion != "":
		return "playwright " + c.PlaywrightVersion
	}
	return ""
}

// Before opens an action: a call of the library, a step of the test runner, a
// group, or a protocol command.
type Before struct {
	CallID    string
	StartTime Time
	Title     string // only where it differs from what class and method say
	Subtitle  string
	Class     string // "Frame", "Page", "Tracing", "Test", "BiDi", …
	Method    string
	Params    json.RawMessage // an object; values as the recorder's protocol has them
	Stack     []StackFrame    // innermost first
	PageID    string          // not written by Playwright from version 9 on
	ParentID  string          // call id of the enclosing group or step
	Group     string          // "getter", "route" or "configuration": usually not of interest
	StepID    string          // the runner's id of the same call, in versions before 10
	Extra
}

// EventType returns "before".
func (*Before) EventType() string { return "before" }

func (e *Before) fields() []fields.Field {
	return []fields.Field{
		{Name: "callId", Ptr: &e.CallID, Empty: true}, {Name: "startTime", Ptr: &e.StartTime, Empty: true},
		{Name: "title", Ptr: &e.Title}, {Name: "subtitle", Ptr: &e.Subtitle},
		{Name: "class", Ptr: &e.Class}, {Name: "method", Ptr: &e.Method}, {Name: "params", Ptr: &e.Params},
		{Name: "stack", Ptr: &e.Stack}, {Name: "pageId", Ptr: &e.PageID},
		{Name: "parentId", Ptr: &e.ParentID}, {Name: "group", Ptr: &e.Group}, {Name: "stepId", Ptr: &e.StepID},
	}
}

// StackFrame is one place of a call stack. Line and Column are counted from 1.
type StackFrame struct {
	File     string
	Line     int
	Column   int
	Function string
	rest     extraMembers
}

// UnmarshalJSON reads it, and keeps what it does not know.
func (s *StackFrame) UnmarshalJSON(b []byte) (err error) {
	s.rest, err = decodeNested(b, s.fields())
	return err
}

// MarshalJSON writes it with the members it was read with.
func (s StackFrame) MarshalJSON() ([]byte, error) { return fields.Encode(nil, "", s.fields(), s.rest) }

func (s *StackFrame) fields() []fields.Field {
	return []fields.Field{{Name: "file", Ptr: &s.File, Empty: true}, {Name: "line", Ptr: &s.Line, Empty: true}, {Name: "column", Ptr: &s.Column, Empty: true}, {Name: "function", Ptr: &s.Function}}
}

// Point is a place in CSS pixels in the main frame's viewport.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Size is a width and a height in CSS pixels.
type Size struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Rect is a box in CSS pixels.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Input tells where an action is about to act. An action may have several.
type Input struct {
	CallID string
	Point  *Point
	Box    *Rect // of the target
	Extra
}

// EventType returns "input".
func (*Input) EventType() string { return "input" }

func (e *Input) fields() []fields.Field {
	return []fields.Field{{Name: "callId", Ptr: &e.CallID, Empty: true}, {Name: "point", Ptr: &e.Point}, {Name: "box", Ptr: &e.Box}}
}

// Log is one line of an action's log. Leading blanks of Message show how
// deeply it is nested.
type Log struct {
	CallID  string
	Time    Time // [NoTime] where an old version did not record it
	Message string
	Extra
}

// EventType returns "log".
func (*Log) EventType() string { return "log" }

func (e *Log) fields() []fields.Field {
	return []fields.Field{{Name: "callId", Ptr: &e.CallID, Empty: true}, {Name: "time", Ptr: &e.Time, Empty: true}, {Name: "message", Ptr: &e.Message, Empty: true}}
}

// After closes the action that a Before of the same CallID opened.
type After struct {
	CallID      string
	EndTime     Time
	Error       *Error
	Result      json.RawMessage
	Point       *Point
	Attachments []Attachment
	Annotations json.RawMessage
	Extra
}

// EventType returns "after".
func (*After) EventType() string { return "after" }

func (e *After) fields() []fields.Field {
	return []fields.Field{
		{Name: "callId", Ptr: &e.CallID, Empty: true}, {Name: "endTime", Ptr: &e.EndTime, Empty: true}, {Name: "error", Ptr: &e.Error},
		{Name: "result", Ptr: &e.Result}, {Name: "point", Ptr: &e.Point},
		{Name: "attachments", Ptr: &e.Attachments}, {Name: "annotations", Ptr: &e.Annotations},
	}
}

// Error is why an action or a test failed. Message may hold SGR colours.
type Error struct {
	Name    string `json:"name,omitempty"`
	Message string `json:"message"`
	Stack   string `json:"stack,omitempty"`
	rest    extraMembers
}

// UnmarshalJSON reads an error, also in its older shapes: a string, or one
// object more around it.
func (e *Error) UnmarshalJSON(b []byte) error { return e.decode(b) }

// MarshalJSON writes an error with the members it was read with.
func (e Error) MarshalJSON() ([]byte, error) {
	return fields.Encode(nil, "", e.fields(), e.rest)
}

func (e *Error) fields() []fields.Field {
	return []fields.Field{{Name: "name", Ptr: &e.Name}, {Name: "message", Ptr: &e.Message, Empty: true}, {Name: "stack", Ptr: &e.Stack}}
}

// Attachment is a file that a test attached. Exactly one of File, Path and
// Base64 says where its bytes are.
type Attachment struct {
	Name        string
	ContentType string
	File        string // name of the archive's entry
	Path        string // on the recording machine
	Base64      string
	rest        extraMembers
}

// UnmarshalJSON reads an attachment.
func (a *Attachment) UnmarshalJSON(b []byte) (err error) {
	a.rest, err = decodeNested(b, a.fields())
	return err
}

// MarshalJSON writes an attachment with the members it was read with.
func (a Attachment) MarshalJSON() ([]byte, error) { return fields.Encode(nil, "", a.fields(), a.rest) }

func (a *Attachment) fields() []fields.Field {
	return []fields.Field{{Name: "name", Ptr: &a.Name, Empty: true}, {Name: "contentType", Ptr: &a.ContentType}, {Name: "file", Ptr: &a.File}, {Name: "path", Ptr: &a.Path}, {Name: "base64", Ptr: &a.Base64}}
}
