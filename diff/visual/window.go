package visual

// window finds the largest count in any square of side n. It keeps where the counted pixels of the last n rows are.
type window struct {
	n, w, h int
	rows    [][]int32 // a ring of n rows
	columns []int32   // counted pixels of the last n rows by column
	total   int       // their sum
	y       int
	most    int
}

func newWindow(n, w, h int) *window {
	n = max(1, min(n, w, h))
	return &window{n: n, w: w, h: h, rows: make([][]int32, n), columns: make([]int32, w)}
}

// add counts the pixels from x0 to x1 of the current row.
func (v *window) add(x0, x1 int) {
	i := v.y % v.n
	for x := x0; x < x1; x++ {
		v.rows[i] = append(v.rows[i], int32(x))
		v.columns[x]++
	}
	v.total += x1 - x0
}

// endRow slides the window over the rows that end with the current one, and begins the next.
func (v *window) endRow() {
	if v.y >= v.n-1 && v.total > v.most {
		v.slide()
	}
	v.y++
	leaving := &v.rows[v.y%v.n]
	for _, x := range *leaving {
		v.columns[x]--
	}
	v.total -= len(*leaving)
	*leaving = (*leaving)[:0]
}

func (v *window) slide() {
	sum := 0
	for x, k := range v.columns {
		sum += int(k)
		if x >= v.n {
			sum -= int(v.columns[x-v.n])
		}
		v.most = max(v.most, sum)
	}
}
