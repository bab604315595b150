package visual

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

const (
	// tilesAcross is into how many columns a row is cut at most, and minTile how wide these are at least.
	tilesAcross = 32
	minTile     = 16
	// maxTiled is up to how many rows tiles are kept, which bounds what a very high picture takes.
	maxTiled = 1 << 15
)

// The hashes stay in the process, and a seed of its own keeps pictures from being made to collide.
var seed = maphash.MakeSeed()

// layout remembers every row of both pictures as a few hashes, from the first row on that differs.
type layout struct {
	start  int // how many equal rows both begin with
	w      int // pixels in a row
	across int // pixels in one tile
	tile   int // bytes in one tile
	tiles  int
	a, b   hashes
	store  []uint32 // hashes of tiles; rows that are equal share theirs
	ha     int
	hb     int
}

// hashes are the rows of one picture, beginning with the layout's start.
type hashes struct {
	rows []uint64
	at   []int32 // where a row's tiles begin in the store, -1 if they were not kept
}

func (h *hashes) add(row uint64, at int32) { h.rows, h.at = append(h.rows, row), append(h.at, at) }

// repeat adds the last row once more.
func (h *hashes) repeat() {
	n := len(h.rows) - 1
	h.add(h.rows[n], h.at[n])
}

func newLayout(w, depth, ha, hb int) *layout {
	across := max(minTile, (w+tilesAcross-1)/tilesAcross)
	return &layout{w: w, across: across, tile: across * depth, tiles: (w + across - 1) / across, ha: ha, hb: hb}
}

// skip says that both begin with n equal rows.
func (l *layout) skip(n int) { l.start = n }

// add takes the next row, which is the same in both, and the same as the one before if it repeats that.
func (l *layout) add(repeats bool, row []byte) {
	if l.empty() {
		l.start++
		return
	}
	if repeats && len(l.a.rows) > 0 {
		l.a.repeat()
		l.b.repeat()
		return
	}
	h, at := l.hash(row, nil, 0)
	l.a.add(h, at)
	l.b.add(h, at)
}

// addUnequal takes the next row of both, which differ. It returns how much higher the first picture had the second's
// row, 0 if it has not been seen among the latest.
func (l *layout) addUnequal(ra, rb []byte) (lag int) {
	h, at := l.hash(ra, nil, 0)
	l.a.add(h, at)
	h, at = l.hash(rb, ra, at)
	l.b.add(h, at)
	last := len(l.a.rows) - 1
	for lag := 1; lag <= min(last, maxLag); lag++ {
		if l.a.rows[last-lag] == h {
			return lag
		}
	}
	return 0
}

// addLagging takes the next row of both, of which the second's is the one that the first had lag rows higher. It returns
// false, and has done nothing, if that is not remembered.
func (l *layout) addLagging(lag int, ra []byte) bool {
	if lag > len(l.a.rows) {
		return false
	}
	h, at := l.hash(ra, nil, 0)
	l.a.add(h, at)
	from := len(l.a.rows) - 1 - lag
	l.b.add(l.a.rows[from], l.a.at[from])
	return true
}

// lookBack is how many of the equal rows at the beginning are remembered too: what was inserted or removed may begin
// a little above the first difference.
const lookBack = 40

func (l *layout) empty() bool { return l.a.rows == nil && l.b.rows == nil }

// begin is called before the first row that differs, with the equal rows before it.
func (l *layout) begin(before [][]byte) {
	l.start -= len(before)
	l.reserve()
	for _, row := range before {
		l.add(false, row)
	}
}

// reserve makes room once, for what is needed if no row that follows is equal.
func (l *layout) reserve() {
	na, nb := l.ha-l.start, l.hb-l.start
	l.a = hashes{make([]uint64, 0, na), make([]int32, 0, na)}
	l.b = hashes{make([]uint64, 0, nb), make([]int32, 0, nb)}
	// Room that is not used is never touched, so it takes no memory.
	l.store = make([]uint32, 0, min(na+nb, 2*maxTiled)*l.tiles)
}

// addOne takes the next row of the one picture that is higher.
func (l *layout) addOne(isA bool, ra, rb []byte) {
	side, row := &l.b, rb
	if isA {
		side, row = &l.a, ra
	}
	h, at := l.hash(row, nil, 0)
	side.add(h, at)
}

// hash returns what row hashes to, and where its tiles are kept. like, if any, is a row whose tiles are kept at likeAt,
// -1 for nowhere: tiles that are the same there need no hashing.
func (l *layout) hash(row, like []byte, likeAt int32) (uint64, int32) {
	at := int32(len(l.store))
	keep := len(l.a.rows)+len(l.b.rows) < 2*maxTiled
	var known []uint32
	if like != nil && likeAt >= 0 {
		known = l.store[likeAt:]
	}
	var sum uint64
	for i, t := 0, 0; i < len(row); i, t = i+l.tile, t+1 {
		end := min(i+l.tile, len(row))
		var h uint32
		if known != nil && bytes.Equal(row[i:end], like[i:end]) {
			h = known[t]
		} else {
			h = uint32(maphash.Bytes(seed, row[i:end]))
		}
		if keep {
			l.store = append(l.store, h)
		}
		sum = (bits.RotateLeft64(sum, 7) ^ uint64(h)) * 0x9e3779b97f4a7c15
	}
	if !keep {
		at = -1
	}
	return sum, at
}

// moving reports whether rows of the second picture are among those of the first, but elsewhere.
func (l *layout) moving() bool {
	const twice = -1 // such as blank rows, which say nothing
	where := make(map[uint64]int, len(l.a.rows))
	for y, h := range l.a.rows {
		if _, ok := where[h]; ok {
			y = twice
		}
		where[h] = y
	}
	n := 0
	for y, h := range l.b.rows {
		if at, ok := where[h]; ok && at != twice && at != y {
			n++
		}
	}
	return n >= minRun
}

// columns are the hashes of rows from y0 to y1 of a side, over tiles t0 to t1 only, which were kept. Rows
// count from the layout's start.
func (l *layout) columns(s *hashes, y0, y1, t0, t1 int) []uint64 {
	out := make([]uint64, y1-y0)
	for i := range out {
		at := s.at[y0+i]
		for _, h := range l.store[int(at)+t0 : int(at)+t1] {
			out[i] = (bits.RotateLeft64(out[i], 7) ^ uint64(h)) * 0x9e3779b97f4a7c15
		}
	}
	return out
}
