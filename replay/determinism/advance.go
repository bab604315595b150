package determinism

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// rarely is how far apart frames are made, in milliseconds, that long after
// something was done: until then they come at their usual pace, which is seldom
// needed for longer, and each costs as much as any other.
var rarely = [...]struct{ since, step float64 }{{3000, 500}, {1000, 250}, {400, 50}}

// least is the least that is left to another step.
const least = 2.0

// stirred says that something is done, of which the frames that follow show what
// comes.
func (s *Session) stirred() { s.time.stirred = s.time.now }

// stride is how long the next step is, of a time that is to pass.
func (s *Session) stride(left float64) float64 {
	for _, r := range rarely {
		if s.time.now-s.time.stirred < r.since {
			continue
		}
		if left-r.step > least {
			return r.step
		}
		return left
	}
	if step := steps[s.time.frames%len(steps)]; left-step > least {
		return step
	}
	return left
}

// Advance lets the time of all pages pass. Frames become rare where nothing has
// been done for a while.
func (s *Session) Advance(ctx context.Context, d time.Duration) error {
	return s.advance(ctx, float64(d)/float64(time.Millisecond))
}

func (s *Session) advance(ctx context.Context, ms float64) error {
	ms = math.Max(1, math.Round(ms))
	switch s.b.Regime {
	case Real:
		return sleep(ctx, time.Duration(ms)*time.Millisecond)
	case Clock:
		return s.advanceClocks(ctx, ms)
	}
	end := s.time.now + ms
	for end-s.time.now > 0.001 {
		if err := s.step(ctx, s.stride(end-s.time.now)); err != nil {
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

// Settle waits until what was begun is over: 600 ms of the session's time
// where that is ours, in which nothing is loaded that is not there at the end.
func (s *Session) Settle(ctx context.Context) error {
	const calm = 600
	s.stirred()
	if s.virtual() {
		return s.advance(ctx, calm)
	}
	if err := s.quiet(ctx); err != nil {
		return err
	}
	if err := s.advance(ctx, calm); err != nil {
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
		if _, err := s.working.tick(ctx, s); err != nil {
			return err
		}
	}
	return nil
}
