package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What the commands print with --json is what their schemas say, on real traces.
func TestAnswersMatchTheirSchemas(t *testing.T) {
	corpus := filepath.Join("..", "..", "testdata", "corpus")
	traces := []string{"playwright/network.zip", "playwright/fail.zip", "playwright/runner-failing-assertion-retry1.zip", "playwright/console.zip",
		"playwright/pages.zip", "playwright/old/v3-pw-1.20.2.zip", "vibium/v26.2.28-errors.zip", "vibium/v26.8.21-bidi-true.zip", "playwright/empty.zip"}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for name, v := range answers {
		schema := compile(t, name, v)
		files := traces
		if name == "diff" {
			files = []string{"pixelmatch/fixtures/1a.png", "pixelmatch/fixtures/4a.png", "playwright/pair-a.zip", "playwright/fail.zip", "playwright/old"}
		}
		if name == "record" || name == "replay" {
			files = files[:1]
		}
		for _, file := range files {
			args := []string{name, "--json", "-q", filepath.Join(corpus, file)}
			if name == "record" {
				args = []string{name, "--json", "-q", "--headless", "--for", "300ms", "-o", filepath.Join(t.TempDir(), "t.zip"), "about:blank"}
			}
			if name == "replay" {
				args = append(args, "-o", t.TempDir())
			}
			if name == "search" {
				args = append(args, "e")
			}
			if name == "gen" {
				args = slices.Insert(args, 1, "test")
			}
			if (name == "gen" || name == "repro" || name == "bugreport") && strings.HasSuffix(file, "empty.zip") {
				continue // nothing was done in it
			}
			if name == "verify" {
				args = append(slices.Insert(args, 1, "compare"), filepath.Join(corpus, "playwright/fail.zip"))
			}
			if name == "contract" {
				args = slices.Insert(args, 1, "check")
			}
			if name == "diff" {
				args = append(args, filepath.Join(corpus, strings.NewReplacer("a.png", "b.png", "pair-a", "pair-b", "fail", "aria-only").Replace(file)))
			}
			var out, errs bytes.Buffer
			if code := dispatch(context.Background(), newEnv(nil, &out, &errs, func(string) string { return "" }), args); code == exitTrouble {
				t.Errorf("%v: %s", args, errs.String())
				continue
			}
			texts := []string{out.String()}
			if name == "search" {
				texts = strings.Split(strings.TrimSpace(out.String()), "\n")
			}
			for _, text := range texts {
				if text == "" {
					continue
				}
				doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
				if err == nil {
					err = schema.Validate(doc)
				}
				if err != nil {
					t.Errorf("%s %s: %v", name, file, err)
				}
			}
		}
	}
}

// What the verbs of contract and the lines of audit print has schemas of its own.
func TestFurtherAnswersMatchTheirSchemas(t *testing.T) {
	network := filepath.Join("..", "..", "testdata", "corpus", "playwright", "network.zip")
	kept := filepath.Join(t.TempDir(), "api.json")
	for _, c := range []struct {
		schema string
		lines  bool
		args   []string
	}{
		{"contract-learn", false, []string{"contract", "learn", "--json", "--file", kept, network}},
		{"contract-report", false, []string{"contract", "report", "--json", "--file", kept}},
		{"contract-learn", false, []string{"contract", "learn", "--accept", "--json", "--file", kept, network}},
		{"contract-clear", false, []string{"contract", "clear", "--json", "--file", kept, "--url", "/json"}},
		{"audit-lines", true, []string{"audit", "--lines", "--severity", "info", network}},
		{"audit", false, []string{"audit", "--json", "--severity", "info", network, network}},
		{"contract", false, []string{"contract", "check", "--json", network, network}},
	} {
		v, ok := documents[c.schema]
		if !ok {
			v = answers[c.schema]
		}
		schema := compile(t, c.schema, v)
		var out, errs bytes.Buffer
		if code := dispatch(context.Background(), newEnv(nil, &out, &errs, func(string) string { return "" }), c.args); code == exitTrouble {
			t.Fatalf("%v: %s", c.args, errs.String())
		}
		texts := []string{out.String()}
		if c.lines {
			texts = strings.Split(strings.TrimSpace(out.String()), "\n")
		}
		for _, text := range texts {
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err == nil {
				err = schema.Validate(doc)
			}
			if err != nil {
				t.Errorf("%v: %v", c.args, err)
			}
		}
	}
}

func compile(t *testing.T, name string, v any) *jsonschema.Schema {
	t.Helper()
	b, err := json.Marshal(schemaOf(name, v))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name+".json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}
