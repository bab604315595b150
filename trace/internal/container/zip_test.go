package container_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/tracedeck/tracedeck/trace/internal/container"
)

// text returns compressible bytes that differ everywhere.
func text(n int) []byte {
	b := make([]byte, 0, n+16)
	for i := 0; len(b) < n; i++ {
		b = fmt.Appendf(b, "line %d of %x\n", i, i*2654435761)
	}
	return b[:n]
}

// build makes a zip with data descriptors; a trailing "=" of a name stores.
func build(t testing.TB, entries ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(entries); i += 2 {
		name, stored := strings.CutSuffix(entries[i].(string), "=")
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		if stored {
			h.Method = zip.Store
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(entries[i+1].([]byte)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// raw makes a zip of one entry from packed bytes, with sizes before them.
func raw(t testing.TB, h zip.FileHeader, packed []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	h.CompressedSize64 = uint64(len(packed))
	w, err := z.CreateRaw(&h)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(packed); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(t testing.TB, data []byte) *container.Container {
	t.Helper()
	c, err := container.OpenReaderAt(context.Background(), bytes.NewReader(data), int64(len(data)), "a.zip", container.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func read(c *container.Container, name string) ([]byte, error) {
	rc, err := c.Open(context.Background(), name)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	return io.ReadAll(rc)
}

// same checks that an entry is read whole.
func same(t testing.TB, c *container.Container, name string, want []byte) {
	t.Helper()
	got, err := read(c, name)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes, want %d", name, len(got), len(want))
	}
}

func codes(c *container.Container) string {
	var list []string
	for _, w := range c.Warnings() {
		list = append(list, w.Code)
	}
	return strings.Join(list, " ")
}

func wantCodes(t testing.TB, c *container.Container, want string) {
	t.Helper()
	if got := codes(c); got != want {
		t.Errorf("warnings %q, want %q: %v", got, want, c.Warnings())
	}
}

func TestReadsStoredAndDeflated(t *testing.T) {
	long, short := text(1<<20), []byte("{}")
	c := open(t, build(t, "trace.trace", long, "resources/", []byte{}, "resources/a.json=", short, "empty", []byte{}))
	same(t, c, "trace.trace", long)
	same(t, c, "resources/a.json", short)
	same(t, c, "empty", nil)
	var names []string
	for _, e := range c.Entries() {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); got != "trace.trace resources/a.json empty" {
		t.Errorf("entries %q", got)
	}
	wantCodes(t, c, "")
	if _, err := read(c, "other"); !errors.Is(err, container.ErrNotThere) {
		t.Errorf("err = %v", err)
	}
}

func TestReadsZstdAndBzip2(t *testing.T) {
	want := text(300_000)
	enc, _ := zstd.NewWriter(nil)
	h := zip.FileHeader{Name: "a", Method: 93, CRC32: crc32.ChecksumIEEE(want), UncompressedSize64: uint64(len(want))}
	same(t, open(t, raw(t, h, enc.EncodeAll(want, nil))), "a", want)

	packed, _ := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWamWLnIAAAcRgEAAKgAUACAAMMAG1GDUGQpKsLuSKcKEhUyxc5A=") // echo -n "trace trace trace" | bzip2
	h = zip.FileHeader{Name: "a", Method: 12, CRC32: crc32.ChecksumIEEE([]byte("trace trace trace")), UncompressedSize64: 17}
	got, err := read(open(t, raw(t, h, packed)), "a")
	if err != nil || string(got) != "trace trace trace" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestNamesCompressionItDoesNotRead(t *testing.T) {
	c := open(t, raw(t, zip.FileHeader{Name: "a", Method: 9}, []byte("x")))
	_, err := read(c, "a")
	var m *container.MethodError
	if !errors.As(err, &m) || !strings.Contains(err.Error(), "a.zip: a: compressed with Deflate64") || m.Hint() == "" {
		t.Errorf("err = %v", err)
	}
}

func TestSaysThatAnEntryIsEncrypted(t *testing.T) {
	c := open(t, raw(t, zip.FileHeader{Name: "a", Flags: 1, UncompressedSize64: 1}, []byte("x")))
	if _, err := read(c, "a"); !errors.Is(err, container.ErrEncrypted) {
		t.Errorf("err = %v", err)
	}
}

func TestReadsZipsWithJunkAround(t *testing.T) {
	want := text(5000)
	plain := build(t, "a", want, "b=", want)
	junk := append([]byte("#!/bin/sh PK\x05\x06 PK\x03\x04 "), text(100_000)...)
	for name, data := range map[string][]byte{
		"before": append(bytes.Clone(junk), plain...),
		"after":  append(bytes.Clone(plain), junk...),
		"both":   append(append(bytes.Clone(junk), plain...), text(900_000)...),
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, data)
			same(t, c, "a", want)
			same(t, c, "b", want)
			wantCodes(t, c, "")
			if c.Digest() != open(t, plain).Digest() {
				t.Error("the digest depends on the junk")
			}
		})
	}
}

func TestReadsCommentWithSignature(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.SetComment("PK\x05\x06" + strings.Repeat("\x01", 18) + "PK\x05\x06" + strings.Repeat("\xff", 40))
	w, _ := z.Create("a")
	w.Write([]byte("text"))
	z.Close()
	c := open(t, b.Bytes())
	same(t, c, "a", []byte("text"))
	wantCodes(t, c, "")
}

func TestReadsZip64(t *testing.T) {
	const n = 70_000 // more than the old end record can count
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range n {
		w, _ := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("resources/%d", i)})
		fmt.Fprint(w, i)
	}
	z.Close()
	for _, before := range []string{"", "junk before"} {
		c := open(t, append([]byte(before), b.Bytes()...))
		if len(c.Entries()) != n {
			t.Fatalf("%d entries", len(c.Entries()))
		}
		same(t, c, "resources/69999", []byte("69999"))
		wantCodes(t, c, "")
	}
}

func TestReadsZip64Sizes(t *testing.T) {
	want := text(1000)
	data := raw(t, zip.FileHeader{Name: "a", Method: zip.Store, CRC32: crc32.ChecksumIEEE(want), UncompressedSize64: uint64(len(want))}, want)
	at := bytes.Index(data, []byte("PK\x01\x02"))
	record, end := data[at:at+47], bytes.Clone(data[at+47:])
	extra := binary.LittleEndian.AppendUint16(nil, 1)
	extra = binary.LittleEndian.AppendUint16(extra, 24)
	for _, v := range []uint64{1000, 1000, 0} {
		extra = binary.LittleEndian.AppendUint64(extra, v)
	}
	for _, field := range []int{20, 24, 42} {
		binary.LittleEndian.PutUint32(record[field:], 0xffffffff)
	}
	binary.LittleEndian.PutUint16(record[30:], uint16(len(extra)))
	binary.LittleEndian.PutUint32(end[12:], uint32(47+len(extra)))
	data = append(append(bytes.Clone(data[:at+47]), extra...), end...)
	c := open(t, data)
	same(t, c, "a", want)
	wantCodes(t, c, "")
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.trace": "a/b.trace", "./a": "a", "a//b": "a/b", `a\b.trace`: "a/b.trace", "ü.trace": "ü.trace",
		"caf\x82.trace": "café.trace", "..a/b..": "..a/b..",
		"../a": "", "/a": "", "a/../../b": "", `..\a`: "", "C:/a": "", "a\x00b": "", "": "", "..": "",
	} {
		c := open(t, build(t, name, []byte("x"), "last", []byte("y")))
		e := c.Entries()[0].Name
		if want == "" && e != "last" || want != "" && e != want {
			t.Errorf("%q is %q", name, e)
		}
		if want != "" {
			same(t, c, want, []byte("x"))
		} else {
			wantCodes(t, c, "W_ZIP_NAME")
		}
	}
}

func TestDates(t *testing.T) {
	data := build(t, "a", []byte("x"))
	if got := open(t, data).Entries()[0].Modified; !got.IsZero() {
		t.Errorf("a date of 0 is %v", got)
	}
	want := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.CreateHeader(&zip.FileHeader{Name: "a", Modified: want})
	z.Close()
	if got := open(t, b.Bytes()).Entries()[0].Modified; !got.Equal(want) {
		t.Errorf("%v is %v", want, got)
	}
}

func TestTheLastOfANameCounts(t *testing.T) {
	c := open(t, build(t, "a", []byte("old"), "b", []byte("b"), "a", []byte("new")))
	same(t, c, "a", []byte("new"))
	wantCodes(t, c, "W_ZIP_DUPLICATE")
	if len(c.Entries()) != 2 {
		t.Errorf("entries %v", c.Entries())
	}
}

func TestDigestIsOfTheContents(t *testing.T) {
	a, b := build(t, "a", []byte("1")), build(t, "a", []byte("2"))
	if open(t, a).Digest() == open(t, b).Digest() || open(t, a).Digest() != open(t, bytes.Clone(a)).Digest() {
		t.Error("digests")
	}
}

func TestRawIsWhatCanBeCopied(t *testing.T) {
	want := text(10_000)
	data := build(t, "a", want, "b=", want)
	c := open(t, data)
	for _, name := range []string{"a", "b"} {
		e, r, err := c.Raw(name)
		if err != nil {
			t.Fatal(err)
		}
		packed, _ := io.ReadAll(r)
		again := raw(t, zip.FileHeader{Name: "c", Method: e.Method, CRC32: e.CRC32, UncompressedSize64: uint64(e.Size)}, packed)
		same(t, open(t, again), "c", want)
	}
	at := bytes.Index(data, []byte("PK\x01\x02"))
	data[at+20] ^= 1 // the compressed size
	c = open(t, data)
	same(t, c, "a", want)
	if _, _, err := c.Raw("a"); err == nil {
		t.Error("bytes that are too few were handed out as the whole entry")
	}
}

func TestNotAZip(t *testing.T) {
	for _, data := range []string{"", "<!DOCTYPE html>", "PK\x03\x04", strings.Repeat("PK\x05\x06", 100_000)} {
		_, err := container.OpenReaderAt(context.Background(), strings.NewReader(data), int64(len(data)), "a.zip", container.Options{})
		if !errors.Is(err, container.ErrNotAZip) || !strings.HasPrefix(err.Error(), "a.zip: ") {
			t.Errorf("err = %v", err)
		}
	}
}

func TestContextEndsReading(t *testing.T) {
	c := open(t, build(t, "a", text(1<<20)))
	ctx, stop := context.WithCancel(context.Background())
	rc, err := c.Open(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	defer rc.Close()
	rc.Read(make([]byte, 10))
	stop()
	if _, err := io.Copy(io.Discard, rc); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

// failing reads, but for some bytes.
type failing struct {
	*bytes.Reader
	from int64
}

var errDisk = errors.New("the disk is gone")

func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if at < f.from/2 && at+int64(len(b)) > f.from/4 {
		return 0, errDisk
	}
	return f.Reader.ReadAt(b, at)
}

func TestErrorOfReadingIsNoDamage(t *testing.T) {
	data := build(t, "a", text(1<<20))
	at := int64(bytes.Index(data, []byte("PK\x01\x02")))
	c, err := container.OpenReaderAt(context.Background(), failing{bytes.NewReader(data), at}, int64(len(data)), "a.zip", container.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var damaged *container.DamagedError
	if _, err := read(c, "a"); !errors.Is(err, errDisk) || errors.As(err, &damaged) {
		t.Errorf("err = %v", err)
	}
}
