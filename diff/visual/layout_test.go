package visual

import (
	"context"
	"errors"
	"image/color"
	"strings"
	"testing"
)

var (
	blueish = color.NRGBA{40, 60, 140, 255}
	yellow  = color.NRGBA{255, 230, 160, 255}
)

// page is a header of 64 rows, content, and a footer of 60 at the bottom.
func page(w, h int) canvas {
	c := newCanvas(w, h)
	c.fill(0, 0, w, 64, blueish)
	c.text(20, 20, 200, 12, 1)
	c.text(20, 80, w-40, h-160, 2)
	c.fill(0, h-60, w, 60, color.NRGBA{60, 60, 60, 255})
	c.text(20, h-40, 300, 12, 3)
	return c
}

func moves(t *testing.T, r Result, want ...Move) {
	t.Helper()
	if len(r.Moves) != len(want) {
		t.Fatalf("moves are %v\nwant %v", r.Moves, want)
	}
	for i := range want {
		if r.Moves[i] != want[i] {
			t.Errorf("move %d is %+v\nwant %+v", i, r.Moves[i], want[i])
		}
	}
}

func TestInsertedBannerIsNamed(t *testing.T) {
	a := page(640, 600)
	b := newCanvas(640, 600)
	b.paste(a, 0, 640, 0, 64, 0)
	b.fill(0, 64, 640, 40, yellow)
	b.text(20, 74, 300, 12, 4)
	b.paste(a, 0, 640, 64, 496, 104)
	r := compare(t, a, b, DefaultOptions())
	if r.Class != Moved || len(r.Boxes) != 0 || r.DiffPixels == 0 {
		t.Errorf("%s, %d pixels, boxes %v", r.Class, r.DiffPixels, r.Boxes)
	}
	moves(t, r, Move{Kind: Fixed, Rows: 64, Width: 640},
		Move{Kind: Inserted, A: 64, B: 64, Rows: 40, Width: 640},
		Move{Kind: Shifted, A: 64, B: 104, Rows: 496, Offset: 40, Width: 640},
		Move{Kind: CutOff, A: 560, B: 600, Rows: 40, Width: 640})
}

func TestRemovedBlockOfALongerPageIsNamed(t *testing.T) {
	a := page(640, 600)
	b := newCanvas(640, 520)
	b.paste(a, 0, 640, 0, 200, 0)
	b.paste(a, 0, 640, 280, 320, 200)
	r, err := Compare(context.Background(), Bytes(a.bytes(t)), Bytes(b.bytes(t)), DefaultOptions())
	var size *SizeError
	if !errors.As(err, &size) || size.Code() != "E_DIMENSION_MISMATCH" {
		t.Fatalf("error is %v", err)
	}
	if size.A != (Size{640, 600}) || size.B != (Size{640, 520}) || !strings.Contains(err.Error(), "80 rows removed at y=200") {
		t.Errorf("error is %v", err)
	}
	if r.Class != Moved || r.Pass {
		t.Errorf("%s, pass %v", r.Class, r.Pass)
	}
	moves(t, size.Result, Move{Kind: Fixed, Rows: 200, Width: 640},
		Move{Kind: Removed, A: 200, B: 200, Rows: 80, Width: 640},
		Move{Kind: Shifted, A: 280, B: 200, Rows: 320, Offset: -80, Width: 640})

	opt := DefaultOptions()
	opt.Sizes = SizesDiffer
	r = compare(t, a, b, opt)
	if r.Class != Moved || r.TotalPixels != 640*600 || r.DiffPixels < 640*80 || r.Pass {
		t.Errorf("as a difference: %+v", r)
	}
}

func TestShiftedFooterIsNamed(t *testing.T) {
	a, b := newCanvas(640, 600), newCanvas(640, 600)
	for _, p := range []struct {
		c      canvas
		footer int
	}{{a, 400}, {b, 450}} {
		p.c.fill(0, 0, 640, 64, blueish)
		p.c.text(20, 80, 600, 200, 5)
		p.c.fill(0, p.footer, 640, 60, color.NRGBA{60, 60, 60, 255})
		p.c.text(20, p.footer+20, 300, 12, 3)
	}
	r := compare(t, a, b, DefaultOptions())
	if r.Class != Moved {
		t.Errorf("class %s, boxes %v", r.Class, r.Boxes)
	}
	var shifted []Move
	for _, m := range r.Moves {
		switch {
		case m.Kind == Shifted:
			shifted = append(shifted, m)
		case m.Kind != Fixed && (!m.Blank || m.Rows != 50):
			t.Errorf("%+v", m)
		}
	}
	if len(shifted) != 1 || shifted[0].Offset != 50 || shifted[0].A != 400 || shifted[0].Rows < 60 {
		t.Errorf("shifted are %+v of %+v", shifted, r.Moves)
	}
}

func TestScrollUnderAStickyHeaderIsNamed(t *testing.T) {
	long := page(640, 1000)
	a, b := newCanvas(640, 500), newCanvas(640, 500)
	a.paste(long, 0, 640, 0, 500, 0)
	b.paste(long, 0, 640, 0, 64, 0)
	b.paste(long, 0, 640, 64+90, 436, 64)
	r := compare(t, a, b, DefaultOptions())
	if r.Class != Moved {
		t.Errorf("class %s", r.Class)
	}
	moves(t, r, Move{Kind: Fixed, Rows: 64, Width: 640},
		Move{Kind: Removed, A: 64, B: 64, Rows: 90, Width: 640},
		Move{Kind: Shifted, A: 154, B: 64, Rows: 346, Offset: -90, Width: 640},
		Move{Kind: Revealed, A: 500, B: 410, Rows: 90, Width: 640})
}

