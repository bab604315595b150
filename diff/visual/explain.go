package visual

import (
	"cmp"
	"slices"
)

// band is an area to be compared again at the offset that explains it: rows a to a+n of the first picture with rows b
// to b+n of the second, between the columns x0 and x1.
type band struct{ a, b, n, x0, x1 int }

// explanation is what the hashes of rows say about how two pictures differ.
type explanation struct {
	moves []Move
	// bands are what remains, one list for each time that both pictures have to be read: in each, rows only go down.
	bands [][]band
}

// strip is a column of both pictures that is explained on its own; rows count from the layout's start.
type strip struct {
	l      *layout
	a, b   []uint64
	x0, x1 int
	a0, b0 int // where a and b begin in the pictures
	whole  bool
	bottom bool // the strip reaches the bottom of both pictures, which are equally high
	out    *explanation
	bands  []band
	last   ballot // the one of the gap that was asked for last, as it is asked for more than once
}

// explain aligns the rows of both pictures and names what happened to them.
func (l *layout) explain(w int) explanation {
	var out explanation
	s := &strip{l: l, a: l.a.rows, b: l.b.rows, x1: w, a0: l.start, b0: l.start, whole: true, bottom: l.ha == l.hb, out: &out}
	s.explain()
	out.bands = append(out.bands, s.bands)
	out.bands = slices.DeleteFunc(out.bands, func(b []band) bool { return len(b) == 0 })
	slices.SortStableFunc(out.moves, func(p, q Move) int {
		return cmp.Or(cmp.Compare(p.B, q.B), cmp.Compare(p.X, q.X), cmp.Compare(p.A, q.A))
	})
	out.moves = wide(out.moves, w)
	return out
}

// wide makes one move of those of columns side by side to which the same happened.
func wide(moves []Move, w int) []Move {
	var out []Move
	for _, m := range moves {
		i := slices.IndexFunc(out, func(o Move) bool {
			return o.X+o.Width == m.X && o.Kind == m.Kind && o.A == m.A && o.B == m.B && o.Rows == m.Rows
		})
		if i < 0 {
			out = append(out, m)
			continue
		}
		o := &out[i]
		o.Width += m.Width
		o.Blank = o.Blank && m.Blank
		o.left = o.X == 0 && o.Width < w
	}
	return out
}

func (s *strip) explain() {
	runs := align(s.a, s.b)
	open := gaps(runs, len(s.a), len(s.b))
	before := len(s.out.moves)
	s.shifts(runs)
	rest := s.beside(open)
	least := minBlock
	if !s.whole || len(rest) < len(open) {
		least = minBeside
	}
	open = s.relocations(rest, least)
	for len(open) > 0 {
		n := chain(open)
		if s.whole && s.columns(gap{open[0].a0, open[n-1].a1, open[0].b0, open[n-1].b1}) {
			open = open[n:]
			continue
		}
		for _, g := range open[:n] {
			s.gap(g, runs)
		}
		open = open[n:]
	}
	if len(s.out.moves) > before {
		s.fixed(runs)
	}
}

// chain is how many of the first gaps are parted only by rows of one offset. Columns that move on their own leave such
// gaps, with the rows between them that are blank everywhere.
func chain(open []gap) int {
	for i, g := range open {
		if na, nb := g.rows(); na != nb {
			return i + 1
		}
	}
	return len(open)
}

func (s *strip) move(kind MoveKind, a, b, n int, blank bool) {
	m := Move{Kind: kind, A: s.a0 + a, B: s.b0 + b, Rows: n, X: s.x0, Width: s.x1 - s.x0, Blank: blank, left: s.x0 == 0 && s.x1 < s.l.w}
	if kind == Shifted || kind == Relocated || kind == Fixed {
		m.Offset = m.B - m.A
	}
	s.out.moves = append(s.out.moves, m)
}

