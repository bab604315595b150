package wholefile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracedeck/tracedeck/trace/wholefile"
)

func TestFileStaysWhenWritingFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "list.json")
	if err := wholefile.Write(path, []byte("first"), 0o640); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no more to be had")
	err := wholefile.Fill(path, 0o640, func(w io.Writer) error {
		_, _ = io.WriteString(w, "second, of which only a part")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "first" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 1 {
		t.Errorf("the folder holds %v, %v", list, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := wholefile.Write(path, []byte("third"), 0o644); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "third" {
		t.Errorf("the file holds %q", b)
	}
}

func TestFolderMustBeThere(t *testing.T) {
	if err := wholefile.Write(filepath.Join(t.TempDir(), "none", "x"), nil, 0o644); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}
