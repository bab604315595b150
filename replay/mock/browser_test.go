package mock

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder/browser"
	"github.com/tracedeck/tracedeck/trace/har"
)

// serve is an application under test that has documents and nothing else: what
// it is asked for besides is remembered.
func serve(t *testing.T, pages map[string]string) (address string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var list []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if body, ok := pages[q.URL.Path]; ok {
			kind := "text/html"
			if strings.HasSuffix(q.URL.Path, ".js") {
				kind = "text/javascript"
			}
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, body)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		list = append(list, q.Method+" "+q.URL.Path)
		http.NotFound(w, q)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []string { mu.Lock(); defer mu.Unlock(); return append([]string(nil), list...) }
}

// open starts a browser that only the router's gate connects to the network,
// and opens a page in it.
func open(t *testing.T, r *Router, address string) *rod.Page {
	t.Helper()
	g, err := r.Gate()
	check(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	b, err := browser.Launch(ctx, browser.Options{Flags: g.Flags()})
	check(t, err)
	a, err := r.Attach(ctx, b.Rod, "")
	check(t, err)
	t.Cleanup(func() {
		_ = a.Close()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
		cancel()
	})
	p, err := b.Rod.Page(proto.TargetCreateTarget{URL: "about:blank"})
	check(t, err)
	p = p.Context(ctx)
	check(t, p.Navigate(address))
	check(t, p.WaitLoad())
	return p
}

func run(t *testing.T, p *rod.Page, script string) string {
	t.Helper()
	o, err := p.Evaluate(rod.Eval(`async () => { try { return String(await (async () => {` + script + `})()) } catch (e) { return "threw " + e.name + ": " + e.message } }`).ByPromise())
	check(t, err)
	return o.Value.Str()
}

func TestPageIsAnsweredFromTheRecording(t *testing.T) {
	address, asked := serve(t, map[string]string{"/": "<title>app</title>", "/shared.js": `onconnect = async e => { const p = e.ports[0]; const say = async (u, o) => { try { const r = await fetch(u, o); return r.status + await r.text() } catch (e) { return "threw" } };
		p.postMessage([await say("/shared"), await say("/ask", {method: "POST", headers: {"content-type": "application/json"}, body: '{"n":2}'}), await say("/shared-miss"), await say("/moved"), await say("/down")].join()) }`, "/w.js": `onmessage = async () => { try { postMessage(await (await fetch("/worker")).text()) } catch (e) { postMessage("threw " + e.message) } }`})
	cross := func(x exchange, path string) exchange { x.url = "http://api.test:4000" + path; return x }
	down, moved, slow := get("/down", ""), get("/moved", ""), get("/slow", "onetwothree")
	down.status, down.edit = -1, func(e *har.Entry) { e.Response.FailureText = "net::ERR_CONNECTION_REFUSED" }
	moved.status, moved.headers = 302, []har.NameValue{{Name: "Location", Value: app + "/there"}}
	slow.edit = func(e *har.Entry) { e.SetExtra("_chunks", []byte(`[[5,3],[65,3],[155,5]]`)) }
	frame := get("/frame", "\"framed\"")
	frame.kind = "xhr"
	multipart := "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n%s\r\n--x--\r\n"
	form := func(v, answer string) exchange {
		x := post("/form", fmt.Sprintf(multipart, v), answer)
		x.mime = "multipart/form-data; boundary=x"
		return x
	}
	r := router(t, Options{Target: address}, page(), get("/json", `{"a":"ü"}`), post("/graphql", `{"query":"{a}"}`, `"A"`), post("/graphql", `{"query":"{b}"}`, `"B"`), down, moved, get("/there", "arrived"), slow, frame,
		form("1", "form 1"), form("2", "form 2"), get("/worker", "from a worker"), get("/shared", "known"), post("/ask", `{"n":1}`, "one"), post("/ask", `{"n":2}`, "two"), moved, get("/there", "arrived"), down, cross(exchange{method: "PUT", kind: "fetch", status: 200, sent: `{"x":1}`, body: "put"}, "/v1"), get("/beacon", ""))
	p := open(t, r, address)
	for _, x := range []struct{ name, script, want string }{
		{"json", `return (await (await fetch("/json")).json()).a`, "ü"},
		{"bodies", `const q = (b) => fetch("/graphql", {method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify({query: b})}).then(r => r.text()); return (await Promise.all([q("{ b }"), q("{ a }")])).join()`, `"B","A"`},
		{"refused", `await fetch("/down")`, "threw TypeError: Failed to fetch"},
		{"redirect", `const r = await fetch("/moved"); return r.redirected + " " + r.url.endsWith("/there") + " " + await r.text()`, "true true arrived"},
		{"xhr", `return new Promise(y => { const x = new XMLHttpRequest; x.open("GET", "/frame"); x.onload = () => y(x.responseText); x.send() })`, `"framed"`},
		{"form", `const f = (v) => { const d = new FormData; d.append("a", v); return fetch("/form", {method: "POST", body: d}).then(r => r.text()) }; return (await Promise.all([f("2"), f("1")])).join()`, "form 2,form 1"},
		{"preflight", `return (await fetch("http://api.test:4000/v1", {method: "PUT", headers: {"content-type": "application/json", "x-own": "1"}, credentials: "include", body: '{"x": 1}'})).text()`, "put"},
		{"chunks", `const r = await fetch("/slow"), got = [], d = r.body.getReader(); for (;;) { const {value, done} = await d.read(); if (done) break; got.push(new TextDecoder().decode(value)) } return got + " " + r.url.endsWith("/slow") + " " + r.headers.get("x-tracedeck-chunks") + " " + r.type`, "one,two,three true null basic"},
		{"worker", `return new Promise(y => { const w = new Worker("/w.js"); w.onmessage = e => y(e.data); w.postMessage(1) })`, "from a worker"},
		{"blob worker", `return new Promise(y => { const w = new Worker(URL.createObjectURL(new Blob(["onmessage = async () => { try { postMessage(await (await fetch('" + location.origin + "/worker')).text()) } catch (e) { postMessage('threw ' + e) } }"]))); w.onmessage = e => y(e.data); w.postMessage(1) })`, "from a worker"},
		{"shared worker", `return new Promise(y => { new SharedWorker("/shared.js").port.onmessage = e => y(e.data) })`, "200known,200two,threw,200arrived,threw"},
		{"miss", `await fetch("/unknown")`, "threw TypeError: Failed to fetch"},
	} {
		if got := run(t, p, x.script); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
	if list := asked(); len(list) > 0 {
		t.Errorf("the server was asked for %v", list)
	}
	rep := r.Report()
	if len(rep.Misses) == 0 || rep.Misses[len(rep.Misses)-1].URL != address+"/unknown" {
		t.Errorf("misses %v", rep.Misses)
	}
}

func lines(list ...line) string {
	var b strings.Builder
	for _, l := range list {
		text, _ := json.Marshal(map[string]any{"type": l.Type, "time": *l.Time, "opcode": l.Opcode, "data": l.Data, "event": l.Event, "id": l.ID})
		b.Write(append(text, '\n'))
	}
	return b.String()
}

func said(kind string, second int, ms float64, opcode int, data string) line {
	at := float64(began.UnixMilli()) + float64(second)*1000 + ms
	return line{Type: kind, Time: &at, Opcode: opcode, Data: data}
}

// Of a socket Playwright records no end: its time is that of the last message.
func TestSocketsOfPlaywrightStayOpen(t *testing.T) {
	address, _ := serve(t, map[string]string{"/": "<title>app</title>"})
	ws := exchange{method: "GET", url: "ws://app.test:3000/ws", kind: "websocket", status: 101, edit: func(e *har.Entry) { e.Time = 0; e.Timings = har.Timings{Send: -1, Wait: -1, Receive: -1} },
		body: lines(said("receive", 1, 20, 1, "hello"))}
	p := open(t, router(t, Options{Target: address}, page(), ws), address)
	got := run(t, p, `return new Promise(y => { const s = new WebSocket(location.origin.replace("http", "ws") + "/ws"), log = []; s.onclose = () => log.push("closed");
		s.onmessage = e => { log.push(e.data); setTimeout(() => y(log + " " + s.readyState), 500) } })`)
	if want := "hello 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestSocketsAndEventStreamsPlayOnThePagesTimers(t *testing.T) {
	address, asked := serve(t, map[string]string{"/": "<title>app</title>"})
	ws := exchange{method: "GET", url: "ws://app.test:3000/ws?token=1&_t=5", kind: "websocket", status: 101, edit: func(e *har.Entry) { e.Time = 500 },
		body: lines(said("receive", 1, 20, 1, "hello"), said("send", 1, 60, 1, "ask"), said("receive", 1, 90, 1, "answer"), said("receive", 1, 100, 2, "AQID"))}
	named := said("receive", 2, 40, 1, "second")
	named.Event, named.ID = "news", "7"
	es := exchange{method: "GET", url: app + "/events", kind: "eventsource", status: 200, body: lines(said("receive", 2, 20, 1, "first"), named), edit: func(e *har.Entry) { e.Time = -1 }}
	plain := exchange{method: "GET", url: app + "/plain", kind: "eventsource", status: 200, body: "data: a\ndata: b\n\nevent: x\ndata: c\n\n", edit: func(e *har.Entry) { e.Time = 60 }}
	r := router(t, Options{Target: address}, page(), ws, es, plain)
	p := open(t, r, address)
	socket := strings.Replace(address, "http", "ws", 1) + "/ws?_t=77&token=1"
	got := run(t, p, `return new Promise(y => { const s = new WebSocket(`+fmt.Sprintf("%q", socket)+`), log = [s.readyState, s instanceof WebSocket, WebSocket.OPEN]; s.binaryType = "arraybuffer";
		s.onopen = () => log.push("open" + s.readyState); s.onmessage = e => { log.push(typeof e.data === "string" ? e.data : new Uint8Array(e.data).join("-")); if (e.data === "hello") s.send("ask") };
		s.onclose = e => { log.push("close" + e.code + e.wasClean); y(log.join()) } })`)
	if want := "0,true,1,open1,hello,answer,1-2-3,close1000true"; got != want {
		t.Errorf("socket: %s, want %s", got, want)
	}
	got = run(t, p, `return new Promise(y => { const s = new EventSource("/events"), log = []; s.onopen = () => log.push("open"); s.onmessage = e => log.push(e.data); s.addEventListener("news", e => { log.push(e.data + e.lastEventId + s.readyState); y(log.join()) }) })`)
	if want := "open,first,second71"; got != want {
		t.Errorf("event stream: %s, want %s", got, want)
	}
	got = run(t, p, `return new Promise(y => { const s = new EventSource("/plain"), log = []; s.onmessage = e => log.push(e.data); s.addEventListener("x", e => log.push(e.data)); s.onerror = () => { log.push("error" + s.readyState); s.close(); y(log.join()) } })`)
	if want := "a\nb,c,error0"; got != want {
		t.Errorf("event stream of text: %s, want %s", got, want)
	}
	got = run(t, p, `return new Promise(y => { const s = new WebSocket(`+fmt.Sprintf("%q", socket+"&more=1")+`.replace("/ws", "/other")); s.onerror = () => y("error" + s.readyState) })`)
	if got != "error3" {
		t.Errorf("a socket that was not recorded: %s", got)
	}
	for i := 0; i < 200 && len(r.Report().Misses) == 0; i++ { // the page's report is on its way
		time.Sleep(20 * time.Millisecond)
	}
	if m := r.Report().Misses; len(m) != 1 || m[0].Code != CodeMiss {
		t.Errorf("misses %v", m)
	}
	if list := asked(); len(list) > 0 {
		t.Errorf("the server was asked for %v", list)
	}
}

// canary listens where nothing may reach and counts who comes, by TCP and UDP.
func canary(t *testing.T) (host string, visits func() int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.2:0")
	check(t, err)
	u, err := net.ListenPacket("udp", l.Addr().String())
	check(t, err)
	var mu sync.Mutex
	n := 0
	count := func() { mu.Lock(); n++; mu.Unlock() }
	var all sync.WaitGroup
	all.Add(2)
	go func() {
		defer all.Done()
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			count()
			_ = c.Close()
		}
	}()
	go func() {
		defer all.Done()
		b := make([]byte, 2000)
		for {
			if _, _, err := u.ReadFrom(b); err != nil {
				return
			}
			count()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); _ = u.Close(); all.Wait() })
	return l.Addr().String(), func() int { mu.Lock(); defer mu.Unlock(); return n }
}

