package visual

// minBlock is how many rows a block must have to be found in another order.
const minBlock = 8

// minBeside is minBlock where columns moved on their own: lines of text that meet by chance look like smaller blocks.
const minBeside = 48

// relocations finds blocks of at least so many rows among the rows that alignment left over which both pictures have, in another order than the
// rows around them, and returns what then remains of the gaps.
func (s *strip) relocations(open []gap, least int) []gap {
	if len(open) < 2 {
		return open
	}
	where := s.leftover(open)
	goneA, goneB := map[int]bool{}, map[int]bool{}
	for _, g := range open {
		for b := g.b0; b < g.b1; b++ {
			a, ok := where[s.b[b]]
			if !ok || goneA[a] {
				continue
			}
			r := s.extend(open, a, b, g, goneA)
			if r.n < least || alike(s.b[r.b:r.b+r.n]) {
				continue
			}
			for i := range r.n {
				goneA[r.a+i], goneB[r.b+i] = true, true
			}
			s.move(Relocated, r.a, r.b, r.n, false)
			b = r.b + r.n - 1
		}
	}
	if len(goneA) == 0 {
		return open
	}
	return s.without(open, goneA, goneB)
}

// leftover maps every row hash that is once in the gaps of both to its place in a.
func (s *strip) leftover(open []gap) map[uint64]int {
	countA, countB, where := map[uint64]int{}, map[uint64]int{}, map[uint64]int{}
	for _, g := range open {
		for a := g.a0; a < g.a1; a++ {
			countA[s.a[a]]++
			where[s.a[a]] = a
		}
		for b := g.b0; b < g.b1; b++ {
			countB[s.b[b]]++
		}
	}
	for h := range where {
		if countA[h] != 1 || countB[h] != 1 {
			delete(where, h)
		}
	}
	return where
}

// extend grows a pair of equal rows within the gaps in which they are.
func (s *strip) extend(open []gap, a, b int, inB gap, gone map[int]bool) run {
	var inA gap
	for _, g := range open {
		if a >= g.a0 && a < g.a1 {
			inA = g
		}
	}
	r := run{a, b, 1}
	for r.a > inA.a0 && r.b > inB.b0 && s.a[r.a-1] == s.b[r.b-1] && !gone[r.a-1] {
		r.a, r.b, r.n = r.a-1, r.b-1, r.n+1
	}
	for r.a+r.n < inA.a1 && r.b+r.n < inB.b1 && s.a[r.a+r.n] == s.b[r.b+r.n] && !gone[r.a+r.n] {
		r.n++
	}
	return r
}

// without takes relocated rows out of the gaps. Where a block stood, or where it went, the other picture has what the
// block covers.
func (s *strip) without(open []gap, goneA, goneB map[int]bool) []gap {
	var out []gap
	for _, g := range open {
		restA, restB := remaining(g.a0, g.a1, goneA), remaining(g.b0, g.b1, goneB)
		na, nb := g.rows()
		if lenOf(restA) == na && lenOf(restB) == nb {
			out = append(out, g)
			continue
		}
		covers := na == nb
		for _, r := range restA {
			if lenOf(restB) > 0 { // something else is there too: leave it to be compared
				break
			}
			s.move(pick(covers, Covered, Removed), r.a0, g.b0+r.a0-g.a0, r.a1-r.a0, alike(s.a[r.a0:r.a1]))
		}
		for _, r := range restB {
			if lenOf(restA) > 0 {
				break
			}
			s.move(pick(covers, Uncovered, Inserted), g.a0+r.a0-g.b0, r.a0, r.a1-r.a0, alike(s.b[r.a0:r.a1]))
		}
		if lenOf(restA) > 0 && lenOf(restB) > 0 {
			out = append(out, gap{restA[0].a0, restA[len(restA)-1].a1, restB[0].a0, restB[len(restB)-1].a1})
		}
	}
	return out
}

func pick(first bool, a, b MoveKind) MoveKind {
	if first {
		return a
	}
	return b
}

// remaining are the stretches from y0 to y1 that are not gone, in the fields a0 and a1.
func remaining(y0, y1 int, gone map[int]bool) []gap {
	var out []gap
	for y := y0; y < y1; y++ {
		if gone[y] {
			continue
		}
		if k := len(out) - 1; k >= 0 && out[k].a1 == y {
			out[k].a1++
		} else {
			out = append(out, gap{a0: y, a1: y + 1})
		}
	}
	return out
}

func lenOf(list []gap) int {
	n := 0
	for _, g := range list {
		n += g.a1 - g.a0
	}
	return n
}
