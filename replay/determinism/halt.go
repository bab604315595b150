package determinism

import (
	"context"
	"math"
)

// held notes that a debugger holds a script of the page.
func (p *Page) held() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.halts++
	if p.going == nil {
		p.going = make(chan struct{})
	}
}

// free lets the script go on that a debugger holds.
func (p *Page) free(ctx context.Context) {
	a := p.s.b.ask(p.session, "Debugger.resume", nil)
	p.mu.Lock()
	if p.freed++; p.freed == p.halts {
		close(p.going)
		p.going = nil
	}
	p.mu.Unlock()
	_ = p.answer(ctx, a, nil)
}

// goes waits until no script of the page is held, and reports whether that is so.
func (p *Page) goes(ctx context.Context) bool {
	p.mu.Lock()
	going := p.going
	p.mu.Unlock()
	if going == nil {
		return true
	}
	select {
	case <-going:
		return true
	case <-ctx.Done():
	case <-p.left:
	case <-p.s.done:
	}
	return false
}

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
		p.stop(ctx)
	case c.waiting.Load() && lead != nil && !c.halted.Load():
		if lead.stand(ctx, "pause", nil) == nil {
			c.halted.Store(true)
		}
	}
	c.halting.Unlock()
	p.free(ctx)
	p.s.net.poke()
}

// stop stops the clock of a document that begins in another process than the one
// before: time passes there until it is told not to.
func (p *Page) stop(ctx context.Context) {
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
