package cdp

import "time"

// Pictures says how pictures of pages are taken.
type Pictures string

// The kinds of pictures.
const (
	JPEG       Pictures = "jpeg"
	PNG        Pictures = "png"
	NoPictures Pictures = "off"
)

// Options say what is recorded. [DefaultOptions] is what most want.
type Options struct {
	Bodies   bool     // bodies of requests and responses
	MaxBody  int64    // bytes; a body above it is left out, which its entry says
	Pictures Pictures // of the screencast
	Quality  int      // of JPEG pictures, 1 to 100
	MaxSide  int      // pixels of a picture's longer side
	// Secrets keeps the values of Authorization and Cookie headers, of cookies
	// and of stored tokens. Otherwise it is recorded that they were there.
	Secrets bool
	// Snapshots are of the DOM, before and after each action.
	Snapshots bool
	// Input records what the user does, or a driver lets a user do, as actions.
	Input bool
	// Mask are CSS selectors of elements whose text and values are left out of
	// snapshots and actions.
	Mask []string
	// TestID is the attribute by which tests name elements; "" means data-testid.
	TestID string
	// Dialog, if set, answers the dialogs of pages. Otherwise whoever drives
	// the browser has to.
	Dialog func(kind, message, preset string) (accept bool, text string)
	// Overlay shows a person a stop button and how much is recorded. It is in no
	// snapshot and no picture; pictures are taken around actions only.
	Overlay bool
	// Asked, if set, is called when the person asks for something by the overlay
	// or a hot key. It must not wait for the recorder.
	Asked func(Command)
	// ConsoleRate is how many messages of one page a second are recorded for
	// more than a moment. What is above is counted. 0 means 2000.
	ConsoleRate int
	// VirtualTime says that the clocks of the pages are not the machine's, so
	// that what the browser tells of them is no time of the recording's.
	VirtualTime bool
	// Settle is how long Stop waits for bodies under way. 0 means 3 s.
	Settle time.Duration
}

// Command is what a person asks of the recording: "stop", or "group" with the
// number of the key, 0 to 9.
type Command struct {
	Name   string
	Number int
}

// DefaultOptions returns what most want: everything but secrets.
func DefaultOptions() Options {
	return Options{Bodies: true, MaxBody: 32 << 20, Pictures: JPEG, Quality: 75, MaxSide: 800, Snapshots: true, Input: true}
}

func (o Options) settle() time.Duration {
	if o.Settle <= 0 {
		return 3 * time.Second
	}
	return o.Settle
}

func (o Options) consoleRate() float64 {
	if o.ConsoleRate <= 0 {
		return 2000
	}
	return float64(o.ConsoleRate)
}
