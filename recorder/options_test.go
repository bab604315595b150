package recorder

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/trace"
)

const optionsPage = `<!doctype html><html lang=en><title>Options</title><style>tr:nth-child(odd){background:#eee}</style>
<table><tr><td>Ada</td><td class=private>123-45-6789</td><td><button aria-label="Open Ada">Open</button></td></tr><tr><td>Bob</td><td class=private>987-65-4321</td><td><button>Open</button></td></tr></table>
<p class=private><b>account 55-1234</b> <button class=inner>Use account 55-1234</button></p><input class=private aria-label=Number value=4000-1234>
<video poster=/poster.svg width=100 height=60></video><div id=late style="height:40px"></div>
<script>fetch('/big').then(r => r.text()).then(t => { late.textContent = t.length; document.body.dataset.big = t.length; });
for (const b of document.querySelectorAll('button')) b.onclick = () => { const end = performance.now() + 120; while (performance.now() < end); console.log('opened'); };</script>`

func serveOptions(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/big":
			w.Header().Set("Content-Type", "text/plain")
			_, _ = w.Write([]byte(strings.Repeat("big ", 2000)))
		case "/poster.svg":
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="60"><rect width="100" height="60" fill="teal"/></svg>`))
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(optionsPage))
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// useOptions does on the page what there is to be done, and returns the trace.
func useOptions(t *testing.T, browser *rod.Browser, url string, o Options) (*trace.Archive, *trace.Trace) {
	t.Helper()
	page := browser.MustPage("about:blank").Timeout(time.Minute)
	defer page.MustClose()
	s := attachTo(t, browser, o)
	page.MustNavigate(url + "/").MustWaitLoad()
	eventually(t, "the long answer", func() bool { return page.MustHas("[data-big='8000']") })
	page.MustElement("[aria-label='Open Ada']").MustClick()
	page.MustElement("tr:nth-child(2) button").MustClick()
	page.MustElement(".inner").MustClick()
	page.MustElement("input").MustClick()
	typeText(page, "7")
	page.MustSetViewport(700, 500, 1, false)
	time.Sleep(600 * time.Millisecond)
	page.MustNavigate(url + "/second").MustWaitLoad() // the vitals are told when a page is left
	time.Sleep(300 * time.Millisecond)
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	return loadTrace(t, o.Output)
}

// texts are all lines of a trace, and its resources.
func texts(t *testing.T, a *trace.Archive, suffixes ...string) (all string) {
	t.Helper()
	for _, e := range a.Entries() {
		if slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(e.Name, s) }) {
			all += resource(t, a, e.Name)
		}
	}
	return all
}

func TestMaskedElementsAreInNoLine(t *testing.T) {
	url, browser := serveOptions(t), launchBrowser(t)
	o := DefaultOptions(filepath.Join(t.TempDir(), "t.zip"))
	o.Browser.Mask, o.Browser.MaxBody, o.Browser.Pictures = []string{".private"}, 1000, cdp.PNG
	a, tr := useOptions(t, browser, url, o)
	lines := texts(t, a, ".trace")
	for _, secret := range []string{"123-45-6789", "987-65-4321", "55-1234", "4000-1234"} {
		if i := strings.Index(lines, secret); i >= 0 {
			t.Errorf("%s is told: …%s…", secret, lines[max(0, i-300):min(len(lines), i+80)])
		}
	}
	got := told(t, tr)
	if all := strings.Join(got, "\n"); strings.Count(all, "click ") != 4 || !strings.Contains(all, "fill ") {
		t.Errorf("actions: %s", all)
	}
	big := requestTo(tr, "/big")
	if big == nil || big.Response.Content.File != "" || !strings.Contains(string(big.Extra("_bodyNote")), "limit") {
		t.Errorf("a body above the limit: %+v", big)
	}
	if q := requestTo(tr, "/poster.svg"); q == nil || !strings.Contains(resource(t, a, q.Response.Content.File), "teal") {
		t.Errorf("the poster: %+v", q)
	}
	if !strings.Contains(lines, `"poster":"/poster.svg"`) && !strings.Contains(lines, `/poster.svg`) {
		t.Error("no poster in the snapshots")
	}
	checkMeasures(t, tr)
	if !strings.Contains(lines, `"width":700`) {
		t.Error("no resize")
	}
	if len(tr.Frames) == 0 || !strings.HasSuffix(tr.Frames[0].File, ".png") {
		t.Errorf("%d pictures", len(tr.Frames))
	}
}

// checkMeasures looks for what the page measured of itself.
func checkMeasures(t *testing.T, tr *trace.Trace) {
	t.Helper()
	var all string
	for _, e := range tr.Events {
		if e.Method == "vitals" || e.Method == "longtask" {
			all += e.Method + string(e.Params)
		}
	}
	for _, want := range []string{`"FCP"`, `"LCP"`, `"CLS"`, `"INP"`, `"TTFB"`, "longtask"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in %s", want, all)
		}
	}
}

func TestWhatIsNotWantedIsNotRecorded(t *testing.T) {
	url, browser := serveOptions(t), launchBrowser(t)
	o := DefaultOptions(filepath.Join(t.TempDir(), "t.zip"))
	o.Browser.Bodies, o.Browser.Pictures, o.Browser.Snapshots = false, cdp.NoPictures, false
	a, tr := useOptions(t, browser, url, o)
	if len(tr.Snapshots) > 0 || len(tr.Frames) > 0 {
		t.Errorf("%d snapshots, %d pictures", len(tr.Snapshots), len(tr.Frames))
	}
	for _, q := range tr.Network {
		if q.Response.Content.File != "" || !strings.Contains(string(q.Extra("_bodyNote")), "not recorded") {
			t.Errorf("%s: body %q, note %s", q.Request.URL, q.Response.Content.File, q.Extra("_bodyNote"))
		}
	}
	if lines := texts(t, a, ".trace"); !strings.Contains(lines, `"method":"click"`) {
		t.Error("no clicks")
	}
}

// Pictures of lower quality are smaller.
func TestQualityOfPictures(t *testing.T) {
	url, browser := serveOptions(t), launchBrowser(t)
	size := func(quality int) int {
		o := DefaultOptions(filepath.Join(t.TempDir(), "t.zip"))
		o.Browser.Quality = quality
		page := browser.MustPage("about:blank").Timeout(time.Minute)
		defer page.MustClose()
		s := attachTo(t, browser, o)
		page.MustNavigate(url + "/").MustWaitLoad()
		_ = proto.PageBringToFront{}.Call(page)
		page.MustElement("[aria-label='Open Ada']").MustClick()
		time.Sleep(800 * time.Millisecond)
		if err := s.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		a, tr := loadTrace(t, o.Output)
		if len(tr.Frames) == 0 {
			t.Fatal("no picture")
		}
		last := tr.Frames[len(tr.Frames)-1]
		return len(resource(t, a, "resources/"+strings.TrimPrefix(last.File, "resources/")))
	}
	if low, high := size(5), size(95); low >= high {
		t.Errorf("%d bytes of low quality, %d of high", low, high)
	}
}
