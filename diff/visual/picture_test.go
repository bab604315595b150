package visual

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"
)

// canvas is a picture that tests draw on.
type canvas struct{ *image.NRGBA }

func newCanvas(w, h int) canvas {
	c := canvas{image.NewNRGBA(image.Rect(0, 0, w, h))}
	c.fill(0, 0, w, h, color.NRGBA{250, 250, 250, 255})
	return c
}

func (c canvas) fill(x, y, w, h int, col color.NRGBA) {
	area := image.Rect(x, y, x+w, y+h).Intersect(c.Rect)
	if area.Empty() {
		return
	}
	px := []byte{col.R, col.G, col.B, col.A}
	line := bytes.Repeat(px, area.Dx())
	for yy := area.Min.Y; yy < area.Max.Y; yy++ {
		copy(c.Pix[c.PixOffset(area.Min.X, yy):], line)
	}
}

// text draws lines that are all different, with space between them.
func (c canvas) text(x, y, w, h int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	for yy := y; yy < y+h; yy++ {
		if (yy-y)%20 >= 12 {
			continue
		}
		for xx := x; xx < x+w; xx++ {
			if r.IntN(3) == 0 {
				c.SetNRGBA(xx, yy, color.NRGBA{20, 20, uint8(r.UintN(60)), 255})
			}
		}
	}
}

// paste copies rows of another picture.
func (c canvas) paste(from canvas, x, w, y, n, to int) {
	for i := range n {
		copy(c.Pix[c.PixOffset(x, to+i):][:4*w], from.Pix[from.PixOffset(x, y+i):])
	}
}

func (c canvas) bytes(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func compare(t testing.TB, a, b canvas, opt Options) Result {
	t.Helper()
	r, err := Compare(context.Background(), Bytes(a.bytes(t)), Bytes(b.bytes(t)), opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// translucent makes some pixels translucent, so that the picture is RGBA.
func (c canvas) translucent(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 8))
	for range 50 {
		c.SetNRGBA(r.IntN(c.Rect.Dx()), r.IntN(c.Rect.Dy()), color.NRGBA{uint8(r.UintN(256)), 9, 9, uint8(r.UintN(256))})
	}
}

// random is a small picture of boxes and text.
func random(seed uint64) canvas {
	r := rand.New(rand.NewPCG(seed, 9))
	c := newCanvas(1+r.IntN(90), 1+r.IntN(140))
	for range r.IntN(6) {
		c.fill(r.IntN(90), r.IntN(140), r.IntN(60), r.IntN(60), color.NRGBA{uint8(r.UintN(256)), uint8(r.UintN(256)), uint8(r.UintN(256)), 255})
	}
	c.text(r.IntN(20), r.IntN(20), r.IntN(60), r.IntN(100), seed)
	if seed%3 == 0 {
		c.translucent(seed)
	}
	return c
}
