package recorder

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

const kindsPage = `<!doctype html><title>Kinds</title><link rel=preload as=fetch href=/preloaded crossorigin><link rel=preload as=image href=/pixel.svg>
<button onclick="history.pushState({}, '', '/pushed')">Push</button><button id=tap>Tap me</button><a href=/next>Next</a>
<label>Day <input type=date id=day></label>
<div><button id=menu aria-haspopup=menu aria-expanded=false onmouseenter="this.setAttribute('aria-expanded', 'true'); items.hidden = false">Menu</button>
<div role=menu id=items hidden><button role=menuitem>Copy link</button></div></div>
<img src=/pixel.svg><img src=/pixel.svg?again><iframe src=%s/frame></iframe>
<script>
fetch('/preloaded');
navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => new Promise(r => navigator.serviceWorker.controller ? r() : navigator.serviceWorker.oncontrollerchange = r))
  .then(() => fetch('/by-worker?blob')).then(r => r.blob()).then(() => fetch('/by-worker')).then(r => r.text()).then(t => fetch('/by-page').then(r => r.text()).then(() => { document.body.dataset.worker = t; }));
</script>`

// serveKinds serves a page with all there is to do that other tests have not,
// and a frame of another site.
func serveKinds(t *testing.T) string {
	t.Helper()
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := func(kind, body string) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Cache-Control", "max-age=600")
			_, _ = w.Write([]byte(body))
		}
		switch r.URL.Path {
		case "/", "/pushed":
			answer("text/html", fmt.Sprintf(kindsPage, strings.Replace(s.URL, "127.0.0.1", "localhost", 1)))
		case "/next":
			answer("text/html", "<title>Next</title><h1>Next</h1><img src=/pixel.svg>")
		case "/frame":
			answer("text/html", "<title>Frame</title><button onclick=\"fetch('/from-frame').then(r => r.text()).then(() => document.body.dataset.got = 1); console.log('in the frame')\">In another site</button>")
		case "/from-frame":
			answer("text/plain", "for the frame")
		case "/preloaded":
			answer("application/json", `{"early": true}`)
		case "/pixel.svg":
			answer("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>`)
		case "/sw.js":
			answer("text/javascript", `oninstall = () => skipWaiting(); onactivate = e => e.waitUntil(clients.claim());
onfetch = e => { if (e.request.url.endsWith('?blob')) e.respondWith(new Response('made up')); else if (e.request.url.endsWith('/by-worker')) e.respondWith(fetch('/behind-worker').then(r => r.text()).then(t => new Response('worker and ' + t))); }`)
		case "/by-page":
			answer("text/plain", "past the worker: é ✓ ”")
		case "/behind-worker":
			answer("text/plain", "server")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Taps, menus that open by themselves, dates that a driver sets, frames of other
// sites, addresses that a script changes and the ways back are recorded.
func TestKindsOfInputAndNavigation(t *testing.T) {
	url, browser := serveKinds(t), launchBrowser(t)
	page := browser.MustPage("about:blank").Timeout(2 * time.Minute)
	out := filepath.Join(t.TempDir(), "t.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	page.MustNavigate(url + "/").MustWaitLoad()
	eventually(t, "the service worker answers", func() bool { return page.MustHas("[data-worker='worker and server']") })
	page.MustElementR("button", "Push").MustClick()
	touch(t, page, "#tap")
	page.MustElement("#menu").MustHover()
	time.Sleep(600 * time.Millisecond) // a person looks at the menu
	page.MustElement("[role=menuitem]").MustClick()
	time.Sleep(200 * time.Millisecond) // what a script sets at once could answer the click
	page.MustEval(`() => { day.value = '2026-05-04'; day.dispatchEvent(new Event('input', {bubbles: true})); day.dispatchEvent(new Event('change', {bubbles: true})); }`)
	page.MustElement("iframe").MustFrame().MustElement("button").MustClick()
	frame := page.MustElement("iframe").MustFrame()
	eventually(t, "the frame has its answer", func() bool { return frame.MustHas("[data-got]") })
	time.Sleep(500 * time.Millisecond) // within which its body is fetched
	next := page.MustWaitNavigation()
	page.MustElement("a").MustClick()
	next()
	eventually(t, "the next page", func() bool { return page.MustInfo().Title == "Next" })
	time.Sleep(2500 * time.Millisecond) // a script that goes back does so at once
	page.MustNavigateBack()
	eventually(t, "the page before", func() bool { return page.MustInfo().Title == "Kinds" })
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	a, tr := loadTrace(t, out)
	got := told(t, tr)
	all := strings.Join(got, "\n")
	for _, want := range []string{`click internal:role=button[name="Push"i]`, `tap internal:role=button[name="Tap me"i]`, `hover internal:role=button[name="Menu"i]`,
		`click internal:role=menuitem[name="Copy link"i]`, `fill internal:role=textbox[name="Day"i] 2026-05-04`, `enter-frame >> internal:role=button[name="In another site"i]`,
		`click internal:role=link[name="Next"i]`, `goToHistoryEntry`} {
		if strings.Count(all, want) != 1 {
			t.Errorf("%q is not there once in\n%s", want, all)
		}
	}
	pushed := false
	for _, e := range tr.Events {
		pushed = pushed || e.Method == "navigated" && strings.Contains(string(e.Params), `/pushed"`) && strings.Contains(string(e.Params), `"sameDocument":true`)
	}
	if !pushed {
		t.Error("the address that a script changed is not told")
	}
	for end, want := range map[string]string{"/preloaded": "early", "/pixel.svg": "<svg", "/by-worker": "worker and server", "/behind-worker": "server", "/by-page": "past the worker: é ✓ ”", "/sw.js": "oninstall", "/frame": "In another site", "/from-frame": "for the frame"} {
		q := requestTo(tr, end)
		if q == nil {
			t.Errorf("no request to %s", end)
		} else if body := resource(t, a, q.Response.Content.File); !strings.Contains(body, want) {
			t.Errorf("%s: the body is %q (%s)", end, body, q.Extra("_bodyNote"))
		}
	}
	if strings.Index(all, "hover ") > strings.Index(all, "click internal:role=menuitem") {
		t.Errorf("the menu opened after it was used:\n%s", all)
	}
	if q := requestTo(tr, "/by-worker"); q != nil && string(q.Extra("_fromCache")) != `"serviceWorker"` {
		t.Errorf("who answered /by-worker: %s", q.Extra("_fromCache"))
	}
	if q := requestTo(tr, "/by-worker?blob"); q == nil || string(q.Extra("_bodyState")) != `"evicted"` && resource(t, a, q.Response.Content.File) != "made up" {
		t.Errorf("a body that the page took as a blob is neither there nor missed: %+v", q)
	}
	cached := false
	for _, q := range tr.Network {
		cached = cached || len(q.Extra("_fromCache")) > 0 && strings.HasSuffix(q.Request.URL, "/pixel.svg")
	}
	if !cached {
		t.Error("no picture came from the cache")
	}
}

// touch taps the middle of an element.
func touch(t *testing.T, page *rod.Page, css string) {
	t.Helper()
	at := page.MustElement(css).MustShape().OnePointInside()
	for _, do := range []interface{ Call(proto.Client) error }{
		proto.EmulationSetTouchEmulationEnabled{Enabled: true},
		proto.InputDispatchTouchEvent{Type: proto.InputDispatchTouchEventTypeTouchStart, TouchPoints: []*proto.InputTouchPoint{{X: at.X, Y: at.Y}}},
		proto.InputDispatchTouchEvent{Type: proto.InputDispatchTouchEventTypeTouchEnd, TouchPoints: []*proto.InputTouchPoint{}},
		proto.EmulationSetTouchEmulationEnabled{},
	} {
		if err := do.Call(page); err != nil {
			t.Fatal(err)
		}
	}
}
