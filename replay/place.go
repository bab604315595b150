package replay

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/replay/heal"
	"github.com/tracedeck/tracedeck/trace"
)

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
	a := r.approaching(d, position)
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
		var why error
		t, why, err = a.reach(ctx, list[0])
		return why == nil && err == nil, why, err
	})
	if h := r.healed(ctx, d, selector, err); h != nil {
		return a.wait(ctx, h)
	}
	return t, err
}

// approach is how an element is come to.
type approach struct {
	r     *run
	d     *doing
	force bool
	needs needs
	x, y  float64 // from the element's corner, inside of its border where inner is set
	at    bool    // whether that is known; otherwise it is the middle
	inner bool    // Playwright and Vibium measure places from within the border, this recorder from the outside
	// beside tells that the place is not on the element: what was clicked was
	// gone when this recorder heard of it, or a flow aims so.
	beside bool
	// undrawn tells that the element had no box when it was recorded, as the native
	// ones of boxes that an app draws itself: its label got the click, or what it is
	// in.
	undrawn *undrawn
	// covered is since when something has been in the way, by the session's
	// clock, and tries how often it was.
	covered time.Duration
	tries   int
	judged  bool // what the recording shows of it has been looked at
}

func (r *run) approaching(d *doing, position string) *approach {
	force := d.params.truth("force", false)
	a := &approach{r: r, d: d, force: force, needs: needs{visible: !force, enabled: !force && d.verb != "hover", one: true}, inner: !d.recordedAsOne()}
	a.x, a.y, a.at = d.params.point(position)
	if !a.at && position == "position" && d.recordedAsOne() {
		a.x, a.y, a.at = d.offset()
	}
	if b := d.recordedBox(); a.at && !a.inner && b != nil {
		a.beside = a.x < 0 || a.y < 0 || a.x > b.Width || a.y > b.Height
	}
	a.undrawn = d.undrawn()
	return a
}

// undrawn is where an element without a box was clicked: how far from its corner, or
// from that of what carries it, as replays tell it.
type undrawn struct {
	dx, dy  float64
	carried bool
}

func (d *doing) undrawn() *undrawn {
	inputs := d.planned.action.Inputs
	t, described := heal.TargetOf(d.planned.action)
	if !d.recordedAsOne() || !described || t.Box.Width*t.Box.Height > 0 || len(inputs) == 0 || inputs[0].Point == nil || inputs[0].Box == nil {
		return nil
	}
	at, box := inputs[0].Point, inputs[0].Box
	return &undrawn{at.X - box.X, at.Y - box.Y, box.Width*box.Height > 0}
}

// carried is what gets the clicks of an element that is not drawn, if something
// does. The place on it is that of the recording, where it is on it.
func (a *approach) carried(ctx context.Context, e *determinism.Handle) (*determinism.Handle, error) {
	carrier, err := e.Get(ctx, "function () { return __deckReplay.carrier(this) }")
	if err != nil || carrier == nil {
		return nil, err
	}
	from := e
	if a.undrawn.carried {
		from = carrier
	}
	var at *trace.Point
	err = from.Call(ctx, "function (carrier, dx, dy) { return __deckReplay.within(this, carrier, dx, dy) }", &at, carrier, a.undrawn.dx, a.undrawn.dy)
	if a.x, a.y, a.at = 0, 0, at != nil; a.at {
		a.x, a.y = at.X, at.Y
	}
	return carrier, err
}

// recordedBox is how large the element of an action was, or nil.
func (d *doing) recordedBox() *trace.Rect {
	if t, ok := heal.TargetOf(d.planned.action); ok && t.Box.Width > 0 {
		return &t.Box
	}
	return nil
}

// offset is where on its element a recorded click fell, by its place on the page.
func (d *doing) offset() (x, y float64, ok bool) {
	a := d.planned.action
	if len(a.Inputs) == 0 || a.Inputs[0].Point == nil {
		return 0, 0, false
	}
	at, boxes := *a.Inputs[0].Point, []*trace.Rect{a.Inputs[0].Box}
	if t, described := heal.TargetOf(a); described && d.scene.frame == nil && !strings.Contains(d.params.text("selector"), "internal:control=enter-frame") {
		boxes = append([]*trace.Rect{&t.Box}, boxes...)
	}
	for _, b := range boxes {
		if b != nil && at.X >= b.X && at.Y >= b.Y && at.X <= b.X+b.Width && at.Y <= b.Y+b.Height {
			return at.X - b.X, at.Y - b.Y, true
		}
	}
	if len(boxes) > 1 { // flows may click beside the element they name
		return at.X - boxes[0].X, at.Y - boxes[0].Y, true
	}
	return 0, 0, false
}

// wait waits until an element that is known can be acted on.
func (a *approach) wait(ctx context.Context, e *determinism.Handle) (t *target, err error) {
	err = a.r.await(ctx, a.r.o.Limits.Patience, func() (bool, error, error) {
		var why error
		t, why, err = a.reach(ctx, e)
		return why == nil && err == nil, why, err
	})
	return t, err
}

