package inject

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

// probing looks for signs of being recorded, before and after, and patches
// what the script could use. Its rules forbid scripts of others.
const probing = `<!doctype html><html><body><input id=i><div id=d>text</div><script nonce=n>
const look = () => {
  const names = Object.getOwnPropertyNames(globalThis).sort().join();
  const natives = [fetch, XMLHttpRequest, Element.prototype.attachShadow, CSSStyleSheet.prototype.insertRule, history.pushState, console.log, MutationObserver,
    HTMLCanvasElement.prototype.getContext].map(f => Function.prototype.toString.call(f)).join();
  const protos = [Node, Element, Document, HTMLElement, EventTarget, Window].map(c => Object.getOwnPropertyNames(c.prototype).join()).join();
  const expandos = [document, document.documentElement, document.body, d, i].map(e => Reflect.ownKeys(e).map(String).join()).join('|');
  return [names, natives, protos, expandos, d.outerHTML, document.documentElement.attributes.length, document.querySelectorAll('*').length, navigator.webdriver,
    document.styleSheets.length, document.adoptedStyleSheets.length, performance.getEntriesByType('resource').length].join('\n');
};
var before = '', calls = [], violations = [], mutations = 0, typed = 0;
addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective));
addEventListener('error', e => calls.push('error ' + e.message));
i.addEventListener('input', () => typed++);
new MutationObserver(() => mutations++).observe(document, {attributes: true, childList: true, subtree: true, characterData: true});
for (const [o, n] of [[JSON, 'stringify'], [Element.prototype, 'getAttribute'], [EventTarget.prototype, 'addEventListener'], [Node.prototype, 'getRootNode'], [Array, 'from'], [Date, 'now'],
  [Document.prototype, 'querySelectorAll'], [Element.prototype, 'getBoundingClientRect'], [window, 'getComputedStyle'], [window, 'setTimeout']]) {
  const f = o[n]; o[n] = function (...a) { calls.push(n); return f.apply(this, a); };
}
const name = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeName').get;
Object.defineProperty(Node.prototype, 'nodeName', {get() { calls.push('nodeName'); return name.call(this); }, configurable: true});
Object.defineProperty(Array.prototype, 'toJSON', {value() { calls.push('toJSON'); return 'broken'; }, configurable: true});
new MutationObserver(() => {}).observe(d, {attributes: true});
var start = () => { calls.length = 0; mutations = 0; before = look(); calls.length = 0; };
var finish = () => { const seen = calls.join(); const after = look(); return [seen, violations.join(), mutations, typed, before === after ? '' : 'before ' + before + ' after ' + after].join('|'); };
start();
</script></body></html>`

func TestPageCannotTell(t *testing.T) {
	o := DefaultOptions()
	o.Snapshots = false // all that are taken are looked at here
	f := open(t, o, probing, "Content-Security-Policy",
		"default-src 'none'; script-src 'nonce-n'; require-trusted-types-for 'script'; trusted-types 'none'; sandbox allow-scripts allow-same-origin")
	said := 0
	go f.page.EachEvent(func(*proto.RuntimeConsoleAPICalled) { said++ })()
	h := &history{t: t}
	if got := h.add(f.shoot()); !strings.Contains(got, `["DIV",{"id":"d"},"text"]`) {
		t.Errorf("a page that patches its functions is recorded wrongly: %s", got)
	}
	var found int
	f.in(f.world, "__deck.describe(document.getElementById('d')), __deck.find('internal:text=\"text\"i').length", &found)
	if found != 1 {
		t.Errorf("found %d elements", found)
	}
	box, at := f.middle("#i"), proto.InputDispatchMouseEventTypeMousePressed
	for _, kind := range []proto.InputDispatchMouseEventType{proto.InputDispatchMouseEventTypeMouseMoved, at, proto.InputDispatchMouseEventTypeMouseReleased} {
		if err := (proto.InputDispatchMouseEvent{Type: kind, X: box[0], Y: box[1], Button: proto.InputMouseButtonLeft, ClickCount: 1}).Call(f.page); err != nil {
			t.Fatal(err)
		}
	}
	if err := (proto.InputInsertText{Text: "x"}).Call(f.page); err != nil {
		t.Fatal(err)
	}
	if got := h.add(f.shoot()); !strings.Contains(got, `["INPUT",{"__playwright_value_":"x","id":"i"}]`) {
		t.Error(got)
	}
	if got := f.do("finish()"); got != "||0|1|" {
		t.Errorf("the page noticed (calls, violations, mutations, inputs, differences): %s", got)
	}
	if said > 0 {
		t.Errorf("%d messages on the console", said)
	}
}

// middle returns where the middle of an element is, as the script's world sees it.
func (f *frame) middle(css string) (at [2]float64) {
	f.t.Helper()
	f.in(f.world, "(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector("+quote(css)+").getBoundingClientRect())", &at)
	return at
}
