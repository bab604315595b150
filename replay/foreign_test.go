package replay

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
)

// recordingWith writes a trace of any events.
func recordingWith(t *testing.T, events ...trace.Body) string {
	t.Helper()
	return recordingBy(t, "", events...)
}

// recordingBy is one that a library wrote, such as this one's recorder.
func recordingBy(t *testing.T, library string, events ...trace.Body) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recorded.zip")
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", LibraryName: library, BrowserName: "chromium", Options: json.RawMessage(`{"viewport":{"width":600,"height":400}}`), WallTime: 1.7e12})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := c.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// call is an action from one millisecond to another.
func call(id string, from, to float64, class, method, params string) []trace.Body {
	return []trace.Body{&trace.Before{CallID: id, StartTime: trace.Milliseconds(from), Class: class, Method: method, Params: json.RawMessage(params)},
		&trace.After{CallID: id, EndTime: trace.Milliseconds(to)}}
}

// shows is a snapshot of a frame.
func shows(id string, phase trace.Phase, page, frame, url string, main bool, at float64, html string) trace.Body {
	return &trace.FrameSnapshot{CallID: id, Phase: phase, PageID: page, FrameID: frame, FrameURL: url, HTML: json.RawMessage(html), Viewport: &trace.Size{Width: 600, Height: 400},
		Timestamp: trace.Milliseconds(at), IsMainFrame: main}
}

func event(method, params string, at float64) trace.Body {
	return &trace.ContextEvent{Time: trace.Milliseconds(at), Class: "BrowserContext", Method: method, Params: json.RawMessage(params)}
}

func together(lists ...[]trace.Body) (all []trace.Body) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func reads(id string, at float64, selector, want string) []trace.Body {
	return call(id, at, at+50, "Frame", "expect", fmt.Sprintf(`{"selector":%q,"expression":"to.have.text","expectedText":[{"string":%q,"normalizeWhiteSpace":true}],"isNot":false}`, selector, want))
}

func TestFrameAndElementAreThoseThatSnapshotsShow(t *testing.T) {
	inner := `<!doctype html><input id="w"><button onclick="o.textContent = w.value">say</button><p id="o"></p>`
	site := serve(t, map[string]string{"/": `<!doctype html><input id="w"><p id="o"></p><iframe src="/inner?1"></iframe><iframe src="/inner?2"></iframe><ul><li><input type="checkbox"></li><li><input type="checkbox" onclick="o.textContent = 'second'"></li></ul>`, "/inner": inner})
	const at = "http://recorded.example"
	framed := func(id string, ms float64, attributes string) []trace.Body {
		return []trace.Body{shows(id, trace.PhaseAction, "page@1", "frame@1", at+"/", true, ms, `["HTML",{},["BODY",{},["INPUT",{"id":"w"}]]]`),
			shows(id, trace.PhaseAction, "page@1", "frame@2", at+"/inner?1", false, ms, `["HTML",{},["BODY",{},["INPUT",{"id":"w"}]]]`),
			shows(id, trace.PhaseAction, "page@1", "frame@3", at+"/inner?2", false, ms, `["HTML",{},["BODY",{},["INPUT",{"id":"w"`+attributes+`}],["BUTTON",{},"say"]]]`)}
	}
	r := replayOf(t, recordingWith(t, together(
		call("c1", 100, 200, "Frame", "goto", `{"url":"`+at+`/"}`),
		call("c2", 300, 400, "Frame", "fill", `{"selector":"#w","value":"in the second"}`), framed("c2", 350, `,"__playwright_target__":""`),
		call("c3", 500, 600, "Frame", "click", `{"selector":"button"}`), // nothing marks it: the frame that was used before
		reads("c4", 700, "iframe >> nth=1 >> internal:control=enter-frame >> #o", "in the second"),
		reads("c5", 800, "iframe >> nth=0 >> internal:control=enter-frame >> #o", ""),
		call("c6", 900, 950, "ElementHandle", "check", `{}`),
		[]trace.Body{shows("c6", trace.PhaseAction, "page@1", "frame@1", at+"/", true, 920, `["HTML",{},["BODY",{},["UL",{},["LI",{},["INPUT",{"type":"checkbox"}]],["LI",{},["INPUT",{"type":"checkbox","__playwright_target__":"c6"}]]]]]`)},
		reads("c7", 1000, "p#o", "second"),
		call("c8", 1100, 1150, "ElementHandle", "focus", `{}`), // which one nobody can tell
		call("c9", 1200, 1210, "Frame", "querySelector", `{"selector":"body > #w"}`),
		call("c10", 1250, 1300, "ElementHandle", "fill", `{"value":"looked up"}`),
		call("c11", 1400, 1500, "Frame", "expect", `{"selector":"body > #w","expression":"to.have.value","expectedText":[{"string":"looked up"}],"isNot":false}`),
	)...), func(o *Options) { o.URL = site.URL })
	allPassed(t, r)
	if len(r.Steps) != 10-1 || len(r.Refused) != 1 || r.Refused[0].Recorded != "c8" {
		t.Errorf("%d steps, refused %v", len(r.Steps), r.Refused)
	}
}

