package cdp

import (
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// ending is the end of an action that somebody else carried out and that began
// a navigation: its last snapshot is of the page that it led to.
type ending struct {
	after *trace.After
	due   time.Time // until when the page may load
}

// end writes the end of an action that somebody else carried out, with a
// snapshot and a picture.
func (c *capture) end(p *page, a *trace.After) {
	c.conclude(p, func() {
		if p.loading.under && !p.closed {
			p.ending = &ending{a, time.Now().Add(loadAfter)}
			return
		}
		c.writeEnd(p, a, func() {})
	})
}

func (c *capture) writeEnd(p *page, a *trace.After, then func()) {
	c.working++
	c.snapshot(p, a.CallID, trace.PhaseAfter, func(found int) {
		if found > 0 {
			a.ExpectSnapshot()
		}
		c.r.sink.Write(a)
		then()
		c.r.shoot(p, func() { c.working-- })
	})
}

// conclude ends what is under way on a page, with a last snapshot, because
// something else begins, and calls then.
func (c *capture) conclude(p *page, then func()) {
	if e := p.ending; e != nil {
		p.ending = nil
		c.writeEnd(p, e.after, func() { c.conclude(p, then) })
		return
	}
	a := p.act
	if a == nil {
		then()
		return
	}
	a.closing = true
	c.snapshot(p, a.before.CallID, trace.PhaseAfter, func(found int) {
		if p.act == a {
			c.complete(p, found > 0, c.r.sink.Now())
		}
		then()
	})
}
