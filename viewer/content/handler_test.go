package content_test

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/snapshot"
	"github.com/tracedeck/tracedeck/viewer/content"
)

// ask sends a request; header is "Name: value" lines.
func ask(t *testing.T, method, url string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
		}
		req.Header.Set(name, value)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func TestEveryAnswerIsSandboxed(t *testing.T) {
	s := serve(t, craft(t, "http://evil.test"), content.Options{})
	origin := strings.TrimSuffix(s.url, "/c/"+token+"/"+id+"/")
	for _, c := range []struct {
		name, method, url string
		header            []string
		status            int
	}{
		{"page", "GET", s.url + "snapshot/0", nil, 200},
		{"page, head", "HEAD", s.url + "snapshot/0", nil, 200},
		{"no such snapshot", "GET", s.url + "snapshot/99", nil, 404},
		{"negative snapshot", "GET", s.url + "snapshot/-1", nil, 404},
		{"no number", "GET", s.url + "snapshot/x", nil, 404},
		{"entry", "GET", s.url + "r/resources/evil.html", nil, 200},
		{"trace itself", "GET", s.url + "r/trace.trace", nil, 200},
		{"no such entry", "GET", s.url + "r/resources/none", nil, 404},
		{"climbing out", "GET", s.url + "r/..%2f..%2fetc%2fpasswd", nil, 404},
		{"style", "GET", s.url + "style/0/" + base64.RawURLEncoding.EncodeToString([]byte("http://page.test/evil.css")), nil, 200},
		{"style that is not there", "GET", s.url + "style/0/" + base64.RawURLEncoding.EncodeToString([]byte("http://page.test/none.css")), nil, 404},
		{"style without address", "GET", s.url + "style/0/%%", nil, 404},
		{"other kind", "GET", s.url + "x/1", nil, 404},
		{"wrong token", "GET", origin + "/c/" + strings.Repeat("0", 32) + "/" + id + "/snapshot/0", nil, 404},
		{"short token", "GET", origin + "/c/0/" + id + "/snapshot/0", nil, 404},
		{"no token", "GET", origin + "/c//" + id + "/snapshot/0", nil, 404},
		{"other trace", "GET", origin + "/c/" + token + "/t2/snapshot/0", nil, 404},
		{"root", "GET", origin + "/", nil, 404},
		{"post", "POST", s.url + "snapshot/0", nil, 405},
		{"put", "PUT", s.url + "r/resources/evil.html", nil, 405},
		{"options", "OPTIONS", s.url + "snapshot/0", nil, 405},
		{"foreign host", "GET", s.url + "snapshot/0", []string{"Host: evil.test"}, 403},
		{"rebound host", "GET", s.url + "snapshot/0", []string{"Host: 127.0.0.1.evil.test:80"}, 403},
		{"localhost", "GET", s.url + "snapshot/0", []string{"Host: LocalHost:123"}, 200},
		{"ipv6", "GET", s.url + "snapshot/0", []string{"Host: [::1]:80"}, 200},
	} {
		if strings.Contains(c.url, "%%") {
			c.url = strings.ReplaceAll(c.url, "%%", "!")
		}
		res, _ := ask(t, c.method, c.url, c.header...)
		if res.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", c.name, res.StatusCode, c.status)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": "sandbox; default-src 'none'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; " +
				"media-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'",
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*", "Set-Cookie": "",
		} {
			if got := res.Header.Get(name); got != want {
				t.Errorf("%s: %s: %q", c.name, name, got)
			}
		}
		if res.Header.Get("Content-Type") == "" {
			t.Errorf("%s: no type", c.name)
		}
	}
}

func TestPagesAreKeptOnceAllIsKnown(t *testing.T) {
	s := serve(t, craft(t, "http://evil.test"), content.Options{})
	style := "style/0/" + base64.RawURLEncoding.EncodeToString([]byte("http://page.test/evil.css"))
	for _, path := range []string{"snapshot/0", style} {
		for _, reading := range []bool{true, false} {
			s.reading = reading
			res, _ := ask(t, "GET", s.url+path)
			if kept := strings.Contains(res.Header.Get("Cache-Control"), "immutable"); kept == reading {
				t.Errorf("%s: %q while reading: %v", path, res.Header.Get("Cache-Control"), reading)
			}
		}
	}
}

