package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracedeck/tracedeck/trace/code"
)

func TestReferenceIsUpToDate(t *testing.T) {
	var want bytes.Buffer
	writeReference(&want)
	have, err := os.ReadFile(filepath.Join("..", "..", "docs", "commands.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want.Bytes()) {
		t.Error("docs/commands.md does not say what the commands do: run make docs")
	}
}

func TestCodesAreUpToDate(t *testing.T) {
	var want bytes.Buffer
	if err := codesMarkdown(&want, code.All()); err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join("..", "..", "docs", "codes.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want.Bytes()) {
		t.Error("docs/codes.md does not say what the codes mean: run make docs")
	}
}
