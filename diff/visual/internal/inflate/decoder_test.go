package inflate

import (
	"bytes"
	"compress/flate"
	"io"
	"math/rand/v2"
	"testing"
)

// mixture has runs, random bytes and copies from all distances.
func mixture(r *rand.Rand, size int) []byte {
	b := make([]byte, 0, size+1000)
	for len(b) < size {
		switch kind := r.IntN(4); {
		case kind == 0:
			for range r.IntN(200) {
				b = append(b, byte(r.UintN(256)))
			}
		case kind == 1:
			b = append(b, bytes.Repeat([]byte{byte(r.UintN(4))}, r.IntN(900))...)
		case len(b) > 0:
			back := 1 + r.IntN(min(len(b), 1+r.IntN(Window)))
			if kind == 3 {
				back = 1 + r.IntN(min(len(b), 12))
			}
			for range r.IntN(400) {
				b = append(b, b[len(b)-back])
			}
		}
	}
	return b[:size]
}

func deflate(t testing.TB, raw []byte, level int) (src []byte, end int) {
	t.Helper()
	var z bytes.Buffer
	w, err := flate.NewWriter(&z, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(raw)
	w.Close()
	return padded(z.Bytes())
}

func padded(z []byte) (src []byte, end int) {
	return append(bytes.Clone(z), bytes.Repeat([]byte{0xa5}, Pad)...), len(z)
}

func TestDecodesWhatFlateWrites(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var d Decoder
	for round := range 40 {
		raw := mixture(r, 1+r.IntN(300_000))
		level := []int{flate.HuffmanOnly, 0, 1, 6, 9}[r.IntN(5)]
		src, end := deflate(t, raw, level)
		if err := d.Reset(src, end); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, len(raw)+2*Pad)
		out := 0
		for !d.Done() {
			limit := min(len(raw)+1, out+1+r.IntN(50_000))
			var err error
			if out, err = d.Run(buf, out, limit, NoLimit); err != nil {
				t.Fatalf("round %d, level %d: %v", round, level, err)
			}
		}
		if !bytes.Equal(buf[:out], raw) {
			t.Fatalf("round %d, level %d: %d bytes of %d, or other ones", round, level, out, len(raw))
		}
	}
}

// all reads a stream through a buffer that slides, as a reader of rows does.
func all(src []byte, end, most int) ([]byte, error) {
	var d Decoder
	if err := d.Reset(src, end); err != nil {
		return nil, err
	}
	buf := make([]byte, 3*Window+Pad)
	var got []byte
	out := 0
	for !d.Done() && len(got) < most {
		if out > 2*Window {
			copy(buf, buf[out-Window:out])
			out = Window
		}
		from := out
		var err error
		out, err = d.Run(buf, out, len(buf)-Pad, NoLimit)
		got = append(got, buf[from:out]...)
		if err != nil {
			return got, err
		}
	}
	return got, nil
}

func TestForkGoesOnOverTheOtherStream(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for round := range 40 {
		a := mixture(r, 200_000)
		b := bytes.Clone(a)
		at := r.IntN(len(b))
		copy(b[at:], mixture(r, min(500, len(b)-at)))
		za, ea := deflate(t, a, 6)
		zb, eb := deflate(t, b, 6)
		same := 0
		for same < min(ea, eb) && za[same] == zb[same] {
			same++
		}
		var first, second Decoder
		if err := first.Reset(za, ea); err != nil {
			t.Fatal(err)
		}
		bufA := make([]byte, len(a)+2*Pad)
		n, err := first.Run(bufA, 0, len(a), same-Apart)
		if err != nil {
			t.Fatal(err)
		}
		if err := second.Fork(&first, zb, eb); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		bufB := bytes.Clone(bufA)
		if _, err = first.Run(bufA, n, len(a), NoLimit); err != nil {
			t.Fatal(err)
		}
		if _, err = second.Run(bufB, n, len(b), NoLimit); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bufA[:len(a)], a) || !bytes.Equal(bufB[:len(b)], b) {
			t.Fatalf("round %d: parted at %d of %d, decoded something else", round, same, ea)
		}
	}
}

func TestCutStreamsAreCorrupt(t *testing.T) {
	raw := mixture(rand.New(rand.NewPCG(3, 3)), 5000)
	src, end := deflate(t, raw, 6)
	for cut := range end {
		z, e := padded(src[:cut])
		if got, err := all(z, e, 1<<20); err == nil {
			t.Fatalf("cut at %d of %d: %d bytes and no error", cut, end, len(got))
		}
	}
}

func TestInputAndOutputMustBePadded(t *testing.T) {
	var d Decoder
	if d.Reset(make([]byte, Pad), 1) == nil {
		t.Error("Reset took input without padding")
	}
	if err := d.Reset(make([]byte, Pad), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Run(make([]byte, Pad), 0, 1, NoLimit); err == nil {
		t.Error("Run took output without padding")
	}
}

// What compress/flate accepts is decoded to the same bytes; what it refuses is refused.
func FuzzDecoder(f *testing.F) {
	r := rand.New(rand.NewPCG(4, 4))
	for level := -2; level <= 9; level++ {
		src, end := deflate(f, mixture(r, 3000), level)
		f.Add(src[:end])
	}
	f.Fuzz(func(t *testing.T, z []byte) {
		const most = 1 << 20
		fr := flate.NewReader(bytes.NewReader(z))
		want, wantErr := io.ReadAll(io.LimitReader(fr, most+Window))
		src, end := padded(z)
		got, err := all(src, end, most)
		if (err != nil) != (wantErr != nil) && len(want) < most && len(got) < most {
			t.Fatalf("error %v, compress/flate says %v", err, wantErr)
		}
		n := min(len(got), len(want))
		if !bytes.Equal(got[:n], want[:n]) || err == nil && n < most && len(got) != len(want) {
			t.Fatalf("%d bytes, compress/flate has %d, or other ones", len(got), len(want))
		}
	})
}

func TestReturnGoesOnAtThePlace(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for round := range 60 {
		raw := mixture(r, 100_000)
		src, end := deflate(t, raw, r.IntN(12)-2)
		var d Decoder
		if err := d.Reset(src, end); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, len(raw)+2*Pad)
		n, err := d.Run(buf, 0, r.IntN(len(raw)), NoLimit)
		if err != nil {
			t.Fatal(err)
		}
		place := d.Place()
		for range 2 {
			clear(buf[n:])
			if _, err := d.Run(buf, n, len(raw), NoLimit); err != nil || !bytes.Equal(buf[:len(raw)], raw) {
				t.Fatalf("round %d: from %d of %d bytes on other ones are decoded: %v", round, n, len(raw), err)
			}
			if err := d.Return(place); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
	}
}
