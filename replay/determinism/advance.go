package determinism

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"
)

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
