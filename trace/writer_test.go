package trace_test

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zip"

	"github.com/tracedeck/tracedeck/trace"
)

func header() *trace.ContextOptions {
	return &trace.ContextOptions{Origin: "library", BrowserName: "chromium", Platform: "linux", WallTime: 1708000000000,
		MonotonicTime: 1_000_000, SDKLanguage: "javascript", Title: "my test", Options: []byte(`{"viewport":{"width":800,"height":600}}`)}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// session writes a small session with everything in it.
func session(t testing.TB, w *trace.Writer, c *trace.Chunk) {
	t.Helper()
	picture, err := w.AddResource([]byte("\xff\xd8\xff\xe0 a picture"), "jpeg")
	must(t, err)
	body, err := w.AddResource([]byte("body { color: red }"), ".css")
	must(t, err)
	again, err := w.AddResource([]byte("body { color: red }"), ".css")
	must(t, err)
	if again != body {
		t.Errorf("%s and %s are of the same bytes", body, again)
	}
	must(t, c.Write(&trace.ContextEvent{Time: 2e6, Class: "BrowserContext", Method: "page", Params: []byte(`{"pageId":"page@1"}`)}))
	must(t, c.Write(&trace.Before{CallID: "call@1", StartTime: 3e6, Class: "Tracing", Method: "tracingGroup", Title: "log in"}))
	before := &trace.Before{CallID: "call@2", StartTime: 5_123_000, Class: "Frame", Method: "click", PageID: "page@1", ParentID: "call@1", Params: []byte(`{"selector":"#go"}`)}
	before.ExpectSnapshot()
	must(t, c.Write(before))
	snapshot := func(phase trace.Phase, at trace.Time) *trace.FrameSnapshot {
		return &trace.FrameSnapshot{CallID: "call@2", Phase: phase, PageID: "page@1", FrameID: "frame@1", FrameURL: "https://example.com/", Doctype: "html",
			HTML: []byte(`["HTML",{},["BODY",{},"` + string(phase) + `"]]`), Viewport: &trace.Size{Width: 800, Height: 600}, Timestamp: at,
			ResourceOverrides: []trace.ResourceOverride{{URL: "https://example.com/a.css", File: body}}, IsMainFrame: true}
	}
	must(t, c.Write(snapshot(trace.PhaseBefore, 6e6)))
	must(t, c.Write(&trace.Input{CallID: "call@2", Point: &trace.Point{X: 1, Y: 2}}))
	must(t, c.Write(&trace.Log{CallID: "call@2", Time: 6e6, Message: "waiting"}))
	must(t, c.Write(snapshot(trace.PhaseAfter, 8e6)))
	must(t, c.Write(&trace.ScreencastFrame{PageID: "page@1", File: picture, Width: 800, Height: 600, Timestamp: 8e6}))
	after := &trace.After{CallID: "call@2", EndTime: 4e6, Error: &trace.Error{Message: "no"}}
	after.ExpectSnapshot()
	must(t, c.Write(after))
	must(t, c.Write(&trace.Console{Time: 8e6, PageID: "page@1", Kind: "log", Text: "hi", Location: trace.Location{URL: "https://example.com/"}}))
	r := &trace.ResourceSnapshot{}
	r.Entry.Request.Method, r.Entry.Request.URL = "GET", "https://example.com/a.css"
	r.Entry.Response.Status, r.Entry.Response.Content.File, r.Entry.Response.Content.MimeType = 200, body, "text/css"
	must(t, c.Write(r))
	if err := c.Write(&trace.After{CallID: "call@99", EndTime: 9e6}); !errors.Is(err, trace.ErrOrphan) {
		t.Errorf("an orphan: %v", err)
	}
}

const wantTrace8 = `{"type":"context-options","version":8,"origin":"library","browserName":"chromium","options":{"viewport":{"width":800,"height":600}},"platform":"linux","wallTime":1708000000000,"monotonicTime":1,"sdkLanguage":"javascript","title":"my test"}
{"type":"event","time":2,"class":"BrowserContext","method":"page","params":{"pageId":"page@1"}}
{"type":"before","callId":"call@1","startTime":3,"title":"log in","class":"Tracing","method":"tracingGroup","params":{}}
{"type":"before","callId":"call@2","startTime":5.123,"class":"Frame","method":"click","params":{"selector":"#go"},"pageId":"page@1","parentId":"call@1","beforeSnapshot":"before@call@2"}
{"type":"frame-snapshot","snapshot":{"callId":"call@2","snapshotName":"before@call@2","pageId":"page@1","frameId":"frame@1","frameUrl":"https://example.com/","doctype":"html","html":["HTML",{},["BODY",{},"before"]],"viewport":{"width":800,"height":600},"timestamp":6,"resourceOverrides":[{"url":"https://example.com/a.css","sha1":"00fc0675c7b7224d95686c9bff578c7a56429d5c.css"}],"isMainFrame":true}}
{"type":"input","callId":"call@2","point":{"x":1,"y":2}}
{"type":"log","callId":"call@2","time":6,"message":"waiting"}
{"type":"screencast-frame","pageId":"page@1","sha1":"4f0abf24aecf84d9d9ee0de6eeeaf3454f0aa91c.jpeg","width":800,"height":600,"timestamp":8}
{"type":"after","callId":"call@2","endTime":5.123,"error":{"message":"no"},"afterSnapshot":"after@call@2"}
{"type":"frame-snapshot","snapshot":{"callId":"call@2","snapshotName":"after@call@2","pageId":"page@1","frameId":"frame@1","frameUrl":"https://example.com/","doctype":"html","html":["HTML",{},["BODY",{},"after"]],"viewport":{"width":800,"height":600},"timestamp":8,"resourceOverrides":[{"url":"https://example.com/a.css","sha1":"00fc0675c7b7224d95686c9bff578c7a56429d5c.css"}],"isMainFrame":true}}
{"type":"console","messageType":"log","text":"hi","location":{"url":"https://example.com/","lineNumber":0,"columnNumber":0},"time":8,"pageId":"page@1"}
{"type":"after","callId":"call@1","endTime":8}
`

func TestWriterWritesVersion8(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.zip")
	w, err := trace.CreateZip(out, trace.WriterOptions{})
	must(t, err)
	c, err := w.StartChunk(header())
	must(t, err)
	session(t, w, c)
	if _, err := os.Stat(out); err == nil {
		t.Error("the zip is there before it is whole")
	}
	must(t, w.Close())
	names, data := zipEntries(t, out)
	if got := strings.Join(names, " "); !strings.HasPrefix(got, "resources/") || !strings.Contains(got, "0-trace.trace 0-trace.network") || len(names) != 4 {
		t.Errorf("entries: %s", got)
	}
	if got := string(data["0-trace.trace"]); got != wantTrace8 {
		t.Errorf("0-trace.trace:\n%s", got)
	}
	if !bytes.Contains(data["0-trace.network"], []byte(`"_sha1":"00fc0675c7b7224d95686c9bff578c7a56429d5c.css"`)) {
		t.Errorf("0-trace.network: %s", data["0-trace.network"])
	}
	left, _ := filepath.Glob(out + "*")
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriterWritesVersion10(t *testing.T) {
	var buf bytes.Buffer
	w, err := trace.NewWriter(&buf, trace.WriterOptions{Version: 10})
	must(t, err)
	c, err := w.StartChunk(header())
	must(t, err)
	session(t, w, c)
	must(t, w.Close())
	path := filepath.Join(t.TempDir(), "out.zip")
	must(t, os.WriteFile(path, buf.Bytes(), 0o644))
	_, data := zipEntries(t, path)
	text := string(data["0-trace.trace"])
	for _, want := range []string{`"version":10`, `"phase":"before"`, `"phase":"after"`, `"file":"resources/`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, not := range []string{"sha1", "snapshotName", "beforeSnapshot", "afterSnapshot"} {
		if strings.Contains(text, not) {
			t.Errorf("there is %s", not)
		}
	}
}

func TestFolderIsTheTruth(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.recording")
	w, err := trace.CreateFolder(dir, trace.WriterOptions{})
	must(t, err)
	c, err := w.StartChunk(header())
	must(t, err)
	session(t, w, c)
	must(t, w.Flush())
	// The writer dies here, in the middle of a line.
	f, err := os.OpenFile(filepath.Join(dir, "0-trace.trace"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString(`{"type":"before","callId":"call@3","sta`)
	must(t, err)
	must(t, f.Close())
	must(t, os.WriteFile(filepath.Join(dir, "resources", "abc.partial"), []byte("half"), 0o644))

	out := filepath.Join(t.TempDir(), "out.zip")
	report, err := trace.Pack(context.Background(), dir, out)
	must(t, err)
	if len(report.Warnings) != 1 || report.Warnings[0].Code != "W_HALF_LINE" {
		t.Errorf("warnings: %v", report.Warnings)
	}
	names, data := zipEntries(t, out)
	want := strings.TrimSuffix(wantTrace8, `{"type":"after","callId":"call@1","endTime":8}`+"\n")
	if got := string(data["0-trace.trace"]); got != want {
		t.Errorf("0-trace.trace:\n%s", got)
	}
	if len(names) != 4 {
		t.Errorf("entries: %v", names)
	}
	if _, err := trace.CreateFolder(dir, trace.WriterOptions{}); err == nil {
		t.Error("a folder with a trace was taken for a new one")
	}
}

func TestChunksAreZipsOfTheirOwn(t *testing.T) {
	tmp := t.TempDir()
	w, err := trace.CreateFolder(filepath.Join(tmp, "folder"), trace.WriterOptions{CumulativeNetwork: true})
	must(t, err)
	for i, name := range []string{"a.zip", "b.zip"} {
		c, err := w.StartChunk(header())
		must(t, err)
		session(t, w, c)
		own, err := w.AddResource([]byte{0xff, 0xd8, 0xff, byte(i)}, "")
		must(t, err)
		must(t, c.Write(&trace.ScreencastFrame{PageID: "page@1", File: own, Width: 1, Height: 1, Timestamp: 9e6}))
		_, err = c.Pack(context.Background(), filepath.Join(tmp, name))
		must(t, err)
	}
	must(t, w.Close())
	first, a := zipEntries(t, filepath.Join(tmp, "a.zip"))
	second, b := zipEntries(t, filepath.Join(tmp, "b.zip"))
	if len(first) != 5 || len(second) != 5 || first[0] != "0-trace.trace" || second[0] != "1-trace.trace" {
		t.Errorf("entries %v and %v", first, second)
	}
	if n, m := bytes.Count(a["0-trace.network"], []byte("\n")), bytes.Count(b["1-trace.network"], []byte("\n")); n != 1 || m != 2 {
		t.Errorf("%d and %d requests", n, m)
	}
}

// Every deflated entry inflates from its restart points, and with a reader
// that knows nothing of them.
func TestRestartsAreAnOrdinaryStream(t *testing.T) {
	var text bytes.Buffer
	for i := 0; text.Len() < 5<<20; i++ {
		text.WriteString(`{"type":"log","callId":"call@1","time":` + strings.Repeat("7", i%13+1) + `,"message":"m"}` + "\n")
	}
	var buf bytes.Buffer
	w, err := trace.NewWriter(&buf, trace.WriterOptions{})
	must(t, err)
	must(t, w.AddEntry("notes.txt", bytes.NewReader(text.Bytes())))
	_, err = w.StartChunk(header())
	must(t, err)
	must(t, w.Close())
	path := filepath.Join(t.TempDir(), "out.zip")
	must(t, os.WriteFile(path, buf.Bytes(), 0o644))
	_, data := zipEntries(t, path)
	if !bytes.Equal(data["notes.txt"], text.Bytes()) {
		t.Fatal("not what was written")
	}
	checkRestarts(t, path, "notes.txt", text.Bytes())
	again := filepath.Join(t.TempDir(), "copy.zip")
	copyTrace(t, path, again, trace.WriterOptions{}, trace.CopyOptions{})
	checkRestarts(t, again, "notes.txt", text.Bytes())

	a, err := trace.Open(context.Background(), again, trace.Options{})
	must(t, err)
	defer a.Close()
	if n := len(a.Restarts("notes.txt")); n != (text.Len()-1)>>20 {
		t.Errorf("%d restarts are known", n)
	}
	at := bytes.LastIndexByte(text.Bytes()[:4<<20], '\n') + 1
	line, err := a.Line(context.Background(), trace.Position{File: "notes.txt", Offset: int64(at), Length: 10})
	must(t, err)
	if !bytes.Equal(line, text.Bytes()[at:at+10]) {
		t.Errorf("line %q", line)
	}
}

func inflateFrom(t *testing.T, packed []byte, n int) []byte {
	t.Helper()
	out := make([]byte, n)
	if _, err := io.ReadFull(flate.NewReader(bytes.NewReader(packed)), out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWriterRefusesNamesThatClimbOut(t *testing.T) {
	w, err := trace.NewWriter(io.Discard, trace.WriterOptions{})
	must(t, err)
	for _, name := range []string{"", "../x", "/x", "a/../../x", "a\\b", "a\x00", "a//b", "."} {
		if err := w.AddEntry(name, strings.NewReader("x")); err == nil && name != "." {
			t.Errorf("%q was taken", name)
		}
	}
	if _, err := trace.NewWriter(io.Discard, trace.WriterOptions{Version: 7}); err == nil {
		t.Error("version 7 cannot be written")
	}
}

func checkRestarts(t *testing.T, path, name string, text []byte) {
	t.Helper()
	_, data := zipEntries(t, path)
	var index struct {
		Entries map[string][][2]int64
	}
	must(t, json.Unmarshal(data["tracedeck/seek.json"], &index))
	points := index.Entries[name]
	if want := (len(text) - 1) >> 20; len(points) != want {
		t.Fatalf("%d restart points in %d bytes", len(points), len(text))
	}
	z, err := zip.OpenReader(path)
	must(t, err)
	defer z.Close()
	for _, f := range z.File {
		if f.Name != name {
			continue
		}
		rc, err := f.OpenRaw()
		must(t, err)
		packed, err := io.ReadAll(rc)
		must(t, err)
		for _, p := range points {
			n := min(10_000, len(text)-int(p[1]))
			if got := inflateFrom(t, packed[p[0]:], n); !bytes.Equal(got, text[p[1]:][:n]) {
				t.Errorf("other bytes at %d", p[1])
			}
		}
	}
}

// Several goroutines may write to one trace: its lines stay whole, and each
// resource is written once.
func TestWriterIsSafeForConcurrentUse(t *testing.T) {
	for _, kind := range []string{"zip", "folder"} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		var w *trace.Writer
		var err error
		if kind == "zip" {
			w, err = trace.CreateZip(out, trace.WriterOptions{})
		} else {
			w, err = trace.CreateFolder(out, trace.WriterOptions{})
		}
		must(t, err)
		c, err := w.StartChunk(header())
		must(t, err)
		const writers, each = 8, 50
		var all sync.WaitGroup
		for g := range writers {
			all.Go(func() {
				for i := range each {
					file, err := w.AddResource([]byte{byte(i)}, "bin")
					if err == nil {
						err = c.Write(&trace.ScreencastFrame{PageID: fmt.Sprint(g), File: file, Timestamp: trace.Time(i)})
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		must(t, w.Close())
		a, err := trace.Open(context.Background(), out, trace.Options{})
		must(t, err)
		n := 0
		for _, err := range a.Events(context.Background()) {
			must(t, err)
			n++
		}
		if n != writers*each+1 || len(a.Entries()) != each+2 {
			t.Errorf("%s: %d events, %d entries", kind, n, len(a.Entries()))
		}
		a.Close()
	}
}

func TestDiscardLeavesNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.zip")
	w, err := trace.CreateZip(out, trace.WriterOptions{})
	must(t, err)
	c, err := w.StartChunk(header())
	must(t, err)
	w.Discard()
	if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := c.Write(&trace.Log{}); err == nil {
		t.Error("a discarded trace was written to")
	}
	if err := w.Close(); err == nil {
		t.Error("a discarded trace was closed")
	}
}
