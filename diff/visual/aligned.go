package visual

import "context"

// readAligned reads both pictures again and judges the rows of each band at the offset that explains them.
func (c *Comparer) readAligned(ctx context.Context, a, b *Picture, passes [][]band) error {
	judge := *c.judge
	defer func() { *c.judge = judge }() // the counts stay those at equal positions
	c.judge.marks = nil
	for _, bands := range passes {
		for _, band := range bands {
			if err := c.readBand(ctx, a, b, band); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Comparer) readBand(ctx context.Context, a, b *Picture, band band) error {
	boxes := c.boxes
	if c.counted.covers(band) {
		c.counted.again(band, boxes)
		return nil
	}
	c.judge.onDiff = func(s *sight, x0, x1 int) {
		if x0, x1 = max(x0, band.x0), min(x1, band.x1); x0 < x1 {
			boxes.add(x0, x1, s.by, s.y)
		}
	}
	if c.masked { // rows are hidden in part for the offset at which they were judged last
		c.a.first, c.b.first = c.a.next, c.b.next
	}
	if err := c.a.seek(max(0, band.a-2)); err != nil {
		return &PictureError{Name: a.Name, Err: err}
	}
	if err := c.b.seek(max(0, band.b-2)); err != nil {
		return &PictureError{Name: b.Name, Err: err}
	}
	for i := range band.n {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		ya, yb := band.a+i, band.b+i
		if err := c.pullMasked(&c.a, ya+3, c.b.masks, yb-ya); err != nil {
			return &PictureError{Name: a.Name, Err: err}
		}
		if err := c.pullMasked(&c.b, yb+3, c.a.masks, ya-yb); err != nil {
			return &PictureError{Name: b.Name, Err: err}
		}
		c.judge.row(c.sight(ya, yb))
	}
	return nil
}

// pullMasked reads rows and blanks both its own masks and those of the other picture, whose rows are dy lower.
func (c *Comparer) pullMasked(s *side, to int, others []Rect, dy int) error {
	if !c.masked {
		return s.pull(to)
	}
	for to = min(to, s.head.Height); s.next < to; {
		if err := s.pull(s.next + 1); err != nil {
			return err
		}
		s.blank(s.masks, s.next-1, 0)
		s.blank(others, s.next-1, dy)
	}
	return nil
}
