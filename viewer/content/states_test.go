package content_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/viewer/content"
	"github.com/tracedeck/tracedeck/viewer/internal/crafted"
)

// TestStatesWithoutScript opens a page whose states browsers only have by
// script, and asks Chromium what became of them.
func TestStatesWithoutScript(t *testing.T) {
	m := func(kv ...string) map[string]string {
		a := map[string]string{}
		for i := 0; i+1 < len(kv); i += 2 {
			a[kv[i]] = kv[i+1]
		}
		return a
	}
	tall := crafted.El("DIV", m("style", "width:3000px;height:3000px"))
	scroller := func(id, style string, x, y int) []any {
		return crafted.El("DIV", m("id", id, "style", "overflow:auto;width:200px;height:100px;"+style, "__playwright_scroll_top_", fmt.Sprint(y), "__playwright_scroll_left_", fmt.Sprint(x)), tall)
	}
	page := crafted.El("HTML", m("__playwright_scroll_top_", "321", "__playwright_scroll_left_", "12"),
		crafted.El("HEAD", nil, crafted.El("STYLE", nil, "x-late:not(:defined){color:rgb(1,2,3)}x-done:not(:defined){color:rgb(1,2,3)}[popover]:popover-open{color:rgb(4,5,6)}dialog:modal{color:rgb(7,8,9)}")),
		crafted.El("BODY", m("__playwright_custom_elements__", "x-done,x-other"),
			scroller("plain", "", 30, 40), scroller("padded", "padding:13px 17px", 31, 41), scroller("placed", "position:absolute;top:900px;left:40px", 0, 500),
			scroller("flex", "display:flex;gap:9px", 5, 6), scroller("outer", "", 0, 77), scroller("rtl", "direction:rtl", -100, 20),
			crafted.El("UL", m("id", "list", "style", "overflow:auto;height:50px", "__playwright_scroll_top_", "60"), crafted.El("LI", m("style", "height:500px"))),
			crafted.El("X-HOST", nil, crafted.El("template", m("__playwright_shadow_root_", "open"), scroller("shadowed", "display:block", 0, 88), crafted.El("CANVAS", m("id", "c2", "width", "44", "height", "22"), "fallback"))),
			crafted.El("X-LATE", nil, "late"), crafted.El("X-DONE", nil, "done"),
			crafted.El("DIV", m("id", "pop", "popover", "auto", "__playwright_popover_open_", "true"), "pop"), crafted.El("DIV", m("id", "shut", "popover", ""), "shut"),
			crafted.El("DIALOG", m("id", "modal", "__playwright_dialog_open_", "modal"), "modal"),
			crafted.El("CANVAS", m("id", "c1", "style", "width:50%", "__playwright_bounding_rect__", `{"left":5,"top":6,"right":125,"bottom":56}`), "fallback"),
			crafted.El("CANVAS", m("id", "c3", "width", "77")),
			crafted.El("svg", m("width", "10", "height", "10"), crafted.El("use", m("id", "use", "href", "/icons.svg#i"))),
			crafted.El("IMG", m("id", "img", "src", "small.svg", "srcset", "small.svg 1x, big.svg 2x", "__playwright_current_src__", "http://page.test/big.svg")),
			crafted.El("IFRAME", m("id", "frame", "src", "/snapshot/frame@child")), crafted.El("DIV", m("style", "height:5000px;width:3000px"))))
	child := crafted.El("HTML", m("__playwright_scroll_top_", "50"), crafted.El("BODY", nil, crafted.El("DIV", m("style", "height:3000px"), "child")))
	svg := func(size string) string {
		return `<svg xmlns="http://www.w3.org/2000/svg" width="` + size + `" height="` + size + `"><rect width="9" height="9"/></svg>`
	}
	path := writeTrace(t, "html", page, child, map[string]string{"icons.svg": `<svg xmlns="http://www.w3.org/2000/svg"><symbol id="i"><rect width="7" height="8"/></symbol></svg>`, "small.svg": svg("20"), "big.svg": svg("40")},
		map[string]string{"icons.svg": "image/svg+xml", "small.svg": "image/svg+xml", "big.svg": "image/svg+xml"})
	s := serve(t, path, content.Options{})
	tab, err := chromium(t).Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	_ = tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 800, Height: 600, DeviceScaleFactor: 1})
	wait := tab.WaitNavigation(proto.PageLifecycleEventNameLoad)
	if err := tab.Navigate(s.url + "snapshot/0?point=100,50"); err != nil {
		t.Fatal(err)
	}
	wait()
	for _, c := range []struct{ script, want string }{
		{`['plain','padded','placed','flex','outer','rtl','list'].map(id => { const e = document.getElementById(id); return id + '=' + e.scrollLeft + ',' + e.scrollTop }).join(' ')`,
			"plain=30,40 padded=31,41 placed=0,500 flex=5,6 outer=0,77 rtl=-100,20 list=0,60"},
		{`scrollX + ',' + scrollY`, "12,321"},
		{`document.querySelector('x-host').shadowRoot.querySelector('#shadowed').scrollTop`, "88"},
		{`getComputedStyle(document.querySelector('x-late')).color + getComputedStyle(document.querySelector('x-done')).color`, "rgb(1, 2, 3)rgb(0, 0, 0)"},
		{`pop.checkVisibility() + ' ' + shut.checkVisibility() + ' ' + getComputedStyle(pop).color + ' ' + getComputedStyle(pop).position`, "true false rgb(4, 5, 6) fixed"},
		{`modal.open + ' ' + getComputedStyle(modal).color + ' ' + getComputedStyle(modal).position`, "true rgb(7, 8, 9) fixed"},
		{`c1.getBoundingClientRect().width + 'x' + c1.getBoundingClientRect().height + ' ' + c1.innerText`, "120x50 "},
		{`getComputedStyle(c3).width + ' ' + getComputedStyle(c3).height`, "77px 150px"},
		{`getComputedStyle(document.querySelector('x-host').shadowRoot.querySelector('#c2')).width`, "44px"},
		{`document.getElementById('use').getBBox().width + 'x' + document.getElementById('use').getBBox().height`, "7x8"},
		{`img.complete + ' ' + img.width + ' ' + img.currentSrc.endsWith('big.svg')`, "true 20 true"},
		{`getComputedStyle(document.documentElement, '::after').left + ' ' + getComputedStyle(document.documentElement, '::after').top`, "100px 50px"},
	} {
		v, err := tab.Eval(`() => String(` + c.script + `)`)
		if err != nil {
			t.Errorf("%s: %v", c.script, err)
			continue
		}
		if got := v.Value.Str(); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.script, got, c.want)
		}
	}
	frames, err := tab.Elements("iframe")
	if err != nil || len(frames) != 1 {
		t.Fatal(frames, err)
	}
	if src, err := frames[0].Attribute("src"); err != nil || !strings.HasSuffix(*src, "/snapshot/1") {
		t.Errorf("%v %v", src, err)
	}
}