// everyWay tries to reach a host in all ways that a page has.
//
//go:embed testdata/ways.js
var everyWay string

func TestNothingLeavesUnlessAllowed(t *testing.T) {
	for _, mode := range []Mode{Mock, Live} {
		t.Run(string(mode), func(t *testing.T) {
			host, visits := canary(t)
			mux := http.NewServeMux()
			mux.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				w.Header().Set("Link", "<http://"+host+"/early>; rel=preload; as=style, <http://"+host+"/early>; rel=preconnect")
				w.Header().Set("Reporting-Endpoints", `d="http://`+host+`/report"`)
				w.Header().Set("Content-Security-Policy-Report-Only", "default-src 'none'; report-uri http://"+host+"/csp; report-to d")
				w.Header().Set("NEL", `{"report_to":"d","max_age":9,"success_fraction":1}`)
				_, _ = io.WriteString(w, "<title>app</title><body>")
			})
			mux.HandleFunc("/redirect", func(w http.ResponseWriter, q *http.Request) {
				http.Redirect(w, q, "http://"+host+"/redirected", http.StatusFound)
			})
			mux.HandleFunc("/sw.js", func(w http.ResponseWriter, q *http.Request) {
				w.Header().Set("Content-Type", "text/javascript")
				_, _ = io.WriteString(w, `fetch("http://`+host+`/sw", {mode: "no-cors"}).catch(() => 0); try { importScripts("http://`+host+`/swi") } catch {}; oninstall = () => skipWaiting(); onactivate = () => clients.claim(); onfetch = e => e.respondWith(fetch("http://`+host+`/swf"))`)
			})
			s := httptest.NewServer(mux)
			defer s.Close()
			r := router(t, Options{Mode: mode, Target: s.URL}, page(), get("/redirect", "1"))
			p := open(t, r, s.URL)
			if got := run(t, p, strings.ReplaceAll(everyWay, "HOST", host)); !strings.HasPrefix(got, "tried ") {
				t.Fatal(got)
			}
			_ = p.Navigate(s.URL + "/again")
			if n := visits(); n > 0 {
				t.Errorf("the canary was reached %d times", n)
			}
			if rep := r.Report(); !strings.Contains(fmt.Sprint(rep.Misses), CodeBlocked) {
				t.Errorf("nothing was blocked: %v", rep.Misses)
			}
			_ = p.Navigate("http://" + host + "/navigated")
			if n := visits(); n > 0 {
				t.Errorf("the canary was navigated to")
			}
		})
	}
}

