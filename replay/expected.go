package replay

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"strings"
)

// expectPicture carries out an assertion about a picture. One that held is not
// made again: the picture comes from another browser, or another machine, and
// is for a comparison of traces to judge. One that failed holds now only if
// what is drawn is the picture that was expected.
func expectPicture(ctx context.Context, r *run, d *doing) error {
	if d.planned.action.Error == nil {
		return nil
	}
	want, err := r.expectedPicture(ctx, d)
	if err != nil {
		return err
	}
	data, err := d.page.Picture(ctx)
	if err != nil {
		return err
	}
	now, err := decodePicture(data)
	if err != nil {
		return err
	}
	if now, err = r.cut(ctx, d, now); err != nil {
		return err
	}
	if a, b := now.Bounds().Size(), want.Bounds().Size(); a != b {
		return errorf("E_ASSERTION", "the picture has %d×%d pixels, and %d×%d were expected", a.X, a.Y, b.X, b.Y)
	}
	most := max(d.params.number("maxDiffPixels"), d.params.number("maxDiffPixelRatio")*float64(want.Bounds().Dx()*want.Bounds().Dy()))
	if n := differing(now, want); float64(n) > most {
		return errorf("E_ASSERTION", "%d pixels are not as they were expected", n)
	}
	return nil
}

// expectedPicture is what the recorded assertion compared with.
func (r *run) expectedPicture(ctx context.Context, d *doing) (image.Image, error) {
	for _, a := range d.planned.action.Attachments {
		if !strings.Contains(a.Name, "-expected") || a.File == "" {
			continue
		}
		in, err := r.a.Resource(ctx, a.File)
		if err != nil {
			return nil, errorf("E_ASSERTION", "the trace does not hold the picture that was expected: %w", err)
		}
		defer in.Close()
		data, err := io.ReadAll(io.LimitReader(in, mostPicture))
		if err != nil {
			return nil, err
		}
		return decodePicture(data)
	}
	return nil, errorf("E_ASSERTION", "there was no picture to compare with")
}

// What pictures may be: bytes, and pixels.
const (
	mostPicture = 64 << 20
	mostPixels  = 100 << 20
)

func decodePicture(data []byte) (image.Image, error) {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	if c.Width*c.Height > mostPixels {
		return nil, fmt.Errorf("picture: %d×%d pixels are too many", c.Width, c.Height)
	}
	return png.Decode(bytes.NewReader(data))
}

// cut is the part of a picture of the page that an assertion is about.
func (r *run) cut(ctx context.Context, d *doing, whole image.Image) (image.Image, error) {
	locator, _ := d.params["locator"].(map[string]any)
	selector := params(locator).text("selector")
	if selector == "" {
		return whole, nil
	}
	e, err := r.element(ctx, d, selector, needs{one: true})
	if err != nil {
		return nil, err
	}
	box, err := boxOf(ctx, e)
	if err != nil || box == nil {
		return whole, err
	}
	scale := max(r.surroundings().Scale, 1)
	part, ok := whole.(interface {
		SubImage(image.Rectangle) image.Image
	})
	if !ok {
		return whole, nil
	}
	x, y := int(box.X*scale), int(box.Y*scale)
	return part.SubImage(image.Rect(x, y, x+int(box.Width*scale+0.5), y+int(box.Height*scale+0.5))), nil
}

// differing counts the pixels of two pictures of one size that an eye tells
// apart.
func differing(a, b image.Image) (n int) {
	const visible = 0x3333 // a fifth of what a colour can differ by
	p, q := a.Bounds().Min, b.Bounds().Min
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, _ := a.At(p.X+x, p.Y+y).RGBA()
			r2, g2, b2, _ := b.At(q.X+x, q.Y+y).RGBA()
			if apart(r1, r2) > visible || apart(g1, g2) > visible || apart(b1, b2) > visible {
				n++
			}
		}
	}
	return n
}

func apart(a, b uint32) uint32 { return max(a, b) - min(a, b) }
