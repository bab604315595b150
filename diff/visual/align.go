package visual

import (
	"slices"
	"sort"
)

// run is n rows that are the same in both pictures, at a in the first and at b in the second.
type run struct{ a, b, n int }

func (r run) offset() int { return r.b - r.a }

// align finds the rows that two pictures have in common, in order. Rows that are unique in both are matched first, the
// longest ordered chain of them, then what lies between in the same way ("patience"): so that a block is found as a
// whole, where the smallest number of edits would tear it apart along blank rows.
func align(a, b []uint64) []run {
	m := matcher{a: a, b: b}
	m.between(0, len(a), 0, len(b), 0)
	return tidy(slide(tidy(join(m.runs), a, b), a, b), a, b)
}

type matcher struct {
	a, b []uint64
	runs []run
}

const (
	// maxDepth bounds the recursion; a real page needs 3.
	maxDepth = 24
	// maxTable bounds the table for what has no unique rows.
	maxTable = 1 << 16
)

func (m *matcher) between(a0, a1, b0, b1, depth int) {
	n := 0
	for a0+n < a1 && b0+n < b1 && m.a[a0+n] == m.b[b0+n] {
		n++
	}
	m.add(a0, b0, n)
	a0, b0 = a0+n, b0+n
	n = 0
	for a1-n > a0 && b1-n > b0 && m.a[a1-n-1] == m.b[b1-n-1] {
		n++
	}
	a1, b1 = a1-n, b1-n
	switch {
	case a0 == a1 || b0 == b1:
	case depth == 0 && m.inPlace(a0, a1, b0, b1):
		m.places(a0, a1, b0)
	case depth < maxDepth:
		m.middle(a0, a1, b0, b1, depth)
	}
	m.add(a1, b1, n)
}

// inPlace reports whether nearly all rows are where they were. Rows that repeat the one above say nothing.
func (m *matcher) inPlace(a0, a1, b0, b1 int) bool {
	if a1-a0 != b1-b0 {
		return false
	}
	rows, equal := 0, 0
	for i := 1; i < a1-a0; i++ {
		if m.a[a0+i] != m.a[a0+i-1] {
			rows++
			if m.a[a0+i] == m.b[b0+i] {
				equal++
			}
		}
	}
	return equal*10 >= rows*9 && rows > 0
}

// places matches rows that are where they were, and what lies between them in the usual way.
func (m *matcher) places(a0, a1, b0 int) {
	for a := a0; a < a1; {
		from := a
		for a < a1 && m.a[a] != m.b[b0+a-a0] {
			a++
		}
		m.between(from, a, b0+from-a0, b0+a-a0, 1)
		from = a
		for a < a1 && m.a[a] == m.b[b0+a-a0] {
			a++
		}
		m.add(from, b0+from-a0, a-from)
	}
}

func (m *matcher) add(a, b, n int) {
	if n > 0 {
		m.runs = append(m.runs, run{a, b, n})
	}
}

func (m *matcher) middle(a0, a1, b0, b1, depth int) {
	anchors := longestChain(m.unique(a0, a1, b0, b1))
	if len(anchors) == 0 {
		m.table(a0, a1, b0, b1)
		return
	}
	for _, r := range anchors {
		if r.a < a0 || r.b < b0 { // taken by the anchor before
			continue
		}
		m.between(a0, r.a, b0, r.b, depth+1)
		n := 1
		for r.a+n < a1 && r.b+n < b1 && m.a[r.a+n] == m.b[r.b+n] {
			n++
		}
		m.add(r.a, r.b, n)
		a0, b0 = r.a+n, r.b+n
	}
	m.between(a0, a1, b0, b1, depth+1)
}

// unique returns the rows that are there exactly once on both sides, by their place in a.
func (m *matcher) unique(a0, a1, b0, b1 int) []run {
	type seen struct{ inA, inB, b int }
	rows := make(map[uint64]seen, a1-a0)
	for _, h := range m.a[a0:a1] {
		s := rows[h]
		s.inA++
		rows[h] = s
	}
	for i, h := range m.b[b0:b1] {
		if s, ok := rows[h]; ok {
			s.inB++
			s.b = b0 + i
			rows[h] = s
		}
	}
	var out []run
	for i, h := range m.a[a0:a1] {
		if s := rows[h]; s.inA == 1 && s.inB == 1 {
			out = append(out, run{a0 + i, s.b, 1})
		}
	}
	return out
}

