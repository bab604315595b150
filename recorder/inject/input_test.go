package inject

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
	"github.com/google/go-cmp/cmp"
)

func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// message is what the script tells.
type message struct {
	Op       string         `json:"op"`
	Method   string         `json:"method"`
	Kind     string         `json:"kind"`
	Params   map[string]any `json:"params"`
	Value    string         `json:"value"`
	Position map[string]any `json:"position"`
	Target   *Target        `json:"target"`
	Snapshot *Snapshot      `json:"snapshot"`
	Age      float64        `json:"age"`
	Masked   bool           `json:"masked"`
	Text     string         `json:"text"`
}

// hearing collects messages.
type hearing struct {
	mu   sync.Mutex
	list []message
}

// heard opens a document with the script and its binding as a recorder does:
// before the document's own scripts.
func heard(t *testing.T, o Options, html string) (*frame, *hearing) {
	t.Helper()
	f := open(t, o, "")
	h := &hearing{}
	wait := f.page.EachEvent(func(e *proto.RuntimeBindingCalled) {
		var list []message
		if err := json.Unmarshal([]byte(e.Payload), &list); err != nil {
			t.Error(err)
		}
		h.mu.Lock()
		h.list = append(h.list, list...)
		h.mu.Unlock()
	})
	go wait()
	if err := (proto.RuntimeAddBinding{Name: o.Binding, ExecutionContextName: World}).Call(f.page); err != nil {
		t.Fatal(err)
	}
	if _, err := (proto.PageAddScriptToEvaluateOnNewDocument{Source: o.Script(), WorldName: World}).Call(f.page); err != nil {
		t.Fatal(err)
	}
	s := serve(t, map[string]string{"/": html})
	f.page.MustNavigate(s.URL).MustWaitLoad()
	r, err := proto.PageCreateIsolatedWorld{FrameID: f.page.FrameID, WorldName: World}.Call(f.page)
	if err != nil {
		t.Fatal(err)
	}
	f.world = r.ExecutionContextID
	var there bool
	f.in(f.world, "!!globalThis.__deck", &there)
	if !there {
		t.Fatal("the script is not in its world")
	}
	return f, h
}

// acts are what was told, without what varies.
func (h *hearing) acts(kinds ...string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, m := range h.list {
		switch {
		case m.Op == "act":
			out = append(out, actLine(m))
		case m.Op == "value" && m.Position == nil:
			out = append(out, "value "+m.Value)
		case m.Op == "note" && strings.Contains(strings.Join(kinds, " "), m.Kind):
			out = append(out, strings.TrimSpace("note "+m.Kind+" "+m.Text))
		}
	}
	return out
}

func actLine(m message) string {
	words := []string{m.Method}
	for _, name := range []string{"selector", "source", "target"} {
		if s, ok := m.Params[name].(string); ok {
			words = append(words, s)
		}
	}
	for _, name := range []string{"value", "key", "button", "clickCount", "modifiers", "options", "localPaths"} {
		if v, ok := m.Params[name]; ok {
			words = append(words, fmt.Sprint(v))
		}
	}
	return strings.Join(words, " ")
}

