package index

import (
	"hash/maphash"
	"sync/atomic"
)

// stringTable gives strings numbers. Names, which rows share, are kept apart
// from texts, which are mostly met once. A Go map of a million strings would
// cost three times the memory.
type stringTable struct {
	names, texts arena
	starts       chunks[uint32] // where string i lies; texts have the highest bit set
	count        atomic.Int64
	next         int
	table        []slot // of the strings that intern has seen
	linked       int
	recent       []slot // of the strings that add has seen lately
	seed         maphash.Seed
}

type slot struct{ id, hash uint32 }

const (
	recentSlots = 4096
	inTexts     = arenaLimit
)

func newStringTable() *stringTable {
	s := &stringTable{seed: maphash.MakeSeed(), table: make([]slot, 256), recent: make([]slot, recentSlots)}
	s.append(&s.names, nil, 0)
	s.publish()
	return s
}

// intern returns the number of text, the same one each time.
func (s *stringTable) intern(text []byte) StringID {
	if len(text) == 0 {
		return 0
	}
	h := uint32(maphash.Bytes(s.seed, text))
	mask := uint32(len(s.table) - 1)
	i := h & mask
	for ; s.table[i].id != 0; i = (i + 1) & mask {
		if s.table[i].hash == h && string(s.bytes(int(s.table[i].id))) == string(text) {
			return StringID(s.table[i].id)
		}
	}
	id := s.append(&s.names, text, 0)
	if id != 0 {
		s.table[i] = slot{id, h}
		s.linked++
		if 4*s.linked > 3*len(s.table) {
			s.grow()
		}
	}
	return StringID(id)
}

// add returns a number for text: the same one as last time if that was not
// long ago. It is for strings of which most are unique, and which need not be
// compared by their numbers.
func (s *stringTable) add(text []byte) StringID {
	if len(text) == 0 {
		return 0
	}
	h := uint32(maphash.Bytes(s.seed, text))
	known := &s.recent[h%recentSlots]
	if known.id != 0 && known.hash == h && string(s.bytes(int(known.id))) == string(text) {
		return StringID(known.id)
	}
	id := s.append(&s.texts, text, inTexts)
	*known = slot{id, h}
	return StringID(id)
}

func (s *stringTable) grow() {
	old := s.table
	s.table = make([]slot, 2*len(old))
	mask := uint32(len(s.table) - 1)
	for _, e := range old {
		if e.id == 0 {
			continue
		}
		i := e.hash & mask
		for s.table[i].id != 0 {
			i = (i + 1) & mask
		}
		s.table[i] = e
	}
}

// append stores text and returns its number, which is 0 where there is no
// room for more.
func (s *stringTable) append(a *arena, text []byte, mark uint32) uint32 {
	at, ok := a.add(text)
	if !ok {
		return 0
	}
	chunk, place := place(s.next)
	if place == 0 {
		s.starts.grow(chunkSize(chunk))
	}
	s.starts.tail[place] = at | mark
	s.next++
	return uint32(s.next - 1)
}

func (s *stringTable) publish() { s.count.Store(int64(s.next)) }

// bytes returns a string that is out. The caller must not change it.
func (s *stringTable) bytes(id int) []byte {
	at := *s.starts.cell(id)
	if at&inTexts != 0 {
		return s.texts.bytes(at &^ inTexts)
	}
	return s.names.bytes(at)
}

// packFrom is how many bytes of texts are worth packing.
const packFrom = 8 << 20

// finish gives back what only adding needs.
func (s *stringTable) finish() {
	s.table, s.recent = nil, nil
	if s.texts.stored() >= packFrom {
		s.texts.pack()
	}
}

// validate checks that every string is where it should be. It goes over the
// texts in their order, so that each block is unpacked once.
func (s *stringTable) validate() error {
	ok := s.next > 0
	eachChunk(&s.starts, s.next, func(part []uint32) {
		for _, at := range part {
			a := &s.names
			if at&inTexts != 0 {
				a, at = &s.texts, at&^inTexts
			}
			if !ok || !a.valid(at, a.page) {
				ok = false
				return
			}
		}
	})
	if !ok {
		return errDamaged
	}
	return nil
}