// longestChain returns the longest subsequence that is ordered in b too.
func longestChain(in []run) []run {
	var tails []int // index of the run that ends the best chain of each length
	before := make([]int, len(in))
	for i, r := range in {
		k := sort.Search(len(tails), func(k int) bool { return in[tails[k]].b >= r.b })
		before[i] = -1
		if k > 0 {
			before[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	var out []run
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		out = append(out, in[i])
	}
	slices.Reverse(out)
	return out
}

// table matches a small part without unique rows by the longest common subsequence.
func (m *matcher) table(a0, a1, b0, b1 int) {
	na, nb := a1-a0, b1-b0
	if na*nb > maxTable {
		return
	}
	width := nb + 1
	best := make([]uint32, (na+1)*width)
	for i := na - 1; i >= 0; i-- {
		for j := nb - 1; j >= 0; j-- {
			if m.a[a0+i] == m.b[b0+j] {
				best[i*width+j] = best[(i+1)*width+j+1] + 1
			} else {
				best[i*width+j] = max(best[(i+1)*width+j], best[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < na && j < nb; {
		switch {
		case m.a[a0+i] == m.b[b0+j]:
			m.add(a0+i, b0+j, 1)
			i, j = i+1, j+1
		case best[(i+1)*width+j] >= best[i*width+j+1]:
			i++
		default:
			j++
		}
	}
}

// join makes one run of those that touch.
func join(in []run) []run {
	out := in[:0]
	for _, r := range in {
		if k := len(out) - 1; k >= 0 && out[k].a+out[k].n == r.a && out[k].b+out[k].n == r.b {
			out[k].n += r.n
			continue
		}
		out = append(out, r)
	}
	return out
}

const (
	// minRun is how many rows must be the same at an offset that no neighbour has, to be more than chance.
	minRun = 4
	// minInside is the same between rows of other offsets: there the rows of one shadow meet those of another by the
	// handful.
	minInside = 8
)

// tidy takes out runs that are shifted by chance: a few rows, or blank ones, whose offset is that of no neighbour.
func tidy(runs []run, a, b []uint64) []run {
	for {
		out := make([]run, 0, len(runs))
		for i := 0; i < len(runs); {
			n, rows, blank := 0, 0, true
			for _, r := range runs[i:] {
				if r.offset() != runs[i].offset() {
					break
				}
				n, rows, blank = n+1, rows+r.n, blank && alike(a[r.a:r.a+r.n])
			}
			least := minInside
			if last := runs[i+n-1]; i+n == len(runs) && last.a+last.n == len(a) && last.b+last.n == len(b) {
				least = minRun
			}
			if runs[i].offset() == 0 || n > 1 && rows >= least || rows >= least && !blank {
				out = append(out, runs[i:i+n]...)
			}
			i += n
		}
		if len(out) == len(runs) {
			return out
		}
		runs = out
	}
}

// alike reports whether all rows are the same.
func alike(rows []uint64) bool {
	for _, h := range rows {
		if h != rows[0] {
			return false
		}
	}
	return true
}

// gap is what lies between two runs: rows that only the one or the other picture has there.
type gap struct{ a0, a1, b0, b1 int }

func (g gap) rows() (na, nb int) { return g.a1 - g.a0, g.b1 - g.b0 }

// gaps are what runs leave of na and nb rows.
func gaps(runs []run, na, nb int) []gap {
	var out []gap
	a, b := 0, 0
	for _, r := range append(slices.Clone(runs), run{na, nb, 0}) {
		if r.a > a || r.b > b {
			out = append(out, gap{a, r.a, b, r.b})
		}
		a, b = r.a+r.n, r.b+r.n
	}
	return out
}
