package recorder

import (
	"errors"

	"github.com/tracedeck/tracedeck/recorder/cdp"
)

// Options say what is recorded and where it goes.
type Options struct {
	// Output is the zip that Stop makes; "" leaves the folder as it is.
	Output string
	// Dir is the folder that is recorded into. It must not hold a recording.
	// "" means Output with ".recording" at its end, which Stop removes once the
	// zip is whole.
	Dir string
	// Title is what viewers call the session.
	Title string
	// Protocol records each command that the driving program gives the browser
	// as an action of class CDP inside the action that caused it.
	Protocol bool
	// Groups are names of the groups that a person begins and ends by Alt, Shift
	// and a digit, from 1, where the browser's overlay is on.
	Groups []string
	// NoStacks leaves the call stacks of the program out of its actions, where
	// they say nothing to who reads the trace.
	NoStacks bool
	// Browser says what is recorded of the browser.
	Browser cdp.Options
}

// DefaultOptions returns what most want: everything but secrets, into output.
func DefaultOptions(output string) Options {
	return Options{Output: output, Browser: cdp.DefaultOptions()}
}

// ErrNowhere is returned when neither a zip nor a folder is given.
var ErrNowhere = errors.New("neither Output nor Dir says where the recording goes")

func (o Options) dir() (string, error) {
	switch {
	case o.Dir != "":
		return o.Dir, nil
	case o.Output != "":
		return o.Output + ".recording", nil
	}
	return "", ErrNowhere
}
