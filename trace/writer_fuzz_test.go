package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

// copyOf writes a folder with the lines, and copies it.
func copyOf(t *testing.T, text, network string, o trace.WriterOptions, c trace.CopyOptions) (from, to string) {
	t.Helper()
	from = t.TempDir()
	must(t, os.WriteFile(filepath.Join(from, "0-trace.trace"), []byte(text), 0o644))
	must(t, os.WriteFile(filepath.Join(from, "0-trace.network"), []byte(network), 0o644))
	src, err := trace.Open(context.Background(), from, trace.Options{})
	must(t, err)
	defer src.Close()
	var buf bytes.Buffer
	w, err := trace.NewWriter(&buf, o)
	must(t, err)
	_, err = trace.Copy(context.Background(), w, src, c)
	must(t, err)
	must(t, w.Close())
	to = filepath.Join(t.TempDir(), "copy.zip")
	must(t, os.WriteFile(to, buf.Bytes(), 0o644))
	return from, to
}

// FuzzCopy checks that lines nobody changes stay as they are, whatever they
// are; that changed ones say what they said; and that converting says so much
// in every version.
func FuzzCopy(f *testing.F) {
	for _, path := range []string{"playwright/live-dir/session"} {
		base := filepath.Join("..", "testdata", "corpus", filepath.FromSlash(path))
		text, err := os.ReadFile(base + ".trace")
		must(f, err)
		network, err := os.ReadFile(base + ".network")
		must(f, err)
		f.Add(string(text), string(network))
	}
	f.Add(wantTrace8, `{"type":"resource-snapshot","snapshot":{"request":{"postData":{"_sha1":"x"}},"response":{"content":{"_sha1":"y"}},"_apiRequest":true}}`)
	f.Add(`{"type":"context-options","version":8,"origin":"library"}`+"\n"+`{"type":"action","callId":"call@1","startTime":1,"endTime":2,"log":["a"]}`+"\nbad\n", "")
	f.Add(`{"type":"context-options","version":4}`+"\n"+`{"type":"before","callId":"call@1","startTime":1,"wallTime":5,"apiName":"a"}`, "")
	f.Fuzz(func(t *testing.T, text, network string) {
		if len(text)+len(network) > 50_000 {
			return
		}
		_, to := copyOf(t, text, network, trace.WriterOptions{}, trace.CopyOptions{})
		_, data := zipEntries(t, to)
		if got, want := string(data["0-trace.trace"]), plainLines(text); got != want {
			t.Errorf("a copy of %q is %q", want, got)
		}
		changeAll := trace.CopyOptions{Edit: func(*trace.Event) trace.Change { return trace.Changed }}
		from, to := copyOf(t, text, network, trace.WriterOptions{}, changeAll)
		for _, version := range []int{8, 10} {
			_, to := copyOf(t, text, network, trace.WriterOptions{Version: version}, trace.CopyOptions{Convert: true})
			goodEvents(t, to)
		}
		if version(t, from) >= 8 { // older files are converted, and blobs get other names
			same(t, goodEvents(t, from), goodEvents(t, to))
		}
	})
}

func version(t *testing.T, path string) int {
	t.Helper()
	a, err := trace.Open(context.Background(), path, trace.Options{})
	must(t, err)
	defer a.Close()
	return a.Files()[0].Version()
}

