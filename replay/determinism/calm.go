package determinism

import (
	"context"
	"fmt"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// serve gives answers until the session ends. Where time is virtual that is
// done while the clock is held, by calm; then only what the driver itself waits
// for, such as a request in the middle of an input's handler, is left to it.
func (t *traffic) serve() {
	retry := time.NewTicker(20 * time.Millisecond)
	defer retry.Stop()
	for {
		select {
		case <-t.s.done:
			return
		case <-retry.C:
		}
		if t.s.virtual() && !t.neglected() {
			continue
		}
		if t.serving.TryLock() {
			t.round(context.Background())
			t.serving.Unlock()
		}
	}
}

// neglected reports whether a request is held that nobody comes to answer.
func (t *traffic) neglected() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.held) == 0 {
		t.calmed = time.Time{}
		return false
	}
	if t.calmed.IsZero() {
		t.calmed = time.Now()
	}
	return time.Since(t.calmed) > time.Second
}

// calm answers requests until none is open, and the pages have done what comes
// of the answers as far as that takes no time. Timers, messages and events are
// held up meanwhile, and come when all answers are there. The clock must be held.
func (t *traffic) calm(ctx context.Context, lead *Page) error {
	for t.busy() {
		t.holding.Store(true)
		err := t.settle(ctx, lead)
		t.holding.Store(false)
		if err != nil {
			return err
		}
		if err := t.s.still(ctx, lead); err != nil {
			return err
		}
	}
	return nil
}

// settle answers requests until none is open.
func (t *traffic) settle(ctx context.Context, lead *Page) error {
	t.serving.Lock()
	defer t.serving.Unlock()
	began, moved, hold := time.Now(), t.moved(), ""
	for quiet := 0; quiet < 2; {
		if now := t.hold(); now != hold {
			if err := t.s.policy(ctx, lead, now, 0); err != nil {
				return err
			}
			hold = now
		}
		if t.round(ctx) {
			quiet = 0
		}
		told := t.toldOf()
		t.barrier(ctx)
		if quiet++; t.busy() || t.toldOf() != told {
			quiet = 0
			t.s.working.start(ctx, t.s)
			select {
			case <-t.wake:
			case <-time.After(2 * time.Millisecond):
			case <-ctx.Done():
				return t.s.stuck(fmt.Errorf("the clock stood still: %w", context.Cause(ctx)))
			case <-t.s.b.Done():
				return t.s.b.Err()
			}
		}
		if err := t.s.Err(); err != nil {
			return err
		}
		if m := t.moved(); m != moved {
			began, moved = time.Now(), m
		}
		if time.Since(began) > t.s.o.Stuck {
			return t.s.stuck(fmt.Errorf("the clock stood still for %v", t.s.o.Stuck))
		}
	}
	return nil
}

// hold is how the clock is held while requests are open. The document of a frame
// takes its place by tasks that a full stop would hold up too.
func (t *traffic) hold() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.open {
		if f.kind == string(proto.NetworkResourceTypeDocument) && !f.loose {
			return "pauseIfNetworkFetchesPending"
		}
	}
	return "pause"
}

// barrier waits until the pages have come to their next task, and until what
// they told before is dealt with here: answers to commands come by another way
// than events, so it is an event that is waited for.
func (t *traffic) barrier(ctx context.Context) { t.arrive(ctx, nil) }

// arrive is a barrier to which one of the pages may be on its way already.
func (t *traffic) arrive(ctx context.Context, first *way) {
	limit := t.s.pace.of(5 * time.Second)
	if t.busy() {
		limit = 150 * time.Millisecond
	}
	if first != nil {
		first.arrive(ctx, limit)
	}
	for _, p := range t.s.Pages() {
		if first == nil || p != first.p {
			p.barrier(ctx, limit)
		}
	}
}
