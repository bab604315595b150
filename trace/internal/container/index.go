package container

import (
	"cmp"
	"slices"
)

// index makes names unique: the last of a name wins.
func (c *Container) index() {
	c.byName = make(map[string]int, len(c.entries))
	twice := false
	for i, e := range c.entries {
		if _, there := c.byName[e.Name]; there {
			twice = true
			c.warn("W_ZIP_DUPLICATE", e.Name, "it is in the zip more than once; the last one counts")
		}
		c.byName[e.Name] = i
	}
	if !twice {
		return
	}
	kept := make([]Entry, 0, len(c.byName))
	for i, e := range c.entries {
		if c.byName[e.Name] == i {
			kept = append(kept, e)
		}
	}
	c.entries = kept
	clear(c.byName)
	for i, e := range kept {
		c.byName[e.Name] = i
	}
}

// bound finds out where each entry ends at the latest: where the next one
// begins. So no byte belongs to two of them, by which a small zip could claim
// to be a huge one. Of entries with the same header one is kept.
func (c *Container) bound() {
	b := bounder{c: c, ends: make([]entryStart, 0, len(c.entries)+1)}
	b.ends = append(b.ends, entryStart{at: c.zip.directory, sure: true, entry: -1})
	for _, i := range slices.Backward(c.byHeader()) {
		b.add(i)
	}
	if len(b.alike) == 0 {
		return
	}
	kept := make([]Entry, 0, len(c.entries)-len(b.alike))
	for i, e := range c.entries {
		if !b.alike[i] {
			kept = append(kept, e)
		}
	}
	c.entries = kept
}

// byHeader returns the entries' numbers in the order of their headers.
func (c *Container) byHeader() []int {
	order := make([]int, len(c.entries))
	sorted := true
	for i := range order {
		order[i] = i
		sorted = sorted && (i == 0 || c.entries[i].header >= c.entries[i-1].header)
	}
	if !sorted {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.entries[a].header, c.entries[b].header) })
	}
	return order
}

// bounder goes over entries from the last to the first.
type bounder struct {
	c     *Container
	ends  []entryStart // where entries begin; the nearest is the last
	alike map[int]bool
}

// entryStart is where an entry should begin; sure when that was looked at.
type entryStart struct {
	at    int64
	entry int
	sure  bool
}

func (b *bounder) add(i int) {
	e := &b.c.entries[i]
	if e.header >= b.c.zip.directory {
		return // it is looked for when it is opened
	}
	next := &b.ends[len(b.ends)-1]
	if next.entry >= 0 && next.at == e.header {
		b.addAlike(i, next)
		return
	}
	for e.header+localSize+e.CompressedSize > next.at && !b.begins(next) {
		b.ends = b.ends[:len(b.ends)-1]
		next = &b.ends[len(b.ends)-1]
	}
	e.end = next.at
	b.ends = append(b.ends, entryStart{at: e.header, entry: i})
}

// begins reports whether there is an entry where the directory says. It is
// asked for only where entries overlap, since it costs a read.
func (b *bounder) begins(s *entryStart) bool {
	s.sure = s.sure || b.c.zip.has(s.at, localSignature)
	return s.sure
}

// addAlike keeps the entry whose name the header at that place has.
func (b *bounder) addAlike(i int, other *entryStart) {
	if b.alike == nil {
		b.alike = map[int]bool{}
	}
	e := &b.c.entries[i]
	e.end = b.c.entries[other.entry].end
	if h, ok := b.c.zip.local(e.header); ok && h.name == e.Name {
		i, other.entry = other.entry, i
	}
	b.alike[i] = true
	b.c.warn("W_ZIP_OVERLAP", b.c.entries[i].Name, "it is the same bytes as another entry and is left out")
}
