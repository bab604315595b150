package mock

import (
	"context"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/har"
)

func TestPartsOfAFileAreCutFromWhatWasRecordedOfIt(t *testing.T) {
	whole := get("/film", "0123456789")
	part := get("/song", "34567")
	part.status, part.edit = 206, func(e *har.Entry) {
		e.Request.Headers = append(e.Request.Headers, har.NameValue{Name: "Range", Value: "bytes=3-7"})
		e.Response.Headers = append(e.Response.Headers, har.NameValue{Name: "Content-Range", Value: "bytes 3-7/10"})
	}
	r := router(t, Options{Offline: true, OnMiss: Warn}, page(), whole, part)
	for _, c := range []struct {
		path, ask, body, says string
		status                int
	}{
		{"/film", "bytes=0-", "0123456789", "bytes 0-9/10", 206},
		{"/film", "bytes=2-4", "234", "bytes 2-4/10", 206},
		{"/film", "bytes=-3", "789", "bytes 7-9/10", 206},
		{"/film", "bytes=8-99", "89", "bytes 8-9/10", 206},
		{"/song", "bytes=5-", "567", "bytes 5-7/10", 206},
		{"/song", "bytes=3-7", "34567", "bytes 3-7/10", 206},
		{"/song", "bytes=8-", "", "", 0},
		{"/song", "", "", "", 0},
		{"/film", "bytes=a-b", "", "", 0},
		{"/film", "bytes=10-", "", "", 0},
	} {
		q := &Request{Method: "GET", URL: app + c.path, Type: "Media", Headers: map[string]string{}}
		if c.ask != "" {
			q.Headers["Range"] = c.ask
		}
		ans := r.Answer(context.Background(), q)
		says := ""
		for _, h := range ans.Headers {
			if strings.EqualFold(h.Name, "Content-Range") {
				says = h.Value
			}
		}
		if ans.Status != c.status || string(ans.Body) != c.body || says != c.says {
			t.Errorf("%s %q: %d %q %q, want %d %q %q", c.path, c.ask, ans.Status, ans.Body, says, c.status, c.body, c.says)
		}
	}
}

func FuzzWantedSpan(f *testing.F) {
	for _, s := range []string{"bytes=0-", "bytes=-5", "bytes=3-7", "bytes=9-1", "bytes=99999999999999999999-"} {
		f.Add(s, int64(10))
	}
	f.Fuzz(func(t *testing.T, header string, size int64) {
		asked, ok := wantedSpan(header)
		if !ok || size <= 0 || size > 1<<40 {
			return
		}
		if p, ok := (span{0, size - 1, size}).in(asked); ok && (p.from < 0 || p.from > p.to || p.to >= size) {
			t.Errorf("%q of %d: %+v", header, size, p)
		}
	})
}
