package inject

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"math/rand"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"
	"github.com/google/go-cmp/cmp"
)

const features = `<!doctype html><html lang=en><head><meta charset=latin1><meta http-equiv=refresh content="1000"><meta http-equiv="Content-Security-Policy" content="img-src *">
<link rel=preload href=x.js as=script><link rel=stylesheet href=style.css integrity=""><base href="/base/"><link rel=stylesheet href=/style.css>
<style media=screen>p { color: green }</style><script>var secret = 'script text'</script><noscript>no script</noscript></head>
<body onload="void 0" style="height:3000px"><!-- a comment -->
<form id=clobber><input name=nodeName value=a><input name=parentNode><input name=attributes><input name=firstChild><input name=scrollTop><input name=children><b>in the form</b></form>
<img name=documentElement><img name=body><img name=styleSheets><img name=doctype>
<input id=text value=before><input id=check type=checkbox><input type=radio checked><input type=password id=pass value=hunter2><input id=cvc autocomplete=cc-csc value=123>
<textarea id=area>default</textarea><select id=one><option>a<option selected>b</select><select multiple id=many><option selected>x<option selected>y<option>z</select>
<div id=scroller style="width:100px;height:50px;overflow:scroll"><p style="width:500px;height:500px">long</p></div>
<div popover=manual id=pop>popped</div><dialog id=modal>modal</dialog><dialog id=plain>plain</dialog>
<canvas id=canvas width=20 height=10></canvas><svg width=10 height=10><style>rect { fill: red }</style><script>1</script><linearGradient id=g /><rect width=5 height=5 onclick="1"/></svg>
<iframe srcdoc="<p>framed" sandbox=allow-scripts></iframe><picture><source srcset="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img src=/none.png></picture>
<a href="javascript:alert(1)">link</a><img src="javascript:1"><custom-one>one</custom-one><not-yet>two</not-yet>
<div id=host>light<span slot=s>slotted</span></div><template><p>in a template</p></template><math><mi>x</mi></math>
<script>
customElements.define('custom-one', class extends HTMLElement {});
const root = host.attachShadow({mode: 'open'});
root.innerHTML = '<style>:host { color: navy }</style><h2>shadow</h2><slot name=s></slot><slot></slot>';
const sheet = new CSSStyleSheet(); sheet.replaceSync('h2 { color: olive }');
root.adoptedStyleSheets = [sheet]; document.adoptedStyleSheets = [sheet];
text.value = 'typed'; check.checked = true; area.value = 'changed'; one.selectedIndex = 0;
scroller.scrollTop = 30; scroller.scrollLeft = 7; pop.showPopover(); plain.show();
const c = canvas.getContext('2d'); c.fillStyle = 'rgb(10, 20, 30)'; c.fillRect(2, 2, 5, 5);
</script></body></html>`

