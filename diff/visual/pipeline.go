package visual

import (
	"context"
	"errors"
	"sync"

	"github.com/tracedeck/tracedeck/diff/visual/internal/rows"
)

// readPair reads both pictures to their ends, side by side, and judges every row that both have.
func (c *Comparer) readPair(ctx context.Context, a, b *Picture) error {
	start, err := c.shared()
	if err != nil {
		return &PictureError{Name: a.Name, Err: err}
	}
	height := max(c.a.head.Height, c.b.head.Height)
	bands := (height - start + bandRows - 1) / bandRows
	other := c.follow(start, bands)
	defer other.stop()
	judged := start
	for k := range bands {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(start+(k+1)*bandRows, height)
		if err := c.a.pull(to); err != nil {
			return &PictureError{Name: a.Name, Err: err}
		}
		if err := <-other.ready; err != nil {
			return &PictureError{Name: b.Name, Err: err}
		}
		for y := start + k*bandRows; y < to; y++ {
			c.settle(y)
		}
		// A row can be judged once the two after it are there.
		limit := min(to-2, c.h)
		if to >= c.h {
			limit = c.h
		}
		for ; judged < limit; judged++ {
			c.judgeRow(judged)
		}
		other.free <- struct{}{}
	}
	return nil
}

// follower reads the second picture in a goroutine of its own, as far ahead as its ring allows.
type follower struct {
	ready chan error    // one value a band
	free  chan struct{} // one value a band that may be overwritten
	quit  chan struct{}
	done  sync.WaitGroup
}

func (c *Comparer) follow(start, bands int) *follower {
	// Of the bands in the ring, one is being read and one still has neighbours of rows to be judged.
	const ahead = ringRows/bandRows - 2
	f := &follower{ready: make(chan error, ahead), free: make(chan struct{}, ahead+1), quit: make(chan struct{})}
	for range ahead {
		f.free <- struct{}{}
	}
	f.done.Go(func() {
		for k := range bands {
			select {
			case <-f.free:
			case <-f.quit:
				return
			}
			err := c.b.pull(start + (k+1)*bandRows)
			f.ready <- err
			if err != nil {
				return
			}
		}
	})
	return f
}

func (f *follower) stop() {
	close(f.quit)
	f.done.Wait()
}

// shared decodes once what both compressed streams begin with, and lets the second picture go on from there. It
// returns how many rows that were; they are equal.
func (c *Comparer) shared() (int, error) {
	p, ok := c.a.src.(*rows.PNG)
	q, ok2 := c.b.src.(*rows.PNG)
	if !ok || !ok2 || !c.a.direct || !c.b.direct || c.done != nil || c.window != nil {
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
	// The rows before the first that may differ are its neighbours.
	for k := max(0, y-4); k < y; k++ {
		copy(c.b.row(k), c.a.row(k))
		c.equal[k%ringRows] = true
	}
	c.a.next, c.b.next = y, y
	if c.layout != nil {
		c.layout.skip(y)
	}
	return y, q.Fork(p, c.b.row(max(y-1, 0)))
}
