package viewer_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer"
)

func TestPageOpensAtTheFailure(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/runner-failing-assertion.zip")).url)
	s.loaded()
	s.wait(selected, `Expect "toHaveText" locator('#count')`)
	s.wait(`$("header .chip").textContent`, "✕ failed")
	s.wait(`$("#details [role=tab][aria-selected=true]").id`, "tab-errors")
	s.wait(`$(".failcard")?.textContent.includes("suite.spec.mjs:29")`, "true")
	s.wait(`$("#detail")?.textContent.includes("99")`, "true")
	if got := s.eval(`location.href`); strings.Contains(got, "token") {
		t.Errorf("the address still holds the token: %s", got)
	}
}

func TestTreeShowsTheSteps(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/groups.zip")).url)
	s.loaded()
	for _, want := range []string{"Outer", "Inner", "Navigate"} {
		s.wait(fmt.Sprintf(`all("#steps .row .name").some((e) => e.textContent.includes(%q))`, want), "true")
	}
	s.wait(`all("#steps [role=treeitem][aria-expanded=true]").length > 0`, "true")
	s.wait(`all("#steps [role=treeitem]").every((e) => e.ariaLevel && e.ariaSetSize && e.ariaPosInSet)`, "true")
	rows := s.eval(`all("#steps .row").length`)
	s.click("#steps [role=treeitem][aria-expanded=true] .twist")
	s.wait(`all("#steps .row").length < `+rows, "true")
}

func TestTimelineIsDrawn(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/basic.zip")).url)
	s.loaded()
	time.Sleep(500 * time.Millisecond) // for the pictures of the film strip
	if n := s.colours("#timeline canvas"); n < 20 {
		t.Errorf("the timeline has %d colours, want bars, text and pictures", n)
	}
	for _, lane := range []string{"Overview", "Film strip", "Actions", "Network"} {
		if !strings.Contains(s.eval(`$("#timeline .heads").textContent`), lane) {
			t.Errorf("the timeline has no lane %s", lane)
		}
	}
}

func TestSnapshotShowsTheRecordedPage(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/basic.zip")).url)
	s.loaded()
	if text := s.frameText(); !strings.Contains(text, "Home") {
		t.Errorf("the recorded page says %q, want Home", text)
	}
	if got := s.eval(`$("#stage iframe.shown").getAttribute("sandbox") + $("#stage iframe.shown").inert`); got != "true" {
		t.Errorf("the frame is not sandboxed and inert: %s", got)
	}
	if got := s.eval(`(() => { try { return $("#stage iframe.shown").contentDocument === null; } catch { return true; } })()`); got != "true" {
		t.Error("the page can reach into the recorded page")
	}
	s.click("#page [role=tab]:nth-of-type(4)")
	s.wait(`$("#stage img.shot")?.naturalWidth > 100`, "true")
}

func TestTabsShowWhatBelongsToThem(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/fail.zip")).url)
	s.loaded()
	for i, c := range []struct{ tab, want string }{{"errors", "Timeout"}, {"call", "call id"}, {"log", "waiting for"}, {"console", "Nothing was logged"},
		{"network", "fail"}, {"source", "generate.mjs"}, {"attachments", "No attachments"}, {"metadata", "version 10"}} {
		s.tab(i + 1)
		s.wait(fmt.Sprintf(`$("#detail").textContent.includes(%q)`, c.want), "true")
		s.wait(`new URLSearchParams(location.hash.split("?")[1]).get("tab")`, c.tab)
		s.wait(`$("#details [role=tab][aria-selected=true]").id`, "tab-"+c.tab)
	}
}

func TestConsoleListsMessages(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/console.zip")).url)
	s.loaded()
	s.click("#tab-console")
	s.wait(`all("#detail .crow.error").length > 0 && all("#detail .crow.warning").length > 0`, "true")
	all := s.eval(`all("#detail .crow").length`)
	s.click("#detail .filter .pill:nth-of-type(2)")
	s.wait(`all("#detail .crow").length > 0 && all("#detail .crow").length < `+all+` && all("#detail .crow").every((e) => e.classList.contains("error"))`, "true")
	s.click("#detail .crow")
	s.wait(`$("#detail .below pre")?.textContent.length > 0`, "true")
}

