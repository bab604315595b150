package visual

import (
	"context"
	"image/color"
	"io"
	"unsafe"
)

// DrawOptions say how a difference looks. DefaultDrawOptions are pixelmatch's.
type DrawOptions struct {
	// Opacity of the first picture behind the differences, 0 to 1.
	Opacity float64 `json:"opacity"`
	// Diff is the colour of pixels that differ, DiffAlt of those that are lighter in the first picture, AA of
	// anti-aliasing. They are drawn opaque.
	Diff    color.NRGBA `json:"diff"`
	DiffAlt color.NRGBA `json:"diffAlt"`
	AA      color.NRGBA `json:"aa"`
	// Mask draws nothing but differing pixels, on a transparent background.
	Mask bool `json:"mask"`
}

// DefaultDrawOptions are red differences and yellow anti-aliasing over a faint first picture.
func DefaultDrawOptions() DrawOptions {
	red := color.NRGBA{R: 255, A: 255}
	return DrawOptions{Opacity: 0.1, Diff: red, DiffAlt: red, AA: color.NRGBA{R: 255, G: 255, A: 255}}
}

// Draw compares two pictures and writes the difference as a PNG whose pixels are pixelmatch's output, byte for byte.
// Pictures of different sizes are drawn as far as both reach if the options let them differ. The comparison counts
// only: boxes and moves are what Compare is for. Nothing useful has been written if it returns an error.
func Draw(ctx context.Context, w io.Writer, a, b Picture, opt Options, how DrawOptions) (Result, error) {
	opt.CountOnly = true
	c := new(Comparer)
	d := &drawer{c: c, how: how}
	r, err := c.run(ctx, a, b, opt, func() { d.start(w) })
	if err == nil {
		err = d.err
	}
	if err != nil || d.out == nil {
		return r, err
	}
	return r, d.out.close()
}

// drawer writes a row of the difference after each row that was judged.
type drawer struct {
	c   *Comparer
	how DrawOptions
	out *pngWriter
	row []byte
	err error
}

func (d *drawer) start(w io.Writer) {
	c := d.c
	if c.opt.Sizes != SizesDiffer && c.a.head != c.b.head && (c.a.head.Width != c.b.head.Width || c.a.head.Height != c.b.head.Height) {
		return
	}
	c.judge.marks = make([]mark, c.w)
	d.row = make([]byte, 4*c.w)
	d.out, d.err = newPNGWriter(w, c.w, c.h)
	c.done = d.judged
}

func (d *drawer) judged(y int) {
	if d.err != nil {
		return
	}
	c := d.c
	source := unsafe.Pointer(unsafe.SliceData(c.a.row(y)))
	for x := range c.w {
		px := d.row[4*x : 4*x+4]
		switch m := c.judge.marks[x]; {
		case m == markDiff:
			paint(px, d.how.Diff)
		case m == markDiffAlt:
			paint(px, d.how.DiffAlt)
		case d.how.Mask:
			clear(px)
		case m == markAA:
			paint(px, d.how.AA)
		default:
			v := c.opt.Metric.grey(word(source, x*c.a.depth)|c.judge.or, d.how.Opacity)
			px[0], px[1], px[2], px[3] = v, v, v, 255
		}
	}
	clear(c.judge.marks)
	d.err = d.out.writeRow(d.row)
}

func paint(px []byte, c color.NRGBA) { px[0], px[1], px[2], px[3] = c.R, c.G, c.B, 255 }