func TestPagesAreThoseThatEventsAndSnapshotsName(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><p id="o">main</p>`, "/other": `<!doctype html><p id="o">other</p>`})
	const at = "http://recorded.example"
	blank := `["HTML",{},["BODY"]]`
	r := replayOf(t, recordingWith(t, together(
		[]trace.Body{event("page", `{"pageId":"page@1"}`, 10)},
		call("c1", 100, 200, "Frame", "goto", `{"url":"`+at+`/"}`),
		[]trace.Body{shows("c1", trace.PhaseAfter, "page@1", "frame@1", at+"/", true, 190, blank)},
		call("c2", 300, 400, "BrowserContext", "newPage", `{}`), []trace.Body{event("page", `{"pageId":"page@2"}`, 350)},
		call("c3", 500, 600, "Frame", "goto", `{"url":"`+at+`/other"}`),
		[]trace.Body{shows("c3", trace.PhaseAfter, "page@2", "frame@2", at+"/other", true, 590, blank)},
		reads("c4", 700, "#o", "other"), // it says nothing: the page that was used before
		reads("c5", 800, "#o", "main"), []trace.Body{shows("c5", trace.PhaseAfter, "page@1", "frame@1", at+"/", true, 840, blank)},
		call("c6", 900, 950, "Page", "close", `{}`), []trace.Body{event("pageClosed", `{"pageId":"page@2"}`, 920)},
		reads("c7", 1000, "#o", "main"),
	)...), func(o *Options) { o.URL = site.URL })
	allPassed(t, r)
}

func TestWhatWasDoneWhileAnActionWasHeldUpIsDoneBefore(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><style>#over{position:fixed;inset:0;background:white}</style><button id="go" onclick="o.textContent='went'">go</button><p id="o"></p><div id="over"><button onclick="over.remove()">OK</button></div>`})
	r := replayOf(t, recordingWith(t, together(
		call("c1", 100, 200, "Frame", "goto", `{"url":"http://recorded.example/"}`),
		call("c2", 300, 900, "Frame", "click", `{"selector":"#go"}`),
		call("c3", 400, 500, "Frame", "click", `{"selector":"#over >> button"}`),
		reads("c5", 2100, "#o", "went"),
	)...), func(o *Options) { o.URL = site.URL })
	allPassed(t, r)
}

