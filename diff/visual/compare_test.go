package visual

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func everyMetric(t *testing.T, f func(t *testing.T, opt Options)) {
	for _, m := range Metrics() {
		t.Run(string(m), func(t *testing.T) {
			opt := DefaultOptions()
			opt.Metric = m
			f(t, opt)
		})
	}
}

func TestPictureEqualsItself(t *testing.T) {
	everyMetric(t, func(t *testing.T, opt Options) {
		opt.Threshold = 0
		for seed := range uint64(9) {
			c := random(seed)
			other := bytes.Buffer{} // the same pixels in other bytes
			if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&other, c); err != nil {
				t.Fatal(err)
			}
			for _, b := range [][]byte{c.bytes(t), other.Bytes()} {
				r, err := Compare(context.Background(), Bytes(c.bytes(t)), Bytes(b), opt)
				if err != nil {
					t.Fatal(err)
				}
				if r.Class != Equal || !r.Identical || !r.Pass || r.DiffPixels != 0 || r.TotalPixels != c.Rect.Dx()*c.Rect.Dy() {
					t.Errorf("seed %d: %+v", seed, r)
				}
			}
		}
	})
}

// variants of a picture that differ from it in one of the ways in which screenshots do.
func variants(seed uint64) (a, b canvas) {
	a, b = random(seed), random(seed)
	w, h := a.Rect.Dx(), a.Rect.Dy()
	switch seed % 4 {
	case 0:
		b.fill(w/3, h/3, w/4+1, h/5+1, color.NRGBA{200, 30, 30, 255})
	case 1:
		b.paste(a, 0, w, 0, h-h/4, h/4)
	case 2:
		b.text(0, h/2, w, h/3, seed+1)
	default:
		b.translucent(seed + 5)
	}
	return a, b
}

var mirrored = map[MoveKind]MoveKind{Inserted: Removed, Removed: Inserted, Shifted: Shifted, Relocated: Relocated, Fixed: Fixed,
	CutOff: Revealed, Revealed: CutOff, Covered: Uncovered, Uncovered: Covered}

func TestSwappingMirrorsTheResult(t *testing.T) {
	everyMetric(t, func(t *testing.T, opt Options) {
		for seed := range uint64(24) {
			a, b := variants(seed)
			there, back := compare(t, a, b, opt), compare(t, b, a, opt)
			if there.DiffPixels != back.DiffPixels || there.AAPixels != back.AAPixels || there.Class != back.Class {
				t.Errorf("seed %d: %s %d %d, swapped %s %d %d", seed, there.Class, there.DiffPixels, there.AAPixels, back.Class, back.DiffPixels, back.AAPixels)
			}
		}
	})
}

func TestSwappingMirrorsMoves(t *testing.T) {
	a := page(640, 600)
	b := newCanvas(640, 600)
	b.paste(a, 0, 640, 0, 64, 0)
	b.fill(0, 64, 640, 40, yellow)
	b.paste(a, 0, 640, 64, 496, 104)
	there, back := compare(t, a, b, DefaultOptions()), compare(t, b, a, DefaultOptions())
	if len(there.Moves) == 0 || len(there.Moves) != len(back.Moves) {
		t.Fatalf("%v and %v", there.Moves, back.Moves)
	}
	for i, m := range there.Moves {
		m.Kind, m.A, m.B, m.Offset = mirrored[m.Kind], m.B, m.A, -m.Offset
		if m != back.Moves[i] {
			t.Errorf("move %d is %+v, swapped %+v", i, m, back.Moves[i])
		}
	}
}

