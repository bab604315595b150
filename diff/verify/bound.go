package verify

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// Bound is where the session after a change comes from.
type Bound struct {
	// Place is a trace, a folder that is recorded into, or a folder into which
	// traces are put.
	Place string `json:"place"`
	// From is how far the recording was, in nanoseconds since it began: what
	// came before does not belong to it.
	From time.Duration `json:"from"`
	// New wants a trace that is newer than Since.
	New   bool      `json:"new"`
	Since time.Time `json:"since"`
}

// Bind says what is awaited at a place: of a recording what comes from now on,
// of a folder the next trace, and a trace as it is, or, with fresh, once it was
// written anew.
func Bind(ctx context.Context, place string, fresh bool, now time.Time, o trace.Options) (Bound, error) {
	b := Bound{Place: place, Since: now, New: fresh}
	if trace.IsAddress(place) {
		return b, nil
	}
	abs, err := filepath.Abs(place)
	if err != nil {
		return b, err
	}
	b.Place = abs
	info, err := os.Stat(abs)
	switch {
	case err != nil:
		b.New = true // it is yet to come
		return b, nil
	case !info.IsDir():
		return b, nil
	case !IsTrace(abs):
		b.New = true
		return b, nil
	}
	a, err := trace.Open(ctx, abs, o)
	if err != nil {
		return b, err
	}
	defer a.Close()
	if !a.Growing() {
		return b, nil
	}
	t, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		return b, err
	}
	b.New, b.From = false, t.Duration+1
	return b, nil
}

// IsTrace reports whether a folder is a trace.
func IsTrace(dir string) bool {
	for _, pattern := range []string{"*.trace", "*.trace.*"} {
		if m, err := filepath.Glob(filepath.Join(dir, pattern)); err == nil && len(m) > 0 {
			return true
		}
	}
	return false
}

// recording is how the folder is called that a recording is made in.
const recording = ".recording"

// Find returns the trace that came, and the span of it that belongs to the
// session after the change.
func (b Bound) Find() (string, Span, error) {
	span := Span{From: b.From}
	if trace.IsAddress(b.Place) {
		return b.Place, span, nil
	}
	info, err := os.Stat(b.Place)
	if finished, ok := strings.CutSuffix(b.Place, recording); err != nil && ok {
		if _, err := os.Stat(finished); err == nil {
			return finished, span, nil // the recording became a zip
		}
	}
	switch {
	case err != nil:
		return "", span, b.nothing()
	case info.IsDir() && !IsTrace(b.Place):
		path, err := b.newest()
		return path, span, err
	case b.New && !info.ModTime().After(b.Since):
		return "", span, b.nothing()
	}
	return b.Place, span, nil
}

func (b Bound) nothing() error {
	return &Error{"E_VERIFY_NOTHING_NEW", fmt.Sprintf("no trace has come to %s since %s", b.Place, b.Since.Local().Format(time.TimeOnly)), "record the session again, or name its trace"}
}

// newest finds the trace in a folder that came last, since then.
func (b Bound) newest() (string, error) {
	type candidate struct {
		path string
		at   time.Time
	}
	var list []candidate
	err := filepath.WalkDir(b.Place, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "node_modules":
			return filepath.SkipDir
		case d.IsDir() && path != b.Place && IsTrace(path), d.Type().IsRegular() && strings.EqualFold(filepath.Ext(path), ".zip"):
			if info, err := d.Info(); err == nil && info.ModTime().After(b.Since) {
				list = append(list, candidate{path, info.ModTime()})
			}
			if d.IsDir() {
				return filepath.SkipDir
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", b.nothing()
	}
	return slices.MaxFunc(list, func(x, y candidate) int { return cmp.Or(x.at.Compare(y.at), cmp.Compare(x.path, y.path)) }).path, nil
}
