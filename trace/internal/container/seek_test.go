package container_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"

	"github.com/tracedeck/tracedeck/trace/internal/container"
)

// seekable makes a zip whose entry restarts every so many bytes.
func seekable(t testing.TB, plain []byte, every int, index func(*container.SeekIndex)) []byte {
	t.Helper()
	var packed bytes.Buffer
	s := &container.SeekIndex{Entries: map[string][][2]int64{}}
	z, _ := flate.NewWriter(&packed, 6)
	for at := 0; at < len(plain); at += every {
		if at > 0 {
			z.Flush()
			s.Entries["trace.trace"] = append(s.Entries["trace.trace"], [2]int64{int64(packed.Len()), int64(at)})
			z.Reset(&packed)
		}
		z.Write(plain[at:min(at+every, len(plain))])
	}
	z.Close()
	index(s)
	doc, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	w, _ := out.CreateRaw(&zip.FileHeader{Name: "trace.trace", Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(plain), CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(plain))})
	w.Write(packed.Bytes())
	w, _ = out.Create(container.SeekEntry)
	w.Write(doc)
	out.Close()
	return b.Bytes()
}

func readAt(t *testing.T, c *container.Container, name string, offset int64, n int) []byte {
	t.Helper()
	rc, err := c.OpenAt(context.Background(), name, offset)
	if err != nil {
		t.Fatal(err)
	}
	defer rc.Close()
	b, err := io.ReadAll(io.LimitReader(rc, int64(n)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOpenAtBeginsAtRestarts(t *testing.T) {
	const every = 64 << 10
	plain := text(2 << 20)
	data := seekable(t, plain, every, func(*container.SeekIndex) {})
	same(t, open(t, data), "trace.trace", plain)
	r := &counting{r: bytes.NewReader(data)}
	c, err := container.OpenReaderAt(context.Background(), r, int64(len(data)), "a.zip", container.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(c.Restarts("trace.trace")); got != len(plain)/every-1 {
		t.Errorf("%d restarts", got)
	}
	for _, offset := range []int64{0, 1, every - 1, every, every + 1, 5*every - 3, 2<<20 - 10} {
		before := r.n
		got := readAt(t, c, "trace.trace", offset, 3000)
		if !bytes.Equal(got, plain[offset:min(offset+3000, int64(len(plain)))]) {
			t.Errorf("other bytes at %d", offset)
		}
		if n := r.n - before; n > int64(len(data))/4 {
			t.Errorf("%d of %d bytes are read for some at %d", n, len(data), offset)
		}
	}
	if got := readAt(t, c, "trace.trace", 5*every, len(plain)); !bytes.Equal(got, plain[5*every:]) {
		t.Error("the rest of the entry differs")
	}
}

func TestOpenAtOfOthers(t *testing.T) {
	plain := text(100_000)
	c := open(t, build(t, "a", plain, "b=", plain))
	for _, name := range []string{"a", "b"} {
		for _, offset := range []int64{0, 1, 50_000, 99_999, 100_000} {
			if got := readAt(t, c, name, offset, 10); !bytes.Equal(got, plain[offset:min(offset+10, 100_000)]) {
				t.Errorf("%s: other bytes at %d", name, offset)
			}
		}
		for _, offset := range []int64{-1, 100_001} {
			if _, err := c.OpenAt(context.Background(), name, offset); err == nil {
				t.Errorf("%s: nothing is wrong with offset %d", name, offset)
			}
		}
	}
}

// TestOpenAtSurvivesWrongIndex moves restarts to where there are none.
func TestOpenAtSurvivesWrongIndex(t *testing.T) {
	const every = 64 << 10
	plain := text(1 << 20)
	for name, spoil := range map[string]func(list [][2]int64) [][2]int64{
		"not at a flush": func(l [][2]int64) [][2]int64 { l[3][0]--; return l },
		"behind the end": func(l [][2]int64) [][2]int64 { return append(l[:3], [2]int64{1 << 40, l[2][1] + 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			data := seekable(t, plain, every, func(s *container.SeekIndex) { s.Entries["trace.trace"] = spoil(s.Entries["trace.trace"]) })
			c := open(t, data)
			at := int64(4*every + 100)
			if got := readAt(t, c, "trace.trace", at, 5000); !bytes.Equal(got, plain[at:at+5000]) {
				t.Error("other bytes")
			}
		})
	}
}

// TestOpenAtStartsAgain flushes without forgetting the window, so that what
// follows cannot be inflated by itself.
func TestOpenAtStartsAgain(t *testing.T) {
	plain := bytes.Repeat(text(1000), 300)
	var packed bytes.Buffer
	z, _ := flate.NewWriter(&packed, 6)
	z.Write(plain[:100_000])
	z.Flush()
	at := packed.Len()
	z.Write(plain[100_000:])
	z.Close()
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	w, _ := out.CreateRaw(&zip.FileHeader{Name: "a", Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(plain), CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(plain))})
	w.Write(packed.Bytes())
	w, _ = out.Create(container.SeekEntry)
	fmt.Fprintf(w, `{"version":1,"entries":{"a":[[%d,100000]]}}`, at)
	out.Close()
	c := open(t, b.Bytes())
	if got := readAt(t, c, "a", 150_000, 1000); !bytes.Equal(got, plain[150_000:151_000]) {
		t.Error("other bytes")
	}
	wantCodes(t, c, "W_ZIP_SEEK")
}

func TestSeekIndexOfAnotherVersionIsNotUsed(t *testing.T) {
	c := open(t, build(t, "a", text(1000), container.SeekEntry, []byte(`{"version":2,"entries":{"a":[[3,4]]}}`)))
	if c.Restarts("a") != nil {
		t.Error("it is used")
	}
	wantCodes(t, c, "W_ZIP_SEEK")
}

func FuzzSeekIndex(f *testing.F) {
	f.Add(`{"version":1,"entries":{"trace.trace":[[100,1048576],[200,2097152]],"b":[[5,4],[4,5]]}}`)
	f.Add(`{"version":1,"entries":{"a":[[-1,1]],"b":[[0,0]],"c":null}}`)
	f.Fuzz(func(t *testing.T, doc string) {
		s, err := container.ParseSeekIndex(strings.NewReader(doc))
		if err != nil {
			return
		}
		b, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		again, err := container.ParseSeekIndex(bytes.NewReader(b))
		if err != nil || len(s.Entries)+len(again.Entries) > 0 && !reflect.DeepEqual(s, again) {
			t.Errorf("%v, %v: %v", s, again, err)
		}
	})
}