// plainLines is what a copy makes of line ends: LF, and none of an empty line.
func plainLines(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	var out strings.Builder
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSuffix(line, "\r"); line != "" {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// goodEvents returns the events of a trace as JSON of the newest version,
// without what is no event.
func goodEvents(t *testing.T, path string) (list []map[string]any) {
	t.Helper()
	a, err := trace.Open(context.Background(), path, trace.Options{})
	must(t, err)
	defer a.Close()
	for e, err := range a.Events(context.Background()) {
		var bad *trace.SyntaxError
		if errors.As(err, &bad) {
			continue
		}
		must(t, err)
		switch e.Body.(type) {
		case *trace.ClockAnchor, *trace.Dropped, *trace.ContextOptions, *trace.FrameSnapshot:
			continue // differ, or are put elsewhere, on purpose
		}
		line, err := trace.AppendBody(nil, e.Body)
		must(t, err)
		var v map[string]any
		if err := json.Unmarshal(line, &v); err != nil {
			// A number that is too large for a float is kept as it is written.
			d := json.NewDecoder(bytes.NewReader(line))
			d.UseNumber()
			if err := d.Decode(&v); err != nil {
				t.Fatalf("%v: %q", err, line)
			}
		}
		if v["type"] == "before" && v["stepId"] == v["callId"] {
			delete(v, "stepId") // says nothing
		}
		list = append(list, v)
	}
	return list
}

func same(t *testing.T, want, got []map[string]any) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d events, were %d", len(got), len(want))
	}
	for i := range want {
		if !holds(any(got[i]), any(want[i])) {
			a, _ := json.Marshal(want[i])
			b, _ := json.Marshal(got[i])
			t.Errorf("event %d was %s\nis %s", i, a, b)
		}
	}
}

func BenchmarkCopy(b *testing.B) {
	for _, bench := range []struct {
		name string
		o    trace.CopyOptions
	}{{"as it is", trace.CopyOptions{}}, {"converted", trace.CopyOptions{Convert: true}}} {
		b.Run(bench.name, func(b *testing.B) {
			ctx := context.Background()
			src, err := trace.Open(ctx, filepath.Join("..", "testdata", "corpus", "vibium", "v26.8.21-basic.zip"), trace.Options{})
			must(b, err)
			defer src.Close()
			size := int64(0)
			for _, e := range src.Entries() {
				size += e.Size
			}
			b.SetBytes(size)
			for b.Loop() {
				w, err := trace.NewWriter(io.Discard, trace.WriterOptions{})
				must(b, err)
				_, err = trace.Copy(ctx, w, src, bench.o)
				must(b, err)
				must(b, w.Close())
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	w, err := trace.CreateFolder(filepath.Join(b.TempDir(), "rec"), trace.WriterOptions{})
	must(b, err)
	c, err := w.StartChunk(header())
	must(b, err)
	must(b, c.Write(&trace.Before{CallID: "call@1", StartTime: 1e6, Class: "Frame", Method: "click"}))
	html := []byte(`["HTML",{},["BODY",{},` + strings.Repeat(`["P",{"class":"x"},"text"],`, 5000) + `"end"]]`)
	b.Run("log line", func(b *testing.B) {
		for b.Loop() {
			must(b, c.Write(&trace.Log{CallID: "call@1", Time: 2e6, Message: "waiting for something to happen"}))
		}
	})
	headers := []har.NameValue{{Name: "content-type", Value: "text/javascript"}, {Name: "cache-control", Value: "no-store"}, {Name: "etag", Value: `"1"`}}
	b.Run("request", func(b *testing.B) {
		for b.Loop() {
			must(b, c.Write(&trace.ResourceSnapshot{Entry: har.Entry{StartedDateTime: "2026-01-01T00:00:00.000Z", Time: 3.25, FrameRef: "frame@1", PageRef: "page@1", ResourceType: "script",
				Request:  har.Request{Method: "GET", URL: "https://example.com/app.js", HTTPVersion: "HTTP/1.1", Headers: headers},
				Response: har.Response{Status: 200, StatusText: "OK", Headers: headers, Content: har.Content{Size: 100, MimeType: "text/javascript", File: "resources/1234.js"}}}}))
		}
	})
	b.Run("snapshot", func(b *testing.B) {
		b.SetBytes(int64(len(html)))
		for b.Loop() {
			must(b, c.Write(&trace.FrameSnapshot{CallID: "call@1", Phase: trace.PhaseBefore, FrameID: "f", HTML: html, Timestamp: 3e6}))
		}
	})
	must(b, w.Close())
}
