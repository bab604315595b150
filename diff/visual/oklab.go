package visual

import (
	"math"
	"sync"
)

// oklab holds what the metric computes once: a table of cube roots, and the shares of each channel in the responses of
// the three cones. linear is in oklab_table.go.
type oklabTables struct {
	cbrt [cbrtSteps + 2]float64
	cone [3][3][256]float64 // cone, channel, value
}

const cbrtSteps = 4096

var coneShares = [3][3]float64{
	{0.4122214708, 0.5363325363, 0.0514459929},
	{0.2119034982, 0.6806995451, 0.1073969566},
	{0.0883024619, 0.2817188376, 0.6299787005},
}

var oklab = sync.OnceValue(func() *oklabTables {
	t := new(oklabTables)
	for i := range t.cbrt {
		t.cbrt[i] = cbrt(float64(i) / cbrtSteps)
	}
	for c := range 3 {
		for ch := range 3 {
			for v := range 256 {
				t.cone[c][ch][v] = coneShares[c][ch] * linear(v)
			}
		}
	}
	return t
})

func linear(v int) float64 { return math.Float64frombits(linearBits[min(v, 255)]) }

// linearBetween is the linear light of a channel value that blending has made fractional.
func linearBetween(x float64) float64 {
	i := int(x)
	lo := linear(i)
	return lo + float64((linear(i+1)-lo)*(x-float64(i)))
}

func (t *oklabTables) root(x float64) float64 {
	f := x * cbrtSteps
	i := int(f)
	return t.cbrt[i] + float64((t.cbrt[i+1]-t.cbrt[i])*(f-float64(i)))
}

// cones are the cube roots of the cone responses, and the corrected lightness.
type cones struct{ l, m, s, light float64 }

func (t *oklabTables) opaqueCones(p pixel) cones {
	r, g, b := p&255, p>>8&255, p>>16&255
	return lit(t.root(t.cone[0][0][r]+t.cone[0][1][g]+t.cone[0][2][b]),
		t.root(t.cone[1][0][r]+t.cone[1][1][g]+t.cone[1][2][b]),
		t.root(t.cone[2][0][r]+t.cone[2][1][g]+t.cone[2][2][b]))
}

func (t *oklabTables) blendedCones(p pixel, rb, gb, bb float64) cones {
	a := alpha(p)
	rest := 255 - a
	r := linearBetween((float64(red(p)*a) + float64(rb*rest)) / 255)
	g := linearBetween((float64(green(p)*a) + float64(gb*rest)) / 255)
	b := linearBetween((float64(blue(p)*a) + float64(bb*rest)) / 255)
	var v [3]float64
	for c, s := range coneShares {
		v[c] = t.root(float64(s[0]*r) + float64(s[1]*g) + float64(s[2]*b))
	}
	return lit(v[0], v[1], v[2])
}

func lit(l, m, s float64) cones {
	return cones{l, m, s, toe(float64(0.2104542553*l) + float64(0.7936177850*m) - float64(0.0040720468*s))}
}

// Variables, as arithmetic on constants is exact and so differs from the published one.
var (
	toe1, toe2 = 0.206, 0.03
	toe3       = (1 + toe1) / (1 + toe2)
	toe4       = 4 * toe2 * toe3
)

// toe corrects OKLab's lightness near black.
func toe(l float64) float64 {
	x := float64(toe3*l) - toe1
	return 0.5 * (x + math.Sqrt(float64(x*x)+float64(toe4*l)))
}

// deltaOKLab is 0 if the distance is at most the threshold, else 1, or -1 if q is the darker one.
func deltaOKLab(p, q pixel, k place, white bool, threshold float64) float64 {
	t := oklab()
	var c, d cones
	if p >= opaque && q >= opaque {
		c, d = t.opaqueCones(p), t.opaqueCones(q)
	} else {
		rb, gb, bb := 255.0, 255.0, 255.0
		if !white {
			rb, gb, bb = k.checkerboard()
		}
		c, d = t.blendedCones(p, rb, gb, bb), t.blendedCones(q, rb, gb, bb)
	}
	return hyab(c.light-d.light, c.l-d.l, c.m-d.m, c.s-d.s, threshold)
}

func hyab(light, l, m, s, threshold float64) float64 {
	if rest := threshold - math.Abs(light); rest > 0 {
		a := float64(1.9779984951*l) - float64(2.4285922050*m) + float64(0.4505937099*s)
		b := float64(0.0259040371*l) + float64(0.7827717662*m) - float64(0.8086757660*s)
		if float64(a*a)+float64(b*b) <= float64(rest*rest) {
			return 0
		}
	}
	if light > 0 {
		return -1
	}
	return 1
}

// brightnessOKLab always blends on white. Pixels that look the same there but differ in alpha still make a slope.
func brightnessOKLab(p, q pixel) float64 {
	if p == q {
		return 0
	}
	d := yOf(blended7(p, q, 0, true))
	if da := alpha(p) - alpha(q); d == 0 && da != 0 {
		return da / 2
	}
	return d
}

// cbrt is FreeBSD's s_cbrt.c in the form that V8 has, for normal numbers that are not negative. Every rounding is
// written out: the table must not depend on whether the machine fuses multiplications and additions.
func cbrt(x float64) float64 {
	const (
		p0 = 1.87595182427177009643
		p1 = -1.88497979543377169875
		p2 = 1.621429720105354466140
		p3 = -0.758397934778766047437
		p4 = 0.145996192886612446982
	)
	if x == 0 {
		return 0
	}
	t := math.Float64frombits(math.Float64bits(x)/3 + 715094163<<32) // 5 bits are right
	r := float64(t*t) * (t / x)
	low := p0 + float64(r*(p1+float64(r*p2)))
	high := float64(float64(r*r)*r) * (p3 + float64(r*p4))
	t *= low + float64(high) // 23 bits
	t = math.Float64frombits((math.Float64bits(t) + 1<<31) &^ (1<<30 - 1))
	s := t * t
	r = x / s
	w := t + t
	r = (r - t) / (w + r)
	return t + float64(t*r)
}
