package codegen

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/trace"
)

// stepOf makes a step of a call. It is nil for calls of which nothing is left:
// waits that observation replaces, and settings of the recording program.
func (r *stepReader) stepOf(a *trace.Action, p params) *Step {
	class, method := a.Before.Class, a.Before.Method
	if m, ok := strings.CutPrefix(method, "vibium:"); ok {
		return r.vibium(a, m, p)
	}
	if class == "Test" {
		return &Step{Verb: NotCarried, Text: oneLine(a.Before.Title + " " + p.text("expected"))}
	}
	if method == "expect" && p.has("expression") {
		return r.expect(a, p)
	}
	if make, ok := elementCalls()[method]; ok && class != "Page" && class != "Dialog" {
		step := make(p)
		r.aim(step, a, p)
		return step
	}
	if make, ok := pageCalls()[class+"."+method]; ok {
		return make(p)
	}
	if ignored[method] || class == "Tracing" || class == "Browser" || class == "BrowserType" || strings.HasPrefix(method, "set") && class == "BrowserContext" {
		return nil
	}
	return &Step{Verb: NotCarried, Text: class + "." + method}
}

// ignored are calls without which the session is the same.
var ignored = map[string]bool{"waitForTimeout": true, "waitForLoadState": true, "waitForNavigation": true, "waitForURL": true, "waitForEvent": true, "screenshot": true, "pdf": true,
	"snapshot": true, "ariaSnapshot": true, "querySelector": true, "querySelectorAll": true, "dispose": true, "resolveSelector": true, "highlight": true, "frameElement": true, "waitForElementState": true,
	"ownerFrame": true, "contentFrame": true, "addCookies": true, "addInitScript": true, "evaluateExpressionHandle": true, "evalOnSelectorAll": true, "evalOnSelector": true, "customStep": true,
	"emulateNetworkConditions": true, "expectScreenshot": true, "consoleMessages": true, "pageErrors": true, "requests": true, "pause": true, "storageState": true, "clearCookies": true}

type maker func(p params) *Step

func plain(v Verb, options ...string) maker {
	return func(p params) *Step { return &Step{Verb: v, Options: p.options(options...)} }
}

func typed(v Verb, name string, options ...string) maker {
	return func(p params) *Step { return &Step{Verb: v, Text: p.text(name), Options: p.options(options...)} }
}

// chosen makes a step of a box or a switch. One that had no size, as the native ones
// of boxes that an app draws itself, gets its click as an event: a mouse has no place
// to go to.
func chosen(v Verb) maker {
	return func(p params) *Step {
		var target struct {
			Box *trace.Rect `json:"box"`
		}
		if p.has("_target") && json.Unmarshal(p["_target"], &target) == nil && target.Box != nil && target.Box.Width*target.Box.Height == 0 {
			return &Step{Verb: Dispatch, Text: "click"}
		}
		return &Step{Verb: v}
	}
}

var pointer = []string{"button", "modifiers", "position", "force"}

// elementCalls make steps of calls that name an element.
var elementCalls = sync.OnceValue(func() map[string]maker {
	return map[string]maker{
		"click": plain(Click, append(pointer, "clickCount")...), "dblclick": plain(DoubleClick, pointer...), "tap": plain(Tap, "modifiers", "position"), "hover": plain(Hover, "modifiers", "position", "force"),
		"focus": plain(Focus), "blur": plain(Blur), "check": chosen(CheckBox), "uncheck": chosen(UncheckBox), "selectText": plain(SelectText), "scrollIntoViewIfNeeded": plain(ScrollTo),
		"fill": typed(Fill, "value"), "type": typed(TypeText, "text"), "press": typed(Press, "key"), "dispatchEvent": typed(Dispatch, "type"),
		"selectOption":  func(p params) *Step { return &Step{Verb: Choose, Items: p.chosen()} },
		"setInputFiles": func(p params) *Step { return &Step{Verb: SetFiles, Files: p.uploads()} },
		"dragAndDrop":   plain(Drag, "sourcePosition", "targetPosition"),
		"scroll":        plain(Scroll, "x", "y"),
		"waitForSelector": func(p params) *Step {
			step := &Step{Verb: WaitFor}
			if state := p.text("state"); state == "attached" || state == "detached" || state == "hidden" {
				step.Options = []Option{{"state", `"` + state + `"`}}
			}
			return step
		},
	}
})

