package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/replay"
	"github.com/tracedeck/tracedeck/replay/heal"
	"github.com/tracedeck/tracedeck/replay/mock"
)

func TestReplaysOfARunFollowTheConfiguration(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "context.json"), []byte(`{"locale": "de-DE"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	p := &project.Project{Dir: filepath.Join(root, project.Folder)}
	p.Config.Replay = project.Replay{Mode: "live", Misses: "error", AllowedOrigins: []string{"http://cdn.test"}, OriginPolicies: map[string]string{"http://ads.test": "blocked"},
		IgnoreParams: []string{"sess_*"}, PathTemplates: []string{"/users/:id"}, Context: "context.json",
		Values: map[string]string{"getByLabel('Password')": "$SHOP_PASSWORD", "call@9": "5$"}, Files: map[string]string{"a.png": "files/a.png"}}
	t.Setenv("SHOP_PASSWORD", "hunter2!")
	r, err := newReplays(&ciRun{p: p, dir: t.TempDir(), comparer: &run.Comparer{Manifest: baseline.New()}})
	if err != nil {
		t.Fatal(err)
	}
	n := r.options.Network
	if n.Mode != mock.Live || n.OnMiss != mock.Error || len(n.Allow) != 1 || n.Policies["http://ads.test"] != mock.Blocked || len(n.IgnoreParams) != 1 || len(n.Templates) != 1 {
		t.Errorf("network %+v", n)
	}
	if c := r.options.Context; c == nil {
		t.Error("the file of the context was not read")
	}
	if v := r.options.Values; v["getByLabel('Password')"] != "hunter2!" || v["call@9"] != "5$" || r.options.Files["a.png"] != filepath.Join(root, "files", "a.png") {
		t.Errorf("values %v, files %v", v, r.options.Files)
	}
	if err := r.keepHeals(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, healsFile)); err == nil {
		t.Error("a file of heals was written, and nothing was healed")
	}
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.options.Overlay.Note(&heal.Target{Selector: "#go"}, &heal.Match{Strategy: heal.TestID, Confidence: 0.95, Selector: "#gone"}, r.options.Run)
	if err := r.keepHeals(); err != nil || r.options.Run == "" {
		t.Fatal(err)
	}
	if r, err = newReplays(&ciRun{p: p, dir: t.TempDir(), comparer: &run.Comparer{Manifest: baseline.New()}}); err != nil || len(r.options.Overlay.Heals()) != 1 {
		t.Errorf("the next run knows nothing of the heal: %v", err)
	}
	p.Config.Replay = project.Replay{Values: map[string]string{"#pin": "${SHOP_PIN}"}}
	if _, err = newReplays(&ciRun{p: p, dir: t.TempDir(), comparer: &run.Comparer{Manifest: baseline.New()}}); err == nil || !strings.Contains(err.Error(), "#pin is to be $SHOP_PIN, which is not set") {
		t.Errorf("a variable that is not set: %v", err)
	}
	p.Config.Replay = project.Replay{}
	if r, err = newReplays(&ciRun{p: p, dir: t.TempDir(), comparer: &run.Comparer{Manifest: baseline.New()}}); err != nil {
		t.Fatal(err)
	}
	if n := r.options.Network; n.Mode != mock.Mock || n.OnMiss != mock.Pass || r.options.Context != nil {
		t.Errorf("without any: %+v", n)
	}
}

func TestWhatTheRecordingDidNotAnswerIsInTheRun(t *testing.T) {
	report := &replay.Report{Steps: []replay.Step{{Title: "Click Pay", Recorded: "call@3", Status: replay.Passed, Heal: &heal.Match{Strategy: heal.TestID, Confidence: 0.95, Selector: "#pay"}}},
		Network: &mock.Report{Misses: []mock.Miss{{Code: mock.CodeMiss, Method: "GET", URL: "http://app.test/new", Nearest: "GET http://app.test/old", Reason: "its path is /old", Count: 2}}}}
	for range 30 {
		report.Network.Misses = append(report.Network.Misses, mock.Miss{Code: mock.CodeBlocked, Method: "GET", URL: "http://out.test/", Reason: "blocked", Count: 1})
	}
	faults, warnings := remarksOf(report)
	if len(faults) != 1 || faults[0].Code != mock.CodeMiss || faults[0].Count != 2 || faults[0].Details["nearest"] == "" {
		t.Errorf("faults %+v", faults)
	}
	if len(warnings) != 1+mostMisses+1 || warnings[0].Code != heal.CodeUsed || warnings[len(warnings)-1].Count != 30-mostMisses {
		t.Errorf("%d warnings %+v", len(warnings), warnings)
	}
}
