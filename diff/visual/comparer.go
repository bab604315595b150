package visual

import (
	"bytes"
	"context"

	"github.com/tracedeck/tracedeck/diff/visual/internal/rows"
)

// Comparer compares pairs of pictures one after the other and keeps its buffers in between. The zero value is ready;
// it is for one goroutine at a time.
type Comparer struct {
	a, b   side
	w, h   int // what both pictures cover
	opt    Options
	masked bool
	// differed is set once any pixel was not the same, masked ones aside.
	differed bool
	unequal  int // rows that are not equal
	suspect  int // of how many it is asked next whether rows moved; 0 when that is settled
	// uncounted is set when rows are read only to be aligned.
	uncounted bool

	// twins is the second picture's rows where they can be read beside the first's, nil otherwise.
	twins *rows.PNG

	judge   *judge
	layout  *layout
	boxes   *boxes
	window  *window
	counted counted
	equal   [ringRows]bool // of the rows in the rings
	lag     int            // how much lower the second picture had a row of the first, 0 if not known
	seen    sight
	done    func(y int) // called after row y was judged, for drawing
}

// Compare is the function of that name.
func (c *Comparer) Compare(ctx context.Context, a, b Picture, opt Options) (Result, error) {
	c.done = nil
	return c.run(ctx, a, b, opt, nil)
}

// run compares; draw, if given, is called once the size of both pictures is known and before rows are read.
func (c *Comparer) run(ctx context.Context, a, b Picture, opt Options, draw func()) (Result, error) {
	if err := opt.Validate(); err != nil {
		return Result{}, &OptionsError{Err: err}
	}
	if opt.Metric == "" {
		opt.Metric = Pixelmatch7
	}
	c.opt = opt
	if a.Digest != "" && a.Digest == b.Digest && draw == nil {
		return c.same(a)
	}
	if err := a.load("first picture"); err != nil {
		return Result{}, err
	}
	if err := b.load("second picture"); err != nil {
		return Result{}, err
	}
	if draw == nil && bytes.Equal(a.data, b.data) {
		return c.same(a)
	}
	if err := c.a.open(a); err != nil {
		return Result{}, err
	}
	if err := c.b.open(b); err != nil {
		return Result{}, err
	}
	c.prepare()
	if draw != nil {
		draw()
	}
	mismatch := c.a.head.Width != c.b.head.Width || c.a.head.Height != c.b.head.Height
	if mismatch && opt.Sizes != SizesDiffer {
		return c.explainSizes(ctx, &a, &b)
	}
	if draw == nil && c.samePixels() {
		return c.result(), nil
	}
	if err := c.readPair(ctx, &a, &b); err != nil {
		return Result{}, err
	}
	return c.conclude(ctx, &a, &b)
}

// same is the result for pictures that need no decoding.
func (c *Comparer) same(p Picture) (Result, error) {
	var head rows.Header
	if p.data != nil {
		var err error
		if head, err = rows.Config(p.data); err != nil {
			return Result{}, &PictureError{Name: p.Name, Err: err}
		}
	}
	c.a.head, c.b.head = head, head
	c.setMasks()
	c.judge, c.window, c.boxes, c.layout = newJudge(&c.opt, head.Width, 4), nil, nil, nil
	return c.result(), nil
}

// samePixels reports whether both are the same compressed stream, as of files that differ in their metadata.
func (c *Comparer) samePixels() bool {
	p, ok := c.a.src.(*rows.PNG)
	q, ok2 := c.b.src.(*rows.PNG)
	return ok && ok2 && p.SameStream(q)
}

func (c *Comparer) setMasks() {
	c.masked = len(c.opt.Masks) > 0
	c.a.masks, c.b.masks = nil, nil
	for _, m := range c.opt.Masks {
		c.a.masks, c.b.masks = append(c.a.masks, m.A), append(c.b.masks, m.B)
	}
}

const (
	// ringRows is how many rows of the first picture are kept: what layout looks back, and what surrounds a row being
	// judged.
	ringRows = 48
	// nearRows is how many of the second are, as the first's stand for those that are equal.
	nearRows = 8
	// maxLag is how much higher the first's may be that stand for the second's.
	maxLag = ringRows - nearRows
)

func (c *Comparer) prepare() {
	a, b := &c.a, &c.b
	depth := max(a.head.Depth, b.head.Depth)
	c.w, c.h = min(a.head.Width, b.head.Width), min(a.head.Height, b.head.Height)
	c.setMasks()
	pitch := (max(a.head.Width, b.head.Width)*depth + rows.Slack + 7) &^ 7
	a.place(pitch, ringRows, depth, c.masked)
	b.place(pitch, nearRows, depth, c.masked)
	c.twins, b.twin = c.pngs(), a

	c.judge = newJudge(&c.opt, c.w, depth)
	c.layout, c.boxes, c.window = nil, nil, nil
	c.differed, c.uncounted, c.suspect, c.unequal, c.lag = false, false, manyUnequal, 0, 0
	if !c.opt.CountOnly {
		c.layout = newLayout(c.w, depth, a.head.Height, b.head.Height)
		c.boxes = newBoxes(c.w)
	}
	if c.opt.Window > 0 {
		c.window = newWindow(c.opt.Window, c.w, c.h)
	}
	c.counted.reset(0)
	if boxes := c.boxes; boxes != nil {
		c.counted.reset(c.h)
		c.judge.onDiff = func(s *sight, x0, x1 int) {
			boxes.add(x0, x1, s.by, s.y)
			c.counted.add(x0, x1, s.y)
		}
	}
	if window, next := c.window, c.judge.onDiff; window != nil {
		c.judge.onDiff = func(s *sight, x0, x1 int) {
			window.add(x0, x1)
			if next != nil {
				next(s, x0, x1)
			}
		}
	}
}