func TestNetworkShowsRequests(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/network.zip")).url)
	s.loaded()
	s.click("#tab-network")
	s.wait(`all("#detail .nrow.bad").length > 0`, "true")
	s.click("#netfilter")
	s.Keyboard.MustType([]input.Key("method:post")...)
	s.wait(`all("#detail .list .nrow").length > 0 && all("#detail .list .nrow").every((e) => e.textContent.startsWith("POST"))`, "true")
	s.click("#detail .list .nrow")
	s.wait(`$("#detail .below")?.textContent.includes("Request headers")`, "true")
	s.click("#detail .below .tab:nth-of-type(3)")
	s.wait(`$("#detail .below .scroll").textContent.length > 3 && !$("#detail .below .scroll").textContent.includes("Reading")`, "true")
	s.click("#detail .below .tab:nth-of-type(4)")
	s.wait(`all("#detail .phase").length > 0`, "true")
	s.wait(`/[?&]r=\d+/.test(location.hash)`, "true")
}

func TestFilterNarrowsTheTree(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/fail.zip")).url)
	s.loaded()
	s.press('f')
	s.wait(`document.activeElement.id`, "filter")
	s.Keyboard.MustType([]input.Key("click slower-than:100ms")...)
	s.wait(`all("#steps .row").length`, "3")
	s.press(input.Escape, input.Escape)
	s.wait(`all("#steps .row").length`, "12")
	s.click("#steps .pill:nth-of-type(2)")
	s.wait(`all("#steps .row").length`, "8")
}

func TestEverythingIsReachedByKeyboard(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/fail.zip")).url)
	s.loaded()
	last := "Wait for selector locator('#never')"
	s.wait(selected, last)
	s.press(input.Home)
	s.wait(selected, "Create page")
	s.press('j', input.ArrowDown)
	s.wait(selected, "Click locator('#hidden')")
	s.press('k')
	s.wait(selected+`.startsWith("Navigate")`, "true")
	s.press('e')
	s.wait(selected, "Click locator('#hidden')")
	s.wait(`$("#details [aria-selected=true]").id`, "tab-errors")
	s.press(input.End)
	s.wait(selected, last)
	s.press('1')
	s.wait(`$("#page [aria-selected=true]").textContent`, "Before 1")
	s.press('3')
	s.wait(`$("#page [aria-selected=true]").textContent`, "After 3")
	s.press('w', 'w')
	s.wait(`$("footer").textContent.includes("view ")`, "true")
	s.press('0')
	s.wait(`$("footer").textContent.includes("view ")`, "false")
	s.press('z')
	s.wait(`/[?&]v=/.test(location.hash)`, "true")
	s.press(input.Backspace)
	s.wait(`/[?&]v=/.test(location.hash)`, "false")
	s.press('/')
	s.wait(`$("dialog")?.open`, "true")
	s.Keyboard.MustType([]input.Key("covered")...)
	s.wait(`all("dialog .choice").length > 0`, "true")
	s.press(input.Enter)
	s.wait(`$("dialog") === null`, "true")
	s.wait(selected+`.includes("covered")`, "true")
	if err := s.Keyboard.Press(input.ShiftLeft); err != nil {
		t.Fatal(err)
	}
	s.press('?')
	if err := s.Keyboard.Release(input.ShiftLeft); err != nil {
		t.Fatal(err)
	}
	s.wait(`$("dialog")?.textContent.includes("next error")`, "true")
	s.press(input.Escape)
	s.wait(`$("dialog") === null`, "true")
	s.press(input.F6)
	s.wait(`$("#timeline").contains(document.activeElement)`, "true")
	s.press(input.F6)
	s.wait(`$("#steps").contains(document.activeElement)`, "true")
}

func TestTabNeverEntersTheRecordedPage(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/forms.zip")).url)
	s.loaded()
	s.frameText()
	seen := map[string]bool{}
	for range 40 {
		s.press(input.Tab)
		seen[s.eval(`document.activeElement.tagName`)] = true
	}
	if seen["IFRAME"] || !seen["BUTTON"] {
		t.Errorf("the focus went through %v", seen)
	}
}

