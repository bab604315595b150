package replay

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/tracedeck/tracedeck/replay/heal"
	"github.com/tracedeck/tracedeck/trace"
)

func TestReplaysInARowPromoteWhatTheyHealAndForgetWhatNeedsItNoMore(t *testing.T) {
	var changed atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		id := ` id="go"`
		if changed.Load() {
			id = ""
		}
		_, _ = w.Write([]byte(`<!doctype html><link rel="icon" href="data:,"><button` + id + ` onclick="o.textContent='went'">Find it</button><button>Other</button><p id="o"></p>`))
	}))
	defer site.Close()
	// A foreign trace, of which the snapshot shows the element.
	html := json.RawMessage(`["HTML",{},["BODY",{},["BUTTON",{"id":"go","__playwright_target__":"c2"},"Find it"],["BUTTON",{},"Other"],["P",{"id":"o"}]]]`)
	recorded := recordingWith(t, together(call("c1", 100, 200, "Frame", "goto", `{"url":"http://recorded.example/"}`),
		call("c2", 300, 400, "Frame", "click", `{"selector":"#go"}`), []trace.Body{shows("c2", trace.PhaseBefore, "page@1", "frame@1", "http://recorded.example/", true, 310, string(html)), shows("c2", trace.PhaseAction, "page@1", "frame@1", "http://recorded.example/", true, 350, string(html))},
		reads("c3", 500, "#o", "went"))...)
	path, output := filepath.Join(t.TempDir(), "heals.json"), filepath.Join(t.TempDir(), "again.zip")
	replay := func(want heal.State) {
		t.Helper()
		overlay, err := heal.ReadOverlay(path)
		if err != nil {
			t.Fatal(err)
		}
		r := replayOf(t, recorded, func(o *Options) { o.URL, o.Overlay, o.Output = site.URL, overlay, output })
		allPassed(t, r)
		if err := overlay.Write(path); err != nil {
			t.Fatal(err)
		}
		var got heal.State
		if list := overlay.Heals(); len(list) > 0 {
			got = list[0].State
		}
		if got != want {
			t.Errorf("%q, want %q: %+v", got, want, overlay.Heals())
		}
	}
	changed.Store(true)
	replay(heal.Proposed)
	changed.Store(false)
	replay("") // its own selector finds it again
	changed.Store(true)
	replay(heal.Proposed)
	replay(heal.Proposed)
	replay(heal.Promoted)
	replay(heal.Promoted)
}
