package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTypedAddresses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a page.html"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"":                   "",
		"http://a.test/x":    "http://a.test/x",
		"about:blank":        "about:blank",
		"data:text/html,x":   "data:text/html,x",
		"file:///x/y.html":   "file:///x/y.html",
		"localhost":          "http://localhost",
		"localhost:3000/x?y": "http://localhost:3000/x?y",
		"app.localhost:3000": "http://app.localhost:3000",
		"127.0.0.1:80":       "http://127.0.0.1:80",
		"[::1]:3000/":        "http://[::1]:3000/",
		"10.1.2.3/x":         "http://10.1.2.3/x",
		"web:8080":           "http://web:8080",
		"shop.example":       "https://shop.example",
		"shop.example/a:1":   "https://shop.example/a:1",
		"nonsense":           "nonsense", "missing/page": "missing/page",
		"missing.html": "https://missing.html",
	} {
		if got := pageAddress(dir, typed); got != want {
			t.Errorf("pageAddress(%q) = %q, want %q", typed, got, want)
		}
	}
	if got := pageAddress(dir, "a page.html#top"); !strings.HasPrefix(got, "file:///") || !strings.HasSuffix(got, "/a%20page.html#top") {
		t.Errorf("a file became %q", got)
	}
	if got := pageAddress(dir, "."); !strings.HasSuffix(got, filepath.Base(dir)+"/") {
		t.Errorf("a folder became %q", got)
	}
}