func TestSnapshotHoldsWhatThePageShows(t *testing.T) {
	f := open(t, DefaultOptions(), features)
	f.do("modal.showModal()")
	s := f.shoot()
	h := &history{t: t}
	got := h.add(s)
	for _, want := range []string{
		`"lang":"en"`, `"charset":"utf-8"`, `["BASE",{"href":"` + strings.TrimSuffix(s.URL, "/") + `/base/"}]`, `["STYLE",{"media":"screen"},"p { color: green }"]`,
		`"onload":""`, `"in the form"`, `["INPUT",{"__playwright_value_":"a","name":"nodeName","value":"a"}]`, `"name":"children"`,
		`["INPUT",{"__playwright_value_":"typed","id":"text","value":"before"}]`, `"__playwright_checked_":"true","id":"check"`, `"__playwright_checked_":"true","checked":"","type":"radio"`,
		`["INPUT",{"__playwright_value_":"•••••••","id":"pass","type":"password"}]`, `["INPUT",{"__playwright_value_":"•••","autocomplete":"cc-csc","id":"cvc"}]`,
		`["TEXTAREA",{"__playwright_value_":"changed","id":"area"},"default"]`, `["OPTION",{"__playwright_selected_":"true"},"a"]`, `["OPTION",{"__playwright_selected_":"false","selected":""},"b"]`,
		`["OPTION",{"__playwright_selected_":"true","selected":""},"y"]`, `"__playwright_scroll_left_":"7","__playwright_scroll_top_":"30","id":"scroller"`,
		`"__playwright_popover_open_":"true","id":"pop"`, `["DIALOG",{"__playwright_dialog_open_":"modal","id":"modal"},"modal"]`, `["DIALOG",{"__playwright_dialog_open_":"true","id":"plain"},"plain"]`,
		`["CANVAS",{"__playwright_bounding_rect__":"{`, `"__tracedeck_picture_":"`, `["style",{},"rect { fill: red }"]`, `["linearGradient",{"id":"g"}]`, `["rect",{"height":"5","onclick":"","width":"5"}]`,
		`["IFRAME",{"__playwright_bounding_rect__":"{`, `"src":""}]`, `["PICTURE",{"__playwright_current_src__":""}`, `"__playwright_current_src__":"data:image/gif;base64,R0lGODlhAQABAAAAACw="`,
		`["IMG",{"src":""}]`, `"__playwright_custom_elements__":"custom-one"`,
		`["template",{"__playwright_shadow_root_":"open"},["STYLE",{},":host { color: navy }"],["H2",{},"shadow"]`, `["template",{"__playwright_style_sheet_":"h2 { color: olive; }"}]`,
		`["SPAN",{"slot":"s"},"slotted"]`, `["math",{},["mi",{},"x"]]`, `["TEMPLATE"]`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("missing: %s", want)
		}
	}
	for _, not := range []string{"script text", "no script", "a comment", "hunter2", "preload", "Security-Policy", "refresh", "in a template", "srcdoc", "sandbox", "integrity", `"open"`} {
		if not == `"open"` {
			not = `"open":""`
		}
		if strings.Contains(got, not) {
			t.Errorf("there, and should not be: %s", not)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
	if s.Doctype != "html" || s.Width != 1280 || s.Took <= 0 {
		t.Errorf("%+v", s)
	}
}

// A document that did not change is one reference, whatever it holds.
func TestUnchangedDocumentIsOneReference(t *testing.T) {
	f := open(t, DefaultOptions(), features)
	h := &history{t: t}
	first := h.add(f.shoot())
	count := len(h.nodes[0])
	for i := 1; i < 4; i++ {
		f.in(f.world, "__deck.describe(document.querySelector('#text')) && 0", nil)
		s := f.shoot()
		if want := fmt.Sprintf("[[%d,%d]]", i, count-1); string(s.HTML) != want {
			t.Fatalf("snapshot %d: %.2000s, want %s", i, s.HTML, want)
		}
		if len(s.Pictures) > 0 {
			t.Error("a picture is handed over twice")
		}
		if h.add(s) != first {
			t.Error("it is not the same")
		}
	}
}

// changes are what the test below does in random order to a page with random elements.
const changes = `
let seed = %d; const random = n => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return (seed >> 8) %% n; };
const out = []; // elements that are away for a while
let number = 0;
function roots() { const list = [document]; for (const r of list) for (const e of r.querySelectorAll('*')) if (e.shadowRoot) list.push(e.shadowRoot); return list; }
function any(css) { const list = roots().flatMap(r => [...r.querySelectorAll(css)]).filter(e => !e.closest('head')); return list[random(list.length)]; }
function make() {
  const kind = ['div', 'span', 'input', 'p', 'select', 'textarea', 'style', 'x-late', 'details', 'x-' + 'abc'[random(3)]][random(10)], e = document.createElement(kind);
  if (kind === 'div' && random(3) === 0) { const r = e.attachShadow({mode: 'open'}); r.innerHTML = '<b>in</b><slot></slot><style>b{}</style>'; r.adoptedStyleSheets = [sheets[random(2)]]; }
  if (kind === 'select') e.innerHTML = '<option>1<option>2<option>3'; else if (kind === 'style') e.textContent = '.c' + number++ + '{color:red}';
  else if (kind === 'textarea' || kind === 'input') e.value = 'v' + number++; else e.append('t' + number++);
  return e;
}
const sheets = [new CSSStyleSheet(), new CSSStyleSheet()];
const steps = [
  () => any('body,div,p').append(make(), 'x'), () => any('div,p,span').prepend(make()), () => any('body *')?.remove(),
  () => { const e = any('body *'); if (e) { e.remove(); out.push(e); } }, () => { const e = out.pop(); if (e) any('body,div').append(e); },
  () => { const e = out[0]; if (e) { e.setAttribute('data-away', number++); e.append('grown'); e.firstElementChild?.setAttribute('deep', number++); } },
  () => { const e = out.shift()?.firstElementChild; if (e) { e.title = 'rescued' + number++; any('body').append(e); } },
  () => any('*').setAttribute('data-x', number++), () => any('*').removeAttribute('data-x'), () => any('body *').style.color = ['red', 'blue', ''][random(3)],
  () => { const e = any('body *'), p = any('body,div'); if (!e.contains(p)) p.prepend(e); },
  () => { const e = any('input,textarea'); if (e) e.value = 'w' + number++; }, () => { const e = any('select'); if (e) e.selectedIndex = random(3); },
  () => { const e = any('[type=checkbox]'); if (e) e.checked = !e.checked; }, () => { const e = any('.big'); e.scrollTop = random(100); },
  () => { const e = any('style'); if (e?.sheet) e.sheet.insertRule('.i' + number++ + '{}', 0); }, () => { const e = any('style'); if (e) e.textContent = '.t' + number++ + '{}'; },
  () => { const e = any('style'); if (e?.sheet?.cssRules[0]?.style) e.sheet.cssRules[0].style.margin = number++ + 'px'; },
  () => sheets[random(2)].replaceSync('.r' + number++ + '{}'), () => { document.adoptedStyleSheets = [[], [sheets[0]], [sheets[1], sheets[0]]][random(3)]; },
  () => { const w = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), list = []; while (w.nextNode()) list.push(w.currentNode); const n = list[random(list.length)]; if (n) n.data = 'd' + number++; },
  () => { const e = any('x-a,x-b,x-c'); if (e && !e.shadowRoot) e.attachShadow({mode: 'open'}).innerHTML = '<i>late root</i>'; },
  () => { const e = any('dialog'); if (e) e.open ? e.close() : e.showModal(); }, () => { const e = any('[popover]'); if (e) e.togglePopover(); },
  () => { const n = ['x-late', 'x-a', 'x-b'][random(3)]; if (!customElements.get(n)) customElements.define(n, class extends HTMLElement {}); },
  () => any('body,div').replaceChildren(make(), make()), () => { if (random(8) === 0) document.head.append(make()); }, () => any('body *')?.replaceWith(make()),
  () => { const c = document.querySelector('canvas')?.getContext('2d'); if (c) { c.fillStyle = 'rgb(' + random(255) + ',0,0)'; c.fillRect(random(20), 0, 5, 5); } },
];
function change(n) { for (let i = 0; i < n; i++) { try { steps[random(steps.length)](); } catch (e) { if (!(e instanceof DOMException || e instanceof TypeError)) throw e; } } return new Promise(r => requestAnimationFrame(() => setTimeout(r))); }
`

const ground = `<!doctype html><title>t</title><style>.a{color:red}</style><link rel=stylesheet href=style.css><body><div class=big style="overflow:scroll;height:50px"><p style="height:900px">p</p></div>
<div><input type=checkbox><dialog>d</dialog><div popover>p</div><x-late>l</x-late><canvas width=30 height=10></canvas><iframe></iframe></div></body>`

// Whatever happens between two snapshots, the second says the same as one
// that knows nothing of the first.
func TestSnapshotsAreWholeAfterAnyChange(t *testing.T) {
	seeds := 6
	if s, err := strconv.Atoi(os.Getenv("SEEDS")); err == nil {
		seeds = s
	}
	for seed := range seeds {
		f := open(t, DefaultOptions(), ground)
		o := DefaultOptions()
		o.Input, o.Vitals = false, false
		first := f.world
		second := f.inject("truth", o)
		f.do(fmt.Sprintf(changes, seed*7919+1))
		random := rand.New(rand.NewSource(int64(seed)))
		h := &history{t: t}
		for i := range 40 {
			f.do(fmt.Sprintf("change(%d)", 1+random.Intn(12)))
			if i%10 == 9 {
				f.in(first, "__deck.reset()", nil) // a new chunk
				h = &history{t: t}
			}
			got := h.add(f.shootIn(first))
			f.in(second, "__deck.reset()", nil)
			want := (&history{t: t}).add(f.shootIn(second))
			// On a busy machine the time for pictures may be up before the last one.
			got, want = pictured.ReplaceAllString(got, ""), pictured.ReplaceAllString(want, "")
			if got != want {
				t.Fatalf("seed %d, step %d: %s", seed, i, difference(want, got))
			}
		}
	}
}

var pictured = regexp.MustCompile(`"__tracedeck_picture_":"[^"]*",?`)

// difference shows where two texts begin to differ.
func difference(want, got string) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	around := func(s string) string { return s[max(0, i-200):min(len(s), i+200)] }
	return fmt.Sprintf("\nwant …%s\ngot  …%s", around(want), around(got))
}

