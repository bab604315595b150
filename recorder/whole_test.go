package recorder

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/trace"
)

const richPage = `<!doctype html><title>Rich</title><style id=s>.a{color:red}</style><canvas id=c width=20 height=10></canvas>
<closed-box></closed-box><div id=drag draggable=true style="width:80px;height:30px;background:#eee">Card</div>
<div id=drop style="width:200px;height:60px;background:#ddd" role=list aria-label=Done>Here</div>
<textarea aria-label=Notes></textarea><form onsubmit="event.preventDefault()"><input aria-label=Mail type=email><button>Send</button></form>
<div id=box style="height:80px;overflow:auto" tabindex=0><p style="height:2000px">long</p></div>
<script>c.getContext('2d').fillRect(0, 0, 5, 5);
customElements.define('closed-box', class extends HTMLElement { constructor() { super(); const r = this.attachShadow({mode: 'closed'}); r.innerHTML = '<button>Hidden inside</button>'; } });
s.sheet.insertRule('.late{color:blue}');
addEventListener('dragover', e => e.preventDefault()); addEventListener('drop', e => e.preventDefault());</script>`

// What a page shows by canvases, closed shadow trees and changed sheets is in
// its snapshots, and what is done by mouse, wheel and clipboard in its actions.
func TestRichPageIsRecordedWhole(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(richPage))
	}))
	defer site.Close()
	browser := launchBrowser(t)
	page := browser.MustPage("about:blank").Timeout(time.Minute)
	out := filepath.Join(t.TempDir(), "t.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	page.MustNavigate(site.URL).MustWaitLoad()
	page.MustElement("textarea").MustClick()
	typeText(page, "abc")
	page.MustElement("textarea").MustSelectAllText()
	chord := func(k input.Key) {
		if err := page.KeyActions().Press(input.ControlLeft).Type(k).Do(); err != nil {
			t.Fatal(err)
		}
	}
	chord(input.KeyX)
	chord(input.KeyV)
	dragTo(t, page, "#drag", "#drop")
	button := page.MustElement("closed-box").MustShape().OnePointInside() // rod finds that something covers it
	page.Mouse.MustMoveTo(button.X, button.Y)
	page.Mouse.MustClick(proto.InputMouseButtonLeft)
	page.MustElement("input").MustClick()
	page.Keyboard.MustType(input.Enter)
	box := page.MustElement("#box").MustShape().OnePointInside()
	page.Mouse.MustMoveTo(box.X, box.Y)
	for range 3 {
		if err := page.Mouse.Scroll(0, 40, 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	a, tr := loadTrace(t, out)
	checkRichActions(t, tr)
	checkRichSnapshots(t, a)
}

// dragTo drags without the machine's own drag and drop, as drivers do.
func dragTo(t *testing.T, page *rod.Page, source, target string) {
	t.Helper()
	from, to := page.MustElement(source).MustShape().OnePointInside(), page.MustElement(target).MustShape().OnePointInside()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(proto.InputSetInterceptDrags{Enabled: true}.Call(page))
	var e proto.InputDragIntercepted
	intercepted := page.Timeout(20 * time.Second).WaitEvent(&e)
	mouse := func(kind proto.InputDispatchMouseEventType, x, y float64) {
		must(proto.InputDispatchMouseEvent{Type: kind, X: x, Y: y, Button: proto.InputMouseButtonLeft, ClickCount: 1}.Call(page))
	}
	mouse(proto.InputDispatchMouseEventTypeMousePressed, from.X, from.Y)
	mouse(proto.InputDispatchMouseEventTypeMouseMoved, from.X+10, from.Y+5)
	mouse(proto.InputDispatchMouseEventTypeMouseMoved, to.X, to.Y)
	intercepted()
	for _, kind := range []proto.InputDispatchDragEventType{proto.InputDispatchDragEventTypeDragEnter, proto.InputDispatchDragEventTypeDragOver, proto.InputDispatchDragEventTypeDrop} {
		must(proto.InputDispatchDragEvent{Type: kind, X: to.X, Y: to.Y, Data: e.Data}.Call(page))
	}
	mouse(proto.InputDispatchMouseEventTypeMouseReleased, to.X, to.Y)
	must(proto.InputSetInterceptDrags{Enabled: false}.Call(page))
}

func checkRichActions(t *testing.T, tr *trace.Trace) {
	t.Helper()
	got := told(t, tr)
	all := strings.Join(got, "\n")
	for _, want := range []string{"press internal:role=textbox[name=\"Notes\"i] Control+x", "Control+v", "dragAndDrop",
		`click internal:role=button[name="Hidden inside"i]`, "press internal:role=textbox[name=\"Mail\"i] Enter", "scroll #box"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if strings.Count(all, "scroll ") != 1 || strings.Count(all, "dragAndDrop") != 1 {
		t.Errorf("scrolls or drags are not one action:\n%s", all)
	}
	for _, kind := range []string{"focus", "blur", "cut", "paste", "submit"} {
		if e := happening(tr, kind); e == nil || e.Class != "Input" {
			t.Errorf("no note of %s", kind)
		}
	}
	if happening(tr, "vitals") == nil {
		t.Error("no vitals")
	}
}

func checkRichSnapshots(t *testing.T, a *trace.Archive) {
	t.Helper()
	var lines string
	for _, e := range a.Entries() {
		if strings.HasSuffix(e.Name, ".trace") {
			lines += resource(t, a, e.Name)
		}
	}
	for _, want := range []string{"__tracedeck_picture_", ".late { color: blue; }", "Hidden inside", `__playwright_scroll_top_`} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %q in the snapshots", want)
		}
	}
	m := regexp.MustCompile(`__tracedeck_picture_":"([0-9a-f]{40}\.png)"`).FindStringSubmatch(lines)
	if m == nil || !strings.HasPrefix(resource(t, a, "resources/"+m[1]), "\x89PNG") {
		t.Errorf("no pixels of the canvas: %v", m)
	}
}
