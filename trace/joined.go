package trace

import (
	"encoding/json"
	"time"

	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/title"
)

// Trace is the joined view of an archive: what belongs together is together,
// and all times are nanoseconds since Start, on one clock. DOM snapshots and
// bodies stay in the archive; this holds where they are.
type Trace struct {
	Contexts []*Context
	Actions  []*Action // in order of their start; groups and protocol commands included
	Roots    []*Action // those without a parent
	Pages    []*Page
	Console  []*Message
	Errors   []*Failure
	Network  []*Request
	Frames   []*Picture // of the screencast
	Events   []*Happening
	// Snapshots are the DOM of frames, in the order of the files, which is
	// the order that references between them count in.
	Snapshots   []*Snapshot
	Stdio       []*Output
	Attachments []*AttachmentOf
	Start       time.Time     // the calendar's time of the zero of all times here; zero if unknown
	Duration    time.Duration // from Start to the last thing that happened
	Warnings    []Warning
}

// Context is one recorded browser context, request context, or test.
type Context struct {
	*ContextOptions
	File string // the entry it was read from
	// Shift is what was added to the context's own times to put them on the
	// trace's clock.
	Shift time.Duration
	index int
}

// Runner reports whether the context is a test runner's view of the test.
func (c *Context) Runner() bool { return c.Origin == "testRunner" }

// ActionKind tells what an action is.
type ActionKind uint8

// What an action can be.
const (
	KindCall     ActionKind = iota // a call of the library, or an input by a person
	KindGroup                      // a span that a person named
	KindStep                       // a step of the test
	KindHook                       // a hook or a fixture of the test runner
	KindProtocol                   // a command of the browser's protocol
)

var kindNames = [...]string{"call", "group", "step", "hook", "protocol"}

func (k ActionKind) String() string { return kindNames[k] }

// MarshalText returns the kind's name.
func (k ActionKind) MarshalText() ([]byte, error) { return []byte(kindNames[k]), nil }

// KindOf returns what an action of that class and method is.
func KindOf(class, method string) ActionKind {
	switch {
	case class == "Tracing" && (method == "tracingGroup" || method == "group"):
		return KindGroup
	case class == "BiDi" || class == "CDP":
		return KindProtocol
	case class == "Test" && (method == "hook" || method == "fixture"):
		return KindHook
	case class == "Test" && method != "pw:api" && method != "expect":
		return KindStep
	}
	return KindCall
}

// Action is one call, step or group with all that was recorded of it. What
// the library and the test runner recorded of the same call is one Action.
type Action struct {
	Before      *Before // the library's where both have one
	Context     *Context
	Kind        ActionKind
	Start, End  Time // End is where it would have gone on if Unfinished
	Unfinished  bool // no end was recorded
	Error       *Error
	Result      json.RawMessage
	Point       *Point
	Inputs      []*Input
	Logs        []*Log // their times are the trace's
	Parent      *Action
	Children    []*Action
	Stack       []StackFrame
	Attachments []Attachment
	PageID      string
	Snapshots   []*Snapshot // of all frames and phases
	Screenshots []*Screenshot
	Aria        []*AriaSnapshot
	Runner      *Before // the test runner's line for a call that the library has too
	Position    Position
	title       *title.Title
}

// ID returns the action's call id.
func (a *Action) ID() string { return a.Before.CallID }

// Duration returns how long the action took; ok is false while it is unfinished.
func (a *Action) Duration() (d time.Duration, ok bool) {
	return a.End.Sub(a.Start), !a.Unfinished
}

// Page is a tab or a popup.
type Page struct {
	ID            string
	OpenerID      string
	Opened, Ended Time // first and last that was seen of it
}

// Message is a message of the console.
type Message struct {
	*Console
	Time     Time
	Position Position
}

// FailureKind tells where an error came from.
type FailureKind string

// Where errors come from.
const (
	FailedAction FailureKind = "action"
	FailedTest   FailureKind = "test"
	FailedPage   FailureKind = "page" // an uncaught error of a page
)

// Failure is something that went wrong.
type Failure struct {
	Kind     FailureKind
	Time     Time
	Name     string
	Message  string
	Stack    string
	Action   *Action // of a failed action
	PageID   string  // of a page's error
	Location Location
	Position Position
}

// Request is a request and its answer.
type Request struct {
	*har.Entry
	Start, End Time // End is Start where it was never answered
	Context    *Context
	Position   Position
}

// Picture is one picture of the screencast.
type Picture struct {
	*ScreencastFrame
	Time Time
}

// Snapshot says where the DOM of one frame at one moment is.
type Snapshot struct {
	CallID      string
	Phase       Phase
	Name        string
	PageID      string
	FrameID     string
	FrameURL    string
	IsMainFrame bool
	Time        Time
	Viewport    Size
	Context     *Context
	Position    Position
	Ordinal     int // how many snapshots of this frame came before it
}

// Happening is an event of the browser.
type Happening struct {
	*ContextEvent
	Time     Time
	Position Position
}

// Output is what a test printed.
type Output struct {
	*Stdio
	Time Time
}

// AttachmentOf is an attachment with the action it belongs to.
type AttachmentOf struct {
	Attachment
	Action *Action
}

// Warning is something about a trace that is not as it should be and did not
// keep it from being read.
type Warning struct {
	Code  string `json:"code"`            // "W_…", stable
	Place string `json:"place,omitempty"` // entry, or entry:line
	Text  string `json:"text"`
}

func (w Warning) String() string {
	if w.Place == "" {
		return w.Text
	}
	return w.Place + ": " + w.Text
}
