// Package contactsheet puts the pictures of a session side by side on one
// image, each with its time, as photographers do with a film.
package contactsheet

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"io"
	"time"

	_ "image/jpeg" // recorders write JPEG and PNG
	_ "image/png"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// Frame is one picture of a session.
type Frame struct {
	Time  time.Duration // since the start of the session
	Label string        // besides the time; may be empty
	Bad   bool          // marks the picture at which something failed
	Open  func(context.Context) (io.ReadCloser, error)
}

// Options say what a sheet looks like. The zero value is fine.
type Options struct {
	Columns int // 0 means as many as make the sheet about as wide as high
	Width   int // of one picture in pixels; 0 means 320
	Dark    bool
}

// Problem is a picture that could not be shown. Its place shows the reason.
type Problem struct {
	Frame int
	Err   error
}

const (
	gap    = 8
	legend = 18
)

// Pictures larger than this are not decoded: no screen is as large.
const maxPixels = 64 << 20

// Draw makes the sheet. Pictures are decoded one after the other.
func Draw(ctx context.Context, frames []Frame, o Options) (*image.RGBA, []Problem, error) {
	if o.Width <= 0 {
		o.Width = 320
	}
	if o.Columns <= 0 {
		o.Columns = columns(len(frames))
	}
	s := newSheet(o)
	var problems []Problem
	var cells []image.Image
	height := o.Width * 9 / 16
	for i, f := range frames {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		img, err := s.thumbnail(ctx, f)
		if err != nil {
			problems = append(problems, Problem{i, err})
		} else {
			height = max(height, img.Bounds().Dy())
		}
		cells = append(cells, img)
	}
	return s.assemble(frames, cells, height), problems, nil
}

// columns makes the sheet about as wide as it is high.
func columns(n int) int {
	c := 1
	for c*c*9 < n*16 {
		c++
	}
	return min(max(1, c), 12, max(1, n))
}

type sheet struct {
	o                      Options
	paper, ink, faint, bad color.RGBA
}

func newSheet(o Options) *sheet {
	s := &sheet{o: o, paper: color.RGBA{255, 255, 255, 255}, ink: color.RGBA{30, 34, 40, 255},
		faint: color.RGBA{225, 228, 232, 255}, bad: color.RGBA{207, 34, 46, 255}}
	if o.Dark {
		s.paper, s.ink, s.faint, s.bad = color.RGBA{20, 22, 26, 255}, color.RGBA{220, 224, 230, 255}, color.RGBA{48, 52, 58, 255}, color.RGBA{255, 110, 110, 255}
	}
	return s
}

func (s *sheet) thumbnail(ctx context.Context, f Frame) (image.Image, error) {
	rc, err := f.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	img, err := decode(rc)
	if err != nil {
		return nil, err
	}
	b := img.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, s.o.Width, max(1, min(b.Dy()*s.o.Width/b.Dx(), 4*s.o.Width))))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), img, b, draw.Src, nil)
	return small, nil
}

// decode looks at the size before it makes room for the pixels.
func decode(r io.Reader) (image.Image, error) {
	var head headBuffer
	cfg, _, err := image.DecodeConfig(io.TeeReader(r, &head))
	switch {
	case err != nil:
		return nil, err
	case cfg.Width <= 0 || cfg.Height <= 0 || cfg.Width*cfg.Height > maxPixels:
		return nil, fmt.Errorf("a picture of %d×%d pixels", cfg.Width, cfg.Height)
	}
	img, _, err := image.Decode(io.MultiReader(&head, r))
	return img, err
}

// headBuffer gives what was read for the size once more.
type headBuffer struct{ b []byte }

func (h *headBuffer) Write(p []byte) (int, error) {
	h.b = append(h.b, p...)
	return len(p), nil
}

func (h *headBuffer) Read(p []byte) (int, error) {
	if len(h.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, h.b)
	h.b = h.b[n:]
	return n, nil
}

func (s *sheet) assemble(frames []Frame, cells []image.Image, height int) *image.RGBA {
	rows := (len(cells) + s.o.Columns - 1) / s.o.Columns
	out := image.NewRGBA(image.Rect(0, 0, gap+s.o.Columns*(s.o.Width+gap), gap+max(1, rows)*(height+legend+gap)))
	draw.Draw(out, out.Bounds(), image.NewUniform(s.paper), image.Point{}, draw.Src)
	for i, cell := range cells {
		x := gap + i%s.o.Columns*(s.o.Width+gap)
		y := gap + i/s.o.Columns*(height+legend+gap)
		s.cell(out, image.Rect(x, y, x+s.o.Width, y+height), cell, frames[i])
	}
	return out
}

func (s *sheet) cell(out *image.RGBA, r image.Rectangle, img image.Image, f Frame) {
	edge, ink := s.faint, s.ink
	if f.Bad {
		edge, ink = s.bad, s.bad
	}
	draw.Draw(out, r.Inset(-1), image.NewUniform(edge), image.Point{}, draw.Src)
	draw.Draw(out, r, image.NewUniform(s.faint), image.Point{}, draw.Src)
	if img != nil {
		draw.Draw(out, r, img, image.Point{}, draw.Src)
	} else {
		s.text(out, r.Min.X+8, r.Min.Y+20, "picture missing", s.ink)
	}
	label := fmt.Sprintf("%.3f s  %s", f.Time.Seconds(), f.Label)
	s.text(out, r.Min.X, r.Max.Y+13, label[:min(len(label), s.o.Width/7)], ink)
}

func (s *sheet) text(out *image.RGBA, x, y int, text string, c color.Color) {
	d := font.Drawer{Dst: out, Src: image.NewUniform(c), Face: basicfont.Face7x13, Dot: fixed.P(x, y)}
	d.DrawString(text)
}
