package determinism

import (
	"context"
	"errors"
	"math"
	"time"
)

// startClock stops the time of the first page. Pages round their clocks to
// 0.1 ms with a threshold that is random for each process; times that are
// multiples of half a millisecond are safe from it, and exact as floats, which
// frame times are.
func (s *Session) startClock(ctx context.Context) error {
	if !s.virtual() {
		return nil
	}
	p := s.Page()
	if p == nil {
		return errorf("E_PAGE_GONE", "the first page is gone")
	}
	s.time.lead = p
	if err := s.policy(ctx, p, "pause", 0); err != nil {
		return err
	}
	s.time.base, s.time.moved = s.time.beganAt(), false
	if us := int64(math.Round(s.time.base*1000)) % 500; us > 0 {
		adjust := float64(500-us) / 1000
		if err := s.part(ctx, p, adjust); err != nil {
			return err
		}
		s.time.base += adjust
	}
	s.time.frame, s.time.first = s.time.base, s.time.base
	s.time.set(0)
	s.time.real = time.Now()
	s.working.reset()
	return s.still(ctx, p)
}

// foremost is by how much frames are ahead of the clock of another process, at
// least. That begins at the real time, which may be long before the time of the
// last frame, and the browser gives pages no frame that is not later than the one
// before: what is asked for then never comes. Frames are ahead even where they
// would not need to be, so that it does not depend on how fast the machine is.
const foremost = 10000

// follow goes on with the clock of another process, where the page has gone to
// one: a document that is to be isolated from all others gets its own. There the
// clock begins anew.
func (s *Session) follow(ctx context.Context, p *Page) error {
	if !s.time.moved {
		return nil
	}
	s.time.moved = false
	at := s.time.now
	now, _, err := p.ticks(ctx)
	if err != nil {
		return err
	}
	s.time.base, s.time.stale = math.Round((now-at)*1000)/1000, nil
	s.time.frame = math.Max(s.time.frame+2, s.time.base+foremost) // later than the last frame, wherever that was put
	s.log("the page is in another process, whose clock shows %.1f ms", now)
	s.time.set(at)
	return s.pictured(ctx, p)
}

// pictured makes frames until the page hears of one: what draws it in another
// process comes up beside it, and until then frames are made without the page.
func (s *Session) pictured(ctx context.Context, p *Page) error {
	if s.b.Regime != Frames {
		return nil
	}
	for began := time.Now(); !p.heardFrame() && time.Since(began) < s.pace.of(time.Second); {
		if _, err := p.frame(ctx, false); err != nil {
			return s.gone(p, err)
		}
		p.barrier(ctx, s.pace.of(time.Second))
		if !p.heardFrame() {
			s.time.frame++ // the next one is to be later
			if err := sleep(ctx, 2*time.Millisecond); err != nil {
				return err
			}
		}
	}
	return nil
}

// policy tells the browser how time passes, for ms where that is not 0. The date
// counts where a process is told first, hence a quarter of room. It is told each
// time, since a process that takes a page over is told what was told last.
func (s *Session) policy(ctx context.Context, p *Page, policy string, ms float64) error {
	return s.ruled(ctx, p, s.rule(p, policy, ms))
}

func (s *Session) rule(p *Page, policy string, ms float64) asked {
	params := object{"policy": policy, "initialVirtualTime": s.dated(s.time.now)}
	if ms > 0 {
		params["budget"], params["maxVirtualTimeTaskStarvationCount"] = ms, 100000
	}
	return s.b.ask(p.session, "Emulation.setVirtualTimePolicy", params)
}

// ruled waits until the browser has heard how time passes.
func (s *Session) ruled(ctx context.Context, p *Page, a asked) error {
	var r struct {
		Began float64 `json:"virtualTimeTicksBase"`
	}
	err := p.answer(ctx, a, &r)
	switch {
	case err == nil:
		if before := s.time.began.Swap(math.Float64bits(r.Began)); before != math.Float64bits(r.Began) {
			s.time.moved = true
		}
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return s.stuck(err)
	}
	return s.gone(p, err)
}

// beganAt is what the clock of the page's process showed when it was stopped first.
func (c *clock) beganAt() float64 { return math.Float64frombits(c.began.Load()) }

// dated is a time of the session as a date, in seconds since 1970.
func (s *Session) dated(ms float64) float64 { return (s.o.epoch() + ms + 0.25) / 1000 }
