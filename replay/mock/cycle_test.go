package mock

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
	"github.com/gorilla/websocket"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/browser"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

const cyclePage = `<title>app</title><pre id=log></pre><script>
const log = [], done = (async () => {
  const say = (...a) => log.push(a.join(" "));
  say("get", await (await fetch("/api/hello?b=2&a=1")).text());
  const q = (n) => fetch("/api/echo", {method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify({n, x: {b: 1, a: [1, 2]}})}).then(r => r.text());
  say("post", (await Promise.all([q(1), q(2), q(3)])).join(" "));
  const d = new FormData(); d.append("name", "Ada"); d.append("file", new Blob(["some text"], {type: "text/plain"}), "a.txt");
  say("form", await (await fetch("/api/form", {method: "POST", body: d})).text());
  const moved = await fetch("/api/moved"); say("moved", moved.redirected, await moved.text());
  say("error", (await fetch("/api/error")).status);
  const r = await fetch("/api/stream"), reader = r.body.getReader(), t = new TextDecoder; let parts = 0, text = "";
  for (;;) { const x = await reader.read(); if (x.done) break; parts++; text += t.decode(x.value) } say("stream", parts, text);
  say("socket", await new Promise(y => { const s = new WebSocket("ws://" + location.host + "/ws"), got = []; s.onopen = () => s.send("one"); s.onmessage = e => { got.push(e.data); if (got.length === 1) s.send("two"); else { s.close(); y(got.join()) } }; s.onerror = () => y("error") }));
  say("events", await new Promise(y => { const s = new EventSource("/events"), got = []; s.onmessage = e => { got.push(e.data); if (got.length === 3) { s.close(); y(got.join()) } }; s.onerror = () => y("error") }));
  say("other", await (await fetch("OTHER/api", {method: "PUT", headers: {"x-own": "1"}})).text());
  return log.join("\n");
})().catch(e => log.join("\n") + "\nthrew " + e);
</script>`

// backend counts what it is asked for.
func backend(page *string) (http.Handler, func() int) {
	n := 0
	mux := http.NewServeMux()
	api := func(path string, do http.HandlerFunc) {
		mux.HandleFunc(path, func(w http.ResponseWriter, q *http.Request) { n++; do(w, q) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, *page)
	})
	api("/api/hello", func(w http.ResponseWriter, q *http.Request) { fmt.Fprintf(w, "hello %d", n) })
	api("/api/echo", func(w http.ResponseWriter, q *http.Request) { _, _ = io.Copy(w, q.Body) })
	api("/api/form", func(w http.ResponseWriter, q *http.Request) { fmt.Fprintf(w, "thanks %s", q.FormValue("name")) })
	api("/api/moved", func(w http.ResponseWriter, q *http.Request) {
		http.Redirect(w, q, "http://"+q.Host+"/api/there", http.StatusFound)
	})
	api("/api/there", func(w http.ResponseWriter, q *http.Request) { _, _ = io.WriteString(w, "there") })
	api("/api/error", func(w http.ResponseWriter, q *http.Request) { http.Error(w, "no", http.StatusTeapot) })
	api("/api/stream", func(w http.ResponseWriter, q *http.Request) {
		for i := range 3 {
			fmt.Fprintf(w, "part %d;", i)
			_ = http.NewResponseController(w).Flush()
			time.Sleep(120 * time.Millisecond)
		}
	})
	api("/events", func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: event %d\n\n", i)
			_ = http.NewResponseController(w).Flush()
			time.Sleep(30 * time.Millisecond)
		}
		<-q.Context().Done()
	})
	api("/ws", func(w http.ResponseWriter, q *http.Request) {
		c, err := (&websocket.Upgrader{}).Upgrade(w, q, nil)
		if err != nil {
			return
		}
		defer c.Close()
		for {
			kind, data, err := c.ReadMessage()
			if err != nil || c.WriteMessage(kind, append([]byte("echo "), data...)) != nil {
				return
			}
		}
	})
	return mux, func() int { return n }
}

// What a real session said to a real server it hears again without one.
func TestRecordedSessionIsAnsweredWithoutItsServer(t *testing.T) {
	page := ""
	handler, asked := backend(&page)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", q.Header.Get("Origin"))
		w.Header().Set("Access-Control-Allow-Methods", "PUT")
		w.Header().Set("Access-Control-Allow-Headers", "x-own")
		_, _ = io.WriteString(w, "other "+q.Method)
	}))
	page = strings.ReplaceAll(cyclePage, "OTHER", other.URL)
	then := httptest.NewServer(handler)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	b, err := browser.Launch(ctx, browser.Options{})
	check(t, err)
	out := filepath.Join(t.TempDir(), "session.zip")
	s, err := recorder.Start(ctx, b.Rod, recorder.DefaultOptions(out))
	check(t, err)
	p, err := b.Rod.Page(proto.TargetCreateTarget{URL: "about:blank"})
	check(t, err)
	check(t, p.Navigate(then.URL))
	check(t, p.WaitLoad())
	said := run(t, p, "return done")
	check(t, s.Stop(ctx))
	check(t, b.Close())
	then.CloseClientConnections()
	then.Close()
	other.Close()
	if asked() < 10 || strings.Contains(said, "threw") {
		t.Fatalf("the session itself: %s", said)
	}
	now, misses := serve(t, map[string]string{"/": page})
	r, err := New(ctx, tracetest.Open(t, out), Options{Target: now})
	check(t, err)
	if heard := run(t, open(t, r, now), "return done"); heard != said {
		t.Errorf("heard:\n%s\nsaid:\n%s", heard, said)
	}
	if !strings.Contains(said, "stream 3") {
		t.Errorf("the stream did not come in three parts: %s", said)
	}
	rep := r.Report()
	if len(misses()) > 0 || len(rep.Misses) > 0 || len(rep.Left) > 0 {
		t.Errorf("asked %v, misses %v, left %v", misses(), rep.Misses, rep.Left)
	}
}
