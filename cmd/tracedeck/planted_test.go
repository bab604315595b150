package main

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// all is what a command printed and what it wrote into a folder.
func all(t *testing.T, out, dir string) string {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		out += "\n" + path + "\n" + string(b)
		if z, bad := zip.NewReader(bytes.NewReader(b), int64(len(b))); bad == nil {
			for _, f := range z.File {
				r, err := f.Open()
				if err != nil {
					return err
				}
				b, err := io.ReadAll(r)
				if err != nil {
					return err
				}
				out += "\n" + f.Name + "\n" + string(b)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestNoOutputTellsOneOfAThousandSecrets(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	a, secrets := tracetest.Planted(t, 1)
	b, more := tracetest.Planted(t, 2)
	if len(secrets) < 700 || len(secrets)+len(more) < 1400 {
		t.Fatalf("only %d and %d secrets", len(secrets), len(more))
	}
	none := tracetest.Unspoken(slices.Concat(secrets, more))
	clean := filepath.Join("..", "..", "testdata", "corpus", "playwright", "fail.zip")
	store, api := t.TempDir(), filepath.Join(t.TempDir(), "api.json")
	// "@" stands for a folder that is read afterwards.
	for _, line := range []string{
		"audit --limit -1 --severity info A", "audit --lines --limit -1 A", "audit --sarif @/a.sarif --junit @/a.xml A",
		"contract learn --file API A B A", "contract check --file API B", "contract check A", "contract report --file API", "contract report --file API --as openapi", "contract report --file API --as json-schema",
		"verify start A --label v --store STORE", "verify compare v B --store STORE", "verify compare CLEAN A", "verify compare A B", "verify status --store STORE",
		"snapshot capture s A --store STORE", "snapshot compare s B --store STORE", "snapshot compare CLEAN s --store STORE", "snapshot list --store STORE",
		"watch A", "perf A", "perf A B", "report A", "report --format ai-context --budget 20000 A", "report --format junit A", "report --format markdown A",
		"diff A B", "diff CLEAN A", "diff --all --hidden A B", "diff --junit A B", "diff --markdown A B", "diff --html -o @/d.html A B",
		"gen test A --style full", "gen test A --style full --fixtures mock", "gen test A --style full --fixtures seed", "gen test A --expect fixed", "gen test A --lang rod", "gen test A --requests", "repro A", "repro A --lang rod",
		"bugreport A --inline", "bugreport A -o @/report", "redact A -o @/redacted.zip --list", "export --redact -o @/page.html A",
	} {
		for _, as := range [][]string{nil, {"--json"}} {
			if as != nil && (strings.Contains(line, "--format") || strings.Contains(line, "--lines") || strings.HasPrefix(line, "diff --") && !strings.Contains(line, "--all")) {
				continue
			}
			dir := t.TempDir()
			args := strings.Fields(strings.NewReplacer("@", dir, "CLEAN", clean, "STORE", store, "API", api).Replace(line))
			for i, arg := range args {
				args[i] = map[string]string{"A": a, "B": b}[arg]
				if args[i] == "" {
					args[i] = arg
				}
			}
			var out, errs bytes.Buffer
			if code := dispatch(context.Background(), newEnv(nil, &out, &errs, func(string) string { return "" }), append(args, as...)); code == exitTrouble {
				t.Errorf("%s %v: %s", line, as, errs.String())
			}
			none(t, strings.Join(append([]string{line}, as...), " "), all(t, out.String()+errs.String(), dir))
		}
	}
	none(t, "what was kept", all(t, "", store))
}
