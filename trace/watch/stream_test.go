package watch

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A recording ends while a notice waits for its turn: who listens gets it.
func TestStreamTellsWhatWaitsWhenItEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l := NewLog(0)
	l.Add(number(0, Error))
	srv := httptest.NewUnstartedServer(&Stream{Log: l, Options: Options{Batch: time.Hour}, All: true})
	srv.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	srv.Start()
	defer srv.Close()
	res, err := http.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	l.Add(number(1, Error))
	cancel()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	if !strings.Contains(text, "id: 2\nevent: notice") || strings.Count(text, `"severity":"error"`) != 2 || !strings.HasSuffix(text, "event: end\ndata: {}\n\n") {
		t.Errorf("%s", text)
	}
}
