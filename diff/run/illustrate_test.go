package run_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/trace"
)

// traceOf is a trace whose only action has the pictures attached.
func traceOf(t *testing.T, shots ...run.Shot) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.zip")
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	after := &trace.After{CallID: "call@1", EndTime: 3}
	for _, s := range shots {
		file, err := w.AddResource(s.Data, ".png")
		if err != nil {
			t.Fatal(err)
		}
		after.Attachments = append(after.Attachments, trace.Attachment{Name: s.Key, ContentType: "image/png", File: file})
	}
	chunk, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", MonotonicTime: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []trace.Body{&trace.Before{CallID: "call@1", StartTime: 2, Class: "Page", Method: "click"}, after} {
		if err := chunk.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// attachments are the names of a trace's pictures, those of its own with their
// bytes there, and the keys that are compared.
func attachments(t *testing.T, path string) (names, keys []string) {
	t.Helper()
	a, err := trace.Open(t.Context(), path, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	joined, err := trace.Load(t.Context(), a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range joined.Attachments {
		names = append(names, at.Name)
		if !a.Has(at.File) {
			t.Errorf("%s: %s is not there", at.Name, at.File)
		}
	}
	got, err := run.Shots(t.Context(), a, joined)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range got.Shots {
		keys = append(keys, s.Key)
	}
	return names, keys
}

func TestNewTraceShowsWhatItsPicturesWereComparedWith(t *testing.T) {
	before := []run.Shot{shot(t, "nav@e0", 40, 30, button, blue), shot(t, "cap@e1", 40, 30, button, blue)}
	after := []run.Shot{before[0], shot(t, "cap@e1", 40, 30, button, red), shot(t, "final", 40, 30, button, red)}
	c := comparer(t, before...)
	path := traceOf(t, after...)
	if err := c.Illustrate(t.Context(), path, session(t, c, taken(after...))); err != nil {
		t.Fatal(err)
	}
	names, keys := attachments(t, path)
	if want := []string{"nav@e0", "cap@e1-actual.png", "cap@e1-expected.png", "cap@e1-diff.png", "final"}; !slices.Equal(names, want) {
		t.Errorf("attachments %q", names)
	}
	if want := []string{"nav@e0", "cap@e1", "final"}; !slices.Equal(keys, want) {
		t.Errorf("keys %q", keys)
	}
}
