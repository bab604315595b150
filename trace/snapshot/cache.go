package snapshot

import (
	"container/list"
	"sync"
)

// cache keeps parsed snapshots, those used last, up to a number of bytes.
type cache struct {
	mu    sync.Mutex
	max   int64
	size  int64
	order list.List // of *cached, used last first
	byKey map[int]*list.Element
}

type cached struct {
	key int // number of the place
	t   *parsed
}

func newCache(max int64) *cache { return &cache{max: max, byKey: map[int]*list.Element{}} }

func (c *cache) get(key int) *parsed {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).t
}

func (c *cache) put(key int, t *parsed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey[key] != nil || t.size() > c.max {
		return
	}
	c.byKey[key] = c.order.PushFront(&cached{key, t})
	c.size += t.size()
	for c.size > c.max {
		last := c.order.Back()
		old := c.order.Remove(last).(*cached)
		delete(c.byKey, old.key)
		c.size -= old.t.size()
	}
}
