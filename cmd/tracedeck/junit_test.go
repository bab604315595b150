package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// What the commands write as JUnit XML is valid by its schema, on real traces.
func TestJUnitIsValid(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	corpus, dir := filepath.Join("..", "..", "testdata", "corpus"), t.TempDir()
	results := filepath.Join(dir, "results.json")
	if err := os.WriteFile(results, []byte(`{"suites":[{"title":"a.spec.ts","file":"a.spec.ts","specs":[{"title":"x \u0001 <&","file":"a.spec.ts","tests":[
		{"projectName":"chromium","status":"flaky","results":[{"status":"failed","retry":0,"error":{"message":"expect(1).toBe(2) ]]> \u0000"}},{"status":"passed","retry":1}]},
		{"projectName":"firefox","status":"skipped","results":[{"status":"skipped","retry":0}]},
		{"projectName":"webkit","status":"unexpected","results":[{"status":"timedOut","retry":0,"error":{"message":"Test timeout of 30000ms exceeded."}}]}]}]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	file := func(name string) string { return filepath.Join(corpus, name) }
	for i, args := range [][]string{
		{"report", "--format", "junit", "-o", "OUT", filepath.Join(corpus, "playwright")},
		{"report", "--format", "junit", "-o", "OUT", "--results", results, filepath.Join(corpus, "playwright")},
		{"report", "--format", "junit", "-o", "OUT", file("vibium/v26.2.28-errors.zip")},
		{"audit", "--junit", "OUT", file("playwright/network.zip")},
		{"audit", "--junit", "OUT", file("playwright/empty.zip")},
		{"contract", "check", "--junit", "OUT", file("playwright/network.zip")},
		{"diff", "--junit", file("playwright/pair-a.zip"), file("playwright/pair-b.zip")},
		{"diff", "--junit", file("playwright/basic.zip"), file("playwright/no-network.zip")},
		{"diff", "--junit", file("playwright/old"), file("playwright/old")},
	} {
		out := filepath.Join(dir, fmt.Sprint(i, ".xml"))
		for k := range args {
			if args[k] == "OUT" {
				args[k] = out
			}
		}
		var stdout, errs bytes.Buffer
		if code := dispatch(context.Background(), newEnv(nil, &stdout, &errs, func(string) string { return "" }), append(args, "-q")); code == exitTrouble {
			t.Errorf("%v: %s", args, errs.String())
			continue
		}
		document, err := os.ReadFile(out)
		if args[0] == "diff" {
			document, err = stdout.Bytes(), nil
		}
		if err != nil {
			t.Error(err)
			continue
		}
		tracetest.JUnit(t, document)
	}
}
