package recorder

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

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/gorilla/websocket"

	"github.com/tracedeck/tracedeck/trace"
)

// launchBrowser starts headless Chromium with a profile of its own.
func launchBrowser(t testing.TB) *rod.Browser {
	t.Helper()
	path, ok := launcher.LookPath()
	if !ok {
		t.Fatal("no Chromium on this machine: install it (apt-get install chromium)")
	}
	l := launcher.New().Bin(path).Leakless(false).UserDataDir(filepath.Join(t.TempDir(), "profile")).Headless(false).
		Set("headless", "new").Set("disable-gpu").Set("disable-quic").Set("no-first-run").Set("disable-background-networking").
		Set("disable-component-update").Set("disable-sync").NoSandbox(true)
	u, err := l.Launch()
	if err != nil {
		t.Fatal(err)
	}
	b := rod.New().ControlURL(u).NoDefaultDevice()
	if err := b.Connect(); err != nil {
		l.Kill()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = b.Close()
		l.Kill()
		l.Cleanup()
	})
	return b
}

const indexPage = `<!doctype html><title>Shop</title><link rel=stylesheet href=style.css><h1>Shop</h1>
<input id=name placeholder="Your name"><button id=buy data-testid=buy>Buy</button><p id=out></p><iframe src=inner.html></iframe>
<script>
console.log('hello', {a: 1, list: [1, 2]}, 42); console.error(new Error('shown'));
document.cookie = 'theme=dark';
localStorage.setItem('cart', '3'); localStorage.setItem('auth_token', 'very-secret-token');
buy.onclick = async () => {
  const r = await fetch('api/order?x=1', {method: 'POST', headers: {'Content-Type': 'application/json', Authorization: 'Bearer very-secret'}, body: JSON.stringify({name: document.getElementById('name').value})});
  out.textContent = (await r.json()).id;
};
fetch('moved'); fetch('missing'); fetch('http://127.0.0.1:9/refused').catch(() => {});
setTimeout(() => { throw new TypeError('thrown later'); }, 10);
Promise.reject(new Error('nobody cares'));
const ws = new WebSocket(location.href.replace('http', 'ws').replace(/[^/]*$/, 'ws'));
ws.onopen = () => ws.send('ping'); ws.onmessage = () => ws.close();
const es = new EventSource('events'); es.addEventListener('tick', e => { if (e.lastEventId === '2') es.close(); });
new Worker('worker.js').onmessage = () => document.body.dataset.worker = 'done';
</script>`

// serveSite serves a page that does a bit of everything.
func serveSite(t testing.TB) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	text := func(path, kind, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte(body))
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "very-secret-cookie", Path: "/", HttpOnly: true})
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(indexPage))
	})
	text("/style.css", "text/css", "h1 { color: teal }")
	text("/inner.html", "text/html", "<p>inner</p><script>console.info('from the frame')</script>")
	text("/worker.js", "text/javascript", "console.log('from the worker'); fetch('/from-worker').then(r => r.text()).then(postMessage)")
	text("/from-worker", "text/plain", "for the worker")
	text("/second.html", "text/html", "<title>Second</title><h1>Second</h1><a href=/>back</a>")
	text("/target", "application/json", `{"moved":true}`)
	mux.Handle("/moved", http.RedirectHandler("/target", http.StatusFound))
	mux.HandleFunc("/api/order", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"order-7"}`)
	})
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := 1; i <= 2; i++ {
			fmt.Fprintf(w, "event: tick\nid: %d\ndata: n%d\n\n", i, i)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	})
	up := websocket.Upgrader{}
	mux.HandleFunc("/ws", func(w http.ResponseWriter, r *http.Request) {
		c, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		for {
			kind, data, err := c.ReadMessage()
			if err != nil {
				return
			}
			_ = c.WriteMessage(kind, append([]byte("pong "), data...))
		}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

// loadTrace opens a trace and joins it; it must be without faults.
func loadTrace(t testing.TB, path string) (*trace.Archive, *trace.Trace) {
	t.Helper()
	ctx := context.Background()
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	tr, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range tr.Warnings {
		t.Errorf("warning %s %s: %s", w.Code, w.Place, w.Text)
	}
	return a, tr
}

// servePage serves one page at every address until the test ends.
func servePage(t testing.TB, html string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, html)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// recordPage opens a page in a browser that is recorded. finish ends the
// recording and tells what was done.
func recordPage(t *testing.T, html string) (page *rod.Page, finish func() []string) {
	t.Helper()
	browser, out := launchBrowser(t), filepath.Join(t.TempDir(), "t.zip")
	page = browser.MustPage("about:blank").Timeout(time.Minute)
	s := attachTo(t, browser, DefaultOptions(out))
	page.MustNavigate(servePage(t, html) + "/").MustWaitLoad()
	return page, func() []string {
		if err := s.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		_, tr := loadTrace(t, out)
		return told(t, tr)
	}
}

// eventually waits until ok holds.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("never: %s", what)
}

func requestTo(t *trace.Trace, end string) *trace.Request {
	for _, q := range t.Network {
		if strings.HasSuffix(q.Request.URL, end) {
			return q
		}
	}
	return nil
}
