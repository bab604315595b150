package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
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
