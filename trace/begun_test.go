package trace_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
)

// An action that is announced is seen while it is recorded. Its before line
// takes the announcement's place, in the folder and in the zip; where none
// comes, the announcement is what is known of it.
func TestAnnouncedActions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.recording")
	w, err := trace.CreateFolder(dir, trace.WriterOptions{})
	must(t, err)
	c, err := w.StartChunk(header())
	must(t, err)
	announce := func(id, params string) {
		t.Helper()
		must(t, c.Write(&trace.Begun{Before: trace.Before{CallID: id, StartTime: 5e6, Class: "Frame", Method: "fill", Params: []byte(params)}}))
	}
	seen := func(want ...string) {
		t.Helper()
		for _, what := range []string{dir, packed(t, dir)} {
			var got []string
			for _, act := range loaded(t, what).Actions {
				got = append(got, fmt.Sprintf("%s %s %v", act.Before.CallID, act.Before.Params, act.Unfinished))
			}
			if strings.Join(got, "; ") != strings.Join(want, "; ") {
				t.Errorf("%s holds %q, not %q", filepath.Base(what), got, want)
			}
		}
	}
	announce("call@1", `{"value":"a"}`)
	seen(`call@1 {"value":"a"} true`)
	announce("call@1", `{"value":"ab"}`)
	seen(`call@1 {"value":"ab"} true`)
	must(t, c.Write(&trace.Before{CallID: "call@1", StartTime: 5e6, Class: "Frame", Method: "fill", Params: []byte(`{"value":"abc"}`)}))
	announce("call@10", `{"value":"x"}`)
	seen(`call@1 {"value":"abc"} true`, `call@10 {"value":"x"} true`)
	must(t, c.Write(&trace.After{CallID: "call@1", EndTime: 6e6}))
	seen(`call@1 {"value":"abc"} false`, `call@10 {"value":"x"} true`)
	must(t, w.Close())

	zip := packed(t, dir)
	_, data := zipEntries(t, zip)
	if text := string(data["0-trace.trace"]); strings.Contains(text, "begun") || strings.Count(text, `"before"`) != 2 {
		t.Errorf("packed:\n%s", text)
	}
	copied := filepath.Join(t.TempDir(), "copy.zip")
	copyTrace(t, dir, copied, trace.WriterOptions{}, trace.CopyOptions{})
	_, data = zipEntries(t, copied)
	if text := string(data["0-trace.trace"]); strings.Contains(text, "begun") {
		t.Errorf("copied:\n%s", text)
	}
}

// What looks like an announcement and is none stays what it is, however long.
func TestWhatIsNoAnnouncementStays(t *testing.T) {
	dir := t.TempDir()
	lines := []string{
		`{"version":8,"type":"context-options","origin":"library","browserName":"chromium","wallTime":1,"monotonicTime":1}`,
		`{"type":"begun",` + strings.Repeat("x", 3<<20),
		`{"type":"begun","callId":`,
		`{"type":"log","callId":"call@1","time":1,"message":"` + strings.Repeat("{\\\"type\\\":\\\"begun\\\",", 30000) + `"}`,
		`{"type":"console","text":"last"}`,
	}
	text := strings.Join(lines, "\n") + "\n"
	must(t, os.WriteFile(filepath.Join(dir, "0-trace.trace"), []byte(text), 0o644))
	_, data := zipEntries(t, packed(t, dir))
	if got := string(data["0-trace.trace"]); got != text {
		t.Errorf("%d bytes became %d", len(text), len(got))
	}
}

func packed(t *testing.T, dir string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "packed.zip")
	_, err := trace.Pack(context.Background(), dir, out)
	must(t, err)
	return out
}

func loaded(t *testing.T, path string) *trace.Trace {
	t.Helper()
	a, err := trace.Open(context.Background(), path, trace.Options{})
	must(t, err)
	defer a.Close()
	all, err := trace.Load(context.Background(), a, trace.LoadOptions{})
	must(t, err)
	return all
}
