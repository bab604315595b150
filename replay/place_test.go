package replay

import (
	"encoding/json"
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
