package recorder

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/trace"
)

const formPage = `<!doctype html><title>Form</title><style>body{height:3000px}</style>
<form onsubmit="return false"><label>First name <input name=first></label><label>Secret <input type=password id=secret></label>
<label><input type=checkbox> I agree</label><input type=radio name=plan value=pro aria-label="Pro plan">
<select aria-label=Colour><option value=r>Red<option value=g>Green</select><textarea placeholder=Notes></textarea></form>
<button id=button-8471 class=css-1q2w3e>Save</button><button>Save all</button><button ondblclick="this.textContent='twice'">Twice</button>
<div contenteditable aria-label=Editor role=textbox>x</div><x-card></x-card><iframe srcdoc="<button>Inside</button>"></iframe>
<ul><li><button>Delete</button><li><button>Delete</button></ul>
<script>customElements.define('x-card', class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML = '<style>button{color:red}</style><button>Deep</button>'; } });</script>`

// probePage looks for anything that a recorder could leave in its world.
const probePage = `<!doctype html><title>Probe</title><p>probe</p><script nonce=n>
const before = window.__names, frame = document.createElement('iframe');
document.body.append(frame);
const clean = new Set(Object.getOwnPropertyNames(frame.contentWindow));
window.found = Object.getOwnPropertyNames(window).filter(n => !clean.has(n) && !/^\d+$/.test(n) && !['found', 'frame', 'clean', 'before', 'native'].includes(n));
window.native = [fetch, XMLHttpRequest.prototype.send, Element.prototype.attachShadow, CSSStyleSheet.prototype.insertRule, console.log, addEventListener]
  .every(f => Function.prototype.toString.call(f).includes('[native code]')) && document.querySelectorAll('script').length === 1;
</script>`

func serveForms(t testing.TB) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/probe":
			w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-n'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'")
			_, _ = w.Write([]byte(probePage))
		default:
			_, _ = w.Write([]byte(formPage))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// attachTo records a browser that somebody else drives.
func attachTo(t testing.TB, browser *rod.Browser, o Options) *Session {
	t.Helper()
	endpoint, err := cdp.EndpointOf(context.Background(), browser)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Attach(context.Background(), endpoint, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is done by any driver or a person is in the trace once, in order, with
// a selector of one element.
func TestUserInputBecomesActions(t *testing.T) {
	url, browser := serveForms(t), launchBrowser(t)
	page := browser.MustPage("about:blank")
	out := filepath.Join(t.TempDir(), "t.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	page.MustNavigate(url + "/form").MustWaitLoad()
	drive(t, page)
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	a, tr := loadTrace(t, out)
	if keep := os.Getenv("KEEP_TRACE"); keep != "" {
		data, _ := os.ReadFile(out)
		_ = os.WriteFile(keep, data, 0o644)
	}
	got := told(t, tr)
	want := []string{
		"goto /form",
		`click internal:role=textbox[name="First name"i]`,
		`fill internal:role=textbox[name="First name"i] Ada`,
		`fill internal:label="Secret"i ••••••`,
		`check internal:role=checkbox[name="I agree"i]`,
		`check internal:role=radio[name="Pro plan"i]`,
		`selectOption internal:role=combobox[name="Colour"i]`,
		`fill internal:role=textbox[name="Notes"i] a note`,
		`click internal:role=button[name="Save"s]`,
		`dblclick internal:role=button[name="Twice"i]`,
		`fill internal:role=textbox[name="Editor"i] yzx`,
		`click internal:role=button[name="Deep"i]`,
		`click iframe >> internal:control=enter-frame >> internal:role=button[name="Inside"i]`,
		`click internal:role=button[name="Delete"i] >> nth=1`,
		`press internal:role=button[name="Save all"i] Escape`,
		"reload",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	checkSnapshots(t, a, tr)
	noSecrets(t, a)
}

// told describes all actions of a trace.
func told(t *testing.T, tr *trace.Trace) (list []string) {
	t.Helper()
	for _, x := range tr.Tree() {
		list = append(list, describe(t, x))
	}
	return list
}

func describe(t *testing.T, x *trace.Action) string {
	t.Helper()
	var p struct {
		Selector, Value, Text, Key, URL string
		Position                        *trace.Point
	}
	if err := json.Unmarshal(x.Before.Params, &p); err != nil {
		t.Fatal(err)
	}
	if i := strings.LastIndex(p.URL, "/"); i >= 0 {
		p.URL = p.URL[i:]
	}
	return strings.Join(strings.Fields(strings.Join([]string{x.Before.Method, p.URL, p.Selector, p.Value, p.Text, p.Key}, " ")), " ")
}

func drive(t *testing.T, page *rod.Page) {
	t.Helper()
	page.MustElement("[name=first]").MustClick()
	typeText(page, "Ada")
	page.MustElement("#secret").MustFocus()
	typeText(page, "hidden")
	page.MustElement("label:has([type=checkbox])").MustClick()
	page.MustElement("[type=radio]").MustClick()
	page.MustElement("select").MustFocus()
	page.Keyboard.MustType(input.KeyG)
	page.MustElement("textarea").MustFocus()
	typeText(page, "a note")
	page.MustElement("#button-8471").MustClick()
	if err := page.MustElement("button[ondblclick]").Click(proto.InputMouseButtonLeft, 2); err != nil {
		t.Fatal(err)
	}
	page.MustElement("[contenteditable]").MustFocus()
	typeText(page, "yz")
	page.MustElement("x-card").MustShadowRoot().MustElement("button").MustClick()
	page.MustElement("iframe").MustFrame().MustElement("button").MustClick()
	page.MustElement("li:nth-child(2) button").MustClick()
	page.MustElementR("button", "Save all").MustFocus()
	page.Keyboard.MustType(input.Escape)
	loaded := page.MustWaitNavigation()
	if err := (proto.PageReload{}).Call(page); err != nil {
		t.Fatal(err)
	}
	loaded()
}

func typeText(page *rod.Page, text string) {
	for _, c := range text {
		page.Keyboard.MustType(input.Key(c))
	}
}

// checkSnapshots makes sure that the form can be seen before it was filled in
// and after.
func checkSnapshots(t *testing.T, a *trace.Archive, tr *trace.Trace) {
	t.Helper()
	phases := map[trace.Phase]int{}
	frames := map[string]bool{}
	for _, s := range tr.Snapshots {
		phases[s.Phase]++
		frames[s.FrameID] = true
	}
	if phases[trace.PhaseAction] < 12 || phases[trace.PhaseAfter] < 2 || len(frames) < 2 {
		t.Errorf("snapshots by phase %v, of %d frames", phases, len(frames))
	}
}

// A page cannot tell that it is recorded, whatever it forbids scripts to do.
func TestRecorderIsInvisible(t *testing.T) {
	url, browser := serveForms(t), launchBrowser(t)
	page := browser.MustPage("about:blank")
	out := filepath.Join(t.TempDir(), "t.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	page.MustNavigate(url + "/probe").MustWaitLoad()
	if found := page.MustEval("() => JSON.stringify(found)").Str(); found != "[]" {
		t.Errorf("the page found %s", found)
	}
	if !page.MustEval("() => native").Bool() {
		t.Error("the page's functions were changed")
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, tr := loadTrace(t, out)
	for _, m := range tr.Console {
		t.Errorf("the console says %s", m.Text)
	}
	if len(tr.Snapshots) == 0 {
		t.Error("no snapshot under a strict policy")
	}
}
