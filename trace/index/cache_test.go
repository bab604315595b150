package index_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// everything returns all that an index says, to compare two of them.
func everything(x *index.Index) map[string]any {
	all := map[string]any{"counts": x.Counts(), "clock": x.Clock(), "warnings": x.Warnings()}
	for t := range index.Table(index.Tables) {
		for r := range x.Len(t) {
			row := index.Row(r)
			key := t.String()
			list, _ := all[key].([]any)
			all[key] = append(list, map[index.Table]func() any{
				index.Actions: func() any { return x.Action(row) }, index.Network: func() any { return x.Request(row) },
				index.Console: func() any { return x.Message(row) }, index.Errors: func() any { return x.Error(row) },
				index.Frames: func() any { return x.Frame(row) }, index.Snapshots: func() any { return x.Snapshot(row) },
				index.Stills: func() any { return x.Still(row) }, index.Logs: func() any { return x.Log(row) },
				index.Inputs: func() any { return x.Input(row) }, index.Events: func() any { return x.Event(row) },
				index.Pages: func() any { return x.Page(row) }, index.Attachments: func() any { return x.Attachment(row) },
			}[t]())
		}
	}
	var files []any
	for _, c := range x.Contexts() {
		files = append(files, c.File, c.Shift, c.Options.Version, c.Options.Title, x.Lines(c.File))
	}
	all["contexts"] = files
	bad, n := x.BadLines()
	all["bad"] = []any{bad, n}
	return all
}

func TestCachedIndexIsTheSame(t *testing.T) {
	for _, path := range tracetest.Traces(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			o := index.Options{CacheDir: t.TempDir()}
			a := open(t, path)
			first, err := index.Open(t.Context(), a, o)
			if err != nil {
				t.Fatal(err)
			}
			kept, err := filepath.Glob(filepath.Join(o.CacheDir, "*.tdx"))
			if err != nil || len(kept) != 1 {
				t.Fatalf("in the cache: %v, %v", kept, err)
			}
			batches := 0
			o.OnBatch = func(b index.Batch) {
				batches++
				if !b.Done || b.Rows[index.Actions] != first.Len(index.Actions) {
					t.Errorf("batch %+v", b)
				}
			}
			second, err := index.Open(t.Context(), a, o)
			if err != nil {
				t.Fatal(err)
			}
			if batches != 1 {
				t.Errorf("%d batches: it was built again", batches)
			}
			if diff := cmp.Diff(everything(first), everything(second), cmp.AllowUnexported()); diff != "" {
				t.Errorf("from the cache (-built +cached):\n%s", diff)
			}
		})
	}
}

func TestDamagedCacheIsBuiltAgain(t *testing.T) {
	o := index.Options{CacheDir: t.TempDir()}
	a := open(t, corpus+"/playwright/basic.zip")
	first, err := index.Open(t.Context(), a, o)
	if err != nil {
		t.Fatal(err)
	}
	kept, _ := filepath.Glob(filepath.Join(o.CacheDir, "*.tdx"))
	good, err := os.ReadFile(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func([]byte) []byte{
		"empty": func([]byte) []byte { return nil }, "cut": func(b []byte) []byte { return b[:len(b)/2] },
		"one bit": func(b []byte) []byte { b[len(b)/2] ^= 1; return b }, "longer": func(b []byte) []byte { return append(b, 0) },
		"something else": func([]byte) []byte { return bytes.Repeat([]byte("x"), 10_000) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(kept[0], damage(bytes.Clone(good)), 0o600); err != nil {
				t.Fatal(err)
			}
			x, err := index.Open(t.Context(), a, o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(everything(first), everything(x)); diff != "" {
				t.Error(diff)
			}
			batches := 0
			if _, err := index.Open(t.Context(), a, index.Options{CacheDir: o.CacheDir, OnBatch: func(index.Batch) { batches++ }}); err != nil || batches != 1 {
				t.Errorf("the cache was not mended: %d batches, %v", batches, err)
			}
		})
	}
}

func TestCacheStaysWithinItsSize(t *testing.T) {
	o := index.Options{CacheDir: t.TempDir(), CacheSize: 100_000}
	for _, path := range tracetest.Traces(t)[:30] {
		if _, err := index.Open(t.Context(), open(t, path), o); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(o.CacheDir)
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > o.CacheSize || total == 0 {
		t.Errorf("%d bytes in %d files", total, len(entries))
	}
}

// Many texts are packed in memory and in the cache, and read as they were.
func TestManyTextsComeBack(t *testing.T) {
	const n = 45_000
	filler := strings.Repeat("to be visible, enabled and stable ", 6)
	text := func(i int) string { return fmt.Sprintf("waiting for element number %d %s", i*i, filler) }
	var b strings.Builder
	b.WriteString(`{"version":10,"type":"context-options","origin":"library","monotonicTime":1,"wallTime":1,"options":{}}` + "\n" +
		`{"type":"before","callId":"c","startTime":1,"class":"Frame","method":"click","params":{}}` + "\n")
	for i := range n {
		fmt.Fprintf(&b, `{"type":"log","callId":"c","time":%d,"message":"%s"}`+"\n", i+2, text(i))
	}
	path := zipOf(t, map[string]string{"trace.trace": b.String()})
	o := index.Options{CacheDir: t.TempDir()}
	for _, how := range []string{"built", "cached"} {
		x, err := index.Open(t.Context(), open(t, path), o)
		if err != nil {
			t.Fatal(err)
		}
		if x.Len(index.Logs) != n || x.Action(0).Logs != n {
			t.Fatalf("%s: %d lines", how, x.Len(index.Logs))
		}
		for i := range n {
			r := i * 7919 % n
			if i%500 != 0 {
				r = i
			}
			if got := x.Log(index.Row(r)).Message; got != text(r) {
				t.Fatalf("%s: line %d: %q", how, r, got)
			}
		}
		if hits := search(t, x, fmt.Sprintf(`"%s"`, text(40_001))); len(hits) != 1 || hits[0].Row != 40_001 {
			t.Errorf("%s: %+v", how, hits)
		}
	}
	kept, _ := filepath.Glob(filepath.Join(o.CacheDir, "*.tdx"))
	if info, err := os.Stat(kept[0]); err != nil || info.Size() > int64(n*len(text(1)))/2 {
		t.Errorf("%d bytes in the cache, %v", info.Size(), err)
	}
}

func zipOf(t testing.TB, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}
