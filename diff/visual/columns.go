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

// votes returns the offset of every tile, and false if none moved or tiles were not kept.
func (s *strip) votes(g gap) ([]int, bool) {
	for _, at := range [2][]int32{s.l.a.at[g.a0:g.a1], s.l.b.at[g.b0:g.b1]} {
		if slices.Contains(at, -1) {
			return nil, false
		}
	}
	votes := make([]ballot, s.l.tiles)
	na, nb := g.rows()
	for i := range max(na, nb) {
		s.collect(votes, g, i)
	}
	offsets := make([]int, s.l.tiles)
	moved := false
	for t := range votes {
		offsets[t] = votes[t].offset()
		moved = moved || offsets[t] != still
	}
	return offsets, moved
}

// edge is the pixel column at which tile t begins.
func (l *layout) edge(t, w int) int { return min(t*l.across, w) }

// ballot holds the rows of one tile that differ at their place: their hashes, and which rows they are. No other rows
// have a vote, which keeps this cheap where little has changed.
type ballot struct {
	m      matcher
	ya, yb []int
}

// collect adds row i of a gap to the tiles in which it differs.
func (s *strip) collect(votes []ballot, g gap, i int) {
	var a, b []uint64
	if y := g.a0 + i; y < g.a1 {
		a = s.l.store[s.l.a.at[y]:][:s.l.tiles]
	}
	if y := g.b0 + i; y < g.b1 {
		b = s.l.store[s.l.b.at[y]:][:s.l.tiles]
	}
	if a != nil && b != nil && &a[0] == &b[0] { // an equal row
		return
	}
	for t := range votes {
		if a != nil && b != nil && a[t] == b[t] {
			continue
		}
		v := &votes[t]
		if a != nil {
			v.m.a, v.ya = append(v.m.a, a[t]), append(v.ya, i)
		}
		if b != nil {
			v.m.b, v.yb = append(v.m.b, b[t]), append(v.yb, i)
		}
	}
}

// offset is that, relative to the gap, on which most unique rows agree, or still.
func (v *ballot) offset() int {
	if min(len(v.ya), len(v.yb)) < minVotes {
		return still
	}
	votes := map[int]int{}
	for _, r := range v.m.unique(0, len(v.m.a), 0, len(v.m.b)) {
		votes[v.yb[r.b]-v.ya[r.a]]++
	}
	best, most := still, 0
	for o, n := range votes {
		if n > most || n == most && (abs(o) < abs(best) || abs(o) == abs(best) && o < best) {
			best, most = o, n
		}
	}
	if most < max(minVotes, len(v.ya)/8) {
		return still
	}
	return best
}

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
