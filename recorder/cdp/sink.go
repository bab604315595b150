package cdp

import (
	"io"

	"github.com/tracedeck/tracedeck/trace"
)

// Sink takes what a [Recorder] learns. recorder.Session is one.
type Sink interface {
	// Now returns the time on the recording's clock.
	Now() trace.Time
	// Write writes an event. What goes wrong is the sink's to remember: a
	// recorder has nobody to tell.
	Write(trace.Body)
	// AddResource writes bytes and returns the name by which events mean them.
	AddResource(data []byte, ext string) (file string, err error)
	// Stream makes an entry that grows while it is recorded.
	Stream(name string) (io.WriteCloser, error)
	// NewCall returns an id for an action and the id of the group it is in.
	NewCall() (id, parent string)
	// Warn tells of something that is not in the recording, and why.
	Warn(trace.Warning)
}
