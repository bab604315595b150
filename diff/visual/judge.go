package visual

import (
	"math/bits"
	"unsafe"
)

// view holds rows y-2 to y+2 of one picture.
type view [5]unsafe.Pointer

// A sight is one row of both pictures with what surrounds it.
type sight struct {
	a, b     view
	up, down int // how many rows above and below both pictures have, at most 2
	y        int // of the row in the first picture, for the checkerboard
	by       int // of the row in the second, for what is reported
}

// mark is what the judge says of a pixel that is not equal.
type mark uint8

const (
	markEqual   mark = iota // within the threshold
	markDiff                // the second pixel is the darker one, or neither
	markDiffAlt             // the second pixel is the lighter one
	markAA
)

// judge counts the pixels of rows that are not equal.
type judge struct {
	metric    Metric
	threshold float64
	maxSquare float64
	includeAA bool
	white     bool
	w, depth  int
	or        pixel // the alpha of RGB pixels
	bounds    bounds

	diff, aa int
	onDiff   func(s *sight, x0, x1 int) // given every stretch of counted pixels, nil if only counts matter
	marks    []mark                     // of one row, nil unless someone draws
}

func newJudge(o *Options, w, depth int) *judge {
	j := &judge{metric: o.Metric, threshold: o.Threshold, maxSquare: yiqMax * o.Threshold * o.Threshold,
		includeAA: o.IncludeAA, white: o.White, w: w, depth: depth}
	if depth == 3 {
		j.or = opaque
	}
	j.bounds = boundsOf(j.maxSquare)
	return j
}

// delta is not 0 if p and q are further apart than the threshold, and negative if q is the darker one.
func (j *judge) delta(p, q pixel, k place) float64 {
	var d float64
	switch j.metric {
	case Pixelmatch7:
		if p&q >= opaque {
			return j.bounds.delta(p, q, j.maxSquare)
		} else {
			d = delta7(p, q, k, j.white)
		}
	case OKLab:
		return deltaOKLab(p, q, k, j.white, j.threshold)
	case Pixelmatch5:
		d = delta5(p, q)
	}
	if d > j.maxSquare || -d > j.maxSquare {
		return d
	}
	return 0
}

// brightness is how much brighter p is than q, for pixels of which one is translucent.
func (j *judge) brightness(p, q pixel, k place) float64 {
	switch j.metric {
	case OKLab:
		return brightnessOKLab(p, q)
	case Pixelmatch5:
		return brightness5(p, q)
	}
	return brightness7(p, q, k, j.white)
}

// row judges every pixel of a row that is not the same in both.
func (j *judge) row(s *sight) {
	a, b := s.a[2], s.b[2]
	size, depth := j.w*j.depth, j.depth
	var lastP, lastQ pixel // flat areas repeat one pair of colours
	var last float64
	seven := j.metric == Pixelmatch7
	for i := differs(a, b, 0, size); i < size; i = differs(a, b, i, size) {
		x := i / 4
		if depth == 3 { // dividing by a constant is far quicker
			x = i / 3
		}
		i = x * depth
		from := x // where the counted pixels before x begin
		for ; x < j.w; x, i = x+1, i+depth {
			p, q := word(a, i)|j.or, word(b, i)|j.or
			if p == q {
				break
			}
			switch {
			case p&q < opaque:
				lastP, lastQ, last = p, q, j.delta(p, q, place((s.y*j.w+x)*4))
			case p == lastP && q == lastQ:
			case seven:
				lastP, lastQ, last = p, q, j.bounds.delta(p, q, j.maxSquare)
			default:
				lastP, lastQ, last = p, q, j.delta(p, q, 0)
			}
			m := markEqual
			switch {
			case last == 0:
			case !j.includeAA && j.antialiased(s, x):
				j.aa++
				m = markAA
			case last < 0:
				m = markDiffAlt
			default:
				m = markDiff
			}
			if m != markEqual && j.marks != nil {
				j.marks[x] = m
			}
			if m == markEqual || m == markAA {
				j.count(s, from, x)
				from = x + 1
			}
		}
		j.count(s, from, x)
	}
}

// count adds the pixels from x0 to x1 of a row.
func (j *judge) count(s *sight, x0, x1 int) {
	if x0 >= x1 {
		return
	}
	j.diff += x1 - x0
	if j.onDiff != nil {
		j.onDiff(s, x0, x1)
	}
}

// differs returns the position of the first byte from i on in which a and b differ, or a position in the slack behind
// size, or size.
func differs(a, b unsafe.Pointer, i, size int) int {
	for ; i+32 <= size; i += 32 {
		p, q := unsafe.Add(a, i), unsafe.Add(b, i)
		if (quad(p, 0)^quad(q, 0))|(quad(p, 8)^quad(q, 8))|(quad(p, 16)^quad(q, 16))|(quad(p, 24)^quad(q, 24)) != 0 {
			break
		}
	}
	for ; i < size; i += 8 {
		if x := quad(a, i) ^ quad(b, i); x != 0 {
			return i + bits.TrailingZeros64(x)>>3
		}
	}
	return size
}
