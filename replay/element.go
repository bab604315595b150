package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
// that is in the error.
func (r *run) await(ctx context.Context, patience time.Duration, try func() (done bool, why error, err error)) error {
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

// target is an element and where on it something is done, in CSS pixels of the
// page.
type target struct {
	e    *determinism.Handle
	x, y float64
	box  trace.Rect
}

// place waits until an element can be acted on: visible, enabled, at rest, and
// taking the events at the place where they will be.
func (r *run) place(ctx context.Context, d *doing, selector, position string) (*target, error) {
	var t *target
	force := d.params.truth("force", false)
	n := needs{visible: !force, enabled: !force && d.verb != "hover", one: true}
	strict := d.params.truth("strict", !strings.HasPrefix(d.before().Method, "vibium:"))
	err := r.await(ctx, d.params.timeout(r.o.Limits.Patience), func() (bool, error, error) {
		list, err := r.query(ctx, d, selector)
		switch {
		case err != nil:
			return false, nil, err
		case len(list) == 0:
			return false, errorf("E_NO_ELEMENT", "no element matches %s", selector), nil
		case strict && len(list) > 1:
			return false, nil, errorf("E_NOT_UNIQUE", "strict mode violation: %s resolved to %d elements", selector, len(list))
		}
		if why, err := lacks(ctx, list[0], n); why != nil || err != nil {
			return false, why, err
		}
		var why error
		t, why, err = r.reach(ctx, d, list[0], position, force)
		return why == nil && err == nil, why, err
	})
	if h := r.healed(ctx, d, selector, err); h != nil {
		return r.placeOf(ctx, d, h, position, force, n)
	}
	return t, err
}

// placeOf waits until an element that is known can be acted on.
func (r *run) placeOf(ctx context.Context, d *doing, e *determinism.Handle, position string, force bool, n needs) (t *target, err error) {
	err = r.await(ctx, r.o.Limits.Patience, func() (bool, error, error) {
		if why, err := lacks(ctx, e, n); why != nil || err != nil {
			return false, why, err
		}
		var why, err error
		t, why, err = r.reach(ctx, d, e, position, force)
		return why == nil && err == nil, why, err
	})
	return t, err
}

// reach scrolls to an element and looks whether its place takes events.
func (r *run) reach(ctx context.Context, d *doing, e *determinism.Handle, position string, force bool) (*target, error, error) {
	if err := e.Reveal(ctx); err != nil {
		return nil, nil, err
	}
	before, err := boxOf(ctx, e)
	if err != nil || before == nil {
		return nil, errorf("E_NOT_ACTIONABLE", "the element has no place on the page"), err
	}
	if err := r.s.Advance(ctx, 17*time.Millisecond); err != nil {
		return nil, nil, err
	}
	box, err := boxOf(ctx, e)
	if err != nil || box == nil {
		return nil, errorf("E_NOT_ACTIONABLE", "the element has no place on the page"), err
	}
	if math.Abs(box.X-before.X)+math.Abs(box.Y-before.Y)+math.Abs(box.Width-before.Width)+math.Abs(box.Height-before.Height) > 0.5 && !force {
		return nil, errorf("E_NOT_ACTIONABLE", "the element is moving"), nil
	}
	t := &target{e: e, box: *box, x: box.X + box.Width/2, y: box.Y + box.Height/2}
	if x, y, ok := d.params.point(position); ok {
		left, top := r.border(ctx, d, e)
		t.x, t.y = box.X+x+left, box.Y+y+top
	}
	if force {
		return t, nil, nil
	}
	why, err := r.hit(ctx, d, t)
	return t, why, err
}

// border is how wide an element's border is, left and above: Playwright and
// Vibium measure places from within it, and this recorder from the outside.
func (r *run) border(ctx context.Context, d *doing, e *determinism.Handle) (left, top float64) {
	if d.recordedAsOne() {
		return 0, 0
	}
	var edge [2]float64
	if e.Call(ctx, "function () { return [this.clientLeft ?? 0, this.clientTop ?? 0] }", &edge) != nil {
		return 0, 0
	}
	return edge[0], edge[1]
}

// hit says what is in the way of a target.
func (r *run) hit(ctx context.Context, d *doing, t *target) (why, err error) {
	at, err := d.page.At(ctx, t.x, t.y, func(frame string) (string, error) { return d.page.World(ctx, frame, finder()) })
	if err != nil {
		return nil, err
	}
	if at == nil {
		return errorf("E_NOT_ACTIONABLE", "the element is outside of the viewport"), nil
	}
	if at.Frame != t.e.Frame && at.Frame != "" {
		inner, err := t.e.ContentFrame(ctx) // a click on a frame is one on what is in it
		if err != nil || inner == at.Frame {
			return nil, err
		}
		return errorf("E_NOT_ACTIONABLE", "something of another frame is in the way"), nil
	}
	var obstacle string
	if err := t.e.Call(ctx, "function (hit, dx, dy) { return __deckReplay.takes(this, hit, dx, dy) }", &obstacle, at, t.x-t.box.X, t.y-t.box.Y); err != nil || obstacle == "" {
		return nil, err
	}
	return errorf("E_NOT_ACTIONABLE", "%s", obstacle), nil
}

// boxOf is the first box of an element that is large enough to be hit.
func boxOf(ctx context.Context, e *determinism.Handle) (*trace.Rect, error) {
	quads, err := e.Quads(ctx)
	if err != nil {
		return nil, err
	}
	for _, q := range quads {
		if len(q) < 8 {
			continue
		}
		x1, x2 := min(q[0], q[2], q[4], q[6]), max(q[0], q[2], q[4], q[6])
		y1, y2 := min(q[1], q[3], q[5], q[7]), max(q[1], q[3], q[5], q[7])
		if (x2-x1)*(y2-y1) > 0.99 {
			return &trace.Rect{X: x1, Y: y1, Width: x2 - x1, Height: y2 - y1}, nil
		}
	}
	return nil, nil
}
