package replay

import (
	"context"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace"
)

// The mouse and the finger at recorded places, where no element is named.

func mouseMove(ctx context.Context, r *run, d *doing) error {
	x, y := d.params.number("x"), d.params.number("y")
	steps := max(1, int(d.params.number("steps")))
	from := r.mouse
	for i := 1; i <= min(steps, 1000); i++ {
		f := float64(i) / float64(steps)
		at := determinism.Mouse{X: from.X + (x-from.X)*f, Y: from.Y + (y-from.Y)*f, Held: from.Held, Modifiers: r.held}
		if err := d.page.Move(ctx, at); err != nil {
			return err
		}
		if from.Held != "" && steps > 1 {
			if err := r.rest(ctx, d, steps); err != nil {
				return err
			}
		}
	}
	r.mouse = determinism.Mouse{X: x, Y: y, Held: from.Held}
	d.action.Input(trace.Point{X: x, Y: y}, nil)
	return nil
}

func (r *run) at(d *doing) determinism.Mouse {
	m := determinism.Mouse{X: r.mouse.X, Y: r.mouse.Y, Button: button(d), Clicks: max(1, int(d.params.number("clickCount"))), Modifiers: r.held}
	d.action.Input(trace.Point{X: m.X, Y: m.Y}, nil)
	return m
}

func mouseDown(ctx context.Context, r *run, d *doing) error {
	r.mouse.Held = button(d)
	return d.page.Press(ctx, r.at(d))
}

func mouseUp(ctx context.Context, r *run, d *doing) error {
	r.mouse.Held = ""
	return d.page.Release(ctx, r.at(d))
}

func mouseClick(ctx context.Context, r *run, d *doing) error {
	x, y := d.params.number("x"), d.params.number("y")
	d.action.Input(trace.Point{X: x, Y: y}, nil)
	return r.clicks(ctx, d, x, y, 1, max(1, int(d.params.number("clickCount"))), r.held)
}

func mouseWheel(ctx context.Context, r *run, d *doing) error {
	return d.page.Wheel(ctx, r.mouse.X, r.mouse.Y, d.params.number("deltaX"), d.params.number("deltaY"))
}

func touchTap(ctx context.Context, r *run, d *doing) error {
	x, y := d.params.number("x"), d.params.number("y")
	d.action.Input(trace.Point{X: x, Y: y}, nil)
	return d.page.Tap(ctx, x, y, r.held)
}
