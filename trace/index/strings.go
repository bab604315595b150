package index

import (
	"hash/maphash"
	"math/bits"
	"sync/atomic"
)

// stringTable gives equal strings equal numbers. Strings lie one behind the
// other in blocks that never move; one goroutine adds, any number may read.
// A Go map of a million strings would cost three times the memory.
type stringTable struct {
	blocks  atomic.Pointer[[][]byte]
	starts  chunks[int64] // where string i lies: block<<32 | offset
	sizes   chunks[uint32]
	count   atomic.Int64
	next    int
	block   []byte // the block that is being filled
	slots   []uint32
	hashes  []uint32
	seed    maphash.Seed
	textual int64 // bytes of all strings
}

const stringBlock = 64 << 10

func newStringTable() *stringTable {
	s := &stringTable{seed: maphash.MakeSeed(), slots: make([]uint32, 1024)}
	s.blocks.Store(&[][]byte{})
	s.insert(nil, 0)
	s.publish()
	return s
}

// intern returns the number of text.
func (s *stringTable) intern(text []byte) StringID {
	if len(text) == 0 {
		return 0
	}
	h := uint32(maphash.Bytes(s.seed, text))
	if id, ok := s.find(text, h); ok {
		return id
	}
	return s.insert(text, h)
}

func (s *stringTable) internString(text string) StringID {
	if text == "" {
		return 0
	}
	return s.intern([]byte(text))
}

// find looks in an open-addressed table of numbers; slot 0 means free, since
// the empty string is never looked for.
func (s *stringTable) find(text []byte, h uint32) (StringID, bool) {
	mask := uint32(len(s.slots) - 1)
	for i := h & mask; s.slots[i] != 0; i = (i + 1) & mask {
		id := s.slots[i]
		if s.hashes[id] == h && string(s.bytes(int(id))) == string(text) {
			return StringID(id), true
		}
	}
	return 0, false
}

func (s *stringTable) insert(text []byte, h uint32) StringID {
	id := s.next
	chunk, at := place(id)
	if at == 0 {
		s.starts.grow(chunkSize(chunk))
		s.sizes.grow(chunkSize(chunk))
	}
	s.starts.tail[at] = s.store(text)
	s.sizes.tail[at] = uint32(len(text))
	s.next++
	s.textual += int64(len(text))
	s.hashes = append(s.hashes, h)
	if id > 0 {
		s.link(uint32(id), h)
	}
	return StringID(id)
}

// store copies text into the newest block, or into a new one.
func (s *stringTable) store(text []byte) int64 {
	if cap(s.block)-len(s.block) < len(text) || s.block == nil {
		size := min(stringBlock<<min(s.next>>10, 4), 1<<20)
		s.block = make([]byte, 0, max(size, len(text)))
		list := append([][]byte(nil), *s.blocks.Load()...)
		list = append(list, s.block[:cap(s.block)])
		s.blocks.Store(&list)
	}
	block := int64(len(*s.blocks.Load()) - 1)
	at := int64(len(s.block))
	s.block = append(s.block, text...)
	return block<<32 | at
}

func (s *stringTable) link(id, h uint32) {
	if 4*s.next > 3*len(s.slots) {
		s.rehash()
		return
	}
	mask := uint32(len(s.slots) - 1)
	i := h & mask
	for s.slots[i] != 0 {
		i = (i + 1) & mask
	}
	s.slots[i] = id
}

func (s *stringTable) rehash() {
	s.slots = make([]uint32, 1<<bits.Len(uint(2*s.next)))
	mask := uint32(len(s.slots) - 1)
	for id := 1; id < s.next; id++ {
		i := s.hashes[id] & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = uint32(id)
	}
}

func (s *stringTable) publish() { s.count.Store(int64(s.next)) }

// bytes returns a string that is out. The caller must not change it.
func (s *stringTable) bytes(id int) []byte {
	at := *s.starts.cell(id)
	n := int64(*s.sizes.cell(id))
	block := (*s.blocks.Load())[at>>32]
	lo := at & 0xffffffff
	return block[lo : lo+n : lo+n]
}
