package wire

import (
	"errors"
	"fmt"
)

// Version is the version of the language; both sides must speak the same.
const Version = 2

// What a frame holds at the most.
const (
	RowsPerFrame  = 4096
	FirstRows     = 256       // rows in the first frame of a table: what a screen shows at first
	TextPerFrame  = 256 << 10 // bytes of strings
	MaxFrame      = 1 << 20   // bytes that the page may send in one message
	MaxAnswer     = 1 << 20   // bytes of a res's JSON
	FirstCredit   = 4         // frames that may be sent before the page grants more
	MaxCredit     = 64
	maxOpenTables = 64
	maxText       = 64 << 10
)

// Message is something that the page says.
type Message interface{ message() }

// Hello is the first message. With a ref it opens a trace too, which saves the
// page from waiting for the welcome before it may ask.
type Hello struct {
	Ref     uint32 // by which the trace is known from then on; 0 opens none
	Version int
	Token   string
	Trace   string // id or the beginning of one; "" is the one that the page begins with
}

// Open asks for a trace's rows, from those on that the page has.
type Open struct {
	Ref     uint32
	Trace   string         // id, from the welcome
	Epoch   string         // of what the page has; "" if it has nothing
	Rows    map[string]int // by table
	Patches int
}

// Close ends what Open began.
type Close struct{ Ref uint32 }

// View asks how much of a table lies in each of some stretches of time.
type View struct {
	Ref, Trace uint32
	Table      string
	From, To   float64 // microseconds
	Buckets    int
}

// Get asks for what a row alone does not tell.
type Get struct {
	Ref, Trace uint32
	What       string // "action", "request", "message", …
	Row        int
	Text       string
}

// Search asks for what fits a query.
type Search struct {
	Ref, Trace uint32
	Query      string
	Limit      int
}

// Diff asks for something about two traces beside each other.
type Diff struct {
	Ref, A, B uint32 // A and B are the refs by which they were opened
	What      string // "align", "pair", "pixels", …
	Row       int    // number of the pair of steps
	Text      string
}

// Shelf asks for the start page's list, or opens what is on it.
type Shelf struct {
	Ref  uint32
	What string // "list", "open", "address", "forget"
	Text string
}

// Cancel says that nobody waits for an answer any more.
type Cancel struct{ Ref uint32 }

// Credit lets the server send more frames.
type Credit struct{ Frames int }

func (Hello) message()  {}
func (Open) message()   {}
func (Close) message()  {}
func (View) message()   {}
func (Get) message()    {}
func (Search) message() {}
func (Diff) message()   {}
func (Shelf) message()  {}
func (Cancel) message() {}
func (Credit) message() {}

// ErrMessage is the cause of all errors about a message that is none.
var ErrMessage = errors.New("not a message of the viewer")

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMessage, fmt.Sprintf(format, args...))
}
