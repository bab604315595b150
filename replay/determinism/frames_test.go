package determinism

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Documents of frames take their places by tasks of the page around them: a
// clock that is held for them must not hold these up.
func TestDocumentsOfFramesAreNotHeldUp(t *testing.T) {
	var other *httptest.Server
	serve := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			fmt.Fprintf(w, `<!doctype html><iframe src="/inner"></iframe><iframe src="%s/cross"></iframe><iframe sandbox="allow-scripts" src="/sandbox"></iframe>
				<script>setTimeout(() => { const f = document.createElement('iframe'); f.src = '/late'; document.body.append(f); }, 200)</script>`, other.URL)
		case "/inner":
			fmt.Fprintf(w, `<!doctype html><iframe src="/deep"></iframe><iframe src="%s/cross"></iframe>`, other.URL)
		default:
			fmt.Fprint(w, `<!doctype html><p>here</p><script>fetch('/data').then(r => r.text())</script>`)
		}
	}
	site := httptest.NewServer(http.HandlerFunc(serve))
	defer site.Close()
	other = httptest.NewServer(http.HandlerFunc(serve))
	defer other.Close()
	other.URL = strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	ctx := context.Background()
	b, err := Start(ctx, Options{Regime: Frames, Log: func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); strings.Contains(text, "not waited for") {
			t.Error(text)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s, err := b.NewSession(ctx, DefaultSession())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Page().Navigate(ctx, site.URL); err != nil {
		t.Fatal(err)
	}
	if err := s.Advance(ctx, time.Second); err != nil {
		t.Fatal(err)
	}
}

// The browser's own page about an error comes later than the error does.
func TestPagesAboutErrorsAreShown(t *testing.T) {
	site, b := page(t, "<!doctype html><h1>here</h1>"), start(t, Frames)
	s, p := visit(t, b, site.URL)
	defer s.Close()
	for i := range 6 {
		if err := p.Navigate(t.Context(), "http://localhost:1/"); err == nil {
			t.Fatal("no error")
		}
		if _, err := p.Picture(t.Context()); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		if err := p.Navigate(t.Context(), site.URL); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
	}
}
