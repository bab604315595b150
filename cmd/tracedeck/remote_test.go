package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// A trace at an address is read by ranges, with the headers that were asked for.
func TestTraceAtAnAddress(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var asked, whole int
	files := http.FileServer(http.Dir(filepath.Join("..", "..", "testdata", "corpus", "playwright")))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.Header.Get("Range") == "" {
			whole++
		}
		if r.Header.Get("Authorization") != "Bearer x" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	run := func(args ...string) (code int, out, errs string) {
		var o, e bytes.Buffer
		code = dispatch(context.Background(), newEnv(nil, &o, &e, func(string) string { return "" }), args)
		return code, o.String(), e.String()
	}
	if code, _, errs := run("info", server.URL+"/basic.zip"); code != exitTrouble || !strings.Contains(errs, "401") || !strings.Contains(errs, "hint: ") {
		t.Errorf("without the header: %d %s", code, errs)
	}
	if code, _, errs := run("info", "--header", "nonsense", server.URL+"/basic.zip"); code != exitTrouble || !strings.Contains(errs, "Name: value") {
		t.Errorf("%d %s", code, errs)
	}
	asked = 0
	code, out, errs := run("info", "--header", "Authorization: Bearer x", server.URL+"/network.zip")
	if code != exitOK || !strings.Contains(out, "44 requests") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if asked == 0 || whole > 0 {
		t.Errorf("%d requests, %d of them for the whole file", asked, whole)
	}
}
