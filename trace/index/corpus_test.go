package index_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

const corpus = "../../testdata/corpus"

func open(t testing.TB, path string) *trace.Archive {
	t.Helper()
	a, err := trace.Open(t.Context(), path, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func build(t testing.TB, path string) *index.Index {
	t.Helper()
	x, err := index.Build(t.Context(), open(t, path), index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// playwrightFacts is what a manifest says of a Playwright trace.
type playwrightFacts struct {
	Raw struct {
		Entries     map[string]int
		Snapshots   struct{ Total int }
		Network     struct{ Total int }
		Console     map[string]int
		Frames      map[string]int
		PageErrors  int
		Pages       int
		Logs        int
		Inputs      int
		Attachments int
		Groups      int
	}
	Loader struct {
		Actions int
	}
}

func (f playwrightFacts) counts() index.Counts {
	c := index.Counts{Actions: f.Loader.Actions, Groups: f.Raw.Groups, Pages: f.Raw.Pages, Snapshots: f.Raw.Snapshots.Total,
		Network: f.Raw.Network.Total, PageErrors: f.Raw.PageErrors, Logs: f.Raw.Logs, Inputs: f.Raw.Inputs,
		Attachments: f.Raw.Attachments, Resources: f.Raw.Entries["resources/"]}
	for _, n := range f.Raw.Console {
		c.Console += n
	}
	for _, n := range f.Raw.Frames {
		c.Frames += n
	}
	return c
}

func TestPlaywrightCounts(t *testing.T) {
	var newest struct{ Traces map[string]playwrightFacts }
	readJSON(t, corpus+"/playwright/manifest.json", &newest)
	if len(newest.Traces) < 20 {
		t.Fatalf("only %d traces in the manifest", len(newest.Traces))
	}
	for name, facts := range newest.Traces {
		path := filepath.Join(corpus, "playwright", name)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if got, want := build(t, path).Counts(), facts.counts(); got != want {
				t.Errorf("counts\n got %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestVibiumCounts(t *testing.T) {
	var manifest struct {
		Traces []struct {
			File         string
			EventCounts  map[string]int
			NetworkCount int
			Actions      []struct{ Class string }
			Resources    []struct{ Name string }
			BidiEvents   map[string]int
		}
	}
	readJSON(t, corpus+"/vibium/manifest.json", &manifest)
	for _, m := range manifest.Traces {
		path := filepath.Join(corpus, "vibium", m.File)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		t.Run(m.File, func(t *testing.T) {
			c := build(t, path).Counts()
			got := []int{c.Actions, c.Network, c.Snapshots, c.Frames, c.Inputs, c.Resources, c.Console + c.PageErrors}
			e := m.EventCounts
			want := []int{len(m.Actions), m.NetworkCount, e["frame-snapshot"], e["screencast-frame"], e["input"], len(m.Resources),
				m.BidiEvents["log.entryAdded"]}
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("counts of actions, network, snapshots, frames, inputs, resources, log entries\n got %v\nwant %v", got, want)
					break
				}
			}
		})
	}
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func contextWithCancel(t testing.TB) (context.Context, context.CancelFunc) {
	return context.WithCancel(t.Context())
}
