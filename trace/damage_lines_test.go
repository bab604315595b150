package trace_test

import (
	"archive/zip"
	"bytes"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// Lines that were cut in the middle, swapped, or written twice: the others are
// read all the same.
func TestDamagedLinesLeaveTheOthers(t *testing.T) {
	damage := map[string]func(lines []string, at int) []string{
		"cut":      func(l []string, at int) []string { l[at] = l[at][:len(l[at])/2]; return l },
		"swapped":  func(l []string, at int) []string { l[at], l[at/2] = l[at/2], l[at]; return l },
		"repeated": func(l []string, at int) []string { return append(l[:at+1:at+1], l[at:]...) },
	}
	for k, path := range tracetest.Traces(t) {
		if k%3 != 0 && places() < 100 {
			continue
		}
		entries := unzip(t, path)
		whole := readAll(t, rezip(t, entries, nil), path)
		random := rand.New(rand.NewPCG(uint64(k), 2))
		for name, do := range damage {
			for range max(1, places()/6) {
				data := rezip(t, entries, func(entry string, text []byte) []byte {
					lines := strings.Split(string(text), "\n")
					if len(lines) < 3 {
						return text
					}
					return []byte(strings.Join(do(lines, 1+random.IntN(len(lines)-2)), "\n"))
				})
				got := readAll(t, data, filepath.Base(path)+" with a line "+name)
				if got == nil {
					t.Errorf("%s with a line %s does not open", path, name)
					continue
				}
				if len(got.Actions) < len(whole.Actions)-1 || len(got.Network) < len(whole.Network)-1 {
					t.Errorf("%s with a line %s: %d of %d actions, %d of %d requests", path, name,
						len(got.Actions), len(whole.Actions), len(got.Network), len(whole.Network))
				}
			}
		}
	}
}

type namedEntry struct {
	name string
	data []byte
}

func unzip(t *testing.T, path string) []namedEntry {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var all []namedEntry
	for _, f := range z.File {
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(rc)
		rc.Close()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, namedEntry{f.Name, data})
	}
	return all
}

// rezip stores entries anew, the text ones after edit.
func rezip(t *testing.T, entries []namedEntry, edit func(name string, text []byte) []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		data := e.data
		if edit != nil && (strings.HasSuffix(e.name, ".trace") || strings.HasSuffix(e.name, ".network")) {
			data = edit(e.name, data)
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
