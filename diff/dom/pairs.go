package dom

// pair is two nodes that stand for each other, or one that has no other.
type pair struct {
	x, y  *ref
	moved bool
}

// maxTable is how large the table of a longest common subsequence may be.
const maxTable = 1 << 20

// pairs pairs the children of two elements: equal ones in order, then by key,
// then by kind; what is equal and elsewhere has moved.
func (c *comparison) pairs(xs, ys []*ref) []pair {
	var head, tail []pair
	for len(xs) > 0 && len(ys) > 0 && xs[0].h.masked == ys[0].h.masked {
		head = append(head, pair{x: xs[0], y: ys[0]})
		xs, ys = xs[1:], ys[1:]
	}
	for len(xs) > 0 && len(ys) > 0 && xs[len(xs)-1].h.masked == ys[len(ys)-1].h.masked {
		tail = append(tail, pair{x: xs[len(xs)-1], y: ys[len(ys)-1]})
		xs, ys = xs[:len(xs)-1], ys[:len(ys)-1]
	}
	middle := c.middle(xs, ys)
	for i := len(tail) - 1; i >= 0; i-- {
		middle = append(middle, tail[i])
	}
	return append(head, middle...)
}

func (c *comparison) middle(xs, ys []*ref) []pair {
	if len(xs) == 0 || len(ys) == 0 {
		return gap(nil, xs, ys)
	}
	kx, ky := c.keys(c.a, xs), c.keys(c.b, ys)
	elsewhere := keyed(xs, ys, kx, ky)
	var list []pair
	i, j := 0, 0
	for _, m := range append(common(len(xs), len(ys), func(i, j int) bool { return kx[i] != "" && kx[i] == ky[j] || xs[i].h.masked == ys[j].h.masked }), [2]int{len(xs), len(ys)}) {
		list = c.between(list, xs[i:m[0]], ys[j:m[1]], kx[i:m[0]], ky[j:m[1]], elsewhere)
		if m[0] < len(xs) {
			list = append(list, pair{x: xs[m[0]], y: ys[m[1]]})
		}
		i, j = m[0]+1, m[1]+1
	}
	return joinMoved(list)
}

// keyed is the set of keys that both sides have.
func keyed(xs, ys []*ref, kx, ky []string) map[string]bool {
	in, both := map[string]bool{}, map[string]bool{}
	for _, k := range kx {
		in[k] = k != ""
	}
	for _, k := range ky {
		if in[k] {
			both[k] = true
		}
	}
	return both
}

// keys returns for each node a key of its own among its siblings, or "".
func (c *comparison) keys(v visitor, list []*ref) []string {
	keys, count := make([]string, len(list)), map[string]int{}
	for i, r := range list {
		if r.isText() {
			continue
		}
		for _, a := range v.p.attributes(r.name(), r.attrs()) {
			switch a.Name {
			case "id", "data-testid", "data-test", "data-key", "data-id", "name", "key":
				if a.masked != "" && keys[i] == "" {
					keys[i] = r.name() + "\x00" + a.Name + "\x00" + a.Value
				}
			}
		}
		count[keys[i]]++
	}
	for i, k := range keys {
		if count[k] > 1 {
			keys[i] = ""
		}
	}
	return keys
}

// between pairs what is left between pairs: in order, elements of one name and
// texts with each other, unless a key says that they are not the same.
func (c *comparison) between(list []pair, xs, ys []*ref, kx, ky []string, elsewhere map[string]bool) []pair {
	fits := func(i, j int) bool {
		if xs[i].isText() || ys[j].isText() {
			return xs[i].isText() && ys[j].isText()
		}
		return xs[i].name() == ys[j].name() && !elsewhere[kx[i]] && !elsewhere[ky[j]]
	}
	i, j := 0, 0
	for _, m := range append(common(len(xs), len(ys), fits), [2]int{len(xs), len(ys)}) {
		list = gap(list, xs[i:m[0]], ys[j:m[1]])
		if m[0] < len(xs) {
			list = append(list, pair{x: xs[m[0]], y: ys[m[1]]})
		}
		i, j = m[0]+1, m[1]+1
	}
	return list
}

func gap(list []pair, xs, ys []*ref) []pair {
	for _, x := range xs {
		list = append(list, pair{x: x})
	}
	for _, y := range ys {
		list = append(list, pair{y: y})
	}
	return list
}

// joinMoved makes one of a node that was removed here and added there.
func joinMoved(list []pair) []pair {
	gone := map[uint64][]int{}
	for i, p := range list {
		if p.y == nil {
			gone[p.x.h.masked] = append(gone[p.x.h.masked], i)
		}
	}
	drop := map[int]bool{}
	for i, p := range list {
		if p.x != nil || len(gone[p.y.h.masked]) == 0 {
			continue
		}
		k := gone[p.y.h.masked][0]
		gone[p.y.h.masked] = gone[p.y.h.masked][1:]
		list[i] = pair{x: list[k].x, y: p.y, moved: true}
		drop[k] = true
	}
	kept := list[:0]
	for i, p := range list {
		if !drop[i] {
			kept = append(kept, p)
		}
	}
	return kept
}

// common returns a longest common subsequence of two lists, or where that would
// take too long the beginning they share.
func common(n, m int, same func(i, j int) bool) (list [][2]int) {
	if n*m > maxTable {
		for i := 0; i < n && i < m; i++ {
			if same(i, i) {
				list = append(list, [2]int{i, i})
			}
		}
		return list
	}
	table := make([]uint16, (n+1)*(m+1))
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if same(i, j) {
				table[i*(m+1)+j] = table[(i+1)*(m+1)+j+1] + 1
			} else {
				table[i*(m+1)+j] = max(table[(i+1)*(m+1)+j], table[i*(m+1)+j+1])
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case same(i, j):
			list = append(list, [2]int{i, j})
			i, j = i+1, j+1
		case table[(i+1)*(m+1)+j] >= table[i*(m+1)+j+1]:
			i++
		default:
			j++
		}
	}
	return list
}
