package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/export"
)

func open(t *testing.T, path string) *trace.Archive {
	t.Helper()
	a, err := trace.Open(context.Background(), filepath.Join("..", "..", "testdata", "corpus", path), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// archive is what a strict reader of HTTP Archive 1.2 demands.
type archive struct {
	Log struct {
		Version string
		Creator struct{ Name, Version string }
		Pages   []struct{ StartedDateTime, ID, Title string }
		Entries []struct {
			StartedDateTime string
			Time            *float64
			Request         struct {
				Method, URL, HTTPVersion      string
				Cookies, Headers, QueryString *[]struct{ Name, Value string }
				HeadersSize, BodySize         *int
				PostData                      *struct{ MimeType, Text string }
			}
			Response struct {
				Status           *int
				HTTPVersion      string
				Cookies, Headers *[]struct{ Name, Value string }
				Content          *struct {
					Size           *int
					MimeType, Text string
				}
				RedirectURL *string
			}
			Cache   *struct{}
			Timings *struct{ Send, Wait, Receive *float64 }
		}
	}
}

func TestHARHasWhatReadersDemand(t *testing.T) {
	for _, path := range []string{"playwright/network.zip", "playwright/old/v3-pw-1.20.2.zip", "vibium/v26.2.28-network.zip", "vibium/v26.8.21-client-subscribed-fetcherror.zip"} {
		a := open(t, path)
		tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		r, err := export.HAR(context.Background(), &out, a, tr, export.HAROptions{Creator: "tracedeck", Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		var h archive
		if err := json.Unmarshal(out.Bytes(), &h); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if len(h.Log.Entries) != len(tr.Network) || r.Entries != len(tr.Network) || h.Log.Version != "1.2" {
			t.Errorf("%s: %d entries of %d", path, len(h.Log.Entries), len(tr.Network))
		}
		posted := false
		for i, e := range h.Log.Entries {
			if !strings.HasSuffix(e.StartedDateTime, "Z") || e.Time == nil || *e.Time < 0 || e.Request.Cookies == nil || e.Request.Headers == nil || e.Request.QueryString == nil ||
				e.Request.HTTPVersion == "" || e.Request.HeadersSize == nil || e.Response.Status == nil || *e.Response.Status < 0 || e.Response.Headers == nil || e.Response.Cookies == nil ||
				e.Response.Content == nil || e.Response.Content.MimeType == "" || e.Response.RedirectURL == nil || e.Cache == nil || e.Timings == nil || *e.Timings.Send < 0 {
				t.Errorf("%s: entry %d lacks something: %+v", path, i, e)
			}
			posted = posted || e.Request.PostData != nil && e.Request.PostData.Text != ""
		}
		if path == "playwright/network.zip" && (!posted || r.Bodies < 30) {
			t.Errorf("bodies: %d, of requests: %v", r.Bodies, posted)
		}
	}
}

// The same events come out as lines of JSON and as MessagePack.
func TestStreamsHoldTheSameEvents(t *testing.T) {
	for _, path := range []string{"playwright/console.zip", "playwright/old/v4-pw-1.35.1.zip", "vibium/v26.2.28-groups.zip"} {
		a := open(t, path)
		var lines, packed bytes.Buffer
		bad := func(err error) { t.Error(err) }
		if err := export.Events(context.Background(), a, export.NDJSON(&lines), bad); err != nil {
			t.Fatal(err)
		}
		if err := export.Events(context.Background(), a, export.MessagePack(&packed), bad); err != nil {
			t.Fatal(err)
		}
		dec := msgpack.NewDecoder(&packed)
		n := 0
		for _, line := range strings.Split(strings.TrimSpace(lines.String()), "\n") {
			var want, got map[string]any
			if err := json.Unmarshal([]byte(line), &want); err != nil {
				t.Fatal(err)
			}
			if err := dec.Decode(&got); err != nil {
				t.Fatal(err)
			}
			a, _ := json.Marshal(want)
			b, _ := json.Marshal(got)
			if !bytes.Equal(a, b) {
				t.Errorf("%.300s\n%.300s", a, b)
			}
			n++
		}
		if _, err := dec.DecodeInterface(); err != io.EOF || n < 20 {
			t.Errorf("%s: %d events, then %v", path, n, err)
		}
	}
}