func TestStickyHeaderElsewhereIsRelocated(t *testing.T) {
	long := newCanvas(640, 900)
	long.text(20, 0, 600, 900, 6)
	header := page(640, 600)
	a, b := newCanvas(640, 900), newCanvas(640, 900)
	a.paste(long, 0, 640, 0, 900, 0)
	b.paste(long, 0, 640, 0, 900, 0)
	a.paste(header, 0, 640, 0, 64, 0)
	b.paste(header, 0, 640, 0, 64, 400)
	r := compare(t, a, b, DefaultOptions())
	if r.Class != Moved {
		t.Errorf("class %s, boxes %v", r.Class, r.Boxes)
	}
	kinds := map[MoveKind]Move{}
	for _, m := range r.Moves {
		kinds[m.Kind] = m
	}
	if m := kinds[Relocated]; m.A != 0 || m.B != 400 || m.Rows != 64 || m.Offset != 400 {
		t.Errorf("relocated is %+v of %+v", m, r.Moves)
	}
	if kinds[Uncovered].B != 0 || kinds[Covered].A != 400 {
		t.Errorf("moves are %+v", r.Moves)
	}
}

func TestColumnThatGrewIsNamedApartFromTheOther(t *testing.T) {
	a, b := newCanvas(800, 700), newCanvas(800, 700)
	for _, c := range []canvas{a, b} {
		c.fill(0, 0, 800, 64, blueish)
		c.text(480, 80, 280, 600, 11)
	}
	a.text(20, 80, 380, 600, 10)
	b.fill(20, 80, 380, 30, yellow)
	b.paste(a, 0, 440, 80, 590, 110)
	r := compare(t, a, b, DefaultOptions())
	if r.Class != Moved || len(r.Boxes) > 0 {
		t.Errorf("class %s, boxes %v", r.Class, r.Boxes)
	}
	found := map[MoveKind]Move{}
	for _, m := range r.Moves {
		if m.X+m.Width > 440 {
			t.Errorf("reaches into the other column: %+v", m)
		}
		found[m.Kind] = m
	}
	if found[Shifted].Offset != 30 || found[Inserted].Rows != 30 {
		t.Errorf("moves are %+v", r.Moves)
	}
}

func TestChangeBesideAnInsertIsCountedAtItsNewPlace(t *testing.T) {
	a := page(640, 600)
	b := newCanvas(640, 600)
	b.paste(a, 0, 640, 0, 64, 0)
	b.fill(0, 64, 640, 40, yellow)
	b.paste(a, 0, 640, 64, 496, 104)
	b.fill(200, 300, 30, 20, color.NRGBA{200, 0, 0, 255})
	b.fill(500, 400, 10, 10, color.NRGBA{0, 200, 0, 255})
	opt := DefaultOptions()
	opt.IncludeAA = true
	r := compare(t, a, b, opt)
	if r.Class != Changed || len(r.Boxes) != 2 {
		t.Fatalf("class %s, boxes %+v", r.Class, r.Boxes)
	}
	for i, want := range []Rect{{200, 300, 30, 20}, {500, 400, 10, 10}} {
		if b := r.Boxes[i]; b.Rect != want || b.AY != want.Y-40 || b.Pixels != want.Width*want.Height {
			t.Errorf("box %d is %+v, want %+v", i, b, want)
		}
	}
}

func TestRecolouredButtonIsABoxAndNoMove(t *testing.T) {
	a := page(640, 600)
	b := newCanvas(640, 600)
	b.paste(a, 0, 640, 0, 600, 0)
	a.fill(100, 200, 130, 31, blueish)
	b.fill(100, 200, 130, 31, yellow)
	r := compare(t, a, b, DefaultOptions())
	if r.Class != Changed || len(r.Moves) != 0 || len(r.Boxes) != 1 || r.Boxes[0] != (Box{Rect{100, 200, 130, 31}, 200, 130 * 31}) || r.DiffPixels != 130*31 {
		t.Errorf("%+v", r)
	}
}

func TestAColumnOfTextBesideAnotherIsNotTornIntoBlocks(t *testing.T) {
	for seed := range uint64(6) {
		a, b := newCanvas(1200, 700), newCanvas(1200, 700)
		for i, c := range []canvas{a, b} {
			c.text(40, 80, 560, 500, seed+1)
			c.text(615, 80+24*i, 540, 500, seed+2)
		}
		r := compare(t, a, b, DefaultOptions())
		shifted := false
		for _, m := range r.Moves {
			if m.Kind == Relocated {
				t.Errorf("%d: %v", seed, m)
			}
			shifted = shifted || m.Kind == Shifted && m.Offset == 24 && m.X >= 600 && m.Rows > 400
		}
		if !shifted {
			t.Errorf("%d: nothing says that the column went down: %v", seed, r.Moves)
		}
	}
}