// shifts names the runs that are not where they were. Runs of one offset that only changed rows part are one.
func (s *strip) shifts(runs []run) {
	for i := 0; i < len(runs); {
		r, end := runs[i], runs[i]
		for i++; i < len(runs) && runs[i].offset() == r.offset(); i++ {
			end = runs[i]
		}
		if s.b0+r.b != s.a0+r.a {
			s.move(Shifted, r.a, r.b, end.a+end.n-r.a, false)
		}
	}
}

// fixed names the rows at the top and at the bottom that did not move while others did.
func (s *strip) fixed(runs []run) {
	if !slices.ContainsFunc(s.out.moves, func(m Move) bool { return m.Kind == Shifted && m.Width == s.x1 }) || !s.whole {
		return
	}
	top := s.l.start
	if len(runs) > 0 && runs[0].a == 0 && runs[0].b == 0 {
		top += runs[0].n
	}
	if top > 0 {
		s.out.moves = append(s.out.moves, Move{Kind: Fixed, Rows: top, Width: s.x1})
	}
	if len(runs) == 0 {
		return
	}
	if last := runs[len(runs)-1]; last.a > 0 && last.offset() == 0 && last.a+last.n == len(s.a) && last.b+last.n == len(s.b) {
		s.move(Fixed, last.a, last.b, last.n, alike(s.a[last.a:]))
	}
}

// gap names what happened in a gap.
func (s *strip) gap(g gap, runs []run) {
	na, nb := g.rows()
	atEnd := s.bottom && g.a1 == len(s.a) && g.b1 == len(s.b) && len(runs) > 0 && runs[len(runs)-1].offset() != 0
	switch {
	case na == 0 && nb == 0:
	case na == 0 && atEnd:
		s.move(Revealed, g.a0, g.b0, nb, alike(s.b[g.b0:g.b1]))
	case nb == 0 && atEnd:
		s.move(CutOff, g.a0, g.b0, na, alike(s.a[g.a0:g.a1]))
	case na == 0:
		s.move(Inserted, g.a0, g.b0, nb, alike(s.b[g.b0:g.b1]))
	case nb == 0:
		s.move(Removed, g.a0, g.b0, na, alike(s.a[g.a0:g.a1]))
	case na == nb:
		s.changed(g)
	default:
		s.grown(g, atEnd)
	}
}

// grown splits a gap whose rows are not equally many: what looks most alike is compared, the rest was inserted or
// removed.
func (s *strip) grown(g gap, atEnd bool) {
	na, nb := g.rows()
	n := min(na, nb)
	top := gap{g.a0, g.a0 + n, g.b0, g.b0 + n}
	bottom := gap{g.a1 - n, g.a1, g.b1 - n, g.b1}
	if s.likeness(bottom) > s.likeness(top) {
		s.gap(gap{g.a0, bottom.a0, g.b0, bottom.b0}, nil)
		s.changed(bottom)
		return
	}
	s.changed(top)
	rest := gap{top.a1, g.a1, top.b1, g.b1}
	switch {
	case atEnd && nb > na:
		s.move(Revealed, rest.a0, rest.b0, nb-na, alike(s.b[rest.b0:rest.b1]))
	case atEnd:
		s.move(CutOff, rest.a0, rest.b0, na-nb, alike(s.a[rest.a0:rest.a1]))
	default:
		s.gap(rest, nil)
	}
}

// likeness is how many tiles are equal if the rows of a gap are compared one by one.
func (s *strip) likeness(g gap) int {
	equal := 0
	for i := range g.a1 - g.a0 {
		p, q := s.l.a.at[g.a0+i], s.l.b.at[g.b0+i]
		if !s.whole || p < 0 || q < 0 {
			continue
		}
		for t := range s.l.tiles {
			if s.l.store[int(p)+t] == s.l.store[int(q)+t] {
				equal++
			}
		}
	}
	return equal
}

// changed is for rows that are compared one by one.
func (s *strip) changed(g gap) {
	s.bands = append(s.bands, band{s.a0 + g.a0, s.b0 + g.b0, g.a1 - g.a0, s.x0, s.x1})
}
