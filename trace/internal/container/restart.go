package container

import (
	"bytes"
	"context"
	"sort"
	"sync"
)

// seekTable is a zip's seek index, read when it is first wanted.
type seekTable struct {
	mu    sync.Mutex
	done  bool
	index *SeekIndex
}

// seekIndex returns the zip's seek index; nil if it has none that can be read.
func (c *Container) seekIndex(ctx context.Context) *SeekIndex {
	c.seek.mu.Lock()
	defer c.seek.mu.Unlock()
	if c.seek.done {
		return c.seek.index
	}
	if _, ok := c.Lookup(SeekEntry); !ok || c.zip == nil {
		c.seek.done = true
		return nil
	}
	rc, err := c.Open(ctx, SeekEntry)
	if err == nil {
		defer rc.Close()
		c.seek.index, err = ParseSeekIndex(rc)
	}
	if ctx.Err() != nil {
		return nil // another may have more time
	}
	if err != nil {
		c.warn("W_ZIP_SEEK", SeekEntry, "it is not used: %v", err)
	}
	c.seek.done = true
	return c.seek.index
}

// Restarts returns the places at which inflating an entry can begin, its
// beginning not among them.
func (c *Container) Restarts(name string) []Restart {
	e, ok := c.Lookup(name)
	index := c.seekIndex(context.Background())
	if !ok || index == nil || e.Method != deflated {
		return nil
	}
	var list []Restart
	for _, p := range index.Entries[name] {
		if p[0] < e.CompressedSize && (p[1] < e.Size || e.Size < 0) {
			list = append(list, Restart{p[0], p[1]})
		}
	}
	return list
}

// restartBefore returns the last place at or before an inflated offset at which
// inflating can begin.
func (c *Container) restartBefore(ctx context.Context, e Entry, offset int64) Restart {
	if offset == 0 || e.Method != deflated {
		return Restart{}
	}
	index := c.seekIndex(ctx)
	if index == nil {
		return Restart{}
	}
	list := index.Entries[e.Name]
	i := sort.Search(len(list), func(i int) bool { return list[i][1] > offset }) - 1
	if i < 0 || list[i][0] >= e.room() {
		return Restart{}
	}
	flushed := make([]byte, 4)
	if !c.zip.read(flushed, e.data+list[i][0]-4) || !bytes.Equal(flushed, []byte{0, 0, 0xff, 0xff}) {
		c.warn("W_ZIP_SEEK", e.Name, "a place at which inflating should be able to begin is none")
		return Restart{}
	}
	return Restart{list[i][0], list[i][1]}
}

// Recover adds the entries that are in a zip's file and not in its directory,
// and reports whether there were any.
func (c *Container) Recover() bool {
	if c.zip == nil {
		return false
	}
	found, err := c.walk(context.Background())
	if err != nil {
		return false
	}
	c.mu.Lock()
	entries, added := append([]Entry(nil), c.entries...), 0
	for _, e := range found {
		if _, there := c.byName[e.Name]; !there && len(entries) < c.limits.Entries {
			c.byName[e.Name] = len(entries)
			entries = append(entries, e)
			added++
		}
	}
	c.entries = entries
	c.mu.Unlock()
	if added > 0 {
		c.warn("W_ZIP_HIDDEN", "", "%d entries are not in the zip's directory and were found by walking over the file", added)
	}
	return added > 0
}
