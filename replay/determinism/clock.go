package determinism

import (
	"context"
	"encoding/json"
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
	base    float64       // what the browser's clock showed at the beginning
	stands  atomic.Uint64 // what it shows now, for other goroutines
	began   atomic.Uint64 // where the clock of the page's process began
	moved   bool          // the page has gone to another process, which has another clock
	frames  int
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

// abreast waits until the real clock is not behind the session's, if that does
// not take long: a document that the browser is told to open begins at a moment
// of its real clock, unless that is still to come. Then it begins now, and its
// frames with it at the same fraction of a millisecond.
func (s *Session) abreast(ctx context.Context) error {
	if ahead := s.Now() - time.Since(s.time.real); s.virtual() && ahead > 0 && ahead < most {
		return sleep(ctx, ahead+time.Millisecond)
	}
	return nil
}

// steps are whole milliseconds, 60 frames a second on the average. Fractions
// would be rounded by pages with a threshold that differs between processes.
var steps = [...]float64{17, 17, 16}

const interval = 1000.0 / 60

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
	if err := s.policy(ctx, p, "pauseIfNetworkFetchesPending", 0); err != nil {
		return err
	}
	s.net.barrier(ctx)
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
		s.time.forget(ctx)
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
	if err := s.working.tick(ctx, s); err != nil || !s.working.any() {
		return err
	}
	s.net.barrier(ctx) // what workers have said is heard before the frame
	return nil
}

