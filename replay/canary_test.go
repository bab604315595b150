package replay

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/replay/mock"
)

// canary listens where nothing may come, and counts what comes.
func canary(t *testing.T) (host string, visits *atomic.Int64) {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	udp, err := net.ListenPacket("udp", tcp.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	visits = new(atomic.Int64)
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := tcp.Accept()
			if err != nil {
				return
			}
			visits.Add(1)
			_ = c.Close()
		}
	})
	all.Go(func() {
		b := make([]byte, 2000)
		for {
			if _, _, err := udp.ReadFrom(b); err != nil {
				return
			}
			visits.Add(1)
		}
	})
	t.Cleanup(func() { _ = tcp.Close(); _ = udp.Close(); all.Wait() })
	return tcp.Addr().String(), visits
}

// malicious is an app that tries to reach a host in every way.
func malicious(t *testing.T, host string) *httptest.Server {
	t.Helper()
	ways, err := os.ReadFile("mock/testdata/ways.js")
	if err != nil {
		t.Fatal(err)
	}
	// A worker that waits for a script holds the session's clock up, and a page
	// with a shared worker is given up: the tests of package mock have both.
	script := strings.NewReplacer("HOST", host, "go(() => new SharedWorker(blob));", "", "try { importScripts(U + '/import') } catch {}", "").Replace(string(ways))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/redirect":
			http.Redirect(w, q, "http://"+host+"/redirected", http.StatusFound)
		case "/plain":
			_, _ = io.WriteString(w, `<script src="http://`+host+`/x.js"></script>`)
		case "/chained": // of which the gate sees each
			http.Redirect(w, q, "/redirect", http.StatusTemporaryRedirect)
		case "/refresh-header":
			w.Header().Set("Refresh", "0; url=http://"+host+"/refreshed")
		case "/xslt":
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprintf(w, `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="http://%s/x.xsl"?><?xml-stylesheet type="text/css" href="http://%s/x.css"?><!DOCTYPE r [<!ENTITY e SYSTEM "http://%s/entity">]><r>&e;</r>`, host, host, host)
		case "/svg":
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg"><image href="http://%s/in-svg"/><style>@import url(http://%s/svg.css);</style><script href="http://%s/svg.js"/></svg>`, host, host, host)
		case "/early":
			w.Header().Set("Link", "<http://"+host+"/hint.css>; rel=preload; as=style")
			w.WriteHeader(http.StatusEarlyHints)
			_, _ = io.WriteString(w, "hinted")
		case "/basehref":
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<base href="http://`+host+`/"><img src="based"><script src="based.js"></script><link rel="stylesheet" href="based.css"><a id="b" href="based" ping="pinged">x</a><script>b.click()</script>`)
		case "/sw.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprintf(w, `fetch("http://%s/sw", {mode: "no-cors"}).catch(() => 0); try { importScripts("http://%s/swi") } catch {}; oninstall = () => skipWaiting(); onactivate = () => clients.claim(); onfetch = e => e.respondWith(fetch("http://%s/swf"))`, host, host, host)
		default:
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Link", "<http://"+host+"/early>; rel=preload; as=style, <http://"+host+"/early>; rel=preconnect")
			w.Header().Set("Alt-Svc", `h2="`+host+`"; ma=60, h3="`+host+`"`)
			w.Header().Set("Reporting-Endpoints", `default="http://`+host+`/reports", csp="https://`+host+`/csp-reports"`)
			w.Header().Set("Report-To", `{"group":"default","max_age":60,"endpoints":[{"url":"https://`+host+`/report-to"}]}`)
			w.Header().Set("NEL", `{"report_to":"default","max_age":60,"success_fraction":1}`)
			w.Header().Set("SourceMap", "http://"+host+"/main.map")
			w.Header().Set("Speculation-Rules", `"http://`+host+`/rules.json"`)
			w.Header().Set("Content-Security-Policy-Report-Only", "default-src 'none'; report-uri http://"+host+"/csp")
			_, _ = io.WriteString(w, `<!doctype html><title>app</title><body><p id="o"></p><form id="f" action="http://`+host+`/form"><button>send</button></form><a id="a" href="http://`+host+`/link">out</a><script>(async () => {`+script+`})().then(s => { o.textContent = s }, e => { o.textContent = e })</script>`)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func TestNothingLeavesAReplayUnlessAllowed(t *testing.T) {
	for _, x := range []struct {
		name  string
		start determinism.Options
		mode  mock.Mode
	}{{"shell", determinism.Options{Regime: determinism.Frames}, mock.Mock}, {"chromium", determinism.Options{Regime: determinism.Clock}, mock.Live}} {
		start, mode := x.start, x.mode
		start.Flags = mock.BrowserFlags()
		b, err := determinism.Start(t.Context(), start)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		t.Run(x.name+" "+string(mode), func(t *testing.T) {
			host, visits := canary(t)
			site := malicious(t, host)
			r := replayOf(t, recordingOf(t,
				do{method: "goto", params: `{"url":"http://recorded.example/"}`},
				do{method: "expect", params: `{"selector":"#o","expression":"to.have.text","expectedText":[{"string":"tried","matchSubstring":true}],"isNot":false,"timeout":20000}`},
				do{method: "click", params: `{"selector":"#f >> button"}`},
			), func(o *Options) {
				o.Browser, o.URL, o.Network.Mode = b, site.URL, mode
				o.Limits = Limits{Step: 3 * time.Minute, Navigation: 3 * time.Minute, Session: 6 * time.Minute, Patience: 20 * time.Second}
			})
			for _, x := range r.Steps {
				t.Logf("%s: %s, %.0f ms", x.Title, x.Status, x.Took)
			}
			if n := visits.Load(); n > 0 {
				t.Errorf("the canary was reached %d times", n)
			}
			if len(r.Steps) < 2 || r.Steps[1].Status != Passed {
				t.Fatalf("the page did not try: %+v", r.Steps)
			}
			if r.Network == nil || !strings.Contains(fmt.Sprint(r.Network.Misses), mock.CodeBlocked) {
				t.Errorf("nothing was blocked: %+v", r.Network)
			}
			replayOf(t, recordingOf(t, do{method: "goto", params: `{"url":"http://recorded.example/plain"}`}),
				func(o *Options) {
					o.Browser, o.URL, o.Network.Mode, o.Network.Allow = b, site.URL, mode, []string{"http://" + host}
				})
			if visits.Load() == 0 {
				t.Error("the canary was not reached though it was allowed, so that this test shows nothing")
			}
		})
	}
}
