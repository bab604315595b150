package cdp

import (
	"fmt"
	"sync/atomic"

	"github.com/tracedeck/tracedeck/trace"
)

// overlay is what the box in the pages says.
type overlay struct {
	events atomic.Int64
	group  atomic.Pointer[string]
}

// counter counts the events of a recording.
type counter struct {
	Sink
	n *atomic.Int64
}

func (c *counter) Write(b trace.Body) {
	if _, announced := b.(*trace.Begun); !announced {
		c.n.Add(1)
	}
	c.Sink.Write(b)
}

// ShowGroup says on the overlay which group is open; "" is none.
func (r *Recorder) ShowGroup(name string) { r.overlay.group.Store(&name) }

// tellOverlays has the boxes show what is new, and be there.
func (r *Recorder) tellOverlays() {
	if !r.o.Overlay {
		return
	}
	group := ""
	if g := r.overlay.group.Load(); g != nil {
		group = *g
	}
	now := fmt.Sprintf("globalThis.__deck?.overlay?.show(%d, %s)", r.overlay.events.Load(), mustJSON(group))
	for _, p := range r.pages {
		f := r.frames[p.target]
		if f == nil || f.world == nil || p.overlay == now {
			continue
		}
		p.overlay = now
		r.evaluate(f.world, now, nil)
	}
}

// hideOverlay takes the box away for a picture. The function that it returns
// brings it back.
func (r *Recorder) hideOverlay(p *page) func() {
	f := r.frames[p.target]
	if !r.o.Overlay || f == nil || f.world == nil {
		return func() {}
	}
	w := f.world
	r.evaluate(w, "globalThis.__deck?.overlay?.hide(true)", nil)
	return func() { r.evaluate(w, "globalThis.__deck?.overlay?.hide(false)", nil) }
}
