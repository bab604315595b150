package userflow_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/browser"
	"github.com/tracedeck/tracedeck/recorder/userflow"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

const shop = `<!doctype html><title>shop</title><ul><li>One <button onclick="said.textContent='dropped one'">Drop</button></li><li>Two <button onclick="said.textContent='dropped two'">Drop</button></li></ul>
<a href=/tab target=_blank>Tab</a><button onclick="history.pushState({}, '', '/inside'); said.textContent='inside'">Inside</button><p id=said></p>
<div id=from draggable=true style="width:80px;height:30px;background:#ccc">Parcel</div><div id=to style="width:80px;height:60px;background:#eee">Post</div><iframe src=/frame></iframe>
<script>window.later = () => new Promise(done => setTimeout(() => done(true), 50));
to.ondragover = e => e.preventDefault(); to.ondrop = e => { e.preventDefault(); said.textContent = 'dropped parcel'; };</script>`

// perform carries out a flow and loads what was recorded of it.
func perform(t *testing.T, flow *userflow.Flow) *trace.Trace {
	t.Helper()
	out, err := record(t, flow)
	if err != nil {
		t.Error(err)
	}
	return tracetest.Load(t, out)
}

// record carries out a flow in a browser of its own while it is recorded.
func record(t *testing.T, flow *userflow.Flow, mask ...string) (out string, ran error) {
	t.Helper()
	ctx := context.Background()
	b, err := browser.Launch(ctx, browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	out = filepath.Join(t.TempDir(), "out.zip")
	o := recorder.DefaultOptions(out)
	o.Browser.Mask = mask
	s, err := recorder.Start(ctx, b.Rod, o)
	if err != nil {
		t.Fatal(err)
	}
	pages, err := b.Rod.Pages()
	if err != nil {
		t.Fatal(err)
	}
	ran = userflow.Run(ctx, s, b.Rod, pages[0], flow)
	if err := s.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	return out, ran
}

// done are the methods of what was carried out.
func done(tr *trace.Trace) (list []string) {
	for _, a := range tr.Actions {
		if a.Kind == trace.KindCall {
			list = append(list, a.Before.Method)
		}
	}
	return list
}

// Tabs and frames are named by their address, promises are awaited, and what
// flows have no type for is carried out where it is ours. What was recorded
// makes a flow that does the same.
func TestFlowsGoThroughTabsAndBack(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/tab":
			_, _ = fmt.Fprint(w, "<title>tab</title><button onclick=\"this.textContent='Done'\">In the tab</button>")
		case "/frame":
			_, _ = fmt.Fprint(w, "<button onclick=\"this.textContent='Done'\">In the frame</button>")
		default:
			_, _ = fmt.Fprint(w, shop)
		}
	}))
	defer site.Close()
	flow, err := userflow.Read(strings.NewReader(strings.ReplaceAll(`{"title":"t","timeout":20000,"steps":[
		{"type":"navigate","url":"SITE/","assertedEvents":[{"type":"navigation","url":"SITE/"}]},
		{"type":"waitForExpression","expression":"later();"},
		{"type":"click","selectors":[["li:nth-of-type(2) button"]],"offsetX":3,"offsetY":3},
		{"type":"waitForExpression","expression":"said.textContent === 'dropped two'"},
		{"type":"click","target":"SITE/frame","selectors":[["text/In the frame"]],"offsetX":3,"offsetY":3},
		{"type":"customStep","name":"dragAndDrop","parameters":{"source":"#from","target":"#to"}},
		{"type":"waitForExpression","expression":"said.textContent === 'dropped parcel'"},
		{"type":"click","selectors":[["aria/Tab"]],"offsetX":3,"offsetY":3},
		{"type":"click","target":"SITE/tab","selectors":[["text/In the tab"]],"offsetX":3,"offsetY":3},
		{"type":"close","target":"SITE/tab"},
		{"type":"click","selectors":[["text/Inside"]],"offsetX":3,"offsetY":3,"assertedEvents":[{"type":"navigation","url":"SITE/inside"}]},
		{"type":"customStep","name":"goToHistoryEntry","parameters":{"url":"SITE/"}},
		{"type":"customStep","name":"reload","parameters":{}},
		{"type":"waitForExpression","expression":"said.textContent === ''"},
		{"type":"customStep","name":"somebody's","parameters":{"a":1}}]}`, "SITE", site.URL)))
	if err != nil {
		t.Fatal(err)
	}
	first := perform(t, flow)
	want := []string{"goto", "waitForFunction", "click", "waitForFunction", "click", "dragAndDrop", "waitForFunction", "click", "click", "close", "click", "goToHistoryEntry", "reload", "waitForFunction", "customStep"}
	if d := cmp.Diff(want, done(first)); d != "" {
		t.Error(d)
	}
	var text bytes.Buffer
	if err := userflow.From(first).Write(&text); err != nil {
		t.Fatal(err)
	}
	again, err := userflow.Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, s := range again.Steps {
		if s.Target != "" && s.Target != "main" {
			targets = append(targets, s.Type+" "+strings.TrimPrefix(s.Target, site.URL))
		}
		for _, chain := range s.Selectors {
			if strings.HasPrefix(chain[0], "aria/Drop") || chain[0] == "text/Drop" {
				t.Errorf("%v means two elements", chain)
			}
		}
	}
	if d := cmp.Diff([]string{"click /tab", "close /tab"}, targets); d != "" {
		t.Error(d)
	}
	again.Timeout = flow.Timeout
	second := perform(t, again)
	var acts []string
	for _, m := range want {
		if !strings.HasPrefix(m, "waitFor") && m != "customStep" {
			acts = append(acts, m)
		}
	}
	if got := done(second); strings.Join(got, " ") != "setViewportSize "+strings.Join(acts, " ") && strings.Join(got, " ") != strings.Join(acts, " ") {
		t.Errorf("again: %v\nwanted %v", got, acts)
	}
}

// A page that takes longer to be looked at than a step may look, and one that
// takes longer to load, are acted on all the same; what is not there is told.
func TestSlowPagesAreActedOn(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<!doctype html><title>slow</title><p>Before</p>")
		w.(http.Flusher).Flush()
		if r.URL.Path == "/late" {
			time.Sleep(1500 * time.Millisecond)
		}
		_, _ = fmt.Fprint(w, `<button onclick="for (const end = Date.now() + 1000; Date.now() < end;); this.id = 'done'">Go</button><script>
setTimeout(() => { for (const end = Date.now() + 1500; Date.now() < end;); })</script>`)
	}))
	defer site.Close()
	for _, path := range []string{"/busy", "/late"} {
		flow, err := userflow.Read(strings.NewReader(`{"title":"t","timeout":300,"steps":[{"type":"navigate","url":"` + site.URL + path + `"},
			{"type":"click","selectors":[["text/Go"]]},{"type":"waitForElement","selectors":[["#done"]]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(done(perform(t, flow)), " "); got != "goto click waitForSelector" {
			t.Errorf("%s: %s", path, got)
		}
	}
}
