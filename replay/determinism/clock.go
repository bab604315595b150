package determinism

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// clock is the time of a session. One goroutine moves it.
type clock struct {
	now     float64 // milliseconds since the beginning
	shared  atomic.Uint64
	real    time.Time     // when it began
	base    float64       // what the clock of the page's process would have shown then
	first   float64       // what the browser's showed
	frame   float64       // what frames are told that it showed at the beginning
	stands  atomic.Uint64 // what it shows now, for other goroutines
	began   atomic.Uint64 // where the clock of the page's process began
	moved   bool          // the page has gone to another process, which has another clock
	frames  int
	stirred float64 // when something was done last
	expired chan struct{}
	lead    *Page // whose process is given the time
	waiting atomic.Bool
	halted  atomic.Bool // a script has stopped it
	halting sync.Mutex  // held while that, or the end of a grant, is dealt with
	stale   []float64   // ends of grants that were cut short, which are told nonetheless
	slow    float64     // until when time passes bit by bit
	loads   int         // how many were over at the last step
}

func (c *clock) set(now float64) {
	c.now = now
	c.shared.Store(math.Float64bits(now))
	c.stands.Store(math.Float64bits(c.base + now))
}

// read is now for other goroutines.
func (c *clock) read() float64 { return math.Float64frombits(c.shared.Load()) }

func (c *clock) standsAt() float64 { return math.Float64frombits(c.stands.Load()) }

// most is how long is waited for the real clock.
const most = 400 * time.Millisecond

// abreast waits until the real clock is not behind the page's, if that does
// not take long: a document that the browser is told to open begins at a moment
// of its real clock, unless that is still to come. Then it begins now, and its
// frames with it at the same fraction of a millisecond.
func (s *Session) abreast(ctx context.Context) error {
	c := &s.time
	ahead := time.Duration((c.base-c.first+c.now)*float64(time.Millisecond)) - time.Since(c.real)
	if s.virtual() && ahead > 0 && ahead < most {
		return sleep(ctx, ahead+time.Millisecond)
	}
	return nil
}

func (s *Session) virtual() bool { return s.b.Regime == Frames || s.b.Regime == Timers }

// still lets the page go on without letting time pass: the clock that was
// halted may not go beyond where it stands. Timers that are due by now, loads
// and messages come to their end there, and not by chance before or after what
// is done next.
//
// A grant begins with a leap to the time of the timer that was next when the page
// was idle last, even if others were set since: there is always one that is next.
func (s *Session) still(ctx context.Context, p *Page) error {
	_ = p.call(ctx, "Runtime.evaluate", object{"expression": "globalThis.__tracedeck?.next?.()", "silent": true}, nil) // a page that is going has none
	// The answer to the one need not be waited for before the other is given.
	rule, way := s.rule(p, "pauseIfNetworkFetchesPending", 0), p.sent()
	if err := s.ruled(ctx, p, rule); err != nil {
		way.left()
		return err
	}
	s.net.arrive(ctx, way)
	return nil
}

// loadTime is by how much the browser moves its clock on at the end of a load,
// from its beginning, and bit the most that it may do so at once.
const (
	loadTime = 10.0
	bit      = 1.0
)

