package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tracedeck/tracedeck/diff/run"
)

const todoApp = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Todos</title><style>
body { font: 16px sans-serif; margin: 40px } .done { text-decoration: line-through } li { position: relative } li::after { content: ""; position: absolute; inset: 0 } button { background: COLOR; color: white; border: 0; padding: 8px 20px }
</style><h1>todos</h1><form><input placeholder="What needs to be done?"> <button>Add</button></form><ul></ul><p></p><script>
const todos = [], ul = document.querySelector("ul"), field = document.querySelector("input");
document.querySelector("form").onsubmit = e => { e.preventDefault(); todos.push({ id: Math.random(), at: new Date(), text: field.value }); field.value = ""; draw() };
function draw() {
  ul.replaceChildren(...todos.map(t => { const li = document.createElement("li"); li.textContent = t.text + " " + t.id.toFixed(6) + " " + t.at.toISOString(); li.onclick = () => li.classList.toggle("done"); return li }));
  document.querySelector("p").textContent = todos.length + " items";
}
draw();
</script></html>`

const todoSteps = `{"title": "adds todos", "steps": [
	{"type": "setViewport", "width": 700, "height": 400, "deviceScaleFactor": 1, "isMobile": false, "hasTouch": false, "isLandscape": true},
	{"type": "navigate", "url": "URL"},
	{"type": "change", "selectors": [["input"]], "value": "Buy tea"},
	{"type": "click", "selectors": [["aria/Add"]], "offsetX": 10, "offsetY": 10},
	{"type": "change", "selectors": [["aria/What needs to be done?"]], "value": "Wash cup"},
	{"type": "keyDown", "key": "Enter"}, {"type": "keyUp", "key": "Enter"},
	{"type": "click", "selectors": [["li"]], "offsetX": 10, "offsetY": 5}]}`

// From recording to a failing and a passing run, as a newcomer would go.
func TestProjectFromRecordToVerdict(t *testing.T) {
	color := atomic.Value{}
	color.Store("#1463d8")
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(strings.Replace(todoApp, "COLOR", color.Load().(string), 1)))
	}))
	defer app.Close()
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if err := os.WriteFile("steps.json", []byte(strings.Replace(todoSteps, "URL", app.URL, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	type step struct {
		line string
		code int
		says string
	}
	for _, s := range []step{
		{"init --url " + app.URL, exitOK, "made .tracedeck/config.json"},
		{"record --headless --script steps.json --url " + app.URL + " -o .tracedeck/sessions/todos.zip", exitOK, "todos.zip: "},
		{"ci", exitOK, "new pictures"},
		{"approve", exitOK, "approved"},
		{"ci", exitOK, "No differences"},
		{"", 0, "#d81463"},
		{"ci", exitFound, "differ"},
		{"mask", 0, `{"targetUrl": "` + app.URL + `", "diff": {"masks": [{"selector": "button"}]}}`},
		{"ci", exitOK, "No differences"},
		{"mask", 0, `{"targetUrl": "` + app.URL + `"}`},
		{"ci", exitFound, "differ"},
		{"approve", exitOK, "changed"},
		{"ci", exitOK, "No differences"},
	} {
		switch s.line {
		case "":
			color.Store(s.says)
			continue
		case "mask":
			if err := os.WriteFile(".tracedeck/config.json", []byte(s.says), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		var out, errs bytes.Buffer
		code := dispatch(context.Background(), newEnv(nil, &out, &errs, os.Getenv), strings.Fields(s.line))
		if code != s.code || !strings.Contains(out.String()+errs.String(), s.says) {
			t.Fatalf("%s: exit %d\n%s%s", s.line, code, out.String(), errs.String())
		}
		if code == exitFound && s.line == "ci" {
			onlyTheButton(t)
		}
	}
}

// onlyTheButton fails if the run found more than one changed box in a picture,
// or one that is larger than the button.
func onlyTheButton(t *testing.T) {
	t.Helper()
	s, err := run.Load(".tracedeck/runs/latest")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, p := range s.Sessions[0].Pictures {
		if p.Status != run.Diff {
			continue
		}
		if seen++; p.Exceeded != 3 || !p.Agreed {
			t.Errorf("%s: not confirmed: %+v", p.Key, p)
		}
		for _, b := range p.Result.Boxes {
			if b.Width > 100 || b.Height > 60 {
				t.Errorf("%s: %+v is more than the button", p.Key, b)
			}
		}
	}
	if seen == 0 {
		t.Error("no picture differs")
	}
}