func TestPicturesOfCanvases(t *testing.T) {
	f := open(t, DefaultOptions(), `<canvas id=a width=30 height=20></canvas><canvas id=none width=5 height=5></canvas><canvas id=tainted width=9 height=9></canvas>
<script>const c = a.getContext('2d'); c.fillStyle = 'red'; c.fillRect(0, 0, 9, 9);</script>`)
	first := f.shoot()
	if len(first.Pictures) != 1 {
		t.Fatalf("%d pictures", len(first.Pictures))
	}
	p := first.Pictures[0]
	sum := sha1.Sum(p.Data)
	if p.Name != hex.EncodeToString(sum[:])+".png" || !strings.Contains(string(first.HTML), p.Name) {
		t.Errorf("name %s of %x", p.Name, sum)
	}
	f.do("c.fillRect(10, 10, 1, 1)")
	second := f.shoot()
	if len(second.Pictures) != 1 || second.Pictures[0].Name == p.Name {
		t.Error("one pixel more is no other picture")
	}
	f.do("c.clearRect(10, 10, 1, 1)")
	if third := f.shoot(); !strings.Contains(string(third.HTML), p.Name) || len(third.Pictures) != 0 {
		t.Errorf("an earlier picture is not named again: %s, %d pictures", third.HTML, len(third.Pictures))
	}
	if f.do("String(!!none.getContext('webgl2') || !!none.getContext('webgl') || !!none.getContext('bitmaprenderer'))") != "true" {
		t.Error("a canvas got a context that the page did not ask for")
	}
}

