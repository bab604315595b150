package cdp

import "github.com/tracedeck/tracedeck/trace"

// capture makes actions of what the user does, and takes the snapshots and
// pictures that belong to actions.
type capture struct {
	r       *Recorder
	driven  map[string]*page // actions under way that somebody else carries out
	working int              // snapshots and pictures under way
}

var inputEvents = map[string]func(*Recorder, *session, event){}

func newCapture(r *Recorder) *capture { return &capture{r: r, driven: map[string]*page{}} }

func (c *capture) enable(*session)              {}
func (c *capture) finish()                      {}
func (c *capture) tick()                        {}
func (c *capture) busy() bool                   { return c.working > 0 }
func (c *capture) pageClosed(*page, trace.Time) {}
func (c *capture) navigated(*frame, trace.Time) {}
func (c *capture) restart()                     {}
func (c *capture) began(id string, p *page)     { c.driven[id] = p }
func (c *capture) over(id string)               { delete(c.driven, id) }

// snapshot takes the DOM of all frames of a page.
func (c *capture) snapshot(p *page, id string, phase trace.Phase, then func()) { then() }

// end writes the end of an action once its snapshot is taken, and a picture.
func (c *capture) end(p *page, a *trace.After) {
	c.working++
	c.snapshot(p, a.CallID, trace.PhaseAfter, func() {
		c.r.sink.Write(a)
		c.r.shoot(p, func() { c.working-- })
	})
}