func (h *hearing) expect(t *testing.T, want []string, kinds ...string) {
	t.Helper()
	var got []string
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if got = h.acts(kinds...); len(got) >= len(want) {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

const form = `<!doctype html><title>form</title><form id=f onsubmit="event.preventDefault(); document.title = 'sent'">
<label>Name <input name=name></label><label><input type=checkbox> Agree</label><input type=password placeholder=Password>
<select aria-label=Colour><option value=r>Red<option value=g>Green</select><input type=file aria-label=Photo><textarea aria-label=Text></textarea>
<button type=submit>Send</button></form><button id=b>Do <b>it</b></button><div contenteditable aria-label=Note>note</div>
<ul><li>One <button>Delete</button></li><li>Two <button>Delete</button></li></ul>
<div id=box style="height:100px;overflow:auto"><p style="height:1000px">long</p></div><div style="height:3000px"></div>`

func (f *frame) click(css string, button proto.InputMouseButton, times int) {
	f.t.Helper()
	if err := f.page.MustElement(css).ScrollIntoView(); err != nil {
		f.t.Fatal(err)
	}
	if err := f.page.MustElement(css).Click(button, times); err != nil {
		f.t.Fatal(err)
	}
}

func TestWhatTheUserDoesIsTold(t *testing.T) {
	f, h := heard(t, DefaultOptions(), form)
	file := filepath.Join(t.TempDir(), "face.png")
	if err := os.WriteFile(file, []byte("png"), 0o644); err != nil {
		t.Fatal(err)
	}
	left := proto.InputMouseButtonLeft
	f.click("[name=name]", left, 1)
	f.page.MustElement("[name=name]").MustInput("Ada")
	f.page.Keyboard.MustType(input.Tab)
	f.click("[type=checkbox]", left, 1)
	f.click("[type=checkbox]", left, 1)
	f.page.MustElement("[type=password]").MustInput("hunter2")
	f.page.MustElement("[type=file]").MustSetFiles(file)
	f.click("#b b", left, 1)
	f.click("#b", proto.InputMouseButtonRight, 1)
	f.click("#b", left, 2)
	f.click("li:nth-child(2) button", left, 1)
	f.page.Keyboard.MustType(input.Escape)
	f.click("[type=submit]", left, 1)
	role := "internal:role="
	h.expect(t, []string{
		`click ` + role + `textbox[name="Name"i]`, `fill ` + role + `textbox[name="Name"i] Ada`, `press ` + role + `textbox[name="Name"i] Tab`,
		`check ` + role + `checkbox[name="Agree"i]`, `uncheck ` + role + `checkbox[name="Agree"i]`,
		`fill internal:attr=[placeholder="Password"i] •••••••`, `setInputFiles ` + role + `button[name="Photo"i] [face.png]`,
		`click ` + role + `button[name="Do it"i]`, `click ` + role + `button[name="Do it"i] right`, `dblclick ` + role + `button[name="Do it"i] 2`,
		`click ` + role + `listitem >> internal:has-text="Two"i >> ` + role + `button[name="Delete"i]`,
		`press ` + role + `listitem >> internal:has-text="Two"i >> ` + role + `button[name="Delete"i] Escape`,
		`click ` + role + `button[name="Send"i]`,
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.list {
		if m.Op == "act" && (m.Snapshot == nil || m.Age < 0 || m.Age > 5000) {
			t.Errorf("%s: no snapshot, or age %v", m.Method, m.Age)
		}
		if m.Method == "fill" && strings.Contains(m.Value, "hunter2") {
			t.Error("a password is told")
		}
	}
}

// Drivers choose options by a script that takes the focus first: the browser
// then tells that the text before has changed, which the choice does not answer.
func TestOptionsThatDriversChooseAreTold(t *testing.T) {
	f, h := heard(t, DefaultOptions(), form)
	f.page.MustElement("[name=name]").MustFocus()
	f.page.Keyboard.MustType(input.KeyA)
	time.Sleep(300 * time.Millisecond) // what a script does at once could answer the letter
	f.page.MustEval(`() => { const s = document.querySelector('select'); s.focus(); s.value = 'g'; s.dispatchEvent(new Event('change', {bubbles: true})); }`)
	h.expect(t, []string{`fill internal:role=textbox[name="Name"i] a`, `selectOption internal:role=combobox[name="Colour"i] [map[valueOrLabel:g]]`})
}

const taken = `<!doctype html><title>taken</title><textarea aria-label=Message></textarea><textarea aria-label=Notes></textarea><ul role=listbox><li role=option>Red</li><li role=option>Green</li></ul><p id=said></p><script>
document.querySelector('textarea').onkeydown = e => { if (e.key === 'Enter' || e.key === 'ArrowDown') { e.preventDefault(); if (e.key === 'Enter') { said.textContent = e.target.value; e.target.value = ''; } } };
document.querySelector('ul').onmousedown = e => { e.preventDefault(); said.textContent = e.target.textContent; e.target.remove(); };
</script>`

// Keys that a page takes for itself write nothing, and what a page takes away
// while it is pressed is never clicked.
func TestWhatPagesTakeIsTold(t *testing.T) {
	f, h := heard(t, DefaultOptions(), taken)
	f.page.MustElement("textarea").MustFocus()
	f.page.Keyboard.MustType(input.KeyA, input.ArrowDown, input.Enter)
	time.Sleep(300 * time.Millisecond) // letters and what is done at once are told together
	f.page.MustElement("[aria-label=Notes]").MustFocus()
	f.page.Keyboard.MustType(input.Enter, input.ArrowUp)
	time.Sleep(300 * time.Millisecond)
	box := f.page.MustElement("li:nth-child(2)").MustShape().OnePointInside()
	f.page.Mouse.MustMoveTo(box.X, box.Y)
	f.page.Mouse.MustDown(proto.InputMouseButtonLeft).MustUp(proto.InputMouseButtonLeft)
	h.expect(t, []string{`fill internal:role=textbox[name="Message"i] a`, `press internal:role=textbox[name="Message"i] ArrowDown`, `press internal:role=textbox[name="Message"i] Enter`,
		"fill internal:role=textbox[name=\"Notes\"i] \n", `click internal:role=option[name="Green"i]`})
}
