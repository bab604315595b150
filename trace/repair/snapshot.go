package repair

import (
	"github.com/tracedeck/tracedeck/trace"
)

func (x *filter) snapshot(e *trace.Event, b *trace.FrameSnapshot) error {
	name := nameOf(b)
	changed := x.rename(&b.CallID)
	if b.Viewport == nil {
		v := x.shownSize()
		b.Viewport, changed = &v, true
		x.fix(e, "E_NO_VIEWPORT", "%s is shown at %gx%g", name, v.Width, v.Height)
	}
	if b.ResourceOverrides == nil && b.Extra.Get("resourceOverrides") == nil {
		b.ResourceOverrides, changed = []trace.ResourceOverride{}, true
		x.fix(e, "E_NO_OVERRIDES", "%s", name)
	}
	if wall, ok := x.wallTime(b); ok {
		b.WallTime, changed = wall, true
		x.fix(e, "W_SNAPSHOT_CLOCK", "%s", name)
	}
	if x.version >= 9 {
		if b.Name != "" && b.Phase != "" {
			b.Name, changed = "", true
			x.fix(e, "W_PHASE", "%s is of the phase %s", name, b.Phase)
		}
		return x.pass(e, changed)
	}
	if b.Name == "" && name != "" {
		b.Name, changed = name, true
	}
	q := queued{name: name, event: e.Clone()}
	if changed {
		q.body = b
	}
	if !x.ready(q) {
		x.fix(e, "W_SNAPSHOT_EARLY", "%s", name)
	}
	x.queue = append(x.queue, q)
	return x.release(false)
}

func (x *filter) ready(q queued) bool { return x.said[q.name] || !x.named[q.name] }

// release writes the snapshots at the head of the queue that are named.
func (x *filter) release(all bool) error {
	for len(x.queue) > 0 && (all || x.ready(x.queue[0])) {
		q := x.queue[0]
		x.queue = x.queue[1:]
		var err error
		if q.body != nil {
			err = x.out.Write(q.body)
		} else {
			err = x.out.Keep(q.event)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// shownSize is the size of the page where it is not said.
func (x *filter) shownSize() trace.Size {
	if x.header != nil {
		if v, ok := x.header.Viewport(); ok {
			return v
		}
	}
	if x.viewport != nil {
		return *x.viewport
	}
	return trace.Size{Width: 1280, Height: 720} // the viewers' own default
}

// epoch is the least number of milliseconds that is taken for a time of the
// calendar: it is in 2001, and 31 years of a monotonic clock.
const epoch = 1e12

// wallTime puts a wall time that counts from the start of the recording on
// the calendar.
func (x *filter) wallTime(b *trace.FrameSnapshot) (float64, bool) {
	if b.WallTime <= 0 || b.WallTime >= epoch/10 || x.wall < epoch {
		return 0, false
	}
	at := b.Timestamp.Sub(x.mono)
	return x.wall + float64(at.Milliseconds()), true
}