// pngs returns the second picture's rows if both pictures are streamed PNGs of one width and depth without masks.
func (c *Comparer) pngs() *rows.PNG {
	p, ok := c.a.src.(*rows.PNG)
	q, ok2 := c.b.src.(*rows.PNG)
	if !ok || !ok2 || !c.a.direct || !c.b.direct || p.Header().Width != q.Header().Width {
		return nil
	}
	return q
}

// settle is called once row y of both pictures is there, in order. same says that they are known to be equal.
func (c *Comparer) settle(y int, same bool) {
	a, b := &c.a, &c.b
	inA, inB := y < a.head.Height, y < b.head.Height
	if c.masked {
		if inA {
			a.blank(a.masks, y, 0)
		}
		if inB {
			b.blank(b.masks, y, 0)
		}
	}
	if !inA || !inB {
		if c.layout != nil {
			c.beginLayout(y)
			c.layout.addOne(inA, c.pixels(a, y, inA), c.pixels(b, y, inB))
		}
		return
	}
	ra, rb := c.pixels(a, y, true), c.pixels(b, y, true)
	equal := same || bytes.Equal(ra, rb)
	if c.layout != nil {
		if !equal {
			c.beginLayout(y)
		}
		if equal {
			c.layout.add(c.repeats(y, equal, ra), ra)
		} else if !c.lags(y, rb) || !c.layout.addLagging(c.lag, ra) {
			c.lag = orDefault(c.layout.addUnequal(ra, rb), c.lag)
		}
	}
	if c.masked && !equal {
		a.blank(b.masks, y, 0)
		b.blank(a.masks, y, 0)
		equal = bytes.Equal(ra, rb)
	}
	c.equal[y%ringRows] = equal
	c.differed = c.differed || !equal
	if !equal {
		c.expectMoves(y)
	}
}

// lags reports whether row y of the second picture is the one of the first that was seen to be c.lag rows higher.
func (c *Comparer) lags(y int, rb []byte) bool {
	if c.lag == 0 || c.lag > y || c.twins == nil {
		return false
	}
	like := &c.b.like[y%c.b.rows]
	if *like == 0 && bytes.Equal(rb, c.pixels(&c.a, y-c.lag, true)) {
		*like = uint8(c.lag + 1)
	}
	return *like == uint8(c.lag+1)
}

// repeats reports whether row y and the one above it are all the same, in both pictures.
func (c *Comparer) repeats(y int, equal bool, ra []byte) bool {
	return equal && !c.masked && y > 0 && c.equal[(y-1)%ringRows] && bytes.Equal(ra, c.pixels(&c.a, y-1, true))
}

// manyUnequal is of how many rows that differ it is asked first whether they moved.
const manyUnequal = 64

// expectMoves makes both sources ready to be read again in parts, once rows seem to have moved.
func (c *Comparer) expectMoves(y int) {
	if c.unequal++; c.layout == nil || c.suspect == 0 || c.unequal < c.suspect+y/8 {
		return
	}
	if !c.layout.moving() {
		c.suspect *= 2
		return
	}
	c.suspect = 0
	for _, s := range [2]*side{&c.a, &c.b} {
		if p, ok := s.src.(*rows.PNG); ok {
			p.KeepPlaces()
		}
	}
}

// beginLayout is called before row y, which is the first that differs or that only one picture has. The rows before it
// are equal; they are taken from the first picture's ring, as the second may be read further already.
func (c *Comparer) beginLayout(y int) {
	if !c.layout.empty() {
		return
	}
	var before [][]byte
	for k := max(0, y-lookBack); k < y; k++ {
		before = append(before, c.pixels(&c.a, k, true))
	}
	c.layout.begin(before)
}

// pixels is row y as far as both pictures have it.
func (c *Comparer) pixels(s *side, y int, there bool) []byte {
	if !there {
		return nil
	}
	return s.row(y)[:c.w*s.depth]
}

// judgeRow judges row y, whose neighbours up to two rows away are in the rings.
func (c *Comparer) judgeRow(y int) {
	if !c.equal[y%ringRows] && !c.uncounted {
		c.judge.row(c.sight(y, y))
	}
	if c.window != nil {
		c.window.endRow()
	}
	if c.done != nil {
		c.done(y)
	}
}

// sight is the rows around ya of the first picture and yb of the second, until it is asked for again.
func (c *Comparer) sight(ya, yb int) *sight {
	s := &c.seen
	*s = sight{y: ya, by: yb, up: min(2, ya, yb), down: min(2, c.a.head.Height-1-ya, c.b.head.Height-1-yb)}
	if ya == yb {
		s.down = min(2, c.h-1-ya)
	}
	for k := -s.up; k <= s.down; k++ {
		s.a[2+k], s.b[2+k] = c.a.pointer(ya+k), c.b.pointer(yb+k)
	}
	return s
}