// grant lets virtual time run for ms and waits until it stands still again.
// After a load the browser skips some time or not, by chance: it is given in
// bits then, which are too small to skip a timer.
func (s *Session) grant(ctx context.Context, ms float64) error {
	p, err := s.lead()
	if err != nil {
		return err
	}
	s.working.stepped()
	end := s.time.now + ms
	for done := true; ; {
		s.working.start(ctx, s)
		if done { // it may have asked for something
			s.net.barrier(ctx)
			done = false
		}
		if err := s.net.calm(ctx, p); err != nil {
			return err
		}
		var err error
		if done, err = s.finished(ctx); err != nil {
			return err
		} else if done {
			continue
		}
		if n := s.net.endedOf(); n != s.time.loads {
			s.time.loads, s.time.slow = n, s.time.now+loadTime
		}
		if n := s.time.forget(ctx); n > 0 {
			s.log("%d grants that were cut short do not tell their end", n)
		}
		if err := s.follow(ctx, p); err != nil {
			return err
		}
		if s.time.now >= end {
			break
		}
		to := end
		if s.time.now < s.time.slow {
			to = math.Min(to, s.time.now+bit)
		}
		for _, t := range s.time.stale {
			to = math.Min(to, t)
		}
		if err := s.part(ctx, p, to); err != nil {
			return err
		}
	}
	if err := s.opened(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	s.dialogs = 0
	s.mu.Unlock()
	said, err := s.working.tick(ctx, s)
	if err == nil && (said || !s.net.none()) && s.working.any() {
		s.net.barrier(ctx) // what workers have said is heard before the frame
	}
	return err
}

// forget waits for the word of grants that were cut short and would be over by
// now, and returns how many do not give it.
func (c *clock) forget(ctx context.Context) (missing int) {
	left := c.stale[:0]
	for _, t := range c.stale {
		if t > c.now {
			left = append(left, t)
			continue
		}
		select {
		case <-c.expired:
		case <-time.After(time.Second):
			missing++
		case <-ctx.Done():
		}
	}
	c.stale = left
	return missing
}

// part lets time run to a certain time, or to where a request stops it.
func (s *Session) part(ctx context.Context, p *Page, to float64) error {
	for len(s.time.expired) > 0 {
		<-s.time.expired
	}
	// Loading stops the clock, except for what goes on without end: then it
	// goes on too.
	policy, free := "pauseIfNetworkFetchesPending", s.net.endless()
	if free {
		policy = "advance"
	}
	over, err := s.run(ctx, p, policy, to-s.time.now)
	if err != nil {
		return err
	}
	if !over {
		if err := s.policy(ctx, p, "pause", 0); err != nil {
			return err
		}
		s.time.stale = append(s.time.stale, to)
	}
	if s.time.moved { // which it does while requests hold the clock
		to = s.time.now
	} else if !over || free { // the end of a load may have moved it
		now, _, err := p.ticks(ctx)
		if err != nil {
			return err
		}
		now = math.Round((now-s.time.base)*1000) / 1000
		if over {
			now = math.Max(now, to)
		}
		s.log("a step was to end at %.1f and stands at %.1f ms", to, now)
		to = math.Max(now, s.time.now)
	}
	s.time.set(to)
	return s.still(ctx, p)
}

// run lets time pass for ms and reports whether all of it has.
func (s *Session) run(ctx context.Context, p *Page, policy string, ms float64) (over bool, err error) {
	c := &s.time
	c.halted.Store(false)
	c.waiting.Store(true)
	defer func() {
		c.halting.Lock()
		c.waiting.Store(false)
		c.halting.Unlock()
	}()
	if err := s.policy(ctx, p, policy, ms); err != nil {
		return false, err
	}
	return s.expire(ctx, p, policy == "advance")
}

// ticks is what the browser's clock shows, and what it showed when the page's
// document began, in milliseconds.
func (p *Page) ticks(ctx context.Context) (now, origin float64, err error) {
	var r struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	if err := p.call(ctx, "Performance.getMetrics", nil, &r); err != nil {
		return 0, 0, p.s.gone(p, err)
	}
	for _, m := range r.Metrics {
		switch m.Name {
		case "Timestamp":
			now = m.Value * 1000
		case "NavigationStart":
			origin = m.Value * 1000
		}
	}
	if now == 0 {
		return 0, 0, errorf("E_TIME_STUCK", "the browser does not tell its time")
	}
	return now, origin, nil
}

// opened waits until pages that were opened in a step are set up, so that they
// begin with the next.
func (s *Session) opened(ctx context.Context) error {
	for i := 0; s.opening.Load() > 0 && i < 5000; i++ {
		if err := sleep(ctx, 2*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// expire waits for the end of a grant and reports whether it has come: a request
// stops the clock in the middle of it. What the page makes of an answer begins
// some tasks after the request is over, and that must not depend on how far the
// clock has come meanwhile: it is halted for good until all is quiet. free tells
// that requests do not stop it.
func (s *Session) expire(ctx context.Context, p *Page, free bool) (over bool, err error) {
	began, poll := time.Now(), time.NewTicker(5*time.Millisecond)
	defer poll.Stop()
	moved := s.net.moved()
	for {
		select {
		case <-s.time.expired:
			return true, nil
		case <-p.left:
			return false, s.gone(p, nil)
		case <-s.b.Done():
			return false, s.gone(p, nil)
		case <-ctx.Done():
			return false, s.stuck(fmt.Errorf("the clock stood still: %w", context.Cause(ctx)))
		case <-s.net.wake:
		case now := <-poll.C:
			s.working.start(ctx, s) // the script of one counts as loading until it begins
			if m := s.net.moved(); m != moved {
				moved, began = m, now
			}
			if now.Sub(began) > s.o.Stuck {
				return false, s.stuck(fmt.Errorf("the clock stood still for %v", s.o.Stuck))
			}
		}
		if len(s.time.expired) == 0 && (s.time.halted.Load() || !free && (s.net.busy() || s.net.onlyEndless())) {
			return false, nil
		}
	}
}

// lead returns the page that the clock is moved with: the process has one
// clock for all pages.
func (s *Session) lead() (*Page, error) {
	if err := s.Err(); err != nil {
		return nil, err
	}
	if p := s.time.lead; p != nil && !p.closed() {
		return p, nil
	}
	p := s.Page()
	if p == nil {
		return nil, errorf("E_PAGE_GONE", "no page is open")
	}
	s.time.lead = p
	return p, nil
}
