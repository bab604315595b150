package container_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace/internal/container"
	"github.com/tracedeck/tracedeck/trace/remote"
)

func TestOpensAddress(t *testing.T) {
	want := text(20_000)
	entries := []any{"trace.trace", want}
	for range 40 {
		entries = append(entries, "resources/"+strings.Repeat("x", len(entries))+"=", text(100_000))
	}
	zip := build(t, entries...)
	files := map[string][]byte{"/t.zip": zip, "/artifact": build(t, "t.zip=", zip), "/cut.zip": zip[:len(zip)/2],
		"/two": build(t, "a.zip=", build(t, "trace.trace", []byte("a")), "b.zip=", zip)}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Unix(1, 0), bytes.NewReader(files[r.URL.Path]))
	}))
	defer s.Close()
	for _, path := range []string{"/t.zip?sig=secret", "/artifact", "/cut.zip", "/two!b.zip"} {
		c := openPath(t, s.URL+path)
		same(t, c, "trace.trace", want)
		if strings.Contains(c.Name(), "secret") {
			t.Errorf("name %s", c.Name())
		}
		if n := len(c.Entries()); path != "/cut.zip" && n != 41 {
			t.Errorf("%s: %d entries", path, n)
		}
	}
	_, err := container.Open(context.Background(), s.URL+"/none.zip", container.Options{})
	if err == nil {
		t.Error("no error")
	}
	var status *remote.StatusError
	gone := httptest.NewServer(http.NotFoundHandler())
	defer gone.Close()
	if _, err := container.Open(context.Background(), gone.URL, container.Options{}); !errors.As(err, &status) {
		t.Errorf("err = %v", err)
	}
}
