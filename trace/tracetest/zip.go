package tracetest

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/check"
)

// Entries returns what each entry of a zip holds, unpacked.
func Entries(t testing.TB, path string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	all := map[string]string{}
	for _, f := range z.File {
		all[f.Name] = content(t, f)
	}
	return all
}

func content(t testing.TB, f *zip.File) string {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// ZipOf packs entries into a zip that is no trace unless they are one.
func ZipOf(t testing.TB, entries map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range entries {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, b.Bytes())
}

// Rewrite makes a new trace of the one at path with copy, and returns the path
// of its zip. Where copy fails there is none.
func Rewrite(t testing.TB, path string, copy func(context.Context, *trace.Writer, *trace.Archive) error) (string, error) {
	t.Helper()
	var b bytes.Buffer
	w, err := trace.NewWriter(&b, trace.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := copy(context.Background(), w, Open(t, path)); err != nil {
		w.Discard()
		return "", err
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, b.Bytes()), nil
}

// Problems counts what package check finds in the trace at path, by code.
func Problems(t testing.TB, path string) map[string]int {
	t.Helper()
	r, err := check.Run(context.Background(), Open(t, path), check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Counts
}

func write(t testing.TB, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.zip")
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
