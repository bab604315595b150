package visual

import (
	"cmp"
	"context"
	"slices"
)

// result is what the counts say, without boxes and moves.
func (c *Comparer) result() Result {
	a, b := c.a.head, c.b.head
	total := max(a.Width, b.Width) * max(a.Height, b.Height)
	r := Result{
		Class: Equal, Identical: true, Metric: c.opt.Metric, Threshold: c.opt.Threshold,
		A: Size{a.Width, a.Height}, B: Size{b.Width, b.Height},
		DiffPixels: c.judge.diff, AAPixels: c.judge.aa, TotalPixels: total,
		MaskedPixels: maskedPixels(c.a.masks, c.b.masks, min(a.Width, b.Width), min(a.Height, b.Height)),
		Boxes:        []Box{}, Moves: []Move{},
	}
	// Both pictures' areas, less what they share, is what only one of them has.
	if a.Width != b.Width || a.Height != b.Height {
		r.DiffPixels += a.Width*a.Height + b.Width*b.Height - 2*min(a.Width, b.Width)*min(a.Height, b.Height)
	}
	r.Counted = r.DiffPixels
	if c.opt.Window > 0 {
		r.Window = c.opt.Window
		if c.window != nil {
			r.WindowPixels = c.window.most
		}
		r.Counted = r.WindowPixels
	}
	if total > 0 {
		r.Ratio = float64(r.DiffPixels) / float64(total)
	}
	switch {
	case r.DiffPixels > 0:
		r.Class = Changed
	case r.AAPixels > 0:
		r.Class = AntiAliasing
	}
	r.Limit = c.opt.limit(total)
	c.pass(&r)
	return r
}

func (c *Comparer) pass(r *Result) {
	r.Pass = r.Counted <= r.Limit || slices.Contains(c.opt.Allow, r.Class)
}

// conclude makes the result once both pictures have been read.
func (c *Comparer) conclude(ctx context.Context, a, b *Picture) (Result, error) {
	r := c.result()
	r.Identical = !c.differed && r.A == r.B
	if c.boxes == nil || r.DiffPixels == 0 {
		c.pass(&r)
		return r, nil
	}
	if err := c.explain(ctx, a, b, &r); err != nil {
		return Result{}, err
	}
	c.pass(&r)
	return r, nil
}

// explain fills in boxes and moves, and with them the class.
func (c *Comparer) explain(ctx context.Context, a, b *Picture, r *Result) error {
	e := c.layout.explain(c.w)
	if c.a.head.Width != c.b.head.Width {
		// Only what both have was looked at; the rest is a change of its own.
		x, w := c.w, max(c.a.head.Width, c.b.head.Width)-c.w
		r.Boxes = append(r.Boxes, Box{Rect: Rect{x, 0, w, c.b.head.Height}, Pixels: w * c.b.head.Height})
	}
	if len(e.moves) > 0 || c.uncounted {
		c.boxes = newBoxes(c.w)
		if err := c.readAligned(ctx, a, b, e.bands); err != nil {
			return err
		}
	}
	found, more := c.boxes.list(orDefault(c.opt.MaxBoxes, 100))
	r.Boxes, r.MoreBoxes = append(r.Boxes, found...), more
	r.Moves, r.MoreMoves = largest(e.moves, orDefault(c.opt.MaxMoves, 100))
	r.Class = Changed
	if len(r.Boxes) == 0 && len(r.Moves) > 0 {
		r.Class = Moved
	}
	return nil
}

// largest keeps the moves of most rows, in their order.
func largest(moves []Move, most int) ([]Move, int) {
	if len(moves) <= most {
		return append([]Move{}, moves...), 0
	}
	order := make([]int, len(moves))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(moves[j].Rows, moves[i].Rows) })
	order = order[:most]
	slices.Sort(order)
	out := make([]Move, 0, most)
	for _, i := range order {
		out = append(out, moves[i])
	}
	return out, len(moves) - most
}

// explainSizes is the error for pictures of different sizes.
func (c *Comparer) explainSizes(ctx context.Context, a, b *Picture) (Result, error) {
	if c.boxes == nil {
		c.layout = newLayout(c.w, c.a.depth, c.a.head.Height, c.b.head.Height)
		c.boxes = newBoxes(c.w)
	}
	c.uncounted = true
	c.counted.reset(0)
	if err := c.readPair(ctx, a, b); err != nil {
		return Result{}, err
	}
	r := c.result()
	r.Identical = false
	r.DiffPixels, r.Counted, r.Ratio = 0, 0, 0
	if err := c.explain(ctx, a, b, &r); err != nil {
		return Result{}, err
	}
	r.Pass = false
	return r, &SizeError{A: r.A, B: r.B, Result: r}
}
