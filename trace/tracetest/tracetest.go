// Package tracetest helps tests: it makes small traces of text, finds real
// ones, and compares with golden files.
package tracetest

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/raw"
)

var update = flag.Bool("update", false, "write golden files anew")

// Head begins the text of a trace: its options and nothing else. Events follow
// it, and requests after a line "== trace.network".
const Head = `== trace.trace
context-options
	version: 8
	origin: library
	browserName: chromium
	platform: linux
	wallTime: 1700000000000
	monotonicTime: 0
	sdkLanguage: javascript
	options: {}
`

// Zip makes a trace of text in the form of package raw, and returns the path
// of its zip, which is gone when the test ends.
func Zip(t testing.TB, text string) string {
	t.Helper()
	d, err := raw.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatalf("trace: %v", err)
	}
	var buf bytes.Buffer
	w, err := trace.NewWriter(&buf, trace.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, buf.Bytes())
}

// Open opens the trace at path until the test ends.
func Open(t testing.TB, path string) *trace.Archive {
	t.Helper()
	a, err := trace.Open(context.Background(), path, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// Load opens and joins the trace at path.
func Load(t testing.TB, path string) *trace.Trace {
	t.Helper()
	_, tr := OpenLoad(t, path)
	return tr
}

// OpenLoad opens the trace at path until the test ends, and joins it.
func OpenLoad(t testing.TB, path string) (*trace.Archive, *trace.Trace) {
	t.Helper()
	a := Open(t, path)
	tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return a, tr
}

// Text returns the trace at path as text, without the bytes of resources.
func Text(t testing.TB, path string) string {
	t.Helper()
	var b strings.Builder
	if err := raw.Format(context.Background(), &b, Open(t, path), raw.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Corpus returns the paths of the repository's real traces that match the
// pattern, such as "vibium/*.zip". There must be some.
func Corpus(t testing.TB, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(root(t), "testdata", "corpus", filepath.FromSlash(pattern)))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatalf("no trace in testdata/corpus matches %s", pattern)
	}
	return list
}

// Traces returns the paths of all the repository's real traces.
func Traces(t testing.TB) []string {
	t.Helper()
	return append(append(Corpus(t, "playwright/*.zip"), Corpus(t, "playwright/old/*.zip")...), Corpus(t, "vibium/*.zip")...)
}

// root is the folder of the module.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
}

// Golden compares got with testdata/name below the test's folder, and writes
// the file instead when the tests run with -update.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update to write it", err)
	}
	if got != string(want) {
		t.Errorf("%s is not what it was; run the test with -update to accept this:\n%s", path, firstDifference(string(want), got))
	}
}

// firstDifference shows the first lines that differ.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	const shown = 5
	part := func(mark string, lines []string) string {
		var s strings.Builder
		for _, line := range lines[min(i, len(lines)):min(i+shown, len(lines))] {
			s.WriteString(mark + line + "\n")
		}
		return s.String()
	}
	return part("-", a) + part("+", b)
}
