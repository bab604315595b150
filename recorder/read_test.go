package recorder

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// readScript reads bodies in all the ways in which scripts do.
const readScript = `const drain = async (s, n = 1e9) => { const r = s.getReader(); for (let i = 0; i < n && !(await r.read()).done; i++); };
const ways = {
  text: r => r.text(), bytes: r => r.arrayBuffer(), blob: r => r.blob(), reader: r => drain(r.body),
  through: r => drain(r.body.pipeThrough(new TextDecoderStream())), piped: r => r.body.pipeTo(new WritableStream()),
  tee: r => Promise.all(r.body.tee().map(s => drain(s))), clone: r => Promise.all([r.clone().text(), drain(r.body)]),
  wrapped: r => new Response(r.body.pipeThrough(new TransformStream())).text(), each: async r => { for await (const c of r.body) c; },
  unread: r => 0,
};
const readAll = async where => { for (const way in ways) await ways[way](await fetch('/body/' + where + '/' + way)); };
const stop = async () => { const r = await fetch('/body/stopped'), d = r.body.getReader(); await d.read(); await d.cancel(); };
`

const readPage = `<!doctype html><title>Read</title><script src=/read.js></script><iframe src=%s/frame></iframe><script>
(async () => {
  await readAll('page'); await stop();
  await new Promise(r => { new Worker('/worker.js').onmessage = r; });
  document.body.dataset.done = 1;
})();
</script>`

// bodyOf is what is served at an address: not ASCII, and of no known encoding.
func bodyOf(path string) string { return strings.Repeat(path+" é ✓\n", 300) }

func serveReads(t *testing.T) string {
	t.Helper()
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := func(kind, body string) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte(body))
		}
		switch r.URL.Path {
		case "/":
			answer("text/html", strings.Replace(readPage, "%s", strings.Replace(s.URL, "127.0.0.1", "localhost", 1), 1))
		case "/read.js":
			answer("text/javascript", readScript)
		case "/frame":
			answer("text/html", "<script src=/read.js></script><script>readAll('frame').then(() => { document.body.dataset.done = 1; });</script>")
		case "/worker.js":
			answer("text/javascript", readScript+"readAll('worker').then(postMessage)")
		case "/body/stopped":
			_, _ = w.Write([]byte("as far as it came"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		default:
			body := bodyOf(r.URL.Path)
			w.Header().Set("Content-Type", "text/plain")
			_, _ = w.Write([]byte(body[:100]))
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
			_, _ = w.Write([]byte(body[100:]))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// However a page reads an answer, the recording holds all of it.
func TestBodiesAreThereHoweverTheyAreRead(t *testing.T) {
	url, browser := serveReads(t), launchBrowser(t)
	page := browser.MustPage("about:blank").Timeout(2 * time.Minute)
	out := filepath.Join(t.TempDir(), "t.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	page.MustNavigate(url + "/").MustWaitLoad()
	page.MustElement("iframe").MustFrame().Timeout(2 * time.Minute).MustElement("[data-done]")
	page.MustElement("[data-done]")
	time.Sleep(2 * time.Second) // within which the browser is asked for what nobody reads
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	a, tr := loadTrace(t, out)
	read := 0
	for _, q := range tr.Network {
		_, path, ok := strings.Cut(q.Request.URL, "/body/")
		if !ok {
			continue
		}
		if path == "stopped" {
			if q.Response.FailureText == "" {
				t.Error("the answer that the page did not want whole is whole")
			}
			continue
		}
		read++
		if got, want := resource(t, a, q.Response.Content.File), bodyOf("/body/"+path); got != want {
			t.Errorf("%s: the body has %d bytes of %d (%s)", path, len(got), len(want), q.Extra("_bodyNote"))
		}
		if q.Response.FailureText != "" || q.Response.Content.Size != len(bodyOf("/body/"+path)) || q.Time < 0 {
			t.Errorf("%s: %q, %d bytes, %v ms", path, q.Response.FailureText, q.Response.Content.Size, q.Time)
		}
	}
	if read != 33 {
		t.Errorf("%d bodies, want 33", read)
	}
}