func TestComparingAgainGivesTheSameResult(t *testing.T) {
	var c Comparer // buffers of one pair must not show in the next
	for seed := range uint64(16) {
		a, b := variants(seed)
		fresh := compare(t, a, b, DefaultOptions())
		again, err := c.Compare(context.Background(), Bytes(a.bytes(t)), Bytes(b.bytes(t)), DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(fresh, again) {
			t.Errorf("seed %d: %+v\nfresh: %+v", seed, again, fresh)
		}
	}
}

func TestBoxesHoldEveryPixelCounted(t *testing.T) {
	for seed := range uint64(24) {
		a, b := variants(seed)
		r := compare(t, a, b, DefaultOptions())
		if len(r.Moves) > 0 {
			continue
		}
		sum := 0
		for _, box := range r.Boxes {
			sum += box.Pixels
			if box.Pixels < 1 || box.Pixels > box.Width*box.Height || box.X < 0 || box.Y < 0 || box.X+box.Width > r.A.Width || box.Y+box.Height > r.A.Height {
				t.Errorf("seed %d: box %+v", seed, box)
			}
		}
		if sum != r.DiffPixels && r.MoreBoxes == 0 {
			t.Errorf("seed %d: %d pixels in boxes, %d counted", seed, sum, r.DiffPixels)
		}
	}
}

func TestWhatIsMaskedDoesNotMatter(t *testing.T) {
	for seed := range uint64(16) {
		a, b := variants(seed)
		w, h := a.Rect.Dx(), a.Rect.Dy()
		m := Rect{w / 4, h / 4, w/2 + 1, h/2 + 1}
		opt := DefaultOptions()
		opt.Masks = []Mask{SameMask(m)}
		plain := compare(t, a, b, opt)
		b.fill(m.X, m.Y, m.Width, m.Height, color.NRGBA{uint8(seed), 99, 3, 255})
		masked := compare(t, a, b, opt)
		plain.Identical, masked.Identical = false, false
		if !reflect.DeepEqual(plain, masked) {
			t.Errorf("seed %d: %+v\nother content under the mask: %+v", seed, plain, masked)
		}
		opt.Masks = []Mask{SameMask(Rect{-5, -5, w + 10, h + 10})}
		if r := compare(t, a, b, opt); r.Class != Equal || r.MaskedPixels != w*h {
			t.Errorf("seed %d: all masked: %+v", seed, r)
		}
	}
}

func TestMasksFollowTheirElement(t *testing.T) {
	a := page(640, 600)
	a.fill(300, 200, 100, 50, color.NRGBA{1, 2, 3, 255})
	b := newCanvas(640, 600)
	b.paste(a, 0, 640, 0, 64, 0)
	b.fill(0, 64, 640, 40, yellow)
	b.paste(a, 0, 640, 64, 496, 104)
	b.fill(300, 240, 100, 50, color.NRGBA{200, 2, 3, 255})
	opt := DefaultOptions()
	opt.Masks = []Mask{{A: Rect{300, 200, 100, 50}, B: Rect{300, 240, 100, 50}}}
	if r := compare(t, a, b, opt); r.Class != Moved || len(r.Boxes) > 0 {
		t.Errorf("%s, boxes %v, moves %v", r.Class, r.Boxes, r.Moves)
	}
	opt.Masks = nil
	if r := compare(t, a, b, opt); r.Class != Changed {
		t.Errorf("without the mask: %s", r.Class)
	}
}

func TestLimits(t *testing.T) {
	a, b := newCanvas(100, 100), newCanvas(100, 100)
	b.fill(10, 10, 5, 2, blueish)
	for _, tt := range []struct {
		pixels int
		ratio  float64
		limit  int
		pass   bool
	}{
		{Unlimited, Unlimited, 0, false},
		{10, Unlimited, 10, true},
		{9, Unlimited, 9, false},
		{Unlimited, 0.001, 10, true},
		{Unlimited, 0.0009, 9, false},
		{50, 0.0005, 5, false},
		{5, 0.5, 5, false},
	} {
		opt := DefaultOptions()
		opt.MaxPixels, opt.MaxRatio = tt.pixels, tt.ratio
		if r := compare(t, a, b, opt); r.Counted != 10 || r.Limit != tt.limit || r.Pass != tt.pass {
			t.Errorf("%d, %v: %d of %d, pass %v", tt.pixels, tt.ratio, r.Counted, r.Limit, r.Pass)
		}
	}
	opt := DefaultOptions()
	opt.Allow = []Class{Changed}
	if r := compare(t, a, b, opt); !r.Pass {
		t.Error("an allowed class did not pass")
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, change := range []func(*Options){
		func(o *Options) { o.Metric = "ssim" },
		func(o *Options) { o.Threshold = 1.5 },
		func(o *Options) { o.Threshold = -0.1 },
		func(o *Options) { o.MaxPixels = -2 },
		func(o *Options) { o.MaxRatio = 2 },
		func(o *Options) { o.Window = -1 },
		func(o *Options) { o.Sizes = "crop" },
		func(o *Options) { o.Allow = []Class{"fine"} },
	} {
		opt := DefaultOptions()
		change(&opt)
		_, err := Compare(context.Background(), Bytes(nil), Bytes(nil), opt)
		var wrong *OptionsError
		if !errors.As(err, &wrong) || wrong.Code() != CodePictureOptions {
			t.Errorf("%+v: %v", opt, err)
		}
	}
}

// declared is a PNG that says it has this size, and has no pixels.
func declared(w, h uint32) []byte {
	b := []byte("\x89PNG\r\n\x1a\n")
	for _, c := range []struct {
		kind    string
		content []byte
	}{
		{"IHDR", append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h), 8, 2, 0, 0, 0)},
		{"IDAT", []byte{0x78, 1, 3, 0, 0, 0, 0, 1}},
		{"IEND", nil},
	} {
		b = binary.BigEndian.AppendUint32(b, uint32(len(c.content)))
		start := len(b)
		b = append(append(b, c.kind...), c.content...)
		b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[start:]))
	}
	return b
}

