package visual

import (
	"context"
	"errors"

	"github.com/tracedeck/tracedeck/diff/visual/internal/rows"
)

// readPair reads both pictures to their ends, row by row side by side, and judges every row that both have.
func (c *Comparer) readPair(ctx context.Context, a, b *Picture) error {
	start, err := c.shared()
	if err != nil {
		return &PictureError{Name: a.Name, Err: err}
	}
	judged := start
	for y := start; y < max(c.a.head.Height, c.b.head.Height); y++ {
		if y%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if y == c.h {
			c.b.part() // the first picture goes on alone
		}
		if err := c.a.pull(y + 1); err != nil {
			return &PictureError{Name: a.Name, Err: err}
		}
		same, err := c.pullLike(y, y == start || c.equal[(y-1)%ringRows])
		if err != nil {
			return &PictureError{Name: b.Name, Err: err}
		}
		c.settle(y, same)
		// A row can be judged once the two after it are there.
		limit := min(y-1, c.h)
		if y+1 >= c.h {
			limit = c.h
		}
		for ; judged < limit; judged++ {
			c.judgeRow(judged)
		}
	}
	c.b.part()
	return nil
}

// pullLike reads row y of the second picture and reports whether it is known to be the first's. above says that the
// rows above are equal.
func (c *Comparer) pullLike(y int, above bool) (bool, error) {
	if c.twins == nil || y >= c.h {
		return false, c.b.pull(y + 1)
	}
	if err := c.twins.Read(); err != nil {
		return false, err
	}
	c.b.next++
	like := &c.b.like[y%c.b.rows]
	*like = 0
	switch lag := c.lag; {
	case c.twins.Like(&c.a.png, 0, c.a.slot(y), above):
		*like = 1
	case lag > 0 && lag <= y && c.twins.Like(&c.a.png, lag, c.a.slot(y-lag), c.b.like[(y-1)%c.b.rows] == uint8(lag+1)):
		*like = uint8(lag + 1)
	default:
		c.twins.Undo(c.b.slot(y))
	}
	return *like == 1, nil
}

// shared decodes once what both compressed streams begin with, and lets the second picture go on from there. It
// returns how many rows that were; they are equal.
func (c *Comparer) shared() (int, error) {
	p, q := &c.a.png, c.twins
	if q == nil || c.done != nil || c.window != nil {
		return 0, nil
	}
	limit := p.Common(q)
	if limit == 0 {
		return 0, nil
	}
	y := 0
	for ; y < c.h; y++ {
		err := p.NextWithin(c.a.row(y), limit)
		if errors.Is(err, rows.ErrPause) {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	for k := max(0, y-ringRows); k < y; k++ {
		c.b.like[k%c.b.rows], c.equal[k%ringRows] = 1, true
	}
	c.a.next, c.b.next = y, y
	if c.layout != nil {
		c.layout.skip(y)
	}
	return y, q.Fork(p, c.a.row(max(y-1, 0)))
}