func TestLinkLeadsToTheSameMoment(t *testing.T) {
	srv := serve(t, corpusTrace("playwright/basic.zip"), corpusTrace("playwright/fail.zip"))
	s := open(t, srv.url)
	s.loaded()
	if err := s.MustElement("header select").Select([]string{"fail.zip"}, true, "text"); err != nil {
		t.Fatal(err)
	}
	s.wait(`$("#steps .foot")?.textContent.includes("12 steps")`, "true")
	s.press(input.Home, 'j', 'j', '3', 'z')
	s.tab(3)
	s.wait(`/a=.*tab=log/.test(location.hash) && /v=/.test(location.hash)`, "true")
	s.wait(`$("#details [aria-selected=true]").id`, "tab-log")
	link, step, phase := s.eval("location.hash"), s.eval(selected), s.eval(`$("#page [aria-selected=true]").textContent`)
	other := open(t, srv.url+"&"+strings.TrimPrefix(link, "#"))
	other.loaded()
	other.wait(selected, step)
	other.wait(`$("#page [aria-selected=true]").textContent`, phase)
	other.wait(`$("#details [aria-selected=true]").id`, "tab-log")
	other.wait(`location.hash`, link)
	missing := open(t, srv.url+"&/t/0123456789ab?a=x")
	missing.wait(`$("main")?.textContent.includes("0123456789ab")`, "true")
}

func TestPageWithoutTokenShowsNothing(t *testing.T) {
	srv := serve(t, corpusTrace("playwright/basic.zip"))
	s := open(t, "http://"+srv.host+"/")
	s.wait(`$("main")?.textContent.includes("no right")`, "true")
	s.wait(`document.body.textContent.includes("Navigate")`, "false")
}

// copyFile appends part of a file to another.
func appendPart(t *testing.T, to string, b []byte) {
	t.Helper()
	f, err := os.OpenFile(to, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(b)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestLiveFolderGrowsOnScreen(t *testing.T) {
	from, dir := corpusTrace("playwright/live-dir"), t.TempDir()
	lines := map[string][][]byte{}
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path)
		if err != nil || d.IsDir() {
			return os.MkdirAll(filepath.Join(dir, rel), 0o700)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if ext := filepath.Ext(rel); ext == ".trace" || ext == ".network" {
			lines[rel] = splitLines(b)
			return nil
		}
		return os.WriteFile(filepath.Join(dir, rel), b, 0o600)
	})
	if err != nil || len(lines) == 0 {
		t.Fatal(len(lines), err)
	}
	for name, all := range lines {
		appendPart(t, filepath.Join(dir, name), all[0])
	}
	s := open(t, serve(t, dir).url)
	s.wait(`$("footer")?.textContent.includes("read in")`, "true")
	for name, all := range lines {
		for _, line := range all[1:] {
			half := len(line) / 2 // a line comes in two pieces
			appendPart(t, filepath.Join(dir, name), line[:half])
			appendPart(t, filepath.Join(dir, name), line[half:])
		}
	}
	s.wait(`all("#steps .row").length`, "5")
	s.wait(`$("header .chip.live") !== null`, "true")
	s.wait(selected+` !== undefined`, "true")
}

func splitLines(b []byte) (lines [][]byte) {
	for _, l := range strings.SplitAfter(string(b), "\n") {
		if l != "" {
			lines = append(lines, []byte(l))
		}
	}
	return lines
}

