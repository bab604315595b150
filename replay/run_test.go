package replay

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/replay/mock"
	"github.com/tracedeck/tracedeck/trace"
)

type do struct {
	method string
	params string
	fails  bool
	class  string
	took   time.Duration // 0 means 100 ms
}

// recordingOf writes a trace of actions, a second apart, as Playwright would.
func recordingOf(t *testing.T, actions ...do) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recorded.zip")
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", Options: json.RawMessage(`{"viewport":{"width":600,"height":400}}`), WallTime: 1.7e12})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range actions {
		at := trace.Milliseconds(float64(i+1) * 1000)
		id := fmt.Sprintf("call@%d", i+1)
		class := a.class
		if class == "" {
			class = "Frame"
		}
		after := &trace.After{CallID: id, EndTime: at.Add(cmp.Or(a.took, 100*time.Millisecond))}
		if a.fails {
			after.Error = &trace.Error{Name: "Error", Message: "it failed"}
		}
		for _, b := range []trace.Body{&trace.Before{CallID: id, StartTime: at, Class: class, Method: a.method, Params: json.RawMessage(a.params)}, after} {
			if err := c.Write(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func serve(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/endless" {
			http.Redirect(w, r, "/endless?"+fmt.Sprint(len(r.URL.RawQuery))+"x", http.StatusFound)
			return
		}
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("content-type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(s.Close)
	return s
}

var shared *determinism.Browser

func TestMain(m *testing.M) {
	code := m.Run()
	if shared != nil {
		_ = shared.Close()
	}
	if code != 0 {
		panic(fmt.Sprint("tests failed: ", code))
	}
}

func browserFor(t *testing.T) *determinism.Browser {
	t.Helper()
	if shared == nil {
		b, err := determinism.Start(context.Background(), determinism.Options{Flags: mock.BrowserFlags()})
		if err != nil {
			t.Fatal(err)
		}
		shared = b
	}
	return shared
}

func replayOf(t *testing.T, recording string, change func(*Options)) *Report {
	t.Helper()
	ctx := context.Background()
	a, err := trace.Open(ctx, recording, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	o := DefaultOptions(filepath.Join(t.TempDir(), "again.zip"))
	o.Browser = browserFor(t)
	if change != nil {
		change(&o)
	}
	r, err := Run(ctx, a, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func allPassed(t *testing.T, r *Report) {
	t.Helper()
	if r.Code != "" {
		t.Errorf("it ended early: %s %s", r.Code, r.Error)
	}
	for _, s := range r.Steps {
		if s.Status != Passed {
			t.Errorf("%s %s: %s %s %s", s.Recorded, s.Title, s.Status, s.Code, s.Error)
		}
	}
}

const formPage = `<!doctype html><title>Form</title><style>body{margin:8px}</style>
<label>Name <input id="name"></label><input id="pick" type="date"><textarea id="note"></textarea><div id="rich" contenteditable>rich</div>
<label><input type="checkbox" id="box"> agree</label><select id="s"><option value="a">A</option><option value="b">B</option></select>
<input type="file" id="f"><button id="go" title="Tip" disabled>Go</button><button class="dup">one</button><button class="dup">two</button>
<div id="over">menu<ul id="menu" hidden><li>item</ul></div><div id="src" draggable="true">drag</div><div id="dst">here</div><ol id="log"></ol><a href="/second" target="_blank">popup</a>
<iframe id="inner" srcdoc="<button onclick='this.textContent=&quot;pressed&quot;'>inside</button>"></iframe><x-host></x-host><p id="k"></p>
<script>
const add = s => { const li = document.createElement('li'); li.textContent = s; log.append(li); };
const by = id => document.getElementById(id), log = by('log');
by('box').onchange = e => { add('box ' + e.isTrusted); by('go').disabled = false; };
by('go').onclick = e => add('go ' + e.detail + ' ' + e.shiftKey + ' ' + e.isTrusted);
by('go').ondblclick = () => add('dblclick');
by('s').onchange = e => add('select ' + e.target.value);
by('f').onchange = e => add('file ' + [...e.target.files].map(f => f.name + ' ' + f.size));
by('over').onmouseenter = () => { by('menu').hidden = false; };
by('src').ondragstart = e => e.dataTransfer.setData('text/plain', 'cargo');
by('dst').ondragover = e => e.preventDefault();
by('dst').ondrop = e => { e.preventDefault(); add('drop ' + e.dataTransfer.getData('text/plain')); };
by('note').onkeydown = e => { by('k').textContent += e.key; };
customElements.define('x-host', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<button>shadow</button>'; this.shadowRoot.firstChild.onclick = e => { e.target.textContent = 'deep'; }; } });
setTimeout(() => { const late = document.createElement('p'); late.id = 'late'; late.textContent = 'late  text'; document.body.append(late); }, 1500);
</script>`

func has(selector, want string) do {
	return do{method: "expect", params: fmt.Sprintf(`{"selector":%q,"expression":"to.have.text","expectedText":[{"string":%q,"normalizeWhiteSpace":true}],"isNot":false}`, selector, want)}
}

func TestEveryKindOfActionIsCarriedOutByRealInput(t *testing.T) {
	site := serve(t, map[string]string{"/": formPage, "/second": `<!doctype html><h1>Second</h1><button onclick="this.textContent=confirm('sure?')">ask</button>`})
	recording := recordingOf(t,
		do{method: "goto", params: `{"url":"http://recorded.example/"}`},
		do{method: "fill", params: `{"selector":"internal:label=\"Name\"i","value":"Ada"}`},
		do{method: "expect", params: `{"selector":"#name","expression":"to.have.value","expectedText":[{"string":"Ada"}],"isNot":false}`},
		do{method: "fill", params: `{"selector":"#pick","value":"2024-02-29"}`},
		do{method: "type", params: `{"selector":"#note","text":"aB!"}`},
		do{method: "press", params: `{"selector":"#note","key":"Control+A"}`},
		has("#k", "aB!ControlA"),
		do{method: "fill", params: `{"selector":"#rich","value":"poor"}`}, has("#rich", "poor"),
		do{method: "check", params: `{"selector":"#box"}`}, has("#log >> li >> nth=0", "box true"),
		do{method: "click", params: `{"selector":"internal:role=button[name=\"Go\"i]","modifiers":["Shift"]}`}, has("#log >> li >> nth=-1", "go 1 true true"),
		do{method: "dblclick", params: `{"selector":"internal:attr=[title=\"Tip\"i]"}`}, has("#log >> li >> nth=-1", "dblclick"),
		do{method: "selectOption", params: `{"selector":"#s","options":[{"valueOrLabel":"B"}]}`}, has("#log >> li >> nth=-1", "select b"),
		do{method: "setInputFiles", params: `{"selector":"#f","_files":[{"name":"up.txt","size":10}]}`}, has("#log >> li >> nth=-1", "file up.txt 10"),
		do{method: "hover", params: `{"selector":"#over"}`},
		do{method: "expect", params: `{"selector":"internal:text=\"item\"s","expression":"to.be.visible","isNot":false}`},
		do{method: "dragAndDrop", params: `{"source":"#src","target":"#dst"}`}, has("#log >> li >> nth=-1", "drop cargo"),
		do{method: "click", params: `{"selector":"#inner >> internal:control=enter-frame >> button"}`}, has("#inner >> internal:control=enter-frame >> button", "pressed"),
		do{method: "click", params: `{"selector":"x-host button"}`}, has("x-host >> button", "deep"),
		do{method: "click", params: `{"selector":".dup","strict":true}`, fails: true},
		has("#late", "late text"),
		do{method: "evaluateExpression", params: `{"expression":"a => new Promise(f => setTimeout(() => { document.title = a; f() }, 300))","isFunction":true,"arg":{"value":{"s":"set"},"handles":[]}}`},
		do{method: "expect", params: `{"expression":"to.have.title","expectedText":[{"string":"set"}],"isNot":false}`},
		do{method: "mouseMove", params: `{"x":10,"y":10}`, class: "Page"},
		do{method: "fetch", params: `{"url":"http://recorded.example/api"}`, class: "APIRequestContext"},
	)
	r := replayOf(t, recording, func(o *Options) { o.URL = site.URL })
	for i := range r.Steps {
		if r.Steps[i].Status == AsBefore && r.Steps[i].Code == "E_NOT_UNIQUE" {
			r.Steps[i].Status = Passed
		}
	}
	allPassed(t, r)
	if len(r.Refused) != 1 || r.Refused[0].Recorded == "" {
		t.Errorf("refused: %v", r.Refused)
	}
	opensAgain(t, r)
}

// opensAgain checks that what was written is a whole trace.
func opensAgain(t *testing.T, r *Report) {
	t.Helper()
	a, err := trace.Open(context.Background(), r.Output, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Warnings) > 0 {
		t.Errorf("warnings: %v", tr.Warnings)
	}
	if len(tr.Actions) < len(r.Steps) || len(tr.Snapshots) == 0 || len(tr.Network) == 0 || len(tr.Frames) != len(r.Pictures) || len(tr.Attachments) != len(r.Pictures) {
		t.Errorf("%d actions, %d snapshots, %d requests, %d frames, %d attachments, %d pictures", len(tr.Actions), len(tr.Snapshots), len(tr.Network), len(tr.Frames), len(tr.Attachments), len(r.Pictures))
	}
}

func TestReplaysOfAnAppGiveTheSamePictures(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><style>@keyframes m{to{transform:translateX(300px) rotate(1turn)}}#a{width:40px;height:40px;background:#c33;animation:m 3s ease-in-out infinite alternate}</style>
<div id="a"></div><input id="i" autofocus><button id="b">roll</button><pre id="p"></pre><script>
const w = new Worker(URL.createObjectURL(new Blob(['setInterval(() => postMessage([Math.random(), Date.now(), performance.now()].join()), 50)']))); let last = '', frames = 0;
w.onmessage = e => { last = e.data; }; const f = () => { frames++; requestAnimationFrame(f); }; f();
const show = () => { p.textContent = [Math.random(), new Date().toISOString(), performance.now(), frames, last, crypto.getRandomValues(new Uint8Array(4))].join('\n'); };
setInterval(show, 41); b.onclick = () => fetch('/x').then(show);</script>`, "/x": "x"})
	recording := recordingOf(t, do{method: "goto", params: `{"url":"http://recorded.example/"}`}, do{method: "click", params: `{"selector":"#b"}`},
		do{method: "type", params: `{"selector":"#i","text":"caret"}`}, do{method: "waitForTimeout", params: `{"waitTimeout":2345}`}, do{method: "click", params: `{"selector":"#b"}`})
	hashes := func() (list []string) {
		r := replayOf(t, recording, func(o *Options) { o.URL = site.URL })
		allPassed(t, r)
		for _, p := range r.Pictures {
			list = append(list, p.Key+" "+p.SHA256)
		}
		return list
	}
	first := hashes()
	if len(first) < 4 || slices.Compact(append([]string{}, first...))[0] == "" {
		t.Fatalf("pictures: %v", first)
	}
	for range 2 {
		if again := hashes(); !slices.Equal(first, again) {
			t.Errorf("first %v\nagain %v", first, again)
		}
	}
}

func TestWhatCannotGoOnEndsInItsLimitAndTheNextSessionRuns(t *testing.T) {
	site := serve(t, map[string]string{"/": "<!doctype html><h1>fine</h1>", "/busy": `<!doctype html><button onclick="for (;;) {}">busy</button>`,
		"/alerts": `<!doctype html><button onclick="for (;;) alert(1)">alerts</button>`, "/timers": `<!doctype html><h1>t</h1><script>let n = 0; for (let i = 0; i < 10000; i++) setTimeout(() => { n++ }, 10 + i % 500)</script>`,
		"/clock": `<!doctype html><h1>c</h1><script>const t = Date.now(); while (Date.now() < t + 50); const p = performance.now(); while (performance.now() < p + 50);</script>`})
	visit := func(path string, more ...do) string {
		return recordingOf(t, append([]do{{method: "goto", params: `{"url":"http://recorded.example` + path + `"}`}}, more...)...)
	}
	press := do{method: "click", params: `{"selector":"button"}`}
	want := map[string]string{}
	var list []Session
	for _, c := range []struct{ recording, code string }{{visit("/busy", press), "E_PAGE_BUSY"}, {visit("/alerts", press), "E_DIALOG_LOOP"}, {visit("/endless"), "E_NAVIGATION"},
		{recordingOf(t, do{method: "goto", params: `{"url":"http://127.0.0.1:9/"}`}), "E_NAVIGATION"}, {visit("/timers"), ""}, {visit("/clock"), ""}, {visit("/"), ""}} {
		want[c.recording] = c.code
		list = append(list, Session{c.recording, filepath.Join(t.TempDir(), "again.zip")})
	}
	err := Many(context.Background(), list, 1, determinism.Options{Regime: determinism.Frames}, func(s Session) Options {
		o := DefaultOptions("")
		if want[s.Trace] != "E_NAVIGATION" || s == list[2] {
			o.URL = site.URL
		}
		if c := want[s.Trace]; c == "E_PAGE_BUSY" || c == "E_DIALOG_LOOP" {
			o.Limits.Step = 5 * time.Second
		}
		return o
	}, func(r Result) {
		if r.Err != nil {
			t.Errorf("%v", r.Err)
			return
		}
		code := r.Report.Code
		if code == "" && len(r.Report.Steps) > 0 {
			code = r.Report.Steps[len(r.Report.Steps)-1].Code
		}
		if code != want[r.Trace] {
			t.Errorf("session %d: %q %s, %v, want %q", slices.Index(list, r.Session), code, r.Report.Error, r.Report.Steps, want[r.Trace])
		}
		if _, err := trace.Open(context.Background(), r.Output, trace.Options{}); err != nil {
			t.Errorf("what was recorded does not open: %v", err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUnreplayableEndsEarly(t *testing.T) {
	site := serve(t, map[string]string{"/": "<!doctype html><h1>another app</h1>"})
	actions := []do{{method: "goto", params: `{"url":"http://recorded.example/"}`}}
	for range 12 {
		actions = append(actions, do{method: "click", params: `{"selector":"#gone","timeout":100}`})
	}
	r := replayOf(t, recordingOf(t, actions...), func(o *Options) { o.URL = site.URL })
	if r.Code != "E_UNREPLAYABLE" || len(r.Steps) != 6 || r.OK() {
		t.Errorf("%s after %d steps", r.Code, len(r.Steps))
	}
}

func TestNothingToReplayIsAnError(t *testing.T) {
	ctx := context.Background()
	a, err := trace.Open(ctx, recordingOf(t, do{method: "title", params: `{}`}), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := Run(ctx, a, DefaultOptions(filepath.Join(t.TempDir(), "o.zip"))); CodeOf(err) != "E_NOTHING_TO_REPLAY" {
		t.Errorf("%v", err)
	}
}

func TestElementIsFoundByWhatElseIsKnownOfIt(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><button class="x">Cancel</button><button class="x" onclick="document.title='paid'">Pay now</button>`})
	target := `"_target":{"selector":"#pay","tag":"BUTTON","id":"pay","role":"button","name":"Pay now","text":"Pay now","attributes":{},"css":"body > button:nth-of-type(2)","path":["body > button:nth-of-type(2)"],"xpath":"/html/body/button[2]","box":{"x":60,"y":8,"width":70,"height":21}}`
	recording := recordingOf(t, do{method: "goto", params: `{"url":"http://recorded.example/"}`}, do{method: "click", params: `{"selector":"#pay","timeout":300,` + target + `}`},
		do{method: "expect", params: `{"expression":"to.have.title","expectedText":[{"string":"paid"}],"isNot":false}`})
	r := replayOf(t, recording, func(o *Options) { o.URL = site.URL })
	allPassed(t, r)
	if h := r.Steps[1].Heal; h == nil || h.Confidence < 0.8 {
		t.Errorf("heal: %+v", h)
	}
	r = replayOf(t, recording, func(o *Options) { o.URL, o.Heal = site.URL, false })
	if r.Steps[1].Status != Failed || r.Steps[1].Code != "E_NO_ELEMENT" {
		t.Errorf("without healing: %+v", r.Steps[1])
	}
}

func TestNothingLeavesButWhereTheRecordingWent(t *testing.T) {
	reached := make(chan string, 10)
	canary := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { reached <- r.URL.Path }))
	defer canary.Close()
	site := serve(t, map[string]string{"/": `<!doctype html><img src="` + canary.URL + `/image"><script>fetch("` + canary.URL + `/fetch").catch(() => {}); navigator.sendBeacon("` + canary.URL + `/beacon"); new WebSocket("` +
		canary.URL[len("http:"):] + `/socket".replace(/^/, 'ws:'))</script><iframe src="` + canary.URL + `/frame"></iframe>`})
	recording := recordingOf(t, do{method: "goto", params: `{"url":"http://recorded.example/"}`}, do{method: "waitForTimeout", params: `{"waitTimeout":500}`})
	for _, mode := range []mock.Mode{mock.Mock, mock.Live} {
		r := replayOf(t, recording, func(o *Options) { o.URL, o.Network.Mode = site.URL, mode })
		if r.Network == nil || len(r.Network.Misses) == 0 {
			t.Errorf("%s: nothing is told of what was blocked", mode)
		}
		select {
		case path := <-reached:
			t.Errorf("%s: %s got out", mode, path)
		default:
		}
	}
}

// What was waited for long is waited for as long again.
func TestLongWaitsAreLongAgain(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><script>setTimeout(() => { document.body.innerHTML = '<p id=late>late</p>'; }, 12000)</script><body>`})
	r := replayOf(t, recordingOf(t, do{method: "goto", params: fmt.Sprintf(`{"url":%q}`, site.URL+"/")},
		do{method: "waitForSelector", params: `{"selector":"#late"}`, took: 11 * time.Second}), nil)
	allPassed(t, r)
}