// reach scrolls to an element and looks whether its place takes events.
func (a *approach) reach(ctx context.Context, e *determinism.Handle) (t *target, why, err error) {
	if a.undrawn != nil && !a.force {
		if carrier, err := a.carried(ctx, e); err != nil {
			return nil, nil, err
		} else if carrier != nil {
			if why, err := lacks(ctx, e, needs{enabled: a.needs.enabled}); why != nil || err != nil {
				return nil, why, err
			}
			e = carrier
		}
	}
	if why, err := lacks(ctx, e, a.needs); why != nil || err != nil {
		return nil, why, err
	}
	left, top := a.border(ctx, e)
	if err := a.reveal(ctx, e, a.x+left, a.y+top); err != nil {
		return nil, nil, err
	}
	before, err := boxOf(ctx, e)
	if err != nil || before == nil {
		return nil, errorf("E_NOT_ACTIONABLE", "the element has no place on the page"), err
	}
	if err := a.r.s.Advance(ctx, 17*time.Millisecond); err != nil {
		return nil, nil, err
	}
	box, err := boxOf(ctx, e)
	if err != nil || box == nil {
		return nil, errorf("E_NOT_ACTIONABLE", "the element has no place on the page"), err
	}
	if math.Abs(box.X-before.X)+math.Abs(box.Y-before.Y)+math.Abs(box.Width-before.Width)+math.Abs(box.Height-before.Height) > 0.5 && !a.force {
		return nil, errorf("E_NOT_ACTIONABLE", "the element is moving"), nil
	}
	t = &target{e: e, box: *box}
	t.x, t.y = middle(ctx, a.d.page, *box)
	if a.at {
		t.x, t.y = box.X+a.x+left, box.Y+a.y+top
	}
	if a.force {
		return t, nil, nil
	}
	obstacle, why, err := a.r.hit(ctx, a.d, t)
	if why == nil || err != nil {
		return t, why, err
	}
	if a.tries++; a.tries == 1 {
		a.covered = a.r.s.Now()
	}
	if obstacle != nil && !a.judged && (a.beside || a.lasting()) {
		a.judged = true
		if a.r.coveredThen(ctx, a.d, t, obstacle) {
			a.d.action.Log(why.Error() + ", as when it was recorded: it gets the click")
			return t, nil, nil
		}
	}
	return t, why, nil
}

// lasting reports whether what is in the way has had time to go by itself.
func (a *approach) lasting() bool { return a.tries > 1 && a.r.s.Now()-a.covered > 500*time.Millisecond }

// ways are how else an element is scrolled to, in turn, while something lies
// over it, such as a bar that stays at the page's edge.
var ways = []string{"end", "center", "start"}

func (a *approach) reveal(ctx context.Context, e *determinism.Handle, x, y float64) error {
	if a.lasting() && !a.beside {
		way := ways[a.tries%len(ways)]
		return e.Call(ctx, `function (way) { this.scrollIntoView({ block: way, inline: way, behavior: "instant" }) }`, nil, way)
	}
	if a.beside {
		return nil
	}
	if a.at {
		return e.RevealAt(ctx, x, y)
	}
	return e.Reveal(ctx)
}

// middle is the middle of what can be seen of a box.
func middle(ctx context.Context, p *determinism.Page, b trace.Rect) (x, y float64) {
	left, top, right, bottom := b.X, b.Y, b.X+b.Width, b.Y+b.Height
	if w, h, err := p.Viewport(ctx); err == nil && w > 0 && h > 0 && left < w && top < h && right > 0 && bottom > 0 {
		left, top, right, bottom = max(left, 0), max(top, 0), min(right, w), min(bottom, h)
	}
	return (left + right) / 2, (top + bottom) / 2
}

// border is how wide an element's border is, left and above.
func (a *approach) border(ctx context.Context, e *determinism.Handle) (left, top float64) {
	if !a.at || !a.inner {
		return 0, 0
	}
	return borderOf(ctx, e)
}

func borderOf(ctx context.Context, e *determinism.Handle) (left, top float64) {
	var edge [2]float64
	if e.Call(ctx, "function () { return [this.clientLeft ?? 0, this.clientTop ?? 0] }", &edge) != nil {
		return 0, 0
	}
	return edge[0], edge[1]
}

// hit says what is in the way of a target.
func (r *run) hit(ctx context.Context, d *doing, t *target) (obstacle *determinism.Handle, why, err error) {
	at, err := d.page.At(ctx, t.x, t.y, func(frame string) (string, error) { return d.page.World(ctx, frame, finder()) })
	if err != nil {
		return nil, nil, err
	}
	if at == nil {
		return nil, errorf("E_NOT_ACTIONABLE", "the element is outside of the viewport"), nil
	}
	if at.Frame != t.e.Frame && at.Frame != "" {
		inner, err := t.e.ContentFrame(ctx) // a click on a frame is one on what is in it
		if err != nil || inner == at.Frame {
			return nil, nil, err
		}
		return nil, errorf("E_NOT_ACTIONABLE", "something of another frame is in the way"), nil
	}
	var text string
	if err := t.e.Call(ctx, "function (hit, dx, dy) { return __deckReplay.takes(this, hit, dx, dy) }", &text, at, t.x-t.box.X, t.y-t.box.Y); err != nil || text == "" {
		return nil, nil, err
	}
	return at, errorf("E_NOT_ACTIONABLE", "%s", text), nil
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
