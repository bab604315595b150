package visual

import "slices"

// minVotes is how many unique rows of a tile must agree on an offset.
const minVotes = 6

// still is the offset of a tile that did not move, or that changed at its place.
const still = 0

// columns explains a gap by columns that moved on their own, as in a page of two columns of which one grew. It returns
// false, and has done nothing, if none did.
func (s *strip) columns(g gap) bool {
	if na, nb := g.rows(); min(na, nb) < minBlock {
		return false
	}
	offsets, ok := s.votes(g)
	if !ok {
		return false
	}
	for _, c := range group(offsets) {
		x0, x1 := s.l.edge(c.t0, s.x1), s.l.edge(c.t1, s.x1)
		column := &strip{l: s.l, x0: x0, x1: x1, a0: s.a0 + g.a0, b0: s.b0 + g.b0, out: s.out,
			a:      s.l.columns(&s.l.a, g.a0, g.a1, c.t0, c.t1),
			b:      s.l.columns(&s.l.b, g.b0, g.b1, c.t0, c.t1),
			bottom: s.bottom && g.a1 == len(s.a) && g.b1 == len(s.b)}
		column.explain()
		if len(column.bands) > 0 {
			s.out.bands = append(s.out.bands, column.bands)
		}
	}
	return true
}

// beside explains the gaps in which columns moved beside others whose content stayed, and returns those that remain.
// Parts of such columns can look like blocks of the whole width that went elsewhere.
func (s *strip) beside(open []gap) []gap {
	if !s.whole {
		return open
	}
	var rest []gap
	for len(open) > 0 {
		n := chain(open)
		g := gap{open[0].a0, open[n-1].a1, open[0].b0, open[n-1].b1}
		if !s.stays(g) || !s.columns(g) {
			rest = append(rest, open[:n]...)
		}
		open = open[n:]
	}
	return rest
}

// stays reports whether some tiles of a gap have content that is where it was, while others moved.
func (s *strip) stays(g gap) bool {
	na, nb := g.rows()
	if min(na, nb) < minBlock {
		return false
	}
	offsets, moved := s.votes(g)
	for t := 0; moved && t < len(offsets); t++ {
		if offsets[t] != still {
			continue
		}
		lines := 0
		for i := 1; i < min(na, nb); i++ {
			above, a, b := s.tileAt(&s.l.a, g.a0+i-1, t), s.tileAt(&s.l.a, g.a0+i, t), s.tileAt(&s.l.b, g.b0+i, t)
			if a == b && a != above {
				lines++
			}
		}
		if lines >= minVotes {
			return true
		}
	}
	return false
}

func (s *strip) tileAt(side *hashes, y, t int) uint32 { return s.l.store[int(side.at[y])+t] }

// ballot is the offset of every tile in a gap, and whether any moved.
type ballot struct {
	gap     gap
	offsets []int
	moved   bool
}

// votes returns the offset of every tile, and false if none moved or tiles were not kept.
func (s *strip) votes(g gap) ([]int, bool) {
	if s.last.offsets == nil || s.last.gap != g {
		offsets, moved := s.count(g)
		s.last = ballot{g, offsets, moved}
	}
	return s.last.offsets, s.last.moved
}

func (s *strip) count(g gap) ([]int, bool) {
	for _, at := range [2][]int32{s.l.a.at[g.a0:g.a1], s.l.b.at[g.b0:g.b1]} {
		if slices.Contains(at, -1) {
			return nil, false
		}
	}
	rows := s.unequal(g)
	offsets := make([]int, s.l.tiles)
	moved := false
	for t := range offsets {
		offsets[t] = s.vote(g, rows, t)
		moved = moved || offsets[t] != still
	}
	return offsets, moved
}

// unequal are the rows of a gap that are not the same in both at their place. No others have a vote, which keeps this
// cheap where little has changed.
func (s *strip) unequal(g gap) []int {
	na, nb := g.rows()
	var out []int
	for i := range max(na, nb) {
		if i >= na || i >= nb || s.l.a.at[g.a0+i] != s.l.b.at[g.b0+i] {
			out = append(out, i)
		}
	}
	return out
}

// tiles calls f with the hashes of tile t in every row given in which they differ. A row that only one picture has
// differs.
func (s *strip) tiles(g gap, rows []int, t int, f func(i int, a, b uint32, inA, inB bool)) {
	na, nb := g.rows()
	for _, i := range rows {
		var a, b uint32
		if i < na {
			a = s.l.store[int(s.l.a.at[g.a0+i])+t]
		}
		if i < nb {
			b = s.l.store[int(s.l.b.at[g.b0+i])+t]
		}
		if i >= na || i >= nb || a != b {
			f(i, a, b, i < na, i < nb)
		}
	}
}

// vote is the offset, relative to the gap, on which most unique rows of a tile agree, or still.
func (s *strip) vote(g gap, rows []int, t int) int {
	need, ok := s.worthCounting(g, rows, t)
	if !ok {
		return still
	}
	var m matcher
	var ya, yb []int
	s.tiles(g, rows, t, func(i int, a, b uint32, inA, inB bool) {
		if inA {
			m.a, ya = append(m.a, uint64(a)), append(ya, i)
		}
		if inB {
			m.b, yb = append(m.b, uint64(b)), append(yb, i)
		}
	})
	votes := map[int]int{}
	for _, r := range m.unique(0, len(m.a), 0, len(m.b)) {
		votes[yb[r.b]-ya[r.a]]++
	}
	best, most := still, 0
	for o, n := range votes {
		if n > most || n == most && (abs(o) < abs(best) || abs(o) == abs(best) && o < best) {
			best, most = o, n
		}
	}
	if most < need {
		return still
	}
	return best
}

// worthCounting returns how many rows must agree, and whether about so many of one picture's are in the other at all:
// most tiles have changed without moving.
func (s *strip) worthCounting(g gap, rows []int, t int) (need int, ok bool) {
	const words = 1 << 10
	var seen [words]uint64
	n, common := 0, 0
	s.tiles(g, rows, t, func(_ int, a, _ uint32, inA, _ bool) {
		if inA {
			seen[a>>6%words] |= 1 << (a & 63)
			n++
		}
	})
	need = max(minVotes, n/8)
	if n < need {
		return need, false
	}
	s.tiles(g, rows, t, func(_ int, _, b uint32, _, inB bool) {
		if inB {
			common += int(seen[b>>6%words] >> (b & 63) & 1)
		}
	})
	return need, common >= need
}

// edge is the pixel column at which tile t begins.
func (l *layout) edge(t, w int) int { return min(t*l.across, w) }

func abs(n int) int { return max(n, -n) }

// tiles from t0 to t1 that have one offset.
type tileGroup struct{ t0, t1, offset int }

// group joins neighbouring tiles of one offset.
func group(offsets []int) []tileGroup {
	var out []tileGroup
	for t, o := range offsets {
		if k := len(out) - 1; k >= 0 && out[k].offset == o {
			out[k].t1++
			continue
		}
		out = append(out, tileGroup{t, t + 1, o})
	}
	return out
}
