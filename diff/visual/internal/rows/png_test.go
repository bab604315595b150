package rows

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// encode writes a PNG with the given filter in every row, or with all of them in turn if it is 5.
func encode(pix []byte, w, h, depth, filter int) []byte {
	var raw bytes.Buffer
	z := zlib.NewWriter(&raw)
	line := w * depth
	prev := make([]byte, line)
	for y := range h {
		f, row := filter, pix[y*line:(y+1)*line]
		if f == 5 {
			f = y % 5
		}
		out := []byte{byte(f)}
		for i, v := range row {
			var left, corner int
			if i >= depth {
				left, corner = int(row[i-depth]), int(prev[i-depth])
			}
			up := int(prev[i])
			guess := [5]int{0, left, up, (left + up) / 2, predict(left, up, corner)}
			out = append(out, v-byte(guess[f]))
		}
		z.Write(out)
		prev = row
	}
	z.Close()
	b := []byte(pngSignature)
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	b = chunk(b, "IHDR", append(head, 8, byte(depth*4-10), 0, 0, 0))
	for body := raw.Bytes(); len(body) > 0; {
		n := min(len(body), 4096)
		b = chunk(b, "IDAT", body[:n])
		body = body[n:]
	}
	return chunk(b, "IEND", nil)
}

func chunk(b []byte, kind string, content []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(content)))
	start := len(b)
	b = append(append(b, kind...), content...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[start:]))
}

// readAll returns all rows, without slack.
func readAll(src Source) ([]byte, error) {
	h := src.Header()
	var out []byte
	pair := [2][]byte{make([]byte, h.Width*h.Depth+Slack), make([]byte, h.Width*h.Depth+Slack)}
	for y := range h.Height {
		if err := src.Next(pair[y&1]); err != nil {
			return nil, err
		}
		out = append(out, pair[y&1][:h.Width*h.Depth]...)
	}
	return out, nil
}

// pixels has noise, flat parts and rows that repeat.
func pixels(r *rand.Rand, w, h, depth int) []byte {
	pix := make([]byte, w*h*depth)
	for y := range h {
		row := pix[y*w*depth : (y+1)*w*depth]
		switch {
		case y > 0 && r.IntN(2) == 0:
			copy(row, pix[(y-1)*w*depth:])
			row[r.IntN(len(row))]++
		case r.IntN(2) == 0:
			for i := range row {
				row[i] = byte(r.UintN(256))
			}
		default:
			for i := range row {
				row[i] = byte(y + i%depth)
			}
		}
	}
	return pix
}

func TestEveryFilterAndDepth(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var p PNG
	for _, size := range [][2]int{{1, 1}, {2, 3}, {3, 2}, {7, 60}, {64, 64}, {333, 500}} {
		for _, depth := range []int{3, 4} {
			for filter := range 6 {
				pix := pixels(r, size[0], size[1], depth)
				src, err := Open(encode(pix, size[0], size[1], depth, filter), filter%2 == 0, &p)
				if err != nil {
					t.Fatal(err)
				}
				got, err := readAll(src)
				if err != nil || !bytes.Equal(got, pix) {
					t.Errorf("%v, %d bytes a pixel, filter %d: %v, or other pixels", size, depth, filter, err)
				}
				if err := src.Rewind(); err != nil {
					t.Fatal(err)
				}
				if again, err := readAll(src); err != nil || !bytes.Equal(again, pix) {
					t.Errorf("%v, %d bytes a pixel, filter %d: rewound: %v, or other pixels", size, depth, filter, err)
				}
			}
		}
	}
}

func TestFixturesReadAsTheStandardLibraryDoes(t *testing.T) {
	paths, err := filepath.Glob("../../../../testdata/corpus/pixelmatch/fixtures/*.png")
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		src, err := Open(data, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		same(t, filepath.Base(path), src, data)
	}
}

