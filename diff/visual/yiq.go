package visual

import "math"

// All products are converted to float64 on their own: the conversion forbids the compiler to fuse them with an
// addition, which would give other counts on machines that can.

// yiqSquare is the squared distance of two colours given as differences in Y, I and Q.
func yiqSquare(y, i, q float64) float64 {
	return float64(float64(float64(0.5053*y)*y)+float64(float64(0.299*i)*i)) + float64(float64(0.1957*q)*q)
}

func yOf(r, g, b float64) float64 {
	return float64(float64(r*0.29889531)+float64(g*0.58662247)) + float64(b*0.11448223)
}

func iOf(r, g, b float64) float64 {
	return float64(float64(r*0.59597799)-float64(g*0.27417610)) - float64(b*0.32180189)
}

func qOf(r, g, b float64) float64 {
	return float64(float64(r*0.21147017)-float64(g*0.52261711)) + float64(b*0.31114694)
}

// yiqMax is the largest value of yiqSquare, which stands for a threshold of 1.
const yiqMax = 35215

// blended7 is the difference of two pixels on the background of pixelmatch 7.
func blended7(p, q pixel, k place, white bool) (dr, dg, db float64) {
	if p >= opaque && q >= opaque {
		return red(p) - red(q), green(p) - green(q), blue(p) - blue(q)
	}
	rb, gb, bb := 255.0, 255.0, 255.0
	if !white {
		rb, gb, bb = k.checkerboard()
	}
	a1, a2 := alpha(p), alpha(q)
	da := a1 - a2
	dr = (float64(red(p)*a1) - float64(red(q)*a2) - float64(rb*da)) / 255
	dg = (float64(green(p)*a1) - float64(green(q)*a2) - float64(gb*da)) / 255
	db = (float64(blue(p)*a1) - float64(blue(q)*a2) - float64(bb*da)) / 255
	return dr, dg, db
}

// delta7 is pixelmatch 7's colorDelta: negative if q is the darker one.
func delta7(p, q pixel, k place, white bool) float64 {
	dr, dg, db := blended7(p, q, k, white)
	y := yOf(dr, dg, db)
	d := yiqSquare(y, iOf(dr, dg, db), qOf(dr, dg, db))
	if y > 0 {
		return -d
	}
	return d
}

func brightness7(p, q pixel, k place, white bool) float64 {
	if p == q {
		return 0
	}
	return yOf(blended7(p, q, k, white))
}

// onWhite5 blends a pixel as pixelmatch 5 does.
func onWhite5(p pixel) (r, g, b float64) {
	r, g, b = red(p), green(p), blue(p)
	if p < opaque {
		a := alpha(p) / 255
		r = 255 + float64((r-255)*a)
		g = 255 + float64((g-255)*a)
		b = 255 + float64((b-255)*a)
	}
	return r, g, b
}

// delta5 is pixelmatch 5's colorDelta.
func delta5(p, q pixel) float64 {
	if p == q {
		return 0
	}
	r1, g1, b1 := onWhite5(p)
	r2, g2, b2 := onWhite5(q)
	y1, y2 := yOf(r1, g1, b1), yOf(r2, g2, b2)
	d := yiqSquare(y1-y2, iOf(r1, g1, b1)-iOf(r2, g2, b2), qOf(r1, g1, b1)-qOf(r2, g2, b2))
	if y1 > y2 {
		return -d
	}
	return d
}

func brightness5(p, q pixel) float64 {
	if p == q {
		return 0
	}
	return yOf(onWhite5(p)) - yOf(onWhite5(q))
}

// grey is the value with which pixelmatch draws a pixel that is equal: faint, on white.
func (m Metric) grey(p pixel, opacity float64) byte {
	y := yOf(red(p), green(p), blue(p))
	if m == Pixelmatch5 {
		return byte(255 + float64((y-255)*float64(float64(opacity*alpha(p))/255)))
	}
	return byte(int64(math.Trunc(255 + float64(float64((y-255)*opacity)*alpha(p))/255)))
}
