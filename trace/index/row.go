package index

import (
	"math"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// NoTime stands where a moment was not recorded: the end of an action that is
// still running, the moment of an old version's log line.
const NoTime time.Duration = math.MinInt64

// Kind says what sort of action a row of [Actions] is.
type Kind uint8

// The sorts of actions.
const (
	KindCall     Kind = iota // a call of the library
	KindGroup                // a group that the test made
	KindStep                 // a step of the test runner
	KindHook                 // a hook or fixture of the test runner
	KindProtocol             // a command on the browser's protocol
)

// ActionFlags tell of an action.
type ActionFlags uint32

// What is true of an action.
const (
	Failed        ActionFlags = 1 << iota // it has an error
	Unfinished                            // nothing tells its end
	Getter                                // usually not of interest: asks the page for a value
	Route                                 // usually not of interest: network interception
	Configuration                         // usually not of interest: sets the context up
	HasBefore                             // there is a DOM snapshot of the main frame before it
	HasAction                             // … at the moment of its input
	HasAfter                              // … after it
	HasStill                              // there is a full picture of the page
	HasInput                              // it is known where it acted
	HasAttachment                         // files are attached to it
	Step                                  // the test runner tells of it
	Call                                  // the library tells of it
	Skipped                               // the test runner skipped it
)

// Hidden are the flags of actions that lists leave out until asked.
const Hidden = Getter | Route | Configuration

// Action is a row of [Actions]. Times are since the recording's start.
type Action struct {
	CallID     string
	Context    int // index in [Index.Contexts]: the library's, if it tells of the action
	Start, End time.Duration
	Parent     Row
	Kind       Kind
	Title      string // "Click"
	Detail     string // "getByRole('button', { name: 'Pay' })"
	Class      string
	Method     string
	Page       Row // in Pages
	Flags      ActionFlags
	Message    string // of its error
	Logs       int    // how many log lines it has
	Before     trace.Position
	After      trace.Position // Line is 0 while there is none
	StepBefore trace.Position // of the runner's lines, where both tell of the action
	StepAfter  trace.Position
}

// RequestFlags tell of a request.
type RequestFlags uint32

// What is true of a request.
const (
	RequestFailed    RequestFlags = 1 << iota // there was no answer, or it broke off
	RequestPending                            // not answered when the recording ended
	RequestAborted                            // by a route of the test
	RequestFulfilled                          // by a route of the test
	RequestContinued                          // by a route of the test
	RequestWebSocket                          // Body holds the messages, a JSON object a line
	RequestAPI                                // made by the test, not by a page
	RequestWorker                             // made by a service worker
)

// Request is a row of [Network].
type Request struct {
	Start, End time.Duration // End is [NoTime] where it is not known
	Method     string
	URL        string
	Status     int // 0 where there is none
	MIME       string
	Type       string // "document", "fetch", "image", …
	Size       int64  // of the body, in bytes; -1 unknown
	Page       Row
	Frame      string
	Flags      RequestFlags
	Failure    string // "net::ERR_…"
	Sent       string // entry of the request's body
	Body       string // entry of the answer's body
	Context    int
	Position   trace.Position
}

// Source says where a console message comes from.
type Source uint8

// The sources of messages.
const (
	FromPage Source = iota
	FromStdout
	FromStderr
)

// Message is a row of [Console].
type Message struct {
	Time         time.Duration
	Level        string // "log", "warning", "error", …; "stdout" and "stderr" for what a test wrote
	Text         string // cut at [MaxText]
	URL          string
	Line, Column int // counted from 0
	Page         Row
	Source       Source
	Position     trace.Position
}

// ErrorSource says what a row of [Errors] is about.
type ErrorSource uint8

// What can fail.
const (
	ActionError ErrorSource = iota
	PageError
	TestError
)

// Error is a row of [Errors].
type Error struct {
	Time     time.Duration
	Source   ErrorSource
	Action   Row
	Page     Row
	Message  string // cut at [MaxText]
	Position trace.Position
}

// Frame is a row of [Frames].
type Frame struct {
	Time          time.Duration
	Page          Row
	Entry         string // the picture
	Width, Height int    // of the viewport in CSS pixels; the picture's own in Vibium's traces
	Position      trace.Position
}

// Phase says at which moment of an action a picture was taken.
type Phase uint8

// The moments of an action.
const (
	NoPhase Phase = iota
	Before
	During // the target is known and about to get its input
	After
)

// Trace returns the phase as the format names it.
func (p Phase) Trace() trace.Phase {
	return [...]trace.Phase{"", trace.PhaseBefore, trace.PhaseAction, trace.PhaseAfter}[p&3]
}

// SnapshotFlags tell of a snapshot.
type SnapshotFlags uint32

// What is true of a snapshot.
const (
	MainFrame SnapshotFlags = 1 << iota
)

// Snapshot is a row of [Snapshots].
type Snapshot struct {
	Time          time.Duration
	Action        Row
	Phase         Phase
	Frame         string
	Page          Row
	Flags         SnapshotFlags
	URL           string
	Width, Height int
	// Ordinal counts the snapshots of the frame in the order of the file,
	// from 0: a reference [[n, i]] means the one with Ordinal-n.
	Ordinal  int
	Context  int
	Position trace.Position
}

// StillKind says what a row of [Stills] is.
type StillKind uint8

// The kinds of stills.
const (
	Screenshot StillKind = iota
	Aria
)

// Still is a row of [Stills].
type Still struct {
	Time     time.Duration
	Action   Row
	Phase    Phase
	Kind     StillKind
	Page     Row
	Entry    string
	Position trace.Position
}

// Log is a row of [Logs].
type Log struct {
	Time     time.Duration
	Action   Row
	Message  string // cut at [MaxText]
	Position trace.Position
}

// InputFlags tell what a row of [Inputs] holds.
type InputFlags uint32

// What a row of Inputs holds.
const (
	HasPoint InputFlags = 1 << iota
	HasBox
)

// Input is a row of [Inputs]. Places are in CSS pixels of the main frame.
type Input struct {
	Action   Row
	Flags    InputFlags
	Point    trace.Point
	Box      trace.Rect
	Position trace.Position
}

// Event is a row of [Events].
type Event struct {
	Time     time.Duration
	Class    string
	Method   string
	Page     Row
	Text     string // an address or a message, where the event has one
	Position trace.Position
}

// Page is a row of [Pages].
type Page struct {
	ID          string
	First, Last time.Duration // when something was first and last heard of it
	Opener      Row
	Context     int
}

// Attachment is a row of [Attachments].
type Attachment struct {
	Action   Row // NoRow where the action is not known
	Name     string
	Type     string
	Entry    string // "" where the bytes are elsewhere or in the line itself
	Path     string // on the recording machine
	Time     time.Duration
	Position trace.Position
}

// MaxText is how many bytes of a message a row keeps. The line has it whole.
const MaxText = 2048

// MaxTitle is how many bytes of a title and of a detail a row keeps.
const MaxTitle = 512