// Closed shadow roots are found with the browser's help.
func TestClosedShadowRoots(t *testing.T) {
	f := open(t, DefaultOptions(), `<closed-one>light</closed-one><div id=empty></div><div>text</div><script>
customElements.define('closed-one', class extends HTMLElement { constructor() { super(); this.root = this.attachShadow({mode: 'closed'}); this.root.innerHTML = '<button>hidden in one</button>'; } });
empty.attachShadow({mode: 'closed'}).innerHTML = '<p>hidden in two</p>';
</script>`)
	h := &history{t: t}
	if strings.Contains(h.add(f.shoot()), "hidden in") {
		t.Fatal("a closed root is seen without help")
	}
	f.revealClosed()
	got := h.add(f.shoot())
	for _, want := range []string{`["CLOSED-ONE",{},["template",{"__playwright_shadow_root_":"open"},["BUTTON",{},"hidden in one"]],"light"]`, `["P",{},"hidden in two"]`} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %s in %s", want, got)
		}
	}
	f.do("document.querySelector('closed-one').root.firstChild.textContent = 'changed'")
	if got := h.add(f.shoot()); !strings.Contains(got, `["BUTTON",{},"changed"]`) {
		t.Errorf("a change in a closed root is not seen: %s", got)
	}
	var target Target
	f.in(f.world, "__deck.describe(__deck.find('internal:role=button[name=\"changed\"i]')[0])", &target)
	if !target.Closed || len(target.Path) != 2 {
		t.Errorf("%+v", target)
	}
}

