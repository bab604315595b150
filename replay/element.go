package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/replay/mock"
	"github.com/tracedeck/tracedeck/trace"
)

// needs are what an element must be before it can be acted on.
type needs struct{ visible, enabled, editable, one bool }

// state is what the page says of an element.
type state struct {
	Connected, Visible, Enabled, Editable bool
	Tag, Type, Text                       string
	Box                                   trace.Rect
}

// transient reports whether an error is of a page that is just going elsewhere.
func transient(err error) bool {
	for _, s := range []string{"Cannot find context", "Execution context was destroyed", "uniqueContextId not found", "Could not find object", "Cannot find default execution context",
		"the frame is gone", "No frame for given id", "Inspected target navigated", "Frame with the given"} {
		if strings.Contains(err.Error(), s) {
			return true
		}
	}
	return false
}

// await waits, by the session's clock, until try succeeds. What kept it from
// that is in the error. What took long when it was recorded may take longer
// than patience.
func (r *run) await(ctx context.Context, patience time.Duration, try func() (done bool, why error, err error)) error {
	if r.took >= patience {
		patience = r.took + time.Second
	}
	until := r.s.Now() + patience
	for {
		done, why, err := try()
		if err != nil && !transient(err) {
			return err
		}
		if err == nil && done {
			return nil
		}
		if why == nil {
			why = err
		}
		left := until - r.s.Now()
		if left <= 0 && r.hoping && r.drain(ctx) {
			left = time.Second
			until = r.s.Now() + left
		}
		if left <= 0 {
			var coded *Error
			if errors.As(why, &coded) {
				return &Error{Code: coded.Code, Err: fmt.Errorf("timeout %dms exceeded: %w", patience.Milliseconds(), coded.Err)}
			}
			return fmt.Errorf("after %v: %w", patience, why)
		}
		if err := r.s.Advance(ctx, min(left, 50*time.Millisecond)); err != nil {
			return err
		}
	}
}

// drain closes web sockets of which the recording does not say when they were
// closed, and reports whether there were any: what is waited for came true when
// it was recorded, and may come of that.
func (r *run) drain(ctx context.Context) bool {
	var closed float64
	for _, p := range r.s.Pages() {
		var n float64
		if raw, err := p.Evaluate(ctx, mock.Drain); err == nil && json.Unmarshal(raw, &n) == nil {
			closed += n
		}
	}
	if closed > 0 {
		r.o.Log("%v web sockets are closed: what is waited for may come of that, and the recording does not say when they were", closed)
	}
	return closed > 0
}

// element waits for the one element that a selector means, until it is as it
// needs to be.
func (r *run) element(ctx context.Context, d *doing, selector string, n needs) (*determinism.Handle, error) {
	if selector == "" {
		return nil, errorf("E_SELECTOR", "the trace does not name the element")
	}
	var e *determinism.Handle
	strict := d.params.truth("strict", !strings.HasPrefix(d.before().Method, "vibium:") && n.one)
	err := r.await(ctx, d.params.timeout(r.o.Limits.Patience), func() (bool, error, error) {
		list, err := r.query(ctx, d, selector)
		if err != nil {
			return false, nil, err
		}
		if len(list) == 0 {
			return false, errorf("E_NO_ELEMENT", "no element matches %s", selector), nil
		}
		if strict && len(list) > 1 {
			return false, nil, errorf("E_NOT_UNIQUE", "strict mode violation: %s resolved to %d elements", selector, len(list))
		}
		e = list[0]
		why, err := lacks(ctx, e, n)
		return why == nil && err == nil, why, err
	})
	if h := r.healed(ctx, d, selector, err); h != nil {
		if why, lerr := lacks(ctx, h, n); why == nil && lerr == nil {
			return h, nil
		}
	}
	return e, err
}

// lacks says what an element is not that it needs to be.
func lacks(ctx context.Context, e *determinism.Handle, n needs) (why, err error) {
	var s state
	if err := e.Call(ctx, "function () { return __deckReplay.state(this) }", &s); err != nil {
		return nil, err
	}
	switch {
	case !s.Connected:
		return errorf("E_NO_ELEMENT", "the element is not in the document any more"), nil
	case n.visible && !s.Visible:
		return errorf("E_NOT_ACTIONABLE", "the element is not visible"), nil
	case n.enabled && !s.Enabled:
		return errorf("E_NOT_ACTIONABLE", "the element is not enabled"), nil
	case n.editable && !s.Editable:
		return errorf("E_NOT_ACTIONABLE", "the element is not editable"), nil
	}
	return nil, nil
}
