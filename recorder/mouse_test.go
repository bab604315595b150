package recorder

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
	"github.com/google/go-cmp/cmp"
)

const mousePage = `<!doctype html><html lang=en><title>Mouse</title><style>body{margin:0} .menu ul{display:none;position:absolute;background:#fff} .menu li:hover>ul{display:block} #thumb{position:absolute;left:0;top:0;width:20px;height:20px;background:red;touch-action:none}
#track{position:relative;width:400px;height:20px;background:#ccc} #ghost{opacity:0;width:200px;height:20px}</style>
<button aria-label=Icon onclick="console.log('icon')"><svg width=30 height=30><path d="M0 0h30v30H0z"/></svg></button>
<button aria-label=More onclick="console.log('more')">+</button><button ondblclick="console.log('open')">Open</button>
<div id=track><div id=thumb role=slider aria-label=Level></div></div><canvas id=pad width=200 height=60></canvas>
<ul class=menu><li><span>Files</span><ul><li><a href=#new>New file</a></li></ul></li></ul>
<div id=chooser role=combobox aria-label=Chooser tabindex=0 aria-expanded=false style="width:120px">Choose</div>
<label>Day <input type=date></label> <label>Volume <input type=range min=0 max=10 value=2></label> <textarea id=ghost aria-label=Code></textarea><p id=words>Some words to be selected by the mouse.</p>
<script>
let at = null; thumb.onpointerdown = e => { at = e.clientX; thumb.setPointerCapture(e.pointerId); }; thumb.onpointermove = e => { if (at !== null) thumb.style.left = e.clientX - at + 'px'; }; thumb.onpointerup = () => { at = null; };
chooser.onmousedown = () => { const o = document.createElement('div'); o.setAttribute('role', 'listbox'); o.style.cssText = 'position:fixed;inset:0;background:#eee'; o.innerHTML = '<div role=option>First</div>';
  o.firstChild.onclick = () => o.remove(); document.body.append(o); };
ghost.onbeforeinput = () => {};
</script>`

// pull presses the mouse's button at one place and lets it go at another.
func pull(t *testing.T, page *rod.Page, from, to proto.Point) {
	t.Helper()
	m := page.Mouse
	m.MustMoveTo(from.X, from.Y).MustDown(proto.InputMouseButtonLeft)
	if err := m.MoveLinear(to, 6); err != nil {
		t.Fatal(err)
	}
	m.MustUp(proto.InputMouseButtonLeft)
	time.Sleep(100 * time.Millisecond)
}

func middle(page *rod.Page, css string) proto.Point {
	return *page.MustElement(css).MustShape().OnePointInside()
}

// What people do with the mouse is told as they mean it: drags that the page
// carries out itself, menus that a style opens, several clicks in a row, icons,
// and lists that open before the button is up.
func TestMouseIsToldAsItIsMeant(t *testing.T) {
	browser := launchBrowser(t)
	page := browser.MustPage("about:blank").Timeout(time.Minute)
	out := filepath.Join(t.TempDir(), "t.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	page.MustNavigate(servePage(t, mousePage) + "/").MustWaitLoad()
	page.MustElement("svg").MustClick()
	if err := page.MustElement("[aria-label=More]").Click(proto.InputMouseButtonLeft, 3); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	slowly(t, page, middle(page, "[ondblclick]"))
	pull(t, page, middle(page, "#thumb"), proto.Point{X: middle(page, "#thumb").X + 90, Y: middle(page, "#thumb").Y})
	pad := middle(page, "#pad")
	pull(t, page, pad, proto.Point{X: pad.X + 60, Y: pad.Y + 10})
	words := middle(page, "#words")
	pull(t, page, proto.Point{X: 10, Y: words.Y}, proto.Point{X: 120, Y: words.Y}) // selects text
	page.MustElementR("span", "Files").MustHover()
	time.Sleep(200 * time.Millisecond)
	page.MustElementR("a", "New file").MustClick()
	page.MustElement("#chooser").MustClick()
	page.MustElement("[role=option]").MustClick()
	page.MustElement("[type=range]").MustFocus()
	for range 3 {
		page.Keyboard.MustType(input.ArrowUp)
	}
	page.MustElement("[type=date]").MustFocus()
	typeText(page, "02032026")
	page.MustElement("#ghost").MustFocus()
	typeText(page, "ab")
	page.Keyboard.MustType(input.Enter)
	time.Sleep(300 * time.Millisecond)
	goBack(t, page)
	eventually(t, "the address before", func() bool { return !strings.Contains(page.MustInfo().URL, "#new") })
	time.Sleep(300 * time.Millisecond)
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, tr := loadTrace(t, out)
	var got []string
	for _, x := range tr.Tree() {
		line := describe(t, x)
		if strings.HasPrefix(line, "dragAndDrop") {
			line += drop(t, x.Before.Params)
		}
		got = append(got, line)
	}
	want := []string{"goto /",
		`click internal:role=button[name="Icon"i]`,
		`click internal:role=button[name="More"i]`,
		`dblclick internal:role=button[name="Open"i]`,
		`dragAndDrop internal:role=slider[name="Level"i] to #track`,
		`dragAndDrop #pad to #pad`,
		`click internal:text="Some words to be selected by the mouse."i`, // the browser tells the page so
		`hover internal:text="Files"i`,
		`click internal:role=link[name="New file"i]`,
		`click internal:role=combobox[name="Chooser"i]`,
		`click internal:role=option[name="First"i]`,
		`fill internal:role=slider[name="Volume"i] 5`,
		`fill internal:role=textbox[name="Day"i] 2026-02-03`,
		`type internal:role=textbox[name="Code"i] ab`,
		`press internal:role=textbox[name="Code"i] Enter`,
		`goToHistoryEntry /`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// slowly clicks twice as somebody who is not quick.
func slowly(t *testing.T, page *rod.Page, at proto.Point) {
	t.Helper()
	page.Mouse.MustMoveTo(at.X, at.Y)
	for n := 1; n <= 2; n++ {
		for _, kind := range []proto.InputDispatchMouseEventType{proto.InputDispatchMouseEventTypeMousePressed, proto.InputDispatchMouseEventTypeMouseReleased} {
			if err := (proto.InputDispatchMouseEvent{Type: kind, X: at.X, Y: at.Y, Button: proto.InputMouseButtonLeft, ClickCount: n}).Call(page); err != nil {
				t.Fatal(err)
			}
			time.Sleep(90 * time.Millisecond)
		}
	}
	time.Sleep(300 * time.Millisecond)
}

func drop(t *testing.T, params []byte) string {
	t.Helper()
	var p struct{ Source, Target string }
	if err := json.Unmarshal(params, &p); err != nil {
		t.Fatal(err)
	}
	return " " + p.Source + " to " + p.Target
}

// goBack goes back as the browser's button does.
func goBack(t *testing.T, page *rod.Page) {
	t.Helper()
	h, err := (proto.PageGetNavigationHistory{}).Call(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := (proto.PageNavigateToHistoryEntry{EntryID: h.Entries[h.CurrentIndex-1].ID}).Call(page); err != nil {
		t.Fatal(err)
	}
}