func TestBadPicturesAreErrorsWithCodes(t *testing.T) {
	good := random(2).bytes(t)
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 0xff
	for name, tt := range map[string]struct {
		data []byte
		code string
	}{
		"empty":           {nil, CodePictureFormat},
		"text":            {[]byte("not a picture at all, but long enough"), CodePictureFormat},
		"GIF":             {[]byte("GIF89a\x01\x00\x01\x00"), CodePictureFormat},
		"animated WebP":   {[]byte("RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x00\x00"), CodePictureFormat},
		"signature":       {good[:8], CodePictureDamaged},
		"cut in header":   {good[:20], CodePictureDamaged},
		"cut in pixels":   {good[:len(good)/2], CodePictureDamaged},
		"without end":     {good[:len(good)-12], CodePictureDamaged},
		"flipped":         {flipped, CodePictureDamaged},
		"no pixels":       {declared(10, 10), CodePictureDamaged},
		"0 x 10":          {declared(0, 10), CodePictureDamaged},
		"60,000 x 60,000": {declared(60_000, 60_000), CodePictureTooLarge},
		"2^31 x 1":        {declared(1<<31, 1), CodePictureTooLarge},
		"cut JPEG":        {[]byte("\xff\xd8\xff\xe0\x00\x10JFIF"), CodePictureDamaged},
		"cut WebP":        {[]byte("RIFF\x10\x00\x00\x00WEBPVP8 "), CodePictureDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			for _, order := range [][2][]byte{{good, tt.data}, {tt.data, good}} {
				_, err := Compare(context.Background(), Bytes(order[0]), Bytes(order[1]), DefaultOptions())
				var p *PictureError
				if !errors.As(err, &p) || p.Code() != tt.code {
					t.Fatalf("error is %v", err)
				}
			}
		})
	}
}

func TestMissingFileIsNamedOnce(t *testing.T) {
	_, err := Files(context.Background(), fixture("1a"), filepath.Join("nowhere", "b.png"), DefaultOptions())
	if !errors.Is(err, os.ErrNotExist) || err.Error() != "nowhere/b.png: no such file or directory" {
		t.Errorf("error is %v", err)
	}
}