func same(t *testing.T, name string, src Source, data []byte) {
	t.Helper()
	got, err := readAll(src)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: read here, but image/png says %v", name, err)
	}
	want, ok := img.(*image.NRGBA)
	if !ok {
		want = image.NewNRGBA(img.Bounds())
		draw.Draw(want, want.Rect, img, img.Bounds().Min, draw.Src)
	}
	d := src.Header().Depth
	for i := 0; i < len(got)/d; i++ {
		if w := want.Pix[4*i : 4*i+d]; !bytes.Equal(got[i*d:i*d+d], w) {
			t.Fatalf("%s: pixel %d is %v, want %v", name, i, got[i*d:i*d+d], w)
		}
	}
}

func TestSeekGoesOnAtTheRow(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	const w, h, depth = 400, 1500, 3
	pix := pixels(r, w, h, depth)
	var p PNG
	src, err := Open(encode(pix, w, h, depth, 5), true, &p)
	if err != nil {
		t.Fatal(err)
	}
	p.KeepPlaces()
	if _, err := readAll(src); err != nil {
		t.Fatal(err)
	}
	if len(p.places) < 5 || len(p.places) > maxPlaces {
		t.Errorf("%d places kept", len(p.places))
	}
	pair := [2][]byte{make([]byte, w*depth+Slack), make([]byte, w*depth+Slack)}
	for range 40 {
		want := r.IntN(h)
		at, err := src.Seek(want)
		if err != nil || at > want {
			t.Fatalf("seek %d: at %d, %v", want, at, err)
		}
		for y := at; y < min(want+3, h); y++ {
			if err := src.Next(pair[y&1]); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(pair[y&1][:w*depth], pix[y*w*depth:(y+1)*w*depth]) {
				t.Fatalf("seek %d, at %d: row %d is another", want, at, y)
			}
		}
	}
}

// Any compressed pixels, behind chunks that are in order.
func FuzzPixels(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 7))
	for depth := 3; depth <= 4; depth++ {
		data := encode(pixels(r, 12, 12, depth), 12, 12, depth, 5)
		f.Add(uint8(12), uint8(12), depth == 4, data[41:len(data)-16])
	}
	f.Fuzz(func(t *testing.T, w, h uint8, translucent bool, body []byte) {
		kind := byte(2)
		if translucent {
			kind = 6
		}
		data := chunk([]byte(pngSignature), "IHDR", []byte{0, 0, 0, w, 0, 0, 0, h, 8, kind, 0, 0, 0})
		data = chunk(chunk(data, "IDAT", body), "IEND", nil)
		src, err := Open(data, false, nil)
		if err != nil {
			return
		}
		if _, err := readAll(src); err != nil {
			return
		}
		if _, err := png.Decode(bytes.NewReader(data)); err == nil {
			same(t, "input", rewound(t, src), data)
		}
	})
}

// Whatever the bytes are: an error or the pixels that image/png sees, in memory that the limits allow.
func FuzzOpen(f *testing.F) {
	r := rand.New(rand.NewPCG(6, 6))
	for depth := 3; depth <= 4; depth++ {
		f.Add(encode(pixels(r, 9, 9, depth), 9, 9, depth, 5))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if h, err := Config(data); err == nil && h.Width*h.Height > 1<<20 {
			return // slow, not wrong
		}
		src, err := Open(bytes.Clone(data), true, nil)
		if err != nil {
			var damaged *DamagedError
			var large *SizeLimitError
			if !errors.Is(err, ErrFormat) && !errors.As(err, &damaged) && !errors.As(err, &large) {
				t.Fatalf("error %v of type %T", err, err)
			}
			return
		}
		got, err := readAll(src)
		if err != nil || !isPNG(data) {
			return
		}
		// image/png also checks the Adler-32 over all pixels, so it may refuse what is read here.
		if img, err := png.Decode(bytes.NewReader(data)); err == nil {
			h := src.Header()
			if img.Bounds().Dx() != h.Width || img.Bounds().Dy() != h.Height || len(got) != h.Width*h.Height*h.Depth {
				t.Fatalf("%dx%d, image/png says %v", h.Width, h.Height, img.Bounds())
			}
			if h.Depth == 3 || data[24] == 8 {
				same(t, "input", rewound(t, src), data)
			}
		}
	})
}

func rewound(t *testing.T, src Source) Source {
	if err := src.Rewind(); err != nil {
		t.Fatal(err)
	}
	return src
}
