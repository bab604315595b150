package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// zipEntries returns the names of a zip's entries, in order, and their bytes.
func zipEntries(t testing.TB, path string) (names []string, data map[string][]byte) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	data = map[string][]byte{}
	for _, f := range z.File {
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(rc)
		if err != nil {
			t.Fatalf("%s: %s: %v", path, f.Name, err)
		}
		rc.Close()
		names, data[f.Name] = append(names, f.Name), b
	}
	return names, data
}

func copyTrace(t testing.TB, from, to string, o trace.WriterOptions, c trace.CopyOptions) *trace.CopyReport {
	t.Helper()
	ctx := context.Background()
	src, err := trace.Open(ctx, from, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	w, err := trace.CreateZip(to, o)
	if err != nil {
		t.Fatal(err)
	}
	report, err := trace.Copy(ctx, w, src, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return report
}

// hasEvents reports whether a corpus zip holds events at all.
func hasEvents(path string) bool { return !strings.Contains(path, "legacy-layout") }

func TestCopyKeepsEveryByte(t *testing.T) {
	for _, path := range tracetest.Traces(t) {
		if !hasEvents(path) {
			continue
		}
		out := filepath.Join(t.TempDir(), "copy.zip")
		copyTrace(t, path, out, trace.WriterOptions{}, trace.CopyOptions{})
		_, want := zipEntries(t, path)
		_, got := zipEntries(t, out)
		for name, data := range want {
			if strings.HasSuffix(name, ".trace") || strings.HasSuffix(name, ".network") {
				data = bytes.TrimSuffix(data, []byte("\n"))
				got[name] = bytes.TrimSuffix(got[name], []byte("\n"))
			}
			if !bytes.Equal(data, got[name]) {
				t.Errorf("%s: %s changed: %d bytes, were %d", path, name, len(got[name]), len(data))
			}
		}
		for name := range got {
			if _, ok := want[name]; !ok && name != "tracedeck/seek.json" {
				t.Errorf("%s: %s was not there", path, name)
			}
		}
	}
}

// Events that are written anew say what they said, in the versions that can
// be written.
func TestChangedEventsKeepEverything(t *testing.T) {
	changeAll := trace.CopyOptions{Edit: func(*trace.Event) trace.Change { return trace.Changed }}
	for _, path := range tracetest.Traces(t) {
		if !hasEvents(path) {
			continue
		}
		out := filepath.Join(t.TempDir(), "copy.zip")
		copyTrace(t, path, out, trace.WriterOptions{}, changeAll)
		compareEvents(t, path, events(t, path), events(t, out))
	}
}

// events returns all events of a trace as JSON of the newest version, by file.
func events(t testing.TB, path string) map[string][]any {
	t.Helper()
	ctx := context.Background()
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	all := map[string][]any{}
	for e, err := range a.Events(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		switch e.Body.(type) {
		case *trace.ClockAnchor, *trace.Dropped:
			continue
		}
		line, err := trace.AppendBody(nil, e.Body)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		file := e.Position.File
		if _, ok := e.Body.(*trace.FrameSnapshot); ok {
			file += ", snapshots" // they are put behind the lines that name them
		}
		all[file] = append(all[file], v)
	}
	return all
}

func compareEvents(t *testing.T, path string, want, got map[string][]any) {
	t.Helper()
	for file, list := range want {
		if len(list) != len(got[file]) {
			t.Errorf("%s: %s: %d events, were %d", path, file, len(got[file]), len(list))
			continue
		}
		bad := 0
		for i := range list {
			x, y := list[i].(map[string]any), got[file][i].(map[string]any)
			if x["type"] == "context-options" { // the version and the clock's anchor change
				for _, key := range []string{"version", "wallTime", "monotonicTime"} {
					delete(x, key)
					delete(y, key)
				}
			}
			if !holds(any(y), any(x)) && bad < 3 {
				bad++
				a, _ := json.Marshal(x)
				b, _ := json.Marshal(y)
				t.Errorf("%s: %s: event %d\nwas %.500s\nis  %.500s", path, file, i, a, b)
			}
		}
	}
}

func TestCopyIsDeterministic(t *testing.T) {
	path := filepath.Join("..", "testdata", "corpus", "playwright", "forms.zip")
	var outs [2]bytes.Buffer
	for i := range outs {
		ctx := context.Background()
		src, err := trace.Open(ctx, path, trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w, err := trace.NewWriter(&outs[i], trace.WriterOptions{Version: 10})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Copy(ctx, w, src, trace.CopyOptions{Convert: true}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		src.Close()
	}
	if !bytes.Equal(outs[0].Bytes(), outs[1].Bytes()) {
		t.Error("the same trace was written in two ways")
	}
}

// Converting goes wrong nowhere, and what the joined view counts stays.
func TestConvertKeepsCounts(t *testing.T) {
	for _, path := range tracetest.Traces(t) {
		if !hasEvents(path) {
			continue
		}
		want := counts(t, path)
		for _, version := range []int{8, 9, 10} {
			out := filepath.Join(t.TempDir(), "copy.zip")
			copyTrace(t, path, out, trace.WriterOptions{Version: version}, trace.CopyOptions{Convert: true})
			if got := counts(t, out); !reflect.DeepEqual(got, want) {
				t.Errorf("%s as version %d: %v, was %v", path, version, got, want)
			}
		}
	}
}

func counts(t *testing.T, path string) map[string]int {
	t.Helper()
	ctx := context.Background()
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	tr, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{"actions": len(tr.Actions), "roots": len(tr.Roots), "network": len(tr.Network), "console": len(tr.Console),
		"errors": len(tr.Errors), "frames": len(tr.Frames), "snapshots": len(tr.Snapshots), "attachments": len(tr.Attachments), "pages": len(tr.Pages)}
	for _, act := range tr.Actions {
		n["stacks"] += len(act.Stack)
		n["inputs"] += len(act.Inputs)
		n["logs"] += len(act.Logs)
		n["actions with snapshots"] += min(1, len(act.Snapshots))
		n["millis"] += int(act.End.Sub(act.Start).Milliseconds())
	}
	for _, f := range tr.Frames {
		if _, ok := a.Resolve(f.File); ok {
			n["pictures found"]++
		}
	}
	for _, r := range tr.Network {
		if _, ok := a.Resolve(r.Response.Content.File); ok {
			n["bodies found"]++
		}
	}
	for _, act := range tr.Actions {
		for _, f := range act.Stack {
			if rc, ok := a.Source(ctx, f.File); ok {
				rc.Close()
				n["sources found"]++
			}
		}
	}
	return n
}