func TestEqualDigestsAreNotRead(t *testing.T) {
	read := func() (io.ReadCloser, error) { t.Error("read"); return nil, io.EOF }
	a, b := Reader("a", 0, read), Reader("b", 0, read)
	a.Digest, b.Digest = "sha256:1", "sha256:1"
	r, err := Compare(context.Background(), a, b, DefaultOptions())
	if err != nil || r.Class != Equal || !r.Pass {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestGivenBytesStayAsTheyAre(t *testing.T) {
	a, b := variants(8)
	p, q := a.bytes(t), b.bytes(t)
	x, y := bytes.Clone(p), bytes.Clone(q)
	if _, err := Compare(context.Background(), Bytes(x), Bytes(y), DefaultOptions()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(p, x) || !bytes.Equal(q, y) {
		t.Error("changed")
	}
}

func TestKindsOfPicturesMeet(t *testing.T) {
	// Grey values only, so that every kind can hold the same picture.
	rgb, rgba := image.NewNRGBA(image.Rect(0, 0, 40, 30)), image.NewNRGBA(image.Rect(0, 0, 40, 30))
	grey := image.NewGray(rgb.Rect)
	grey16 := image.NewGray16(rgb.Rect)
	var palette color.Palette
	for i := range 256 {
		palette = append(palette, color.NRGBA{uint8(i), uint8(i), uint8(i), 255})
	}
	paletted := image.NewPaletted(rgb.Rect, palette)
	for y := range 30 {
		for x := range 40 {
			v := uint8(x*5 + y)
			rgb.SetNRGBA(x, y, color.NRGBA{v, v, v, 255})
			rgba.SetNRGBA(x, y, color.NRGBA{v, v, v, 255})
			grey.SetGray(x, y, color.Gray{v})
			grey16.SetGray16(x, y, color.Gray16{uint16(v)*257 + 100})
			paletted.SetColorIndex(x, y, v)
		}
	}
	rgba.SetNRGBA(0, 0, color.NRGBA{0, 0, 0, 254}) // makes the encoder keep the alpha channel
	encode := func(m image.Image) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for name, m := range map[string]image.Image{"rgba": rgba, "grey": grey, "grey16": grey16, "paletted": paletted} {
		r, err := Compare(context.Background(), Bytes(encode(rgb)), Bytes(encode(m)), Options{MaxPixels: Unlimited, MaxRatio: Unlimited})
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if name == "rgba" {
			want = 1
		}
		if r.DiffPixels+r.AAPixels != want {
			t.Errorf("%s: %+v", name, r)
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, rgb, &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	if r, err := Compare(context.Background(), Bytes(encode(rgb)), Bytes(b.Bytes()), DefaultOptions()); err != nil || r.Class != Equal {
		t.Errorf("JPEG: %+v, %v", r, err)
	}
}

func TestCancelledComparisonEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a, b := variants(4)
	if _, err := Compare(ctx, Bytes(a.bytes(t)), Bytes(b.bytes(t)), DefaultOptions()); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestResultAsJSON(t *testing.T) {
	a, b := newCanvas(100, 100), newCanvas(100, 100)
	b.fill(10, 20, 5, 2, blueish)
	raw, err := json.Marshal(compare(t, a, b, DefaultOptions()))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"class":"changed","pass":false,"identical":false,"metric":"pixelmatch7","threshold":0.1,"a":{"width":100,"height":100},` +
		`"b":{"width":100,"height":100},"diffPixels":10,"totalPixels":10000,"ratio":0.001,"aaPixels":0,"counted":10,"limit":0,` +
		`"boxes":[{"x":10,"y":20,"width":5,"height":2,"ay":20,"pixels":10}],"moves":[]}`
	if string(raw) != want {
		t.Errorf("%s\nwant %s", raw, want)
	}
}

// A mask hides at the offset at which rows are compared, and at no other.
func TestMaskBesideAnInsertHidesNothingElse(t *testing.T) {
	a := newCanvas(200, 80)
	for y := range 80 {
		a.fill(0, y, 200, 1, color.NRGBA{uint8(3 * y), 90, uint8(200 - y), 255})
	}
	for by := 8; by < 30; by++ {
		b := newCanvas(200, 80)
		b.paste(a, 0, 200, 0, 12, 0)
		b.fill(0, 12, 200, by, yellow)
		b.paste(a, 0, 200, 12, 80-12-by, 12+by)
		changed := Rect{150, 80 - 12, 20, 4}
		b.fill(changed.X, changed.Y, changed.Width, changed.Height, color.NRGBA{250, 250, 250, 255})
		opt := DefaultOptions()
		opt.Masks = []Mask{{A: Rect{10, 40, 30, 5}, B: Rect{10, 80 - 12 - by, 30, 5}}}
		r := compare(t, a, b, opt)
		if len(r.Boxes) != 1 || r.Boxes[0].Rect != changed {
			t.Errorf("by %d: %s, boxes %v, moves %v", by, r.Class, r.Boxes, r.Moves)
		}
	}
}