// pageCalls make steps of calls that are about a page or its context.
var pageCalls = sync.OnceValue(func() map[string]maker {
	return map[string]maker{
		"Frame.goto": typed(Goto, "url"), "Page.reload": plain(Reload), "Page.goBack": plain(Back), "Page.goForward": plain(Forward),
		"Page.goToHistoryEntry": plain(Back), "Page.navigateToHistoryEntry": plain(Back), "Frame.setContent": typed(SetContent, "html"),
		"Page.keyboardPress": typed(KeyPress, "key"), "Page.keyboardType": typed(KeyType, "text"), "Page.keyboardInsertText": typed(InsertText, "text"),
		"Page.keyboardDown": typed(KeyDown, "key"), "Page.keyboardUp": typed(KeyUp, "key"),
		"Page.mouseMove": plain(MouseMove, "x", "y", "steps"), "Page.mouseDown": plain(MouseDown, "button"), "Page.mouseUp": plain(MouseUp, "button"),
		"Page.mouseClick": plain(MouseClick, "x", "y", "button", "clickCount"), "Page.mouseWheel": plain(MouseWheel, "deltaX", "deltaY"), "Page.touchscreenTap": plain(TouchTap, "x", "y"),
		"Page.close": plain(ClosePage), "Page.bringToFront": plain(ToFront), "Page.emulateMedia": plain(Media, "media", "colorScheme", "reducedMotion", "forcedColors"),
		"Page.setViewportSize": func(p params) *Step {
			return &Step{Verb: Resize, Options: paramsOf(p["viewportSize"]).options("width", "height")}
		},
		"BrowserContext.newPage":    newPage,
		"BrowserContext.setOffline": plain(Offline, "offline"),
		"Frame.evaluateExpression":  evaluate(Evaluate), "Frame.waitForFunction": evaluate(WaitScript), "Frame.evaluateOnSelector": evaluate(Evaluate),
	}
})

// newPage is a step unless the page is the one that a test has anyway.
func newPage(p params) *Step {
	if address := p.text("url"); address != "" && address != "about:blank" {
		return &Step{Verb: Goto, Text: address}
	}
	return nil
}

// evaluate makes a step of a script that ran in the page, where its argument
// can be written down.
func evaluate(v Verb) maker {
	return func(p params) *Step {
		script := p.text("expression")
		if script == "" {
			return nil
		}
		if p.truth("isFunction") {
			var arg struct{ Value json.RawMessage }
			_ = json.Unmarshal(p["arg"], &arg)
			value, ok := serialised(arg.Value)
			if !ok {
				return &Step{Verb: NotCarried, Text: "a script whose argument is not in the trace"}
			}
			script = "(" + script + ")(" + value + ")"
		}
		return &Step{Verb: v, Text: script}
	}
}

// serialised turns a value of Playwright's protocol into JavaScript. Only
// values that are JSON can be.
func serialised(raw json.RawMessage) (string, bool) {
	var v struct {
		N *float64
		B *bool
		S *string
		V *string
		A []json.RawMessage
		O []struct {
			K string
			V json.RawMessage
		}
	}
	if len(raw) == 0 {
		return "", true
	}
	if json.Unmarshal(raw, &v) != nil {
		return "", false
	}
	join := func(open string, n int, item func(int) (string, bool), shut string) (string, bool) {
		var parts []string
		for i := range n {
			s, ok := item(i)
			if !ok {
				return "", false
			}
			parts = append(parts, s)
		}
		return open + strings.Join(parts, ", ") + shut, true
	}
	switch {
	case v.N != nil:
		return number(*v.N), true
	case v.B != nil:
		return map[bool]string{true: "true", false: "false"}[*v.B], true
	case v.S != nil:
		return jsString(*v.S), true
	case v.V != nil && (*v.V == "undefined" || *v.V == "null"):
		return *v.V, true
	case v.A != nil:
		return join("[", len(v.A), func(i int) (string, bool) { return serialised(v.A[i]) }, "]")
	case v.O != nil:
		return join("{ ", len(v.O), func(i int) (string, bool) {
			s, ok := serialised(v.O[i].V)
			return jsString(v.O[i].K) + ": " + s, ok
		}, " }")
	}
	return "", false
}