func TestWhatDependsOnAFailedStepIsSkipped(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><input id="a"><p id="o"></p><button id="b">b</button>`})
	r := replayOf(t, recordingOf(t,
		do{method: "goto", params: `{"url":"http://recorded.example/"}`},
		do{method: "click", params: `{"selector":"#b"}`}, do{method: "click", params: `{"selector":"#b"}`}, do{method: "click", params: `{"selector":"#b"}`},
		do{method: "click", params: `{"selector":"#a"}`},
		do{method: "click", params: `{"selector":"#gone","timeout":300}`},
		do{method: "keyboardType", params: `{"text":"lost"}`, class: "Page"},
		do{method: "click", params: `{"selector":"#b"}`},
		do{method: "click", params: `{"selector":"#a"}`},
		do{method: "keyboardType", params: `{"text":"kept"}`, class: "Page"},
		do{method: "expect", params: `{"selector":"#a","expression":"to.have.value","expectedText":[{"string":"kept"}],"isNot":false}`},
	), func(o *Options) { o.URL = site.URL })
	var got []Status
	for _, s := range r.Steps {
		got = append(got, s.Status)
	}
	if want := []Status{Passed, Passed, Passed, Passed, Passed, Failed, Skipped, Passed, Passed, Passed, Passed}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if why := r.Steps[6].Error; !strings.Contains(why, "#gone") {
		t.Errorf("skipped because %q", why)
	}
}

func TestSurroundingsOfAForeignTrace(t *testing.T) {
	page := `<!doctype html><style>#pad{border:20px solid;width:50px;height:50px}h1{color:red}</style><h1>x</h1><div id="pad"></div><select id="s" multiple><option selected>a</select><input type="checkbox" id="c"><p id="o"></p><div id="drop">drop</div><script>
const say = s => { o.textContent += s + ';'; }, p = document.getElementById('pad');
p.onclick = e => say(e.offsetX + ',' + e.offsetY);
document.getElementById('drop').ondrop = e => { e.preventDefault(); say('drop ' + e.dataTransfer.getData('text/plain')); };
</script>`
	site := serve(t, map[string]string{"/": page})
	checked := func(value string) do {
		return do{method: "expect", params: `{"selector":"#c","expression":"to.be.checked","expectedValue":{"value":{"o":[` + value + `],"id":1},"handles":[]},"isNot":false}`}
	}
	context := func(method, params string) do { return do{method: method, params: params, class: "BrowserContext"} }
	r := replayOf(t, recordingOf(t,
		context("grantPermissions", `{"permissions":["geolocation"]}`),
		context("setGeolocation", `{"geolocation":{"latitude":12,"longitude":1}}`),
		context("exposeBinding", `{"name":"ours"}`),
		context("clockInstall", `{"timeNumber":1706860800000}`),
		do{method: "goto", params: `{"url":"http://recorded.example/"}`},
		do{method: "click", params: `{"selector":"#pad","position":{"x":3,"y":4}}`}, has("#o", "3,4;"),
		do{method: "selectOption", params: `{"selector":"#s","options":[]}`},
		do{method: "expect", params: `{"selector":"#s","expression":"to.have.values","expectedText":[],"isNot":false}`},
		checked(`{"k":"checked","v":{"b":false}}`),
		do{method: "evalOnSelector", params: `{"selector":"#c","expression":"(e, x) => { e.indeterminate = x; say('eval') }","arg":{"value":{"b":true},"handles":[]}}`},
		checked(`{"k":"indeterminate","v":{"b":true}}`), has("#o", "3,4;eval;"),
		do{method: "drop", params: `{"selector":"#drop","data":[{"mimeType":"text/plain","value":"words"}]}`}, has("#o", "3,4;eval;drop words;"),
		do{method: "webStorageSetItem", params: `{"kind":"local","name":"k","value":"v"}`, class: "Page"},
		do{method: "evaluateExpression", params: `{"expression":"() => new Promise(f => navigator.geolocation.getCurrentPosition(p => { o.textContent = [localStorage.k, p.coords.latitude, typeof ours].join(); f() }))","isFunction":true}`},
		has("#o", "v,12,function"),
		do{method: "addStyleTag", params: `{"content":"h1 { color: rgb(1, 2, 3) }"}`},
		do{method: "expect", params: `{"selector":"h1","expression":"to.have.css","expressionArg":"color","expectedText":[{"string":"rgb(1, 2, 3)"}],"isNot":false}`},
		do{method: "addScriptTag", params: `{"content":"o.textContent = 'script'"}`}, has("#o", "script"),
		do{method: "expect", params: `{"expression":"to.have.url","expectedText":[{"string":"http://recorded.example/"}],"isNot":false}`},
		do{method: "expect", params: `{"expression":"to.have.url","expectedText":[{"regexSource":"recorded\\.example\\/$","regexFlags":""}],"isNot":false}`},
		do{method: "expect", params: `{"selector":"h1","expression":"to.have.property","expressionArg":"tagName","expectedValue":{"value":{"s":"H1"},"handles":[]},"isNot":false}`},
		context("clockPauseAt", `{"timeString":"2024-02-02T10:00:00Z"}`),
		do{method: "evaluateExpression", params: `{"expression":"let n = 0; setInterval(() => { o.textContent = new Date().toISOString().slice(11, 19) + ' ' + ++n }, 1000); 0"}`},
		context("clockRunFor", `{"ticksNumber":3000}`), has("#o", "10:00:03 3"),
		context("clockFastForward", `{"ticksString":"10:00"}`), has("#o", "10:10:03 4"),
		context("clockSetFixedTime", `{"timeNumber":0}`),
		do{method: "evaluateExpression", params: `{"expression":"o.textContent = Date.now() + ' ' + (new Date() instanceof Date)"}`}, has("#o", "0 true"),
	), func(o *Options) { o.URL = site.URL })
	allPassed(t, r)
}

func TestKindsOfRecordedErrors(t *testing.T) {
	for _, x := range []struct{ verb, said, want string }{
		{"click", "locator.click: Timeout 400ms exceeded.\nCall log:\n  - waiting for locator('#a')", "E_NO_ELEMENT"},
		{"click", "Timeout 400ms exceeded.\nCall log:\n  - waiting for locator('#a')\n  - locator resolved to <b></b>\n  - element is not visible", "E_NOT_ACTIONABLE"},
		{"click", "Error: strict mode violation: locator('a') resolved to 2 elements", "E_NOT_UNIQUE"},
		{"click", "Unexpected token \"\" while parsing css selector \"div[[\"", "E_SELECTOR"},
		{"goto", "page.goto: net::ERR_CONNECTION_REFUSED at http://x/", "E_NAVIGATION"},
		{"goto", "page.goto: Timeout 30000ms exceeded.", "E_NAVIGATION_LIMIT"},
		{"expect", "anything", "E_ASSERTION"},
		{"evaluateExpression", "Error: thrown by the page", "E_SCRIPT"},
		{"click", "something else", ""},
	} {
		p := &planned{verb: x.verb, action: &trace.Action{Error: &trace.Error{Message: x.said}}}
		if got := kindOf(p); got != x.want {
			t.Errorf("%s: %q is %q, want %q", x.verb, strings.SplitN(x.said, "\n", 2)[0], got, x.want)
		}
	}
}

// Newer versions of Playwright record little of the context's options.
func TestWhatIsSaidOfTheContextHolds(t *testing.T) {
	page := `<!doctype html><p id="o"></p><button onclick="navigator.geolocation.getCurrentPosition(p => o.textContent += ' at ' + p.coords.latitude)">Where</button><a href="/two">two</a><script>
fetch('/headers').then(r => r.text()).then(h => { o.textContent = [localStorage.user, document.cookie, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, matchMedia('(prefers-color-scheme: dark)').matches, innerWidth, navigator.userAgent, h].join(); delete localStorage.user });
</script>`
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("content-type", "text/html")
		if r.URL.Path == "/headers" {
			page := r.Header.Get("X-Extra") + " " + r.Header.Get("Authorization")
			_, _ = w.Write([]byte(page))
			return
		}
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(site.Close)
	c, err := ParseContextOptions([]byte(`{"locale":"de-DE","timezoneId":"Asia/Tokyo","colorScheme":"dark","userAgent":"Robot/1","viewport":{"width":500,"height":300},"permissions":["geolocation"],"geolocation":{"latitude":12,"longitude":3},
		"extraHTTPHeaders":{"x-extra":"yes"},"httpCredentials":{"username":"ann","password":"pw"},"baseURL":"http://left.alone/","storageState":{"cookies":[{"name":"sid","value":"1","domain":"recorded.example","path":"/","expires":-1}],
		"origins":[{"origin":"http://recorded.example","localStorage":[{"name":"user","value":"Ann"}]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	r := replayOf(t, recordingOf(t,
		do{method: "goto", params: `{"url":"http://recorded.example/"}`}, has("#o", "Ann,sid=1,de-DE,Asia/Tokyo,true,500,Robot/1,yes Basic YW5uOnB3"),
		do{method: "click", params: `{"selector":"button"}`}, has("#o", "Ann,sid=1,de-DE,Asia/Tokyo,true,500,Robot/1,yes Basic YW5uOnB3 at 12"),
		do{method: "click", params: `{"selector":"a"}`}, has("#o", ",sid=1,de-DE,Asia/Tokyo,true,500,Robot/1,yes Basic YW5uOnB3"),
		do{method: "goto", params: `{"url":"http://recorded.example/"}`}, has("#o", ",sid=1,de-DE,Asia/Tokyo,true,500,Robot/1,yes Basic YW5uOnB3"),
	), func(o *Options) { o.URL, o.Context = site.URL, c })
	allPassed(t, r)
	if _, err := ParseContextOptions([]byte(`{"permissions":"all"}`)); err == nil {
		t.Error("permissions that are no list were taken")
	}
}
