package visual

import "unsafe"

// The test for anti-aliasing follows "Anti-aliased Pixel and Intensity Slope Detector" by V. Vyšniauskas (2009) as
// pixelmatch implements it: a pixel is anti-aliasing if it lies on a slope of brightness of which one end is flat in
// both pictures.

// The neighbours in the order in which pixelmatch meets them: it decides between equally bright ones.
var (
	aroundX = [8]int{-1, -1, -1, 0, 0, 1, 1, 1}
	aroundY = [8]int{-1, 0, 1, -1, 1, -1, 0, 1}
)

func (j *judge) antialiased(s *sight, x int) bool {
	if s.up < 1 || s.down < 1 || x < 1 || x >= j.w-1 {
		return j.slopeAtEdge(s, &s.a, &s.b, x) || j.slopeAtEdge(s, &s.b, &s.a, x)
	}
	e := j.slope(&s.a, x)
	if e.brightest < noEnd && (j.flat(s, x, e.brightest) || j.flat(s, x, e.darkest)) {
		return true
	}
	f := j.slope(&s.b, x)
	if f.brightest < noEnd {
		// What is an end in both pictures has been found not to be flat.
		return f.brightest != e.brightest && f.brightest != e.darkest && j.flat(s, x, f.brightest) ||
			f.darkest != e.darkest && f.darkest != e.brightest && j.flat(s, x, f.darkest) ||
			e.brightest == translucent && j.slopeAtEdge(s, &s.a, &s.b, x)
	}
	return e.brightest == translucent && j.slopeAtEdge(s, &s.a, &s.b, x) ||
		f.brightest == translucent && j.slopeAtEdge(s, &s.b, &s.a, x)
}

// ends are which neighbours of a pixel are its brightest and its darkest.
type ends struct{ brightest, darkest uint8 }

// Instead of a neighbour, ends.brightest tells that the pixel is on no slope, or that its neighbours are translucent and
// slopeAtEdge has to be asked.
const (
	noEnd       = 8
	translucent = 9
)

// same is 1 if p and q are equal.
func same(p, q pixel) uint64 { return (uint64(p^q) - 1) >> 63 }

// slope finds the ends of the slope on which a pixel of v lies that has all eight neighbours. It has no branches that
// depend on the picture until most pixels have been sorted out.
func (j *judge) slope(v *view, x int) ends {
	d, or := j.depth, j.or
	i := (x - 1) * d
	r0, r1, r2 := unsafe.Add(v[1], i), unsafe.Add(v[2], i), unsafe.Add(v[3], i)
	c := word(r1, d) | or
	p0, p1, p2 := word(r0, 0)|or, word(r1, 0)|or, word(r2, 0)|or
	p3, p4 := word(r0, d)|or, word(r2, d)|or
	p5, p6, p7 := word(r0, 2*d)|or, word(r1, 2*d)|or, word(r2, 2*d)|or
	if same(p0, c)+same(p1, c)+same(p2, c)+same(p3, c)+same(p4, c)+same(p5, c)+same(p6, c)+same(p7, c) > 2 {
		return ends{noEnd, noEnd}
	}
	if p0&p1&p2&p3&p4&p5&p6&p7&c < opaque {
		return ends{translucent, noEnd}
	}
	// The lowest three bits carry which neighbour it is, so that of equals the first wins at both ends.
	b0, b1, b2, b3 := luma8(p0), luma8(p1), luma8(p2), luma8(p3)
	b4, b5, b6, b7 := luma8(p4), luma8(p5), luma8(p6), luma8(p7)
	low := min(b0, b1|1, b2|2, b3|3, b4|4, b5|5, b6|6, b7|7)
	high := max(b0|7, b1|6, b2|5, b3|4, b4|3, b5|2, b6|1, b7)
	if lc := luma8(c); low >= lc || high <= lc|7 {
		return ends{noEnd, noEnd}
	}
	return ends{7 - uint8(high&7), uint8(low & 7)}
}

// flat reports whether neighbour k of x has at least three neighbours of its own colour, in both pictures.
func (j *judge) flat(s *sight, x int, k uint8) bool {
	x += aroundX[k&7]
	dy := aroundY[k&7]
	if x < 1 || x >= j.w-1 || dy-1 < -s.up || dy+1 > s.down {
		return j.flatAtEdge(s, &s.a, x, dy) && j.flatAtEdge(s, &s.b, x, dy)
	}
	i := (x - 1) * j.depth
	return flatIn(unsafe.Add(s.a[1+dy], i), unsafe.Add(s.a[2+dy], i), unsafe.Add(s.a[3+dy], i), j.depth, j.or) &&
		flatIn(unsafe.Add(s.b[1+dy], i), unsafe.Add(s.b[2+dy], i), unsafe.Add(s.b[3+dy], i), j.depth, j.or)
}

// flatIn is flat for the middle one of nine pixels, of which each row is given by its first.
func flatIn(r0, r1, r2 unsafe.Pointer, d int, or pixel) bool {
	c := word(r1, d) | or
	return same(word(r0, 0)|or, c)+same(word(r0, d)|or, c)+same(word(r0, 2*d)|or, c)+
		same(word(r1, 0)|or, c)+same(word(r1, 2*d)|or, c)+
		same(word(r2, 0)|or, c)+same(word(r2, d)|or, c)+same(word(r2, 2*d)|or, c) > 2
}

// slopeAtEdge is the whole test for pixels at the edge of the picture and for translucent ones.
func (j *judge) slopeAtEdge(s *sight, v, o *view, x int) bool {
	x0, x2 := max(x-1, 0), min(x+1, j.w-1)
	y0, y2 := -min(s.up, 1), min(s.down, 1)
	equal := 0
	if x == x0 || x == x2 || y0 == 0 || y2 == 0 {
		equal = 1
	}
	c := word(v[2], x*j.depth) | j.or
	at := place((s.y*j.w + x) * 4)
	var low, high float64
	var lx, ly, hx, hy int
	for nx := x0; nx <= x2; nx++ {
		for ny := y0; ny <= y2; ny++ {
			if nx == x && ny == 0 {
				continue
			}
			switch d := j.brightness(c, word(v[2+ny], nx*j.depth)|j.or, at); {
			case d == 0:
				if equal++; equal > 2 {
					return false
				}
			case d < low:
				low, lx, ly = d, nx, ny
			case d > high:
				high, hx, hy = d, nx, ny
			}
		}
	}
	if low == 0 || high == 0 {
		return false
	}
	return j.flatAtEdge(s, v, lx, ly) && j.flatAtEdge(s, o, lx, ly) || j.flatAtEdge(s, v, hx, hy) && j.flatAtEdge(s, o, hx, hy)
}

func (j *judge) flatAtEdge(s *sight, v *view, x, dy int) bool {
	x0, x2 := max(x-1, 0), min(x+1, j.w-1)
	y0, y2 := max(dy-1, -s.up), min(dy+1, s.down)
	equal := 0
	if x == x0 || x == x2 || dy == y0 || dy == y2 {
		equal = 1
	}
	c := word(v[2+dy], x*j.depth) | j.or
	for ny := y0; ny <= y2; ny++ {
		for nx := x0; nx <= x2; nx++ {
			if (nx != x || ny != dy) && word(v[2+ny], nx*j.depth)|j.or == c {
				equal++
			}
		}
	}
	return equal > 2
}
