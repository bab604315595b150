package determinism

import (
	"context"
	"math"
)

// halt stops the clock where a debugger holds a script of the page, which is
// where that begins something outside of its thread in the middle of a step, and
// lets the script go on.
func (p *Page) halt() {
	ctx, cancel := p.s.ctx()
	defer cancel()
	p.mu.Lock()
	fresh := p.fresh
	p.fresh = false
	p.mu.Unlock()
	c := &p.s.time
	c.halting.Lock()
	switch lead := c.lead; {
	case fresh:
		p.held(ctx)
	case c.waiting.Load() && lead != nil && !c.halted.Load():
		if lead.stand(ctx, "pause", nil) == nil {
			c.halted.Store(true)
		}
	}
	c.halting.Unlock()
	_ = p.call(ctx, "Debugger.resume", nil, nil)
	p.s.net.poke()
}

// held stops the clock of a document that begins in another process than the one
// before: time passes there until it is told not to.
func (p *Page) held(ctx context.Context) {
	c := &p.s.time
	now, _, err := p.ticks(ctx)
	if err != nil || c.waiting.Load() || math.Abs(now-c.standsAt()) < 0.01 {
		return // it stands already
	}
	var r struct {
		Began float64 `json:"virtualTimeTicksBase"`
	}
	if p.stand(ctx, "pause", &r) != nil {
		return
	}
	_ = p.stand(ctx, "pauseIfNetworkFetchesPending", nil)
	if p != c.lead && r.Began != c.beganAt() {
		p.s.remark("W_REAL_TIME", "%s is in a process of its own, whose clock stands still", p.URL())
	}
}

// stand is [Session.policy] for other goroutines than the one that moves the
// clock.
func (p *Page) stand(ctx context.Context, policy string, result any) error {
	return p.call(ctx, "Emulation.setVirtualTimePolicy", object{"policy": policy, "initialVirtualTime": p.s.dated(p.s.time.read())}, result)
}
