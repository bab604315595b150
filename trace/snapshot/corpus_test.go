package snapshot_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// open returns a trace and its snapshots.
func open(t testing.TB, path string) (*trace.Archive, *trace.Trace, *snapshot.Store) {
	t.Helper()
	a, tr := tracetest.OpenLoad(t, path)
	return a, tr, snapshot.FromTrace(a, tr)
}

func TestEverySnapshotRenders(t *testing.T) {
	total := 0
	for _, path := range tracetest.Traces(t) {
		_, tr, s := open(t, path)
		if s.Len() != len(tr.Snapshots) {
			t.Errorf("%s: %d snapshots of %d", path, s.Len(), len(tr.Snapshots))
		}
		for n := range s.Len() {
			total++
			p, _ := s.Place(n)
			// An action that is tried again has a snapshot for each try: the first is found.
			if got, ok := s.Lookup(p.Key); !ok || got > n {
				t.Errorf("%s: snapshot %d (%s of %s) is found as %d, %v", path, n, p.Phase, p.CallID, got, ok)
			}
			var b strings.Builder
			report, err := s.Render(context.Background(), &b, n, snapshot.Options{})
			if err != nil || len(report.Warnings) > 0 || report.CutOff {
				t.Errorf("%s: snapshot %d: %v %v", path, n, err, report.Warnings)
			}
			if !strings.Contains(b.String(), "</html>") || strings.Contains(b.String(), "__playwright") {
				t.Errorf("%s: snapshot %d: %s", path, n, b.String())
			}
		}
	}
	if total < 1300 {
		t.Errorf("only %d snapshots", total)
	}
}

// The same session was recorded in all versions; 3 is the one that Playwright's
// own viewer shows no snapshots of.
func TestVersion3ShowsWhatVersion4Does(t *testing.T) {
	var texts [2]map[string]bool
	for i, name := range []string{"v3-pw-1.20.2.zip", "v4-pw-1.35.1.zip"} {
		_, _, s := open(t, "../../testdata/corpus/playwright/old/"+name)
		texts[i] = map[string]bool{}
		for n := range s.Len() {
			text, err := s.Text(context.Background(), n)
			if err != nil {
				t.Fatal(err)
			}
			texts[i][text] = true
		}
	}
	same := 0
	for text := range texts[0] {
		if texts[1][text] {
			same++
		}
	}
	if same < len(texts[0])*2/3 || same < 15 {
		t.Errorf("%d of %d texts of version 3 are in version 4: %v", same, len(texts[0]), texts[0])
	}
}

func TestStoreIsSafeForConcurrentUse(t *testing.T) {
	_, _, s := open(t, "../../testdata/corpus/playwright/frames.zip")
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for n := range s.Len() {
				s.AddPicture(snapshot.Picture{File: "x"})
				if _, err := s.Render(context.Background(), io.Discard, n, snapshot.Options{}); err != nil {
					t.Error(err)
				}
				s.Resource(context.Background(), n, "http://localhost/")
				s.Picture(n)
			}
		})
	}
	wait.Wait()
}

func BenchmarkRender(b *testing.B) {
	_, _, s := open(b, "../../testdata/corpus/playwright/big-dom.zip")
	n := s.Len() - 1
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Render(context.Background(), io.Discard, n, snapshot.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