func TestPageGoesOnWhenTheServerComesBack(t *testing.T) {
	ui, content := listen(t), listen(t)
	run := func(ui, content net.Listener) (string, func()) {
		ctx, cancel := context.WithCancel(context.Background())
		srv, err := viewer.New(ctx, viewer.Options{Listener: ui, ContentListener: content, Paths: []string{corpusTrace("playwright/fail.zip")},
			Token: strings.Repeat("ab", 16), Index: index.Options{NoCache: true}})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- srv.Serve(ctx) }()
		return srv.URL(), func() {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	url, stop := run(ui, content)
	s := open(t, url)
	s.loaded()
	s.press(input.Home, 'j')
	step := "Navigate localhost:8931/fail"
	s.wait(selected, step)
	stop()
	s.wait(`$(".banners")?.textContent.includes("server is gone")`, "true")
	s.wait(`all("#steps .row").length`, "12")
	_, stop = run(again(t, ui.Addr()), again(t, content.Addr()))
	defer stop()
	s.wait(`$(".banners")?.textContent.includes("server is gone") ?? false`, "false")
	s.wait(`all("#steps .row").length`, "12")
	s.wait(selected, step)
	s.press('j')
	s.wait(selected+` !== `+fmt.Sprintf("%q", step), "true")
	s.frameText()
}

func again(t *testing.T, a net.Addr) net.Listener {
	t.Helper()
	for range 50 {
		if l, err := net.Listen("tcp", a.String()); err == nil {
			return l
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s did not become free", a)
	return nil
}

func TestDamageIsTold(t *testing.T) {
	b, err := os.ReadFile(corpusTrace("playwright/basic.zip"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cut.zip")
	if err := os.WriteFile(path, b[:len(b)*9/10], 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, serve(t, path).url)
	s.wait(`$(".banners")?.textContent.length > 10`, "true")
	s.click(".banners button")
	s.wait(`$("#detail").textContent.includes("W_")`, "true")
}

func TestEmptyTraceSaysSo(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/empty.zip")).url)
	s.wait(`$("#steps .empty")?.textContent`, "No steps were recorded.")
}

// TestForeignPagesReadNothing opens a page of another origin in the same
// browser, which tries all it can without the token.
func TestForeignPagesReadNothing(t *testing.T) {
	srv := serve(t, corpusTrace("playwright/basic.zip"))
	own := open(t, srv.url)
	own.loaded()
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><body>")
	}))
	defer foreign.Close()
	page := own.Browser().MustPage(foreign.URL)
	defer page.MustClose()
	got := page.MustEval(`async (host) => {
		const tried = {};
		tried.fetch = await fetch("http://" + host + "/").then((r) => r.text(), () => "");
		tried.script = await fetch("http://" + host + "/viewer.js").then((r) => r.text(), () => "");
		tried.socket = await new Promise((done) => { const ws = new WebSocket("ws://" + host + "/socket"); ws.onopen = () => done("open"); ws.onerror = () => done(""); });
		tried.frame = await new Promise((done) => { const f = document.createElement("iframe"); f.src = "http://" + host + "/"; f.onload = () => { try { done(f.contentDocument?.body.textContent ?? ""); } catch { done(""); } }; document.body.append(f); });
		const w = window.open("http://" + host + "/");
		await new Promise((r) => setTimeout(r, 500));
		try { tried.window = w?.document?.body?.textContent ?? ""; } catch { tried.window = ""; }
		return Object.entries(tried).filter(([, v]) => v !== "").map(([k]) => k).join(" ");
	}`, srv.host).Str()
	if got != "" {
		t.Errorf("a page of another origin got something by: %s", got)
	}
}

// A tab that the user opens while rows still come is not changed by what the
// page would have shown by itself.
func TestATabOpenedWhileRowsComeStays(t *testing.T) {
	address := serve(t, longTrace(t, 120_000)).url
	s := open(t, "about:blank")
	if _, err := s.EvalOnNewDocument(`new MutationObserver((_, o) => {
		if (!document.querySelector("#steps .row")) return;
		o.disconnect();
		globalThis.early = document.querySelector("#steps .row.sel") === null;
		dispatchEvent(new KeyboardEvent("keydown", { key: "5", altKey: true, bubbles: true }));
	}).observe(document, { childList: true, subtree: true })`); err != nil {
		t.Fatal(err)
	}
	if err := s.Navigate(address); err != nil {
		t.Fatal(err)
	}
	s.loaded()
	if s.eval(`globalThis.early`) != "true" {
		t.Fatal("the key came after a step had been selected: this shows nothing")
	}
	s.wait(`$("#details [aria-selected=true]").id`, "tab-network")
}
