package userflow

import (
	"context"
	"fmt"
	"time"

	"github.com/go-rod/rod"
)

// grace is how much longer than it may look for something a step may take in
// all: what it has found it acts on, however busy the machine is.
const grace = 30 * time.Second

// term is the time that a step has. The context ends when it may take no longer.
type term struct {
	context.Context
	until time.Time // after which it does not look any more for what is not there
	looks time.Duration
}

// newTerm gives a step time to look for what it needs, and more to act on it.
func newTerm(ctx context.Context, looks time.Duration) (*term, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, looks+grace)
	return &term{ctx, time.Now().Add(looks), looks}, cancel
}

// poll looks until ok holds. A look that begins when the time is over and the
// page has loaded is the last one.
func (t *term) poll(page *rod.Page, ok func() (bool, error)) error {
	for {
		last := !time.Now().Before(t.until) && !loading(page.Context(t))
		done, err := ok()
		if done {
			return nil
		}
		if last {
			return t.over(err)
		}
		select {
		case <-t.Done():
			return t.over(err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// over is why it was in vain.
func (t *term) over(err error) error {
	if err != nil && t.Err() == nil {
		return err
	}
	return fmt.Errorf("it did not become true: %w", context.DeadlineExceeded)
}

// loading reports whether the document of a page has not been read to its end.
// A page that cannot tell is between two documents.
func loading(page *rod.Page) bool {
	v, err := page.Eval("() => document.readyState === 'loading'")
	return err != nil || v.Value.Bool()
}
