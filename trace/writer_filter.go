package trace

import (
	"bytes"
)

// Filter is what the events of one file go through when it is copied. It
// passes on to out what is to be written. An error ends the copying.
type Filter interface {
	// Event is called for each event. It is valid until Event returns: use
	// [Event.Clone] to keep it.
	Event(e *Event, out *FilterOutput) error
	// End is called behind the last event of the .trace entry, and again
	// behind the last of the .network entry.
	End(out *FilterOutput) error
}

// FilterOutput takes what a [Filter] passes on.
type FilterOutput struct {
	c *copying
	t *target
}

// Keep writes the event as it was, byte for byte where that can be.
func (o *FilterOutput) Keep(e *Event) error { return o.c.pass(o.t, e, Keep) }

// Write writes an event anew, or one that was not there.
func (o *FilterOutput) Write(body Body) error { return o.c.pass(o.t, &Event{Body: body}, Changed) }

// Drop counts an event that is left out.
func (o *FilterOutput) Drop(*Event) { o.c.report.Dropped++ }

// Clone returns a copy whose Raw stays valid.
func (e *Event) Clone() *Event {
	c := *e
	c.Raw = bytes.Clone(e.Raw)
	return &c
}
