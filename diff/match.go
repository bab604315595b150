package diff

import (
	"context"
	"sort"
)

// match pairs the steps of two traces and returns the numbers of those paired,
// in order. Swapping the traces swaps the numbers and changes nothing else:
// the search always begins with the same side.
func match(ctx context.Context, a, b []*Step) ([][2]int, error) {
	if before(b, a) {
		pairs, err := match(ctx, b, a)
		for i := range pairs {
			pairs[i] = [2]int{pairs[i][1], pairs[i][0]}
		}
		return pairs, err
	}
	s := &matcher{ctx: ctx, a: a, b: b}
	s.number()
	s.within(span{0, len(a), 0, len(b)}, exactly)
	return s.pairs, ctx.Err()
}

// before orders lists of steps by what they are.
func before(a, b []*Step) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	for i := range a {
		if a[i].exact != b[i].exact {
			return a[i].exact < b[i].exact
		}
	}
	return false
}

// span is a stretch of both lists.
type span struct{ a0, a1, b0, b1 int }

// strictness says what steps have in common that are paired.
type strictness int

const (
	exactly   strictness = iota // the key and the parameters
	byKey                       // path, method and locator
	similarly                   // the method, and most of the rest
)

type matcher struct {
	ctx   context.Context
	a, b  []*Step
	ids   [2][2][]int // by strictness and side: equal numbers are equal keys
	pairs [][2]int
}

func (s *matcher) number() {
	for level, key := range []func(*Step) string{func(s *Step) string { return s.exact }, func(s *Step) string { return s.key }} {
		known := map[string]int{}
		for side, list := range [][]*Step{s.a, s.b} {
			ids := make([]int, len(list))
			for i, step := range list {
				k := key(step)
				n, ok := known[k]
				if !ok {
					n = len(known)
					known[k] = n
				}
				ids[i] = n
			}
			s.ids[level][side] = ids
		}
	}
}

// within pairs what lies in a span: what is common at its ends and by patience
// and the longest common subsequence between, then what is left by less.
func (s *matcher) within(g span, how strictness) {
	if g.a0 == g.a1 || g.b0 == g.b1 || s.ctx.Err() != nil {
		return
	}
	if how == similarly {
		s.similar(g)
		return
	}
	common := s.common(g, s.ids[how][0], s.ids[how][1])
	i, j := g.a0, g.b0
	for _, p := range append(common, [2]int{g.a1, g.b1}) {
		s.within(span{i, p[0], j, p[1]}, how+1)
		if p[0] < g.a1 {
			s.pairs = append(s.pairs, p)
		}
		i, j = p[0]+1, p[1]+1
	}
}

// common returns a common subsequence: patience first, then the longest.
func (s *matcher) common(g span, x, y []int) (list [][2]int) {
	for g.a0 < g.a1 && g.b0 < g.b1 && x[g.a0] == y[g.b0] {
		list = append(list, [2]int{g.a0, g.b0})
		g.a0, g.b0 = g.a0+1, g.b0+1
	}
	var tail [][2]int
	for g.a0 < g.a1 && g.b0 < g.b1 && x[g.a1-1] == y[g.b1-1] {
		g.a1, g.b1 = g.a1-1, g.b1-1
		tail = append(tail, [2]int{g.a1, g.b1})
	}
	if g.a0 < g.a1 && g.b0 < g.b1 && s.ctx.Err() == nil {
		anchors := patience(g, x, y)
		if len(anchors) == 0 {
			list = append(list, longest(g, x, y)...)
		} else {
			list = s.between(list, g, anchors, x, y)
		}
	}
	for i := len(tail) - 1; i >= 0; i-- {
		list = append(list, tail[i])
	}
	return list
}

func (s *matcher) between(list [][2]int, g span, anchors [][2]int, x, y []int) [][2]int {
	i, j := g.a0, g.b0
	for _, p := range anchors {
		list = append(list, s.common(span{i, p[0], j, p[1]}, x, y)...)
		list = append(list, p)
		i, j = p[0]+1, p[1]+1
	}
	return append(list, s.common(span{i, g.a1, j, g.b1}, x, y)...)
}

// patience returns the longest run in order of what is there once on each
// side.
func patience(g span, x, y []int) [][2]int {
	type seen struct{ a, b, na, nb int }
	at := map[int]*seen{}
	for i := g.a0; i < g.a1; i++ {
		if at[x[i]] == nil {
			at[x[i]] = &seen{}
		}
		at[x[i]].a, at[x[i]].na = i, at[x[i]].na+1
	}
	for j := g.b0; j < g.b1; j++ {
		if e := at[y[j]]; e != nil {
			e.b, e.nb = j, e.nb+1
		}
	}
	var once [][2]int
	for i := g.a0; i < g.a1; i++ {
		if e := at[x[i]]; e.na == 1 && e.nb == 1 {
			once = append(once, [2]int{i, e.b})
		}
	}
	return increasing(once)
}

// increasing returns the longest part of a list, ordered by its first numbers,
// whose second numbers increase too.
func increasing(list [][2]int) [][2]int {
	piles := []int{} // number in list of each pile's top
	back := make([]int, len(list))
	for n, p := range list {
		k := sort.Search(len(piles), func(k int) bool { return list[piles[k]][1] >= p[1] })
		back[n] = -1
		if k > 0 {
			back[n] = piles[k-1]
		}
		if k == len(piles) {
			piles = append(piles, n)
		} else {
			piles[k] = n
		}
	}
	run := make([][2]int, len(piles))
	for k, n := len(piles)-1, 0; k >= 0; k-- {
		if k == len(piles)-1 {
			n = piles[k]
		}
		run[k] = list[n]
		n = back[n]
	}
	return run
}

// maxCells is how large the table of a longest common subsequence may be.
const maxCells = 4 << 20

// longest returns a longest common subsequence, or where that would take too
// long one that is found by looking for the next of the same on the other side.
func longest(g span, x, y []int) [][2]int {
	n, m := g.a1-g.a0, g.b1-g.b0
	if n*m > maxCells {
		return nearby(g, x, y)
	}
	table := make([]uint16, (n+1)*(m+1))
	at := func(i, j int) *uint16 { return &table[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if x[g.a0+i] == y[g.b0+j] {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	var list [][2]int
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case x[g.a0+i] == y[g.b0+j]:
			list = append(list, [2]int{g.a0 + i, g.b0 + j})
			i, j = i+1, j+1
		case *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			j++
		}
	}
	return list
}

// window is how far nearby looks ahead.
const window = 256

func nearby(g span, x, y []int) (list [][2]int) {
	for i, j := g.a0, g.b0; i < g.a1 && j < g.b1; {
		found := false
		for d := 0; d < window && !found; d++ {
			for k := 0; k <= d; k++ {
				if p, q := i+k, j+d-k; p < g.a1 && q < g.b1 && x[p] == y[q] {
					list = append(list, [2]int{p, q})
					i, j, found = p+1, q+1, true
					break
				}
			}
		}
		if !found {
			i, j = i+1, j+1
		}
	}
	return list
}
