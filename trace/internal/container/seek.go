package container

import (
	"context"
	"encoding/json"
	"io"
	"sort"
)

// SeekEntry is the name of the entry that says at which places inflating can
// begin. Readers that do not know it do without.
const SeekEntry = "tracedeck/seek.json"

// SeekIndex holds for the entries of a zip the places at which the deflate
// stream was restarted with an empty window, in ascending order. As JSON it is
//
//	{"version":1,"entries":{"trace.trace":[[compressed,inflated],…]}}
//
// with offsets in bytes from the beginning of the entry's data.
type SeekIndex struct {
	Version int                   `json:"version"`
	Entries map[string][][2]int64 `json:"entries"`
}

// Restart is a place at which inflating can begin.
type Restart struct{ Compressed, Inflated int64 }

// ParseSeekIndex reads a seek index. Nothing in it is trusted: a restart that
// is not one shows as damage when it is used.
func ParseSeekIndex(r io.Reader) (*SeekIndex, error) {
	const limit = 32 << 20
	var s SeekIndex
	if err := json.NewDecoder(io.LimitReader(r, limit)).Decode(&s); err != nil {
		return nil, err
	}
	for name, list := range s.Entries {
		if !ascending(list) {
			delete(s.Entries, name)
		}
	}
	return &s, nil
}

func ascending(list [][2]int64) bool {
	last := [2]int64{-1, -1}
	for _, p := range list {
		if p[0] <= last[0] || p[1] <= last[1] {
			return false
		}
		last = p
	}
	return true
}

// before returns the last restart of an entry at or before an inflated offset,
// or its beginning.
func (s *SeekIndex) before(e Entry, offset int64) Restart {
	if s == nil || s.Version != 1 || e.Method != deflated {
		return Restart{}
	}
	list := s.Entries[e.Name]
	i := sort.Search(len(list), func(i int) bool { return list[i][1] > offset }) - 1
	if i < 0 || list[i][0] >= e.CompressedSize {
		return Restart{}
	}
	return Restart{list[i][0], list[i][1]}
}

// Restarts returns the places at which inflating an entry can begin, its
// beginning not among them.
func (c *Container) Restarts(name string) []Restart {
	if c.seek == nil {
		return nil
	}
	var list []Restart
	for _, p := range c.seek.Entries[name] {
		list = append(list, Restart{p[0], p[1]})
	}
	return list
}

func (c *Container) readSeekIndex() {
	if _, ok := c.Lookup(SeekEntry); !ok {
		return
	}
	rc, err := c.Open(context.Background(), SeekEntry)
	if err != nil {
		return
	}
	defer rc.Close()
	s, err := ParseSeekIndex(rc)
	if err != nil {
		c.warn("W_ZIP_SEEK", SeekEntry, "it is not read: %v", err)
		return
	}
	c.seek = s
}
