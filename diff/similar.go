package diff

import "strings"

// From which score on two steps are taken for the same one, changed; alone
// holds for two that have no other to be.
const (
	alike = 600
	alone = 500
)

// maxGap is how many pairs of a gap are compared with each other.
const maxGap = 200_000

// similar pairs steps between those that are paired, in order and so that they
// are the most alike together.
func (s *matcher) similar(g span) {
	n, m := g.a1-g.a0, g.b1-g.b0
	if n*m > maxGap {
		// A gap this large has nothing in common; only its beginning is of use.
		side := 400
		n, m = min(n, side), min(m, side)
	}
	enough := int32(alike)
	if n == 1 && m == 1 {
		enough = alone
	}
	score := make([]int32, n*m)
	sum := make([]int32, (n+1)*(m+1))
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			score[i*m+j] = int32(likeness(s.a[g.a0+i], s.b[g.b0+j]))
			best := max(sum[(i+1)*(m+1)+j], sum[i*(m+1)+j+1])
			if sc := score[i*m+j]; sc >= enough {
				best = max(best, sum[(i+1)*(m+1)+j+1]+sc)
			}
			sum[i*(m+1)+j] = best
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		here, sc := sum[i*(m+1)+j], score[i*m+j]
		switch {
		case sc >= enough && here == sum[(i+1)*(m+1)+j+1]+sc:
			s.pairs = append(s.pairs, [2]int{g.a0 + i, g.b0 + j})
			i, j = i+1, j+1
		case here == sum[(i+1)*(m+1)+j]:
			i++
		default:
			j++
		}
	}
}

// likeness says how alike two steps are, in thousandths.
func likeness(a, b *Step) int {
	if a.method != b.method || a.action.Kind != b.action.Kind {
		return 0
	}
	n := 400
	if samePath(a.Path, b.Path) {
		n += 100
	}
	x, y := a.target, b.target
	if x == "" && y == "" {
		x, y = a.Title, b.Title
	}
	return n + overlap(a.words(x), b.words(y))/2
}

func samePath(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// words returns the words of what the step is about, which are looked at often.
func (s *Step) words(text string) map[string]bool {
	if s.bag == nil {
		s.bag = words(text)
	}
	return s.bag
}

// words returns the words and names of a text.
func words(text string) map[string]bool {
	list := strings.FieldsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 0x7f)
	})
	set := make(map[string]bool, len(list))
	for _, w := range list {
		set[strings.ToLower(w)] = true
	}
	return set
}

// overlap is the share of words that both have, in thousandths.
func overlap(a, b map[string]bool) int {
	if len(a) == 0 && len(b) == 0 {
		return 1000
	}
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	return 1000 * both / (len(a) + len(b) - both)
}