// revealClosed asks the browser for the shadow roots of all suspects.
func (f *frame) revealClosed() {
	f.t.Helper()
	list, err := proto.RuntimeEvaluate{Expression: "__deck.suspects()", ContextID: f.world}.Call(f.page)
	if err != nil {
		f.t.Fatal(err)
	}
	props, err := proto.RuntimeGetProperties{ObjectID: list.Result.ObjectID, OwnProperties: true}.Call(f.page)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, p := range props.Result {
		if p.Value == nil || p.Value.ObjectID == "" || p.Value.Subtype != "node" {
			continue
		}
		node, err := proto.DOMDescribeNode{ObjectID: p.Value.ObjectID}.Call(f.page)
		if err != nil {
			f.t.Fatal(err)
		}
		for _, r := range node.Node.ShadowRoots {
			if r.ShadowRootType != proto.DOMShadowRootTypeClosed {
				continue
			}
			root, err := proto.DOMResolveNode{BackendNodeID: r.BackendNodeID, ExecutionContextID: f.world}.Call(f.page)
			if err == nil {
				_, err = proto.RuntimeCallFunctionOn{ObjectID: root.Object.ObjectID, FunctionDeclaration: "function () { __deck.shadow(this) }"}.Call(f.page)
			}
			if err != nil {
				f.t.Fatal(err)
			}
		}
	}
}

// Linked sheets that a script changes go along, those of style elements are
// written as they have become.
func TestChangedStyleSheets(t *testing.T) {
	f := open(t, DefaultOptions(), `<link rel=stylesheet href=style.css><style id=empty></style><style id=full>.a { color: red } .b { color: blue }</style><p>text`)
	h := &history{t: t}
	f.do("empty.sheet.insertRule('.speedy { color: green }')")
	s := f.shoot()
	if got := h.add(s); !strings.Contains(got, `".speedy { color: green; }"`) || !strings.Contains(got, `".a { color: red } .b { color: blue }"`) || len(s.Overrides) != 0 {
		t.Errorf("at first: %s %v", got, s.Overrides)
	}
	f.do("full.sheet.cssRules[0].style.color = 'pink'")
	if got := h.add(f.shoot()); !strings.Contains(got, "color: pink") {
		t.Errorf("a changed rule: %s", got)
	}
	f.do("document.styleSheets[0].cssRules[0].style.color = 'gold'")
	for range 2 { // it stays
		if s = f.shoot(); len(s.Overrides) != 1 || !strings.HasSuffix(s.Overrides[0].URL, "/style.css") || !strings.Contains(s.Overrides[0].Text, "gold") {
			t.Errorf("a changed linked sheet: %v", s.Overrides)
		}
	}
	f.in(f.world, "__deck.reset()", nil)
	if s = f.shoot(); len(s.Overrides) != 1 {
		t.Error("after a reset it is gone")
	}
	f.do("document.querySelector('link').remove()")
	if s = f.shoot(); len(s.Overrides) != 0 {
		t.Error("a sheet that is gone is still told")
	}
	f.do("full.sheet.disabled = true")
	h = &history{t: t}
	f.in(f.world, "__deck.reset()", nil)
	if got := h.add(f.shoot()); strings.Contains(got, "pink") {
		t.Errorf("a sheet that is off is on: %s", got)
	}
}

