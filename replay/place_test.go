package replay

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
)

func TestWhatABarAtTheEdgeCoversIsScrolledFromBelowIt(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><style>body{margin:0}header{position:fixed;top:0;width:100%;height:120px;background:silver}main{height:3000px;padding-top:900px}</style>
<header>bar</header><main><button id="go" onclick="o.textContent='went'">go</button><p id="o"></p></main><script>scrollTo(0, 850)</script>`})
	r := replayOf(t, recordingWith(t, together(
		call("c1", 100, 200, "Frame", "goto", `{"url":"http://recorded.example/"}`),
		call("c2", 300, 900, "Frame", "click", `{"selector":"#go"}`),
		reads("c3", 1000, "#o", "went"),
	)...), func(o *Options) { o.URL = site.URL })
	allPassed(t, r)
}

func TestOfWhatIsLargerThanThePageTheMiddleOfWhatIsSeenIsClicked(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><style>body{margin:0}#big{height:5000px;width:300px}</style><p id="o" style="position:fixed;right:0"></p><div id="big" onclick="o.textContent=event.clientX + ' ' + event.clientY">big</div>`})
	r := replayOf(t, recordingWith(t, together(
		call("c1", 100, 200, "Frame", "goto", `{"url":"http://recorded.example/"}`),
		call("c2", 300, 900, "Frame", "click", `{"selector":"#big"}`),
		reads("c3", 1000, "#o", "150 200"),
	)...), func(o *Options) { o.URL = site.URL })
	allPassed(t, r)
}

func TestWhatLayOverAnElementThenMayLieOverItNow(t *testing.T) {
	const style = `<!doctype html><style>body{margin:0}button,#glass,#modal{position:absolute;left:0;top:0;width:100px;height:50px}</style><button id="go">go</button>`
	page := map[string]string{
		"/glass": style + `<div id="glass" class="pane clear" onclick="o.textContent='glass'"></div><p id="o" style="margin-top:90px"></p>`,
		"/shown": style + `<div id="glass" class="pane clear shown" onclick="o.textContent='glass'"></div><p id="o" style="margin-top:90px"></p>`,
		"/modal": style + `<div id="modal" onclick="o.textContent='modal'"></div><p id="o" style="margin-top:90px"></p>`,
	}
	site := serve(t, page)
	replay := func(path string, x float64) *Report {
		t.Helper()
		html := `["HTML",{},["BODY",{},["BUTTON",{"id":"go","__playwright_target__":"c2"},"go"],["DIV",{"id":"glass","class":"clear pane","style":"left: 3px"}],["P",{"id":"o"}]]]`
		return replayOf(t, recordingWith(t, together(
			call("c1", 100, 200, "Frame", "goto", `{"url":"http://recorded.example`+path+`"}`),
			[]trace.Body{&trace.Before{CallID: "c2", StartTime: trace.Milliseconds(300), Class: "Frame", Method: "click", Params: json.RawMessage(`{"selector":"#go"}`)},
				shows("c2", trace.PhaseAction, "page@1", "frame@1", "http://recorded.example"+path, true, 350, html),
				&trace.Input{CallID: "c2", Point: &trace.Point{X: x, Y: 25}}, &trace.After{CallID: "c2", EndTime: trace.Milliseconds(400)}},
			reads("c3", 1000, "#o", "glass"),
		)...), func(o *Options) { o.URL = site.URL })
	}
	allPassed(t, replay("/glass", 50))
	for name, r := range map[string]*Report{"another element": replay("/modal", 50), "another state of it": replay("/shown", 50), "another place": replay("/glass", 90)} {
		if s := r.Steps[1]; s.Status != Failed || s.Code != "E_NOT_ACTIONABLE" || !strings.Contains(s.Error, "in the way") {
			t.Errorf("%s: %s %s %s", name, s.Status, s.Code, s.Error)
		}
	}
}

// Apps draw their boxes themselves, and the native ones have no size or are hidden.
// What a box is called may tell whether it is chosen, and another element may take
// its place.
func TestBoxesThatAppsDrawThemselvesAreClickedWhereTheyWere(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><style>body{margin:0;font:16px sans-serif}p{margin:0;height:40px}.z{width:0;height:0;opacity:0;position:absolute;margin:0}</style>
<p><label><input class="z" id="a" type="checkbox">I take the <a href="#terms">terms</a></label>
<p><label><input hidden id="b" type="checkbox"><span>Night</span></label>
<p><input style="display:none" type="radio" id="c"><label for="c">Second</label>
<p><button id="r" role="checkbox" aria-checked="false" aria-label="Row (off)" onclick="const n = this.cloneNode(); n.ariaChecked = 'true'; n.ariaLabel = 'Row (on)'; this.replaceWith(n); said.push('row')">x</button>
<p><input type="checkbox" id="d" aria-label="Thing (off)" onchange="this.ariaLabel = 'Thing (on)'"><p id="o"></p>
<script>const said = []; onchange = e => { said.push(e.target.id); o.textContent = said + location.hash }</script>`})
	// Where it was clicked is told from its corner, or, by replays, from that of what carries it.
	undrawn := func(id, selector string, at trace.Point, box trace.Rect) []trace.Body {
		b := call(id, 300, 400, "Frame", "check", fmt.Sprintf(`{"selector":%q,"_target":{"selector":%[1]q,"tag":"input","box":{"x":0,"y":0,"width":0,"height":0}}}`, selector))
		return []trace.Body{b[0], &trace.Input{CallID: id, Point: &at, Box: &box}, b[1]}
	}
	r := replayOf(t, recordingBy(t, "tracedeck", together(
		call("c1", 100, 200, "Frame", "goto", `{"url":"http://recorded.example/"}`),
		undrawn("c2", "#a", trace.Point{X: 20, Y: 10}, trace.Rect{}),
		undrawn("c3", "#b", trace.Point{X: 10, Y: 50}, trace.Rect{}),
		undrawn("c4", "#c", trace.Point{X: 10, Y: 90}, trace.Rect{Y: 80, Width: 50, Height: 18}),
		call("c5", 500, 600, "Frame", "check", `{"selector":"internal:role=checkbox[name=\"Row (off)\"i]"}`),
		call("c6", 700, 800, "Frame", "check", `{"selector":"internal:role=checkbox[name=\"Thing (off)\"i]"}`),
		reads("c7", 1000, "#o", "a,b,c,row,d"),
	)...), func(o *Options) { o.URL = site.URL })
	allPassed(t, r)
}