func TestTypesThatCanHoldMarkupAreText(t *testing.T) {
	s := serve(t, craft(t, "http://evil.test"), content.Options{})
	for name, want := range map[string]string{
		"evil.html": "text/plain; charset=utf-8", "evil.htm": "text/plain; charset=utf-8", "evil.xhtml": "text/plain; charset=utf-8", "evil": "text/plain; charset=utf-8",
		"evil.xml": "text/plain; charset=utf-8", "evil.js": "text/plain; charset=utf-8", "evil.css": "text/plain; charset=utf-8", "evil.png": "text/plain; charset=utf-8",
		"evil.svg": "image/svg+xml", "evil.mht": "text/plain; charset=utf-8",
	} {
		res, _ := ask(t, "GET", s.url+"r/resources/"+name)
		if got := res.Header.Get("Content-Type"); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	res, _ := ask(t, "GET", s.url+"r/resources/evil.svg", "Sec-Fetch-Dest: document")
	if got := res.Header.Get("Content-Type"); got != "text/plain; charset=utf-8" {
		t.Errorf("a picture as a document: %s", got)
	}
	res, _ = ask(t, "GET", s.url+"r/resources/evil.html?download=a%22%0d%0ab/c.html")
	if got := res.Header.Get("Content-Disposition"); got != `attachment; filename="a___b_c.html"` {
		t.Errorf("download: %s", got)
	}
}

func TestParts(t *testing.T) {
	s := serve(t, craft(t, "http://evil.test"), content.Options{})
	url := s.url + "r/resources/evil.js"
	whole, body := ask(t, "GET", url)
	tag := whole.Header.Get("ETag")
	n := len(body)
	if tag == "" || whole.Header.Get("Accept-Ranges") != "bytes" || whole.ContentLength != int64(n) || !strings.Contains(whole.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("%v", whole.Header)
	}
	for _, c := range []struct {
		header []string
		status int
		want   string
	}{
		{[]string{"Range: bytes=0-3"}, 206, body[:4]}, {[]string{"Range: bytes=4-"}, 206, body[4:]}, {[]string{"Range: bytes=-5"}, 206, body[n-5:]},
		{[]string{"Range: bytes=5-99999"}, 206, body[5:]}, {[]string{"Range: bytes=99999-"}, 416, "there are not so many bytes\n"}, {[]string{"Range: bytes=0-1,3-4"}, 200, body},
		{[]string{"Range: bytes=9-2"}, 200, body}, {[]string{"Range: bytes=a-b"}, 200, body}, {[]string{"Range: lines=1-2"}, 200, body}, {[]string{"Range: bytes=-0"}, 200, body},
		{[]string{"Range: bytes=0-3", "If-Range: " + tag}, 206, body[:4]}, {[]string{"Range: bytes=0-3", `If-Range: "other"`}, 200, body},
		{[]string{"If-None-Match: " + tag}, 304, ""}, {[]string{`If-None-Match: "x", W/` + tag}, 304, ""}, {[]string{`If-None-Match: "x"`}, 200, body},
	} {
		res, got := ask(t, "GET", url, c.header...)
		if res.StatusCode != c.status || got != c.want {
			t.Errorf("%v: %d %q", c.header, res.StatusCode, got)
		}
	}
}

func TestStyleSheetIsRewritten(t *testing.T) {
	s := serve(t, craft(t, "http://evil.test"), content.Options{})
	res, body := ask(t, "GET", s.url+"style/0/"+base64.RawURLEncoding.EncodeToString([]byte("http://page.test/evil.css")))
	if res.Header.Get("Content-Type") != "text/css; charset=utf-8" || strings.Contains(body, "evil.test") || !strings.Contains(body, `@import "/c/`) {
		t.Errorf("%s %s", res.Header.Get("Content-Type"), body)
	}
}

// TestIndexedSnapshotsAreTheSame compares pages by way of the index with those
// of the joined view.
func TestIndexedSnapshotsAreTheSame(t *testing.T) {
	for _, zip := range []string{"playwright/network.zip", "playwright/frames.zip", "playwright/old/v4-pw-1.35.1.zip", "playwright/old/v3-pw-1.20.2.zip", "vibium/v26.8.21-basic.zip"} {
		s := serve(t, corpus(zip), content.Options{})
		b := index.NewBuilder(s.a, index.Options{NoCache: true})
		if err := b.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		store, err := content.FromIndex(s.a, b.Index()).Snapshots(context.Background())
		if err != nil || store.Len() != s.store.Len() || store.Len() == 0 {
			t.Fatalf("%s: %d snapshots of %d, %v", zip, store.Len(), s.store.Len(), err)
		}
		same := 0
		for n := range store.Len() {
			p, _ := store.Place(n)
			for other := range s.store.Len() {
				if q, _ := s.store.Place(other); p.Position == q.Position {
					same++
					if got, want := render(t, store, n), render(t, s.store, other); got != want {
						t.Errorf("%s: snapshot %d:\n%s\nwant\n%s", zip, n, got, want)
					}
				}
			}
		}
		if same != store.Len() {
			t.Errorf("%s: %d of %d snapshots found", zip, same, store.Len())
		}
	}
}

type byFile struct {
	s *snapshot.Store
	n int
}

func (b byFile) Resource(address string, _ snapshot.Use) string {
	r, _ := b.s.Resource(context.Background(), b.n, address)
	return r.File
}
func (byFile) Entry(file string) string { return file }
func (b byFile) Frame(f snapshot.Frame) string {
	n, ok := b.s.FrameOf(b.n, f.ID)
	p, _ := b.s.Place(n)
	if !ok {
		return ""
	}
	return p.FrameURL
}

func render(t *testing.T, s *snapshot.Store, n int) string {
	t.Helper()
	var b strings.Builder
	if _, err := s.Render(context.Background(), &b, n, snapshot.Options{Addresses: byFile{s, n}}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
