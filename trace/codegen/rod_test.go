package codegen

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A program for each of these is built: together they use every verb.
func TestGoProgramsBuild(t *testing.T) {
	dir := t.TempDir()
	var list []string
	for _, name := range []string{"playwright/basic", "playwright/pages", "playwright/forms", "playwright/console", "playwright/frames", "playwright/input", "playwright/fail", "playwright/file-chooser",
		"playwright/runner-passing-with-steps-smoke", "playwright/runner-failing-assertion", "playwright/network", "vibium/v26.2.28-groups", "vibium/v26.2.28-dialogs"} {
		s := mustRead(t, filepath.Join("..", "..", "testdata", "corpus", filepath.FromSlash(name)+".zip"), DefaultOptions())
		folder := filepath.Join(dir, filepath.Base(name))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, "main.go")
		if err := os.WriteFile(file, s.Go(), 0o644); err != nil {
			t.Fatal(err)
		}
		list = append(list, file)
	}
	for _, file := range list {
		// Files of this module see its dependencies, wherever they lie.
		if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}

func TestGoProgramsOfHostileTracesParse(t *testing.T) {
	for _, text := range hostileTexts {
		s, err := read(t, zipOf(t, hostile(text)), DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "main.go", s.Go(), 0); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
