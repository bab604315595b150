package mock

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// exchange is a request and its answer, for making recordings.
type exchange struct {
	method, url, kind, mime, sent string
	status                        int
	body                          string
	headers                       []har.NameValue
	asks                          []har.NameValue
	edit                          func(*har.Entry)
}

// record makes a recording in which each exchange begins a second after the
// one before.
func record(t testing.TB, list ...exchange) *trace.Archive {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.zip")
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	check(t, err)
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", WallTime: float64(began.UnixMilli())})
	check(t, err)
	for i, x := range list {
		e := har.Entry{StartedDateTime: began.Add(time.Duration(i) * time.Second).Format("2006-01-02T15:04:05.000Z"), Time: 10, MonotonicTime: float64(i) * 1000, HasMonotonicTime: true, ResourceType: x.kind,
			Timings: har.Timings{Wait: 5, Receive: 5}}
		e.Request = har.Request{Method: x.method, URL: x.url, Headers: append([]har.NameValue{}, x.asks...), HeadersSize: -1}
		if x.sent != "" {
			mime := x.mime
			if mime == "" {
				mime = "application/json"
			}
			file, err := w.AddResource([]byte(x.sent), "bin")
			check(t, err)
			e.Request.PostData, e.Request.BodySize = &har.PostData{MimeType: mime, File: file}, len(x.sent)
		}
		e.Response = har.Response{Status: x.status, Headers: append([]har.NameValue{}, x.headers...), HeadersSize: -1, BodySize: len(x.body), Content: har.Content{Size: len(x.body), MimeType: "application/json"}}
		if x.body != "" {
			e.Response.Content.File, err = w.AddResource([]byte(x.body), "json")
			check(t, err)
		}
		if x.edit != nil {
			x.edit(&e)
		}
		check(t, c.Write(&trace.ResourceSnapshot{Entry: e}))
	}
	check(t, w.Close())
	return tracetest.Open(t, path)
}

var began = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func router(t testing.TB, o Options, list ...exchange) *Router {
	t.Helper()
	r, err := New(context.Background(), record(t, list...), o)
	check(t, err)
	return r
}

func (r *Router) get(kind, url string) Answer {
	return r.Answer(context.Background(), &Request{Method: "GET", URL: url, Type: kind})
}

func (r *Router) post(url, mime, body string) Answer {
	return r.Answer(context.Background(), &Request{Method: "POST", URL: url, Type: "Fetch", Body: []byte(body), Headers: map[string]string{"content-type": mime}})
}

func wants(t *testing.T, a Answer, body string) {
	t.Helper()
	if a.Decision != Fulfil || string(a.Body) != body {
		t.Errorf("decision %d (%s), body %q; want %q", a.Decision, a.Reason, a.Body, body)
	}
}

func codes(r *Router) string {
	var list []string
	for _, m := range r.Report().Misses {
		list = append(list, m.Code)
	}
	return strings.Join(list, " ")
}

const app = "http://app.test:3000"

func get(path, body string) exchange {
	return exchange{method: "GET", url: app + path, kind: "fetch", status: 200, body: body}
}

func post(path, sent, body string) exchange {
	return exchange{method: "POST", url: app + path, kind: "fetch", status: 200, sent: sent, body: body}
}

func page() exchange {
	return exchange{method: "GET", url: app + "/", kind: "document", status: 200, body: "<title>app</title>", edit: func(e *har.Entry) { e.Response.Content.MimeType = "text/html" }}
}
