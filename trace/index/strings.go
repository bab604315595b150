package index

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"sync/atomic"
)

// stringTable gives strings numbers. They lie one behind the other, each
// behind its length, in blocks that never move; one goroutine adds, any number
// may read. A Go map of a million strings would cost three times the memory.
type stringTable struct {
	blocks atomic.Pointer[[][]byte]
	starts chunks[uint32] // where string i lies, counted over all blocks
	count  atomic.Int64
	next   int
	block  []byte // the block that is being filled
	base   int    // bytes in the blocks before it
	table  []slot // of the strings that intern has seen
	linked int
	recent []slot // of the strings that add has seen lately
	seed   maphash.Seed
	full   bool
}

type slot struct{ id, hash uint32 }

const (
	firstBlock  = 16 // the first block holds 1<<firstBlock bytes, and so on
	largeBlock  = 20 // up to 1<<largeBlock
	recentSlots = 4096
)

// blockOf returns the block that holds byte at, and where in it.
func blockOf(at uint32) (block, offset int) {
	r := uint64(at) + 1<<firstBlock
	if r < 2<<largeBlock {
		n := bits.Len64(r) - 1
		return n - firstBlock, int(r - 1<<n)
	}
	return largeBlock - firstBlock + int(r>>largeBlock) - 1, int(r & (1<<largeBlock - 1))
}

func newStringTable() *stringTable {
	s := &stringTable{seed: maphash.MakeSeed(), table: make([]slot, 256), recent: make([]slot, recentSlots)}
	s.blocks.Store(&[][]byte{})
	s.append(nil)
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
	id := s.append(text)
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
	id := s.append(text)
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
// room for more than 4 GB of strings.
func (s *stringTable) append(text []byte) uint32 {
	need := len(text) + binary.MaxVarintLen32
	if cap(s.block)-len(s.block) < need && !s.nextBlock() {
		return 0
	}
	chunk, at := place(s.next)
	if at == 0 {
		s.starts.grow(chunkSize(chunk))
	}
	s.starts.tail[at] = uint32(s.base + len(s.block))
	s.block = binary.AppendUvarint(s.block, uint64(len(text)))
	s.block = append(s.block, text...)
	s.next++
	return uint32(s.next - 1)
}

func (s *stringTable) nextBlock() bool {
	list := *s.blocks.Load()
	s.base += cap(s.block)
	size := 1 << min(firstBlock+len(list), largeBlock)
	if int64(s.base)+int64(size) > 1<<32 {
		s.base -= cap(s.block)
		s.full = true
		return false
	}
	s.block = make([]byte, 0, size)
	grown := append(append([][]byte(nil), list...), s.block[:size])
	s.blocks.Store(&grown)
	return true
}

func (s *stringTable) publish() { s.count.Store(int64(s.next)) }

// bytes returns a string that is out. The caller must not change it.
func (s *stringTable) bytes(id int) []byte {
	block, at := blockOf(*s.starts.cell(id))
	b := (*s.blocks.Load())[block][at:]
	n, k := binary.Uvarint(b)
	return b[k : k+int(n) : k+int(n)]
}

// stored returns how many bytes of the blocks are in use.
func (s *stringTable) stored() int {
	if len(s.block) == 0 && s.block == nil {
		return 0
	}
	return s.base + len(s.block)
}
