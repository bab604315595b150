package container_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"

	"github.com/tracedeck/tracedeck/trace/internal/container"
)

// drain reads all entries and returns how many bytes they gave, and the errors.
func drain(c *container.Container) (sum int64, errs []error) {
	for _, e := range c.Entries() {
		rc, err := c.Open(context.Background(), e.Name)
		if err == nil {
			var n int64
			n, err = io.Copy(io.Discard, rc)
			sum += n
			rc.Close()
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return sum, errs
}

func openLimited(t *testing.T, data []byte, l container.Limits) *container.Container {
	t.Helper()
	c, err := container.OpenReaderAt(context.Background(), bytes.NewReader(data), int64(len(data)), "a.zip", container.Options{Limits: l})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestStopsBombs(t *testing.T) {
	l := container.DefaultLimits()
	l.Freely, l.Excess = 1<<20, 4<<20
	c := openLimited(t, build(t, "a", make([]byte, 8<<20)), l)
	sum, errs := drain(c)
	var damaged *container.DamagedError
	if len(errs) != 1 || !errors.As(errs[0], &damaged) || sum > l.Freely+64<<10 || sum < l.Freely {
		t.Errorf("%d bytes, %v", sum, errs)
	}
	l.Freely = 2 << 20
	var entries []any
	for i := range 10 {
		entries = append(entries, fmt.Sprint(i), make([]byte, 1<<20))
	}
	c = openLimited(t, build(t, entries...), l)
	sum, errs = drain(c)
	if len(errs) == 0 || sum > l.Excess+l.Excess/2 {
		t.Errorf("%d bytes, %v", sum, errs)
	}
	if again, _ := drain(c); again != sum {
		t.Errorf("reading again gives %d bytes, %d before", again, sum)
	}
}

// TestOverlappingEntriesShareNothing makes the zip bomb whose entries quote the
// headers of the ones behind them, so that each inflates to all that follows.
func TestOverlappingEntriesShareNothing(t *testing.T) {
	const entries, kernel = 200, 1 << 20
	var packed bytes.Buffer
	z, _ := flate.NewWriter(&packed, 9)
	z.Write(text(kernel))
	z.Close()
	body, records := packed.Bytes(), []byte(nil)
	for i := entries - 1; i >= 0; i-- {
		name := fmt.Sprintf("%04d.trace", i)
		h := make([]byte, 30, 64)
		binary.LittleEndian.PutUint32(h, 0x04034b50)
		binary.LittleEndian.PutUint16(h[4:], 20)
		binary.LittleEndian.PutUint16(h[8:], 8)
		size := len(body)
		if i < entries-1 {
			size += 5
		}
		binary.LittleEndian.PutUint32(h[18:], uint32(size))
		binary.LittleEndian.PutUint32(h[22:], kernel)
		binary.LittleEndian.PutUint16(h[26:], uint16(len(name)))
		h = append(h, name...)
		if i < entries-1 { // a stored block that holds the next header
			next := 30 + len(name)
			h = append(h, 0, byte(next), 0, ^byte(next), 0xff)
		}
		body = append(h, body...)
	}
	header := 30 + len("0000.trace") + 5
	for i := range entries {
		name := fmt.Sprintf("%04d.trace", i)
		r := make([]byte, 46, 64)
		binary.LittleEndian.PutUint32(r, 0x02014b50)
		binary.LittleEndian.PutUint16(r[10:], 8)
		binary.LittleEndian.PutUint32(r[20:], uint32(len(body)-(i+1)*header))
		binary.LittleEndian.PutUint32(r[24:], kernel)
		binary.LittleEndian.PutUint16(r[28:], uint16(len(name)))
		binary.LittleEndian.PutUint32(r[42:], uint32(i*header))
		records = append(append(records, r...), name...)
	}
	end := make([]byte, 22)
	binary.LittleEndian.PutUint32(end, 0x06054b50)
	binary.LittleEndian.PutUint16(end[10:], entries)
	binary.LittleEndian.PutUint32(end[12:], uint32(len(records)))
	binary.LittleEndian.PutUint32(end[16:], uint32(len(body)))
	data := append(append(body, records...), end...)
	sum, _ := drain(open(t, data))
	if sum > 2*kernel {
		t.Errorf("%d entries of %d bytes in all give %d", entries, len(data), sum)
	}
}

func TestRefusesTooManyEntries(t *testing.T) {
	l := container.DefaultLimits()
	l.Entries = 3
	data := build(t, "a", []byte{}, "b", []byte{}, "c", []byte{}, "d", []byte{})
	_, err := container.OpenReaderAt(context.Background(), bytes.NewReader(data), int64(len(data)), "a.zip", container.Options{Limits: l})
	if !errors.Is(err, container.ErrTooManyEntries) {
		t.Errorf("err = %v", err)
	}
	at := bytes.Index(data, []byte("PK\x05\x06"))
	binary.LittleEndian.PutUint16(data[at+10:], 1) // a lie
	if _, err = container.OpenReaderAt(context.Background(), bytes.NewReader(data), int64(len(data)), "a.zip", container.Options{Limits: l}); !errors.Is(err, container.ErrTooManyEntries) {
		t.Errorf("err = %v", err)
	}
	c := openLimited(t, data[:bytes.Index(data, []byte("PK\x01\x02"))], l)
	if len(c.Entries()) != 3 || !strings.Contains(codes(c), "W_ZIP_ENTRIES") {
		t.Errorf("%d entries, %s", len(c.Entries()), codes(c))
	}
}

// counting counts the bytes that are read.
type counting struct {
	r *bytes.Reader
	n int64
}

func (c *counting) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.r.ReadAt(b, at)
	c.n += int64(n)
	return n, err
}

// TestWalkingTakesTimeInProportion walks over files that make a careless
// walker read everything again for each entry.
func TestWalkingTakesTimeInProportion(t *testing.T) {
	header := func(method, flags uint16, size uint32) string {
		h := make([]byte, 31)
		binary.LittleEndian.PutUint32(h, 0x04034b50)
		binary.LittleEndian.PutUint16(h[6:], flags)
		binary.LittleEndian.PutUint16(h[8:], method)
		binary.LittleEndian.PutUint32(h[18:], size)
		binary.LittleEndian.PutUint16(h[26:], 1)
		h[30] = 'a'
		return string(h)
	}
	for name, unit := range map[string]string{
		"empty entries":         header(0, 0, 0),
		"no descriptors":        header(8, 8, 0) + "data",
		"stored, no descriptor": header(0, 8, 0) + "data",
		"sizes too large":       header(8, 0, 1<<30),
		"stored and too large":  header(0, 0, 1<<30),
		"sizes within the file": header(0, 0, 1<<20) + "x",
		"descriptors of others": header(0, 8, 0) + "PK\x07\x08",
		"signatures":            "PK\x03\x04",
	} {
		t.Run(name, func(t *testing.T) {
			data := strings.Repeat(unit, 1<<20/len(unit))
			r := &counting{r: bytes.NewReader([]byte(data))}
			_, err := container.OpenReaderAt(context.Background(), r, int64(len(data)), "a.zip", container.Options{})
			if err != nil && !errors.Is(err, container.ErrNotAZip) {
				t.Error(err)
			}
			if r.n > 64*int64(len(data)) {
				t.Errorf("%d bytes are read of %d", r.n, len(data))
			}
		})
	}
}

func TestDescriptorForms(t *testing.T) {
	want := text(3000)
	var packed bytes.Buffer
	z, _ := flate.NewWriter(&packed, 6)
	z.Write(want)
	z.Close()
	for _, signed := range []bool{true, false} {
		for _, long := range []bool{true, false} {
			h := make([]byte, 30)
			binary.LittleEndian.PutUint32(h, 0x04034b50)
			binary.LittleEndian.PutUint16(h[6:], 8)
			binary.LittleEndian.PutUint16(h[8:], 8)
			binary.LittleEndian.PutUint16(h[26:], 1)
			one := append(append(h, 'a'), packed.Bytes()...)
			if signed {
				one = append(one, "PK\x07\x08"...)
			}
			one = binary.LittleEndian.AppendUint32(one, crc32.ChecksumIEEE(want))
			for _, n := range []int{packed.Len(), len(want)} {
				if long {
					one = binary.LittleEndian.AppendUint64(one, uint64(n))
				} else {
					one = binary.LittleEndian.AppendUint32(one, uint32(n))
				}
			}
			two := bytes.Clone(one)
			two[30] = 'b'
			c := open(t, append(bytes.Clone(one), two...))
			same(t, c, "a", want)
			if e, _ := c.Lookup("a"); e.Size != int64(len(want)) || e.CRC32 != crc32.ChecksumIEEE(want) {
				t.Errorf("signed %v, long %v: %+v", signed, long, e)
			}
		}
	}
}

func TestHiddenEntriesAreRecovered(t *testing.T) {
	data := build(t, "a", []byte("a"), "trace.trace", []byte("text"))
	at := bytes.LastIndex(data, []byte("trace.trace"))
	data[at+10] ^= 1 // its name in the directory
	c := open(t, data)
	if !c.Recover() || c.Recover() {
		t.Error("it is not found once")
	}
	same(t, c, "trace.trace", []byte("text"))
}

func FuzzOpen(f *testing.F) {
	f.Add(build(f, "trace.trace", text(500), "resources/a=", []byte("stored"), "tracedeck/seek.json", []byte(`{"version":1,"entries":{"trace.trace":[[3,4]]}}`)))
	f.Add(build(f, "a.zip=", build(f, "trace.trace", text(100))))
	whole := build(f, "trace.trace", text(500), "b", text(100))
	f.Add(whole[:len(whole)/2])
	f.Add(raw(f, zip.FileHeader{Name: "a", Method: 93}, []byte("\x28\xb5\x2f\xfd\x04\x00")))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &counting{r: bytes.NewReader(data)}
		l := container.DefaultLimits()
		l.Freely, l.Excess = 1<<20, 1<<20
		c, err := container.OpenReaderAt(context.Background(), r, int64(len(data)), "a.zip", container.Options{Limits: l})
		if err != nil {
			return
		}
		defer c.Close()
		for _, e := range c.Entries() {
			if e.Name == "" || e.Name[0] == '/' || strings.Contains("/"+e.Name+"/", "/../") || strings.ContainsAny(e.Name, "\\\x00") {
				t.Errorf("name %q", e.Name)
			}
		}
		sum, _ := drain(c)
		if most := l.Ratio*int64(len(data)) + 2*l.Freely; sum > most {
			t.Errorf("%d bytes inflate to %d", len(data), sum)
		}
		for _, e := range c.Entries() {
			whole, err := read(c, e.Name)
			if err != nil || len(whole) < 2 {
				continue
			}
			rc, err := c.OpenAt(context.Background(), e.Name, int64(len(whole)/2))
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, rc)
			rc.Close()
		}
		c.Recover()
	})
}
