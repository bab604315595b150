package code_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/code"
)

var literal = regexp.MustCompile(`"([EW]_[A-Z][A-Z0-9_]*[A-Z0-9])"`)

// used are the codes in the sources of the program, and where.
func used(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range literal.FindAllSubmatch(text, -1) {
			all[string(m[1])] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEveryCodeIsInTheRegistryOnce(t *testing.T) {
	in, seen := used(t), map[string]bool{}
	if len(in) < 100 {
		t.Fatalf("only %d codes in the sources", len(in))
	}
	for _, c := range code.All() {
		if seen[c.Name] {
			t.Errorf("%s is there twice", c.Name)
		}
		seen[c.Name] = true
		if in[c.Name] == "" {
			t.Errorf("%s is not used: remove it from codes.txt", c.Name)
		}
		if c.Area == "" || c.Means == "" || c.Next == "" {
			t.Errorf("%s: not all is said", c.Name)
		}
	}
	for name, path := range in {
		if !seen[name] {
			t.Errorf("%s (%s) is not in trace/code/codes.txt", name, path)
		}
	}
}

func TestFind(t *testing.T) {
	if c, ok := code.Find("E_DIMENSION_MISMATCH"); !ok || !c.Error() || !strings.Contains(c.Means, "sizes") {
		t.Errorf("%+v %v", c, ok)
	}
	if _, ok := code.Find("E_NONE_SUCH"); ok {
		t.Error("found what is not there")
	}
}