// aim gives a step the element that its call named, or the place that it hit.
func (r *stepReader) aim(step *Step, a *trace.Action, p params) {
	t := targetOf(p)
	step.Target.Selector = bestSelector(orDefault(p.text("selector"), p.text("source")), t)
	if step.Verb == Drag {
		step.Target.Selector, step.To.Selector = p.text("source"), p.text("target")
	}
	// A recorder tells where every click hit; where a program clicks it means to.
	if _, ours := p["_target"]; ours && (t == nil || t.Tag != "canvas" && t.Tag != "svg" && t.Tag != "video") {
		step.Options = without(step.Options, "position", "sourcePosition", "targetPosition")
		if n := p.number("clickCount"); n > 0 && n < 3 {
			step.Options = without(step.Options, "clickCount")
		}
	}
	if n := p.number("clickCount"); n == 1 {
		step.Options = without(step.Options, "clickCount")
	}
	if !step.Target.Some() {
		r.byPlace(step, a)
	}
	if strings.HasPrefix(a.Before.Title, "Scroll into view") {
		step.Verb, step.Options = ScrollTo, nil
	} else if step.Verb == WaitFor && a.Before.Title != "" && !strings.HasPrefix(a.Before.Title, "Wait for") {
		step.Verb, step.Text = NotCarried, a.Before.Title
	}
}

// byPlace makes do with the point that an action hit.
func (r *stepReader) byPlace(step *Step, a *trace.Action) {
	x, y := "", ""
	if a.Point != nil {
		x, y = number(a.Point.X), number(a.Point.Y)
	}
	switch {
	case step.Verb == Scroll:
	case step.Verb == Press:
		step.Verb = KeyPress
	case step.Verb == TypeText:
		step.Verb = KeyType
	case x != "" && (step.Verb == Click || step.Verb == Tap):
		step.Verb, step.Options = MouseClick, []Option{{"x", x}, {"y", y}}
	case x != "" && step.Verb == DoubleClick:
		step.Verb, step.Options = MouseClick, []Option{{"x", x}, {"y", y}, {"clickCount", "2"}}
	case x != "" && step.Verb == Hover:
		step.Verb, step.Options = MouseMove, []Option{{"x", x}, {"y", y}}
	default:
		step.Verb, step.Text = NotCarried, a.Before.Class+"."+a.Before.Method+" of an element that the trace does not name"
	}
}

func without(list []Option, names ...string) (kept []Option) {
next:
	for _, o := range list {
		for _, name := range names {
			if o.Name == name {
				continue next
			}
		}
		kept = append(kept, o)
	}
	return kept
}

// findFrames names the child frames that selectors do not lead into.
func (s *Scenario) findFrames(ctx context.Context) {
	for _, step := range s.Steps {
		if step.Action == nil || !step.Target.Some() {
			continue
		}
		step.Target.FrameURL = s.childFrame(ctx, step.Action)
		step.To.FrameURL = step.Target.FrameURL
	}
}

// childFrame returns the address of the child frame in which an action found
// its element, where its selector does not say so.
func (s *Scenario) childFrame(ctx context.Context, a *trace.Action) string {
	if strings.Contains(string(a.Before.Params), "internal:control=enter-frame") {
		return ""
	}
	for _, shot := range a.Snapshots {
		if shot.IsMainFrame || shot.FrameURL == "" || shot.Phase != trace.PhaseAction {
			continue
		}
		if line, err := s.archive.Line(ctx, shot.Position); err == nil && strings.Contains(string(line), `"__playwright_target__":`) {
			return shot.FrameURL
		}
	}
	return ""
}