func TestWhatIsAllowedIsReached(t *testing.T) {
	host, visits := canary(t)
	address, _ := serve(t, map[string]string{"/": "<title>app</title>"})
	r := router(t, Options{Mode: Live, Target: address, Allow: []string{"http://" + host}}, page())
	p := open(t, r, address)
	run(t, p, `try { await fetch("http://`+host+`/x", {mode: "no-cors"}) } catch {} return 1`)
	if visits() == 0 {
		t.Error("the canary was not reached, so that the other test shows nothing")
	}
}

func TestGateForwardsAndTunnels(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.WriteString(w, q.Method+" "+q.Host+" "+q.Header.Get("X-Forwarded-For"))
	}))
	defer s.Close()
	r := router(t, Options{Mode: Live, Target: s.URL}, page())
	g, err := r.Gate()
	check(t, err)
	proxy, _ := url.Parse("http://" + g.Address())
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	q, err := client.Get(s.URL + "/x")
	check(t, err)
	body, _ := io.ReadAll(q.Body)
	if want := "GET " + strings.TrimPrefix(s.URL, "http://") + " "; string(body) != want {
		t.Errorf("%q, want %q", body, want)
	}
	if _, err := client.Get("http://127.0.0.3:1/"); err == nil {
		t.Error("another host was answered")
	}
	c, err := net.Dial("tcp", g.Address())
	check(t, err)
	defer c.Close()
	fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: x\r\n\r\n", strings.TrimPrefix(s.URL, "http://"))
	head := make([]byte, len("HTTP/1.1 200"))
	if _, err := io.ReadFull(c, head); err != nil || string(head) != "HTTP/1.1 200" {
		t.Errorf("%q %v", head, err)
	}
	check(t, g.Close())
}
