package index

import (
	"encoding/binary"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/s2"
)

// arena holds strings one behind the other, each behind its length, in blocks
// that never move. One goroutine adds, any number may read. Blocks can be
// packed when no more strings come: a million log lines are much alike.
type arena struct {
	blocks atomic.Pointer[[]arenaBlock]
	block  []byte // the one that is being filled
	base   int    // bytes of the blocks before it

	mu    sync.Mutex
	pages [8]arenaPage // unpacked lately
	turn  int
}

// arenaBlock is a block as it is, or packed.
type arenaBlock struct {
	raw    []byte
	packed []byte
	size   int // in bytes, unpacked
}

type arenaPage struct {
	block int
	data  []byte
}

const (
	firstBlock = 14 // the first block holds 1<<firstBlock bytes, the next twice that, and so on
	largeBlock = 18 // up to 1<<largeBlock
	arenaLimit = 1 << 31
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

func blockSize(block int) int { return 1 << min(firstBlock+block, largeBlock) }

func (a *arena) list() []arenaBlock {
	if list := a.blocks.Load(); list != nil {
		return *list
	}
	return nil
}

// add stores text and returns where; it is not ok where there is no room.
func (a *arena) add(text []byte) (at uint32, ok bool) {
	need := len(text) + binary.MaxVarintLen32
	if cap(a.block)-len(a.block) < need && !a.next() {
		return 0, false
	}
	at = uint32(a.base + len(a.block))
	a.block = binary.AppendUvarint(a.block, uint64(len(text)))
	a.block = append(a.block, text...)
	return at, true
}

// next begins another block.
func (a *arena) next() bool {
	list := a.list()
	size := blockSize(len(list))
	if int64(a.base)+int64(cap(a.block))+int64(size) > arenaLimit {
		return false
	}
	a.base += cap(a.block)
	a.block = make([]byte, 0, size)
	grown := append(append([]arenaBlock(nil), list...), arenaBlock{raw: a.block[:size], size: size})
	a.blocks.Store(&grown)
	return true
}

// bytes returns the string at. The caller must not change it.
func (a *arena) bytes(at uint32) []byte {
	n, offset := blockOf(at)
	b := a.page(n)[offset:]
	size, k := binary.Uvarint(b)
	return b[k : k+int(size) : k+int(size)]
}

// page returns a block as it is.
func (a *arena) page(n int) []byte {
	block := &a.list()[n]
	if block.raw != nil {
		return block.raw
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.pages {
		if p.data != nil && p.block == n {
			return p.data
		}
	}
	data, err := s2.Decode(make([]byte, block.size), block.packed)
	if err != nil || len(data) != block.size {
		data = make([]byte, block.size) // it was unpacked once before: cannot be
	}
	a.pages[a.turn%len(a.pages)] = arenaPage{n, data}
	a.turn++
	return data
}

// pack compresses all blocks; nothing can be added after it.
func (a *arena) pack() {
	list := a.list()
	small := make([]arenaBlock, len(list))
	for i, b := range list {
		small[i] = b
		if b.raw != nil {
			small[i] = arenaBlock{packed: s2.Encode(nil, b.raw), size: b.size}
			small[i].packed = append([]byte(nil), small[i].packed...) // without the room for the worst case
		}
	}
	a.block, a.base = nil, arenaLimit
	a.blocks.Store(&small)
}

// stored returns how many bytes there are, with what blocks have left over.
func (a *arena) stored() (n int) {
	for _, b := range a.list() {
		n += b.size
	}
	return n
}

// valid reports whether a string is at, and its bytes in one block.
func (a *arena) valid(at uint32, page func(int) []byte) bool {
	n, offset := blockOf(at)
	if n >= len(a.list()) {
		return false
	}
	b := page(n)
	if offset > len(b) {
		return false
	}
	size, k := binary.Uvarint(b[offset:])
	return k > 0 && size <= uint64(len(b)-offset-k)
}