func TestMaskedTextIsLeftOut(t *testing.T) {
	o := DefaultOptions()
	o.Mask = ".private, body.locked .maybe"
	f := open(t, o, `<body><p class=private title=topsecret>secret one <b>secret two</b><input value=secretthree placeholder=kept></p><p class=maybe>perhaps</p><p id=show>shown</p>`)
	h := &history{t: t}
	got := h.add(f.shoot())
	if strings.Contains(got, "secret") || !strings.Contains(got, "••••••") || !strings.Contains(got, "perhaps") || !strings.Contains(got, "kept") {
		t.Error(got)
	}
	f.do("document.body.className = 'locked'")
	if got := h.add(f.shoot()); strings.Contains(got, "perhaps") {
		t.Error("what is masked now is shown:", got)
	}
	f.do("document.querySelector('b').textContent = 'secret four'; document.body.className = ''; show.className = 'private'")
	if got := h.add(f.shoot()); strings.Contains(got, "secret") || !strings.Contains(got, "perhaps") || strings.Contains(got, "shown") {
		t.Error(got)
	}
	f.do("const p = document.createElement('input'); p.type = 'password'; p.value = 'hunter2'; document.body.append(p)")
	h.add(f.shoot())
	f.do("p.type = 'text'")
	if got := h.add(f.shoot()); strings.Contains(got, "hunter2") {
		t.Error("a password that is shown is recorded")
	}
	keep := DefaultOptions()
	keep.Secrets = true
	f.inject("keeps", keep)
	if got := (&history{t: t}).add(f.shoot()); !strings.Contains(got, "hunter2") {
		t.Error("secrets were asked for and are not there")
	}
}

func TestTargetAndFramesOfSnapshots(t *testing.T) {
	f := open(t, DefaultOptions(), `<iframe id=f></iframe><button>go</button>`)
	h := &history{t: t}
	h.add(f.shoot())
	var selector, text string
	f.in(f.world, "__deck.frame(document.querySelector('iframe'), 'frame@1')", &selector)
	if selector != "#f" {
		t.Errorf("the frame's selector is %q", selector)
	}
	f.in(f.world, "JSON.stringify(__deck.snapshot(document.querySelector('button')).html)", &text)
	if got := h.add(Snapshot{HTML: []byte(text)}); !strings.Contains(got, `"src":"/snapshot/frame@1"`) || !strings.Contains(got, `["BUTTON",{"__playwright_target__":""},"go"]`) {
		t.Error(got)
	}
	if got := h.add(f.shoot()); strings.Contains(got, "__playwright_target__") {
		t.Error("the target stays")
	}
}

// Garbage collection and documents that are opened anew do not confuse it.
func TestSnapshotsSurvive(t *testing.T) {
	f := open(t, DefaultOptions(), ground)
	h := &history{t: t}
	first := h.add(f.shoot())
	for range 3 {
		if err := (proto.HeapProfilerCollectGarbage{}).Call(f.page); err != nil {
			t.Fatal(err)
		}
	}
	if s := f.shoot(); len(s.HTML) > 20 || h.add(s) != first {
		t.Errorf("after garbage collection: %.300s", s.HTML)
	}
	f.do("document.open(); document.write('<title>n</title><p>written</p>'); document.close()")
	if got := h.add(f.shoot()); !strings.Contains(got, "written") || strings.Contains(got, "x-late") {
		t.Errorf("after document.open: %s", got)
	}
	f.do("document.documentElement.remove()")
	if got := h.add(f.shoot()); got != `["HTML"]` {
		t.Errorf("without a root: %s", got)
	}
	if diff := cmp.Diff(`["HTML",{},["BODY"]]`, func() string {
		f.do("const e = document.createElement('html'); e.append(document.createElement('body')); document.append(e)")
		return h.add(f.shoot())
	}()); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkSnapshotUnchanged(b *testing.B) { benchmark(b, "0") }
func BenchmarkSnapshotOneText(b *testing.B) {
	benchmark(b, "document.querySelectorAll('td b')[777].firstChild.data = Math.random()")
}
func BenchmarkSnapshotWhole(b *testing.B) { benchmark(b, "__deck.reset()") }

// benchmark reports the time inside the page, for a table of 20,000 nodes.
func benchmark(b *testing.B, before string) {
	f := open(b, DefaultOptions(), `<style>td { color: red }</style><table id=t></table><script>
t.innerHTML = '<tr><td class=a><b>text</b><td><input value=x><td><a href=#>link</a>'.repeat(2500)</script>`)
	f.shoot()
	var total float64
	for b.Loop() {
		f.in(f.world, before, nil)
		total += f.shoot().Took
	}
	b.ReportMetric(total/float64(b.N), "ms-in-page/op")
}
