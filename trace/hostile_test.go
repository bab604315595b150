package trace_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

const opening = `{"version":10,"type":"context-options","origin":"library","browserName":"chromium","wallTime":1700000000000,"monotonicTime":1,"options":{}}` + "\n"
const action = `{"type":"before","callId":"a@1","startTime":2,"class":"Frame","method":"click","params":{}}` + "\n" + `{"type":"after","callId":"a@1","endTime":3}` + "\n"

// zipOf builds a zip; a value that is an io.Reader is streamed.
func zipOf(t testing.TB, write func(z *zip.Writer)) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	write(z)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func put(t testing.TB, z *zip.Writer, name string, parts ...any) {
	t.Helper()
	w, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			_, err = io.WriteString(w, p)
		case io.Reader:
			_, err = io.Copy(w, p)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// repeat reads as n copies of text.
func repeat(text string, n int) io.Reader { return &repeated{text: []byte(text), left: n * len(text)} }

type repeated struct {
	text     []byte
	at, left int
}

func (r *repeated) Read(b []byte) (n int, err error) {
	for n < len(b) && r.left > 0 {
		k := copy(b[n:], r.text[r.at:])
		k = min(k, r.left)
		n, r.left, r.at = n+k, r.left-k, (r.at+k)%len(r.text)
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// watch runs f and fails if the heap grows above limit or it takes too long.
func watch(t *testing.T, f func()) {
	t.Helper()
	runtime.GC()
	stop, peak := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
			select {
			case <-stop:
				peak <- most
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	begin := time.Now()
	f()
	took := time.Since(begin)
	close(stop)
	if most := <-peak; most > 500<<20 {
		t.Errorf("%d MB of memory", most>>20)
	}
	if took > 5*time.Minute {
		t.Errorf("it took %v", took)
	}
}

func TestHostileZips(t *testing.T) {
	build := map[string]func() []byte{
		"an entry of spaces that inflates a thousandfold": func() []byte {
			return zipOf(t, func(z *zip.Writer) { put(t, z, "trace.trace", opening, repeat(" ", 300<<20)) })
		},
		"the same log line over and over": func() []byte {
			return zipOf(t, func(z *zip.Writer) {
				put(t, z, "trace.trace", opening, action, repeat(`{"type":"log","callId":"a@1","time":2,"message":"m"}`+"\n", 8<<20))
			})
		},
		"a line of 100 MB": func() []byte {
			return zipOf(t, func(z *zip.Writer) {
				put(t, z, "trace.trace", opening, action, `{"type":"before","callId":"a@2","startTime":3,"class":"Frame","method":"fill","params":{"value":"`,
					repeat("The quick brown fox. ", 5<<20), `"}}`+"\n", `{"type":"after","callId":"a@2","endTime":4}`)
			})
		},
		"JSON nested 100,000 deep": func() []byte {
			deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
			node := strings.Repeat(`["DIV",{},`, 100_000) + `"x"` + strings.Repeat("]", 100_000)
			return zipOf(t, func(z *zip.Writer) {
				put(t, z, "trace.trace", opening, action, `{"type":"event","time":1,"params":`+deep+"}\n",
					`{"type":"frame-snapshot","snapshot":{"callId":"a@1","phase":"before","frameId":"f","pageId":"p","isMainFrame":true,"timestamp":2,"html":`+node+"}}\n")
			})
		},
		"names that lead out": func() []byte {
			return zipOf(t, func(z *zip.Writer) {
				put(t, z, "trace.trace", opening, action)
				for _, n := range []string{"../../etc/passwd", "/etc/passwd", `..\..\x`, "C:/x", "a/../../b", "x\x00y.trace", "../evil.trace"} {
					put(t, z, n, "x")
				}
			})
		},
		"the same name twice": func() []byte {
			return zipOf(t, func(z *zip.Writer) {
				put(t, z, "trace.trace", "nonsense")
				put(t, z, "trace.trace", opening, action)
			})
		},
		"a declared size of 4 GB": func() []byte {
			data := zipOf(t, func(z *zip.Writer) { put(t, z, "trace.trace", opening, action) })
			at := bytes.Index(data, []byte("PK\x01\x02"))
			binary.LittleEndian.PutUint32(data[at+24:], 0xfffffff0)
			return data
		},
		"a declared compressed size of 4 GB": func() []byte {
			data := zipOf(t, func(z *zip.Writer) { put(t, z, "trace.trace", opening, action) })
			at := bytes.Index(data, []byte("PK\x01\x02"))
			binary.LittleEndian.PutUint32(data[at+20:], 0xfffffff0)
			return data
		},
		"overlapping entries": func() []byte { return overlapping(t) },
	}
	for name, make := range build {
		t.Run(name, func(t *testing.T) {
			data := make()
			watch(t, func() {
				tr := readAll(t, data, name)
				if tr == nil || len(tr.Actions) == 0 && !strings.HasPrefix(name, "an entry of spaces") {
					t.Errorf("the good part is lost: %+v", tr)
				}
				for _, a := range tr.Actions {
					if strings.Contains(a.Before.Title, "passwd") {
						t.Error("read what it should not")
					}
				}
			})
		})
	}
}

// overlapping makes a zip of which every directory record points to one entry.
func overlapping(t *testing.T) []byte {
	data := zipOf(t, func(z *zip.Writer) { put(t, z, "0.trace", opening, action, repeat(action, 1000)) })
	at := bytes.Index(data, []byte("PK\x01\x02"))
	end := bytes.Index(data, []byte("PK\x05\x06"))
	record, tail := data[at:end], data[end:]
	out := bytes.Clone(data[:at])
	const copies = 60_000
	for i := range copies {
		r := bytes.Clone(record)
		name := fmt.Sprintf("%05d.trace", i)
		binary.LittleEndian.PutUint16(r[28:], uint16(len(name)))
		r = append(append(bytes.Clone(r[:46]), name...), r[46+len("0.trace"):]...)
		out = append(out, r...)
	}
	size := len(out) - at
	tail = bytes.Clone(tail)
	binary.LittleEndian.PutUint16(tail[8:], copies)
	binary.LittleEndian.PutUint16(tail[10:], copies)
	binary.LittleEndian.PutUint32(tail[12:], uint32(size))
	return append(out, tail...)
}

func TestMillionEmptyEntries(t *testing.T) {
	var b bytes.Buffer
	const n = 1_000_000
	for i := range n {
		head := make([]byte, 46, 64)
		binary.LittleEndian.PutUint32(head, 0x02014b50)
		name := fmt.Sprintf("resources/%07d", i)
		binary.LittleEndian.PutUint16(head[28:], uint16(len(name)))
		b.Write(append(head, name...))
	}
	size := b.Len()
	record := make([]byte, 56+20+22)
	binary.LittleEndian.PutUint32(record, 0x06064b50)
	binary.LittleEndian.PutUint64(record[4:], 44)
	binary.LittleEndian.PutUint64(record[32:], n)
	binary.LittleEndian.PutUint64(record[40:], uint64(size))
	binary.LittleEndian.PutUint32(record[56:], 0x07064b50)
	binary.LittleEndian.PutUint64(record[64:], uint64(size))
	binary.LittleEndian.PutUint32(record[76:], 0x06054b50)
	for _, at := range []int{84, 86} {
		binary.LittleEndian.PutUint16(record[at:], 0xffff)
	}
	binary.LittleEndian.PutUint32(record[88:], 0xffffffff)
	binary.LittleEndian.PutUint32(record[92:], 0xffffffff)
	b.Write(record)
	watch(t, func() {
		_, err := trace.OpenReaderAt(context.Background(), bytes.NewReader(b.Bytes()), int64(b.Len()), "many.zip", trace.Options{})
		if err == nil || !strings.Contains(err.Error(), "many.zip") {
			t.Errorf("err = %v", err)
		}
	})
}

func TestOtherCompressionIsNamed(t *testing.T) {
	data := zipOf(t, func(z *zip.Writer) {
		w, err := z.CreateRaw(&zip.FileHeader{Name: "trace.trace", Method: 14, CRC32: crc32.ChecksumIEEE([]byte("x")), CompressedSize64: 1, UncompressedSize64: 1})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, "x")
	})
	a, err := trace.OpenReaderAt(context.Background(), bytes.NewReader(data), int64(len(data)), "lzma.zip", trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
	if err != nil || len(tr.Warnings) == 0 || !strings.Contains(fmt.Sprint(tr.Warnings), "LZMA") {
		t.Errorf("%v, %v", tr.Warnings, err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(zipOf(f, func(z *zip.Writer) {
		put(f, z, "trace.trace", opening, action)
		put(f, z, "trace.network", `{"type":"resource-snapshot","snapshot":{"request":{"url":"x"}}}`)
		put(f, z, "trace.stacks", `{"files":["a"],"stacks":[["a@1",[[0,1,2,"f"]]]]}`)
	}))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := trace.OpenReaderAt(context.Background(), bytes.NewReader(data), int64(len(data)), "fuzz.zip", trace.Options{})
		if err != nil {
			return
		}
		defer a.Close()
		tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, act := range tr.Actions {
			if act.End < act.Start {
				t.Errorf("%s ends before it starts", act.ID())
			}
		}
	})
}

func FuzzLines(f *testing.F) {
	f.Add([]byte(opening + action))
	f.Add([]byte(`{"version":3,"type":"context-options"}` + "\n" + `{"type":"action","metadata":{"id":"call@1","type":"Frame","method":"click","log":["a"],"snapshots":[{"title":"before","snapshotName":"before@call@1"}]}}`))
	f.Add([]byte(`{"type":"resource-snapshot","snapshot":{"request":{"url":"u","headers":[{"name":"a","value":"b","x":1}]},"response":{"content":{}},"_x":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := trace.NewReader(bytes.NewReader(data), "f.trace")
		for {
			e, err := r.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				continue
			}
			line, err := trace.AppendBody(nil, e.Body)
			if err != nil {
				t.Fatalf("%s: %v", e.Raw, err)
			}
			again, err := trace.DecodeBody(line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			second, err := trace.AppendBody(nil, again)
			if err != nil || !bytes.Equal(line, second) {
				t.Fatalf("written differently the second time\n%s\n%s\n%v", line, second, err)
			}
		}
	})
}
