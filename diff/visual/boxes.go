package visual

import (
	"cmp"
	"slices"
)

// cellSize is the side of the cells in which differing pixels are gathered: what is nearer than this is one box.
const cellSize = 16

// cell is what was counted in one square, and then the box that it belongs to.
type cell struct {
	n              int
	x0, y0, x1, y1 int // inclusive
	box            *area
}

// area is a box being joined from cells.
type area struct {
	n              int
	x0, y0, x1, y1 int
	ay             int
	into           *area // the box that it became part of
}

// boxes joins counted pixels into boxes. Pixels arrive from top to bottom; only the current row of cells and the one
// above it are kept, and the boxes.
type boxes struct {
	cells [2][]cell
	dirty [2]bool
	band  int // of the current cells, -1 before the first
	shift int // how much lower the second picture's rows are
	all   []*area
}

func newBoxes(w int) *boxes {
	n := (w + cellSize - 1) / cellSize
	return &boxes{cells: [2][]cell{make([]cell, n), make([]cell, n)}, band: -1}
}

// add counts the pixels from x0 to x1 in row y of the second picture, which was compared with row ay of the first.
func (b *boxes) add(x0, x1, y, ay int) {
	if band := y / cellSize; band != b.band || y-ay != b.shift {
		b.advance(band, y-ay)
	}
	b.dirty[0] = true
	for x0 < x1 {
		i := x0 / cellSize
		end := min(x1, (i+1)*cellSize)
		c := &b.cells[0][i]
		if c.n == 0 {
			c.x0, c.x1, c.y0 = x0, end-1, y
		}
		c.n += end - x0
		c.x0, c.x1 = min(c.x0, x0), max(c.x1, end-1)
		c.y1 = y
		x0 = end
	}
}

// advance ends the current row of cells.
func (b *boxes) advance(band, shift int) {
	b.join()
	b.cells[0], b.cells[1] = b.cells[1], b.cells[0]
	b.dirty[0], b.dirty[1] = b.dirty[1], b.dirty[0]
	if band != b.band+1 || shift != b.shift {
		b.wipe(1) // what lies above is no neighbour
	}
	b.wipe(0)
	b.band, b.shift = band, shift
}

func (b *boxes) wipe(i int) {
	if b.dirty[i] {
		clear(b.cells[i])
		b.dirty[i] = false
	}
}

// join gives every cell of the current row a box: its neighbour's, or a new one.
func (b *boxes) join() {
	if !b.dirty[0] {
		return
	}
	for i := range b.cells[0] {
		c := &b.cells[0][i]
		if c.n == 0 {
			continue
		}
		mine := area{c.n, c.x0, c.y0, c.x1, c.y1, c.y0 - b.shift, nil}
		for _, near := range [4]*cell{b.at(0, i-1), b.at(1, i-1), b.at(1, i), b.at(1, i+1)} {
			if near == nil || near.box == nil {
				continue
			}
			root := near.box.root()
			if c.box == nil {
				root.take(&mine)
				c.box = root
			} else {
				c.box = unite(root, c.box)
			}
		}
		if c.box == nil {
			alone := mine
			c.box = &alone
			b.all = append(b.all, c.box)
		}
	}
}

func (b *boxes) at(row, i int) *cell {
	if i < 0 || i >= len(b.cells[row]) {
		return nil
	}
	return &b.cells[row][i]
}

func (a *area) root() *area {
	for a.into != nil {
		a = a.into
	}
	return a
}

func unite(a, b *area) *area {
	if a != b {
		a.take(b)
		b.into = a
	}
	return a
}

// take adds what b counts.
func (a *area) take(b *area) {
	if b.y0 < a.y0 {
		a.ay = b.ay
	}
	a.n += b.n
	a.x0, a.y0, a.x1, a.y1 = min(a.x0, b.x0), min(a.y0, b.y0), max(a.x1, b.x1), max(a.y1, b.y1)
}

// list ends the counting and returns the largest boxes from top to bottom, and how many more there are.
func (b *boxes) list(most int) ([]Box, int) {
	b.advance(-2, 0)
	out := make([]Box, 0, len(b.all))
	for _, a := range b.all {
		if a.into != nil {
			continue
		}
		out = append(out, Box{Rect{a.x0, a.y0, a.x1 - a.x0 + 1, a.y1 - a.y0 + 1}, a.ay, a.n})
	}
	more := max(0, len(out)-most)
	if more > 0 {
		slices.SortStableFunc(out, func(p, q Box) int { return cmp.Compare(q.Pixels, p.Pixels) })
		out = out[:most]
	}
	slices.SortStableFunc(out, func(p, q Box) int { return cmp.Or(cmp.Compare(p.Y, q.Y), cmp.Compare(p.X, q.X)) })
	return out, more
}