// forget waits for the word of grants that were cut short and would be over by
// now.
func (c *clock) forget(ctx context.Context) {
	left := c.stale[:0]
	for _, t := range c.stale {
		if t > c.now {
			left = append(left, t)
			continue
		}
		select {
		case <-c.expired:
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
	c.stale = left
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

// late is by how much the time of the page's frames is behind the clock. The
// beginning of a document that the browser was told to open is a moment of its
// real clock, and frames whose distance from it is no multiple of half a
// millisecond would be rounded by chance, and animations with them.
func (p *Page) late(ctx context.Context) float64 {
	p.mu.Lock()
	loads := p.loads
	p.mu.Unlock()
	if p.aligned == loads+1 {
		return p.off
	}
	_, origin, err := p.ticks(ctx)
	if err != nil {
		return 0
	}
	var r struct{ Result struct{ Value float64 } }
	_ = p.call(ctx, "Runtime.evaluate", object{"expression": "globalThis.__tracedeck?.rest", "silent": true}, &r) // 0 where there is none
	p.aligned, p.off = loads+1, behind(p.s.time.base-origin, r.Result.Value)
	return p.off
}

// behind is the number nearest to what a page takes it for that differs from the
// age of its document by a multiple of half a millisecond, and is not negative.
// The page knows that by tenths of a millisecond.
func behind(age, taken float64) float64 {
	const grain = 500
	rest := int64(math.Round(age*1000)) % grain
	if rest < 0 {
		rest += grain
	}
	rest += grain * int64(math.Round((taken*1000-float64(rest))/grain))
	return math.Max(0, float64(rest)/1000)
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

// stuck says why time does not pass: the page works without an end, or waits
// for a request.
func (s *Session) stuck(why error) error {
	if failed := s.Err(); failed != nil {
		return failed // that is why
	}
	e := &Error{Code: "E_TIME_STUCK", Err: why, Pending: s.Pending()}
	ctx, cancel := context.WithTimeout(context.Background(), s.pace.of(2*time.Second))
	defer cancel()
	if p := s.Page(); p != nil && p.call(ctx, "Runtime.evaluate", object{"expression": "1"}, nil) != nil && ctx.Err() != nil {
		e.Code, e.Err = "E_PAGE_BUSY", fmt.Errorf("a script of the page does not come to an end: %v", why) // whatever limit was reached
	} else if len(e.Pending) > 0 {
		e.Err = fmt.Errorf("%w; waiting for %v", why, e.Pending)
	}
	s.fail(e)
	return e
}

func (s *Session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = err
	}
}

// gone says why a page that was given a command is not there any more.
func (s *Session) gone(p *Page, err error) error {
	select {
	case <-s.b.Done():
		if gone := s.b.Err(); gone != nil {
			return gone
		}
	default:
	}
	if failed := s.Err(); failed != nil {
		return failed
	}
	select {
	case <-p.left:
		return errorf("E_PAGE_GONE", "the page %s was closed", p.URL())
	default:
		return err
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

// dense is how long after something was done frames are made at their usual
// pace; sparse is the pace while nothing is.
const (
	dense  = 400.0
	sparse = 250.0
	tail   = 100.0
)

// Advance lets the time of all pages pass. After the first moments frames
// become rare, until shortly before the end.
func (s *Session) Advance(ctx context.Context, d time.Duration) error {
	return s.advance(ctx, float64(d)/float64(time.Millisecond), dense)
}

func (s *Session) advance(ctx context.Context, ms, dense float64) error {
	ms = math.Max(1, math.Round(ms))
	switch s.b.Regime {
	case Real:
		return sleep(ctx, time.Duration(ms)*time.Millisecond)
	case Clock:
		return s.advanceClocks(ctx, ms)
	}
	end := s.time.now + ms
	for end-s.time.now > 0.001 {
		left := end - s.time.now
		step := steps[s.time.frames%len(steps)]
		if ms-left >= dense && left > sparse+tail {
			step = sparse
		}
		if err := s.step(ctx, math.Min(step, left)); err != nil {
			return err
		}
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// step lets time pass, and then makes a frame of each page.
func (s *Session) step(ctx context.Context, ms float64) error {
	if err := s.grant(ctx, ms); err != nil {
		return err
	}
	s.time.frames++
	if s.b.Regime != Frames {
		return nil
	}
	for _, p := range s.Pages() {
		if _, err := p.frame(ctx, false); err != nil && !p.closed() {
			return s.gone(p, err)
		}
	}
	return nil
}

// whole is a part of a microsecond. The browser cuts off what is less than one, and
// a time of whole microseconds would lose one by chance where it is rounded down.
const whole = 0.0003

// lag is by how much frames are behind the clock that no picture is taken of.
// Animations begin with such frames, so that a picture is never taken in the very
// moment in which one of them takes a step, which it has taken or not by chance.
const lag = 0.2

// frame makes a frame of the page, and a picture of it if that is wanted.
func (p *Page) frame(ctx context.Context, picture bool) ([]byte, error) {
	at := p.s.time.base + p.s.time.now - p.late(ctx) + whole
	params := object{"frameTimeTicks": at - lag, "interval": interval}
	if picture {
		params["frameTimeTicks"], params["screenshot"] = at, object{"format": "png"}
	}
	var r struct {
		Data []byte `json:"screenshotData"`
	}
	err := p.call(ctx, "HeadlessExperimental.beginFrame", params, &r)
	return r.Data, err
}

// Settle waits until what was begun is over: 600 ms of the session's time
// where that is ours, in which nothing is loaded that is not there at the end.
func (s *Session) Settle(ctx context.Context) error {
	const calm = 600
	if s.virtual() {
		return s.advance(ctx, calm, calm)
	}
	if err := s.quiet(ctx); err != nil {
		return err
	}
	if err := s.advance(ctx, calm, calm); err != nil {
		return err
	}
	return s.quiet(ctx)
}

// quietJS answers whether a page has changed since it was last asked, or waits
// for something.
const quietJS = `(() => { const d = document, b = d.body ? d.body.innerHTML.length + '|' + d.body.innerText : '';
const same = globalThis.__tracedeckBefore === b; globalThis.__tracedeckBefore = b;
return same && d.readyState === 'complete' && d.fonts.status === 'loaded' && [...d.images].every(i => i.complete || i.loading === 'lazy') })()`

// quiet waits, in real time, until nothing loads and the document stays as it
// is. A page that never is quiet is left as it is after a while.
func (s *Session) quiet(ctx context.Context) error {
	const most, often = 75, 40 * time.Millisecond
	for i, calm := 0, 0; i < most && calm < 3; i++ {
		if err := sleep(ctx, often); err != nil {
			return err
		}
		if err := s.Err(); err != nil {
			return err
		}
		still := s.net.idle()
		for _, p := range s.Pages() {
			var same bool
			v, err := p.Evaluate(ctx, quietJS)
			if err != nil || json.Unmarshal(v, &same) != nil || !same {
				still = false
			}
		}
		if calm++; !still {
			calm = 0
		}
	}
	return nil
}

// advanceClocks moves the clocks that pages and workers were given.
func (s *Session) advanceClocks(ctx context.Context, ms float64) error {
	const most = 500
	for left := ms; left > 0; left -= most {
		part := math.Min(most, left)
		to := s.time.now + part
		for _, p := range s.Pages() {
			if err := p.everyFrame(ctx, fmt.Sprintf("globalThis.__tracedeck?.tick?.(%g)", to)); err != nil {
				return s.gone(p, err)
			}
		}
		s.time.set(to)
		if err := s.working.tick(ctx, s); err != nil {
			return err
		}
	}
	return nil
}
