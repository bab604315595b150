package browser

import (
	"io"
	"time"
)

// Options say which Chromium is started and how. The zero value starts the
// one that [Find] finds, without a window.
type Options struct {
	// Path is the program; "" means what Find finds.
	Path string
	// Headed shows a window, which needs a display.
	Headed bool
	// NoSandbox turns Chromium's sandbox off. It is turned off anyway for root
	// in a container, where it cannot be on; Browser.Warnings says so.
	NoSandbox bool
	// Profile is the folder for the profile; it stays when the browser ends.
	// "" means a fresh one that goes with the browser.
	Profile string
	// Port is the DevTools port on the loopback address; 0 means any that is free.
	Port int
	// Width and Height are of the window, in CSS pixels; 0 means 1280×720.
	Width, Height int
	// Flags are added to the command line, as --name or --name=value; leading
	// dashes may be left out. A flag takes the place of a known one of its name,
	// except for lists of features, which are joined. "!name" removes one.
	Flags []string
	// Env is added to this program's environment, as NAME=value.
	Env []string
	// Timeout is how long the start may take; 0 means 30 s.
	Timeout time.Duration
	// Output, if set, gets what the browser writes to its standard output and
	// error. It is written to from another goroutine until the browser has ended.
	Output io.Writer
}

func (o Options) timeout() time.Duration {
	if o.Timeout <= 0 {
		return 30 * time.Second
	}
	return o.Timeout
}

func (o Options) size() (width, height int) {
	if o.Width <= 0 || o.Height <= 0 {
		return 1280, 720
	}
	return o.Width, o.Height
}
