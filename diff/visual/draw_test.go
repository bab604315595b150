package visual

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"testing"
)

func nrgba(t testing.TB, data []byte) *image.NRGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := img.(*image.NRGBA); ok {
		return m
	}
	m := image.NewNRGBA(img.Bounds())
	draw.Draw(m, m.Bounds(), img, image.Point{}, draw.Src)
	return m
}

func TestDrawingsArePixelmatchs(t *testing.T) {
	at := func(threshold float64) Options {
		opt := DefaultOptions()
		opt.Threshold = threshold
		return opt
	}
	mask := DefaultDrawOptions()
	mask.Mask = true
	own := DrawOptions{Opacity: 0.5, Diff: color.NRGBA{255, 0, 255, 255}, DiffAlt: color.NRGBA{255, 0, 255, 255}, AA: color.NRGBA{0, 192, 0, 255}}
	alt := DefaultDrawOptions()
	alt.DiffAlt = color.NRGBA{0, 255, 0, 255}
	for _, tt := range []struct {
		a, b, want string
		opt        Options
		how        DrawOptions
	}{
		{"1a", "1b", "1diff", at(0.05), DefaultDrawOptions()},
		{"1a", "1b", "1diffdefaultthreshold", at(0.1), DefaultDrawOptions()},
		{"1a", "1b", "1diffmask", at(0.05), mask},
		{"1a", "1a", "1emptydiffmask", at(0), mask},
		{"2a", "2b", "2diff", at(0.05), own},
		{"3a", "3b", "3diff", at(0.05), DefaultDrawOptions()},
		{"4a", "4b", "4diff", at(0.05), DefaultDrawOptions()},
		{"5a", "5b", "5diff", at(0.05), DefaultDrawOptions()},
		{"6a", "6b", "6diff", at(0.05), DefaultDrawOptions()},
		{"6a", "6a", "6empty", at(0), DefaultDrawOptions()},
		{"7a", "7b", "7diff", at(0.1), alt},
		{"8a", "5b", "8diff", at(0.05), DefaultDrawOptions()},
	} {
		t.Run(tt.want, func(t *testing.T) {
			var out bytes.Buffer
			if _, err := Draw(context.Background(), &out, File(fixture(tt.a)), File(fixture(tt.b)), tt.opt, tt.how); err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(fixture(tt.want))
			if err != nil {
				t.Fatal(err)
			}
			got, want := nrgba(t, out.Bytes()), nrgba(t, raw)
			if got.Rect != want.Rect {
				t.Fatalf("%v, want %v", got.Rect, want.Rect)
			}
			for i := range got.Pix {
				if got.Pix[i] != want.Pix[i] {
					t.Fatalf("pixel %d,%d: %v, want %v", i/4%got.Rect.Dx(), i/4/got.Rect.Dx(), got.Pix[i&^3:i&^3+4], want.Pix[i&^3:i&^3+4])
				}
			}
		})
	}
}

func TestDrawWritesNothingForOtherSizes(t *testing.T) {
	var out bytes.Buffer
	_, err := Draw(context.Background(), &out, File(fixture("1a")), File(fixture("2a")), DefaultOptions(), DefaultDrawOptions())
	var size *SizeError
	if !errors.As(err, &size) || out.Len() > 0 {
		t.Fatalf("%d bytes and %v", out.Len(), err)
	}
}
