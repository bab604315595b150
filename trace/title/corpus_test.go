package title_test

import (
	"archive/zip"
	"bufio"
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/trace/locator"
	"github.com/tracedeck/tracedeck/trace/title"
)

const corpus = "../../testdata/corpus"

// event holds the fields of a trace line that this test needs, of all format versions.
type event struct {
	Type        string          `json:"type"`
	CallID      string          `json:"callId"`
	StepID      string          `json:"stepId"`
	StartTime   float64         `json:"startTime"`
	Class       string          `json:"class"`
	Method      string          `json:"method"`
	APIName     string          `json:"apiName"`
	Title       string          `json:"title"`
	Subtitle    string          `json:"subtitle"`
	Group       string          `json:"group"`
	Params      json.RawMessage `json:"params"`
	SDKLanguage string          `json:"sdkLanguage"`
	Metadata    *struct {
		ID        string          `json:"id"`
		Type      string          `json:"type"`
		Method    string          `json:"method"`
		APIName   string          `json:"apiName"`
		Internal  bool            `json:"internal"`
		Params    json.RawMessage `json:"params"`
		StartTime float64         `json:"startTime"`
	} `json:"metadata"`
}

// call reads the event as a call, or says that it is none.
func (e event) call() (title.Call, bool) {
	if m := e.Metadata; e.Type == "action" && m != nil {
		name := m.APIName
		if name == "" {
			name = m.Type + "." + m.Method
		}
		return title.Call{Class: m.Type, Method: m.Method, Title: name, Params: m.Params},
			!m.Internal && !strings.HasPrefix(m.Method, "tracing")
	}
	return title.Call{
		Class: e.Class, Method: e.Method, Title: cmp.Or(e.Title, e.APIName), Subtitle: e.Subtitle, Group: e.Group, Params: e.Params,
	}, e.Type == "before"
}

// titles reads a trace by hand: the trace package is not needed to test words. A call that both the runner
// and the library report keeps the library's class and parameters.
func titles(t *testing.T, path string) []title.Title {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	calls := map[string]title.Call{}
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, ".trace") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		readCalls(t, bufio.NewScanner(r), calls)
		r.Close()
	}
	var all []title.Title
	for _, c := range calls {
		all = append(all, title.Of(c))
	}
	return all
}

func readCalls(t *testing.T, lines *bufio.Scanner, calls map[string]title.Call) {
	t.Helper()
	lines.Buffer(nil, 64<<20)
	language := locator.JavaScript
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if e.Type == "context-options" && e.SDKLanguage != "" {
			language = locator.Language(e.SDKLanguage)
		}
		c, ok := e.call()
		if !ok {
			continue
		}
		c.Language = language
		id := cmp.Or(e.StepID, e.CallID)
		if e.Metadata != nil {
			id = e.Metadata.ID
		}
		if old, seen := calls[id]; !seen || old.Class == "Test" {
			calls[id] = c
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

// count turns lines into how often each occurs: the order of a tree is not the matter of this package.
func count(lines []string) map[string]int {
	n := map[string]int{}
	for _, l := range lines {
		n[strings.TrimSpace(l)]++
	}
	return n
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func visible(all []title.Title, show func(title.Title) string) []string {
	var lines []string
	for _, t := range all {
		if t.Group == "" {
			lines = append(lines, show(t))
		}
	}
	return lines
}

func TestTitlesAreThoseOfThePlaywrightLoader(t *testing.T) {
	var manifest struct {
		Traces map[string]struct {
			Loader struct {
				ActionTree []string `json:"actionTree"`
			} `json:"loader"`
		} `json:"traces"`
	}
	readJSON(t, corpus+"/playwright/manifest.json", &manifest)
	lines := 0
	for _, name := range slices.Sorted(maps.Keys(manifest.Traces)) {
		want := count(manifest.Traces[name].Loader.ActionTree)
		got := count(visible(titles(t, filepath.Join(corpus, "playwright", name)), title.Title.String))
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s: titles (-loader +ours):\n%s", name, diff)
		}
		lines += len(manifest.Traces[name].Loader.ActionTree)
	}
	if lines < 200 {
		t.Errorf("the manifest names %d lines; the corpus has more than 200", lines)
	}
}

func TestTitlesAreThoseOfThePlaywrightViewer(t *testing.T) {
	files, _ := filepath.Glob(corpus + "/playwright/old/expected/*.json")
	more, _ := filepath.Glob(corpus + "/playwright/expected/*.json")
	if len(files) < 8 || len(more) < 20 {
		t.Fatalf("found %d and %d expectations", len(files), len(more))
	}
	for _, file := range append(files, more...) {
		var expected struct {
			File    string   `json:"file"`
			Actions []string `json:"actionTitles"`
		}
		readJSON(t, file, &expected)
		if expected.File == "" || len(expected.Actions) == 0 && expected.File != "empty.zip" {
			t.Errorf("%s names no actions", file)
		}
		trace := filepath.Join(filepath.Dir(filepath.Dir(file)), expected.File)
		got := visible(titles(t, trace), func(t title.Title) string {
			if t.Detail == "" {
				return t.Text
			}
			return t.Text + " | " + t.Detail
		})
		if diff := gocmp.Diff(count(expected.Actions), count(got)); diff != "" {
			t.Errorf("%s: titles (-viewer +ours):\n%s", expected.File, diff)
		}
	}
}
