package main

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

var (
	schemed = lazyregexp.New(`^(?i:[a-z][a-z0-9+.-]*://|about:|data:|chrome:|file:|blob:)`)
	local   = lazyregexp.New(`^(?i:localhost|[a-z0-9-]+\.localhost|127\.[0-9.]+|0\.0\.0\.0|\[[0-9a-f:]+\]|[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+)(:[0-9]+)?([/?#]|$)|^[^/:]+:[0-9]+([/?#]|$)`)
)

// pageAddress makes an address of what somebody typed, as a browser's address
// bar does: a file or folder that is there, from dir, is a file: address, what
// looks like a server of one's own is http, and other names with a dot are
// https. What is none of these stays as it is.
func pageAddress(dir, typed string) string {
	if typed == "" || schemed.MatchString(typed) {
		return typed
	}
	file, tail := typed, ""
	if i := strings.IndexAny(typed, "?#"); i > 0 {
		file, tail = typed[:i], typed[i:]
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	if info, err := os.Stat(file); err == nil {
		return fileAddress(file, info.IsDir()) + tail
	}
	if local.MatchString(typed) {
		return "http://" + typed
	}
	if host, _, _ := strings.Cut(typed, "/"); strings.Contains(host, ".") {
		return "https://" + typed
	}
	return typed
}

func fileAddress(file string, folder bool) string {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	at := filepath.ToSlash(file)
	if !strings.HasPrefix(at, "/") { // a drive letter
		at = "/" + at
	}
	if folder && !strings.HasSuffix(at, "/") {
		at += "/"
	}
	return (&url.URL{Scheme: "file", Path: at}).String()
}
