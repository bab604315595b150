package viewer

import (
	"context"
	"sync"
	"time"
)

// courtesyTime is the longest that reading waits for a page to draw.
const courtesyTime = 250 * time.Millisecond

// courtesy lets the reading of a trace stand back while a page loads and draws
// its first rows: both want all of a small machine, and only the page is
// looked at.
type courtesy struct {
	mu    sync.Mutex
	until time.Time
	drawn chan struct{} // nil while no page is expected to draw
}

// expect is called when a page begins to load.
func (c *courtesy) expect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = time.Now().Add(courtesyTime)
	if c.drawn == nil {
		c.drawn = make(chan struct{})
	}
}

// met is called when a page has drawn its first rows.
func (c *courtesy) met() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.drawn != nil {
		close(c.drawn)
		c.drawn = nil
	}
}

// wait returns when no page is about to draw, the time for it is over, or ctx
// ends.
func (c *courtesy) wait(ctx context.Context) {
	c.mu.Lock()
	drawn, left := c.drawn, time.Until(c.until)
	if left <= 0 {
		c.drawn = nil
	}
	c.mu.Unlock()
	if drawn == nil || left <= 0 {
		return
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-drawn:
	case <-timer.C:
	case <-ctx.Done():
	}
}
