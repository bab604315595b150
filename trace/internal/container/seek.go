package container

import (
	"encoding/json"
	"fmt"
	"io"
)

// SeekEntry is the name of the entry that says at which places inflating can
// begin. Readers that do not know it do without.
const SeekEntry = "tracedeck/seek.json"

// SeekVersion is the version of the seek index that is written and understood.
const SeekVersion = 1

// SeekIndex holds for the entries of a zip the places at which the deflate
// stream was restarted with an empty window, in ascending order. As JSON it is
//
//	{"version":1,"entries":{"trace.trace":[[compressed,inflated],…]}}
//
// with offsets in bytes from the beginning of the entry's data. At the
// compressed offset a deflate block begins at a byte: the writer ended the one
// before it by an empty stored block, whose last four bytes are 00 00 ff ff (a
// flush, in zlib's words). Nothing from there on refers to anything before it.
// The beginning of the entry is not in the list.
type SeekIndex struct {
	Version int                   `json:"version"`
	Entries map[string][][2]int64 `json:"entries"`
}

// Restart is a place at which inflating can begin: an offset into an entry's
// stored bytes, and what it is when inflated.
type Restart struct{ Compressed, Inflated int64 }

// Marshal returns the bytes of the entry: the same for the same index.
func (s *SeekIndex) Marshal() ([]byte, error) {
	for name, list := range s.Entries {
		if !ascending(list) {
			return nil, fmt.Errorf("seek index: %s: the places do not ascend", name)
		}
	}
	return json.Marshal(SeekIndex{SeekVersion, s.Entries})
}

// ParseSeekIndex reads a seek index. Lists that do not ascend are left out. A
// place that is in order and is still none at which inflating can begin shows
// only when it is used.
func ParseSeekIndex(r io.Reader) (*SeekIndex, error) {
	const limit = 8 << 20 // an index of 300 GB
	var s SeekIndex
	if err := json.NewDecoder(io.LimitReader(r, limit)).Decode(&s); err != nil {
		return nil, err
	}
	if s.Version != SeekVersion {
		return nil, fmt.Errorf("it has version %d, and %d is known", s.Version, SeekVersion)
	}
	for name, list := range s.Entries {
		if !ascending(list) {
			delete(s.Entries, name)
		}
	}
	return &s, nil
}

func ascending(list [][2]int64) bool {
	last := [2]int64{0, 0}
	for _, p := range list {
		if p[0] <= last[0] || p[1] <= last[1] {
			return false
		}
		last = p
	}
	return true
}
