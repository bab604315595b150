package codegen

import (
	"fmt"
	"regexp"
	"strings"
)

// step writes one step, with what it waits for.
func (w *rodWriter) step(i int) {
	step := w.s.Steps[i]
	if step.Verb == ClosePage && i == len(w.s.Steps)-1 {
		return
	}
	if group := strings.Join(step.Group, " › "); group != w.group {
		w.group = group
		w.line("// %s", oneLine(w.s.values.safe(group)))
	}
	if step.Verb == NotCarried {
		w.line("// Not carried over: %s", cut(oneLine(w.s.values.safe(step.Text)), 160))
		return
	}
	w.line("s.at = %d // %s", i+1, cut(oneLine(w.s.values.safe(step.Title)), 120))
	code, err := w.call(step)
	if err != nil {
		w.line("// Not carried over: %s", cut(oneLine(w.s.values.safe(err.Error())), 160))
		return
	}
	waits := w.before(step)
	if step.Caught {
		w.line("func() {")
		w.line("\tdefer func() { _ = recover() }() // it failed when it was recorded: %s", cut(oneLine(w.s.values.safe(step.Error)), 120))
		w.line("\t%s", code)
		w.line("}()")
	} else {
		w.line("%s", code)
	}
	w.after(step, waits)
}

func (w *rodWriter) before(step *Step) (waits []string) {
	for _, a := range step.Answers {
		w.line("%s.answer(%v, %s)", step.Page, a.Accept, w.text(a.Text))
	}
	if step.Opens != "" {
		w.line("%sOpens := %s.popup()", step.Opens, step.Page)
	}
	for i, q := range step.Waits {
		if i > 0 {
			break // the first is enough to know that the step has come through
		}
		w.answers++
		name := fmt.Sprintf("answer%d", w.answers)
		waits = append(waits, name)
		w.line("%s := %s.awaits(%s, %s)", name, step.Page, goString(q.Method), goString(w.pathForm(path(q.URL))))
	}
	return waits
}

// pathForm is a regular expression for a path, in which ids may be others.
func (w *rodWriter) pathForm(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		if w.s.varies(part) {
			parts[i] = `[^/]+`
		} else {
			parts[i] = regexp.QuoteMeta(part)
		}
	}
	return "^" + strings.Join(parts, "/") + "$"
}

func (w *rodWriter) after(step *Step, waits []string) {
	if step.Opens != "" {
		w.line("%s := %sOpens()", step.Opens, step.Opens)
		w.line("_ = %s", step.Opens)
	}
	for i, name := range waits {
		status := step.Waits[i].Status
		if status >= 400 {
			status = 0 // whatever it is now, the program says itself what it is about
		}
		w.line("%s(%d)", name, status)
	}
	if step.URL != "" {
		form, ok := w.s.urlPattern(w.s.relative(step.URL))
		if !ok {
			form = regexp.QuoteMeta(w.s.values.safe(w.s.relative(step.URL))) + "$"
		}
		w.line("%s.isAt(%s)", step.Page, goString("^"+strings.ReplaceAll(form, `\/`, "/")))
	}
}

// way is the code for the way to an element.
func (w *rodWriter) way(e Element) (string, error) {
	way, err := wayOf(w.s.values.safe(e.Selector))
	if err != nil {
		return "", fmt.Errorf("%s: %w", describe(e), err)
	}
	if e.FrameURL != "" {
		last := base(path(e.FrameURL))
		way = append([]link{{"by": "css", "text": "iframe[src*=" + quoted(last) + "], frame[src*=" + quoted(last) + "]"}, {"by": "frame"}}, way...)
	}
	var parts []string
	for _, l := range way {
		parts = append(parts, goValue(l))
	}
	return strings.Join(parts, ", "), nil
}

func (w *rodWriter) call(step *Step) (string, error) {
	p := step.Page
	if step.Verb == Expect {
		return w.expect(step)
	}
	if !step.Target.Some() {
		return w.pageCall(step)
	}
	way, err := w.way(step.Target)
	if err != nil {
		return "", err
	}
	switch step.Verb {
	case Click, DoubleClick, Tap:
		return w.click(step, way), nil
	case Hover:
		return fmt.Sprintf("check(%s.find(%s).Timeout(patience).Hover())", p, way), nil
	case Focus:
		return fmt.Sprintf("check(%s.find(%s).Timeout(patience).Focus())", p, way), nil
	case Blur:
		return fmt.Sprintf("check(%s.find(%s).Timeout(patience).Blur())", p, way), nil
	case SelectText:
		return fmt.Sprintf("check(%s.find(%s).Timeout(patience).SelectAllText())", p, way), nil
	case ScrollTo:
		return fmt.Sprintf("check(%s.attached(%s).Timeout(patience).ScrollIntoView())", p, way), nil
	case Fill:
		return fmt.Sprintf("%s.fill(%s, %s)", p, w.text(step.Text), way), nil
	case Clear:
		return fmt.Sprintf("%s.fill(\"\", %s)", p, way), nil
	case TypeText:
		return fmt.Sprintf("%s.write(%s, %s)", p, w.text(step.Text), way), nil
	case Press:
		return fmt.Sprintf("check(%s.find(%s).Timeout(patience).Focus())\n\t%s.keys(%s)", p, way, p, w.text(step.Text)), nil
	case CheckBox, UncheckBox:
		return fmt.Sprintf("%s.tick(%v, %s)", p, step.Verb == CheckBox, way), nil
	case Choose:
		return w.choose(step, way), nil
	case SetFiles:
		return fmt.Sprintf("%s.give(%s, %s)", p, w.names(step.Files), way), nil
	case Dispatch:
		return fmt.Sprintf("%s.attached(%s).MustEval(`type => this.dispatchEvent(new Event(type, { bubbles: true }))`, %s)", p, way, goString(step.Text)), nil
	case Scroll:
		return fmt.Sprintf("%s.attached(%s).MustEval(`(x, y) => this.scrollTo(x, y)`, %s, %s)", p, way, step.option("x", "0"), step.option("y", "0")), nil
	case WaitFor:
		if state := step.option("state", ""); state == "'hidden'" || state == "'detached'" {
			return fmt.Sprintf("%s.holds(\"it is still there\", `!e || !(e.getBoundingClientRect().width > 0)`, nil, false, %s)", p, way), nil
		}
		return fmt.Sprintf("%s.attached(%s)", p, way), nil
	case Drag:
		to, err := w.way(step.To)
		return fmt.Sprintf("%s.drag([]step{%s}, []step{%s})", p, way, to), err
	}
	return "", fmt.Errorf("%s of %s", step.Verb, describe(step.Target))
}

func (w *rodWriter) click(step *Step, way string) string {
	times := step.option("clickCount", "1")
	if step.Verb == DoubleClick {
		times = "2"
	}
	button := map[string]string{"'right'": "Right", "'middle'": "Middle"}[step.option("button", "")]
	if button != "" {
		return fmt.Sprintf("%s.press(proto.InputMouseButton%s, %s, []step{%s})", step.Page, button, times, way)
	}
	return fmt.Sprintf("%s.click(%s, %s)", step.Page, times, way)
}

func (w *rodWriter) choose(step *Step, way string) string {
	texts, places := []string{}, []string{}
	for _, item := range step.Items {
		if item.ByIndex {
			places = append(places, fmt.Sprint(item.Index))
		} else {
			texts = append(texts, w.text(item.Text))
		}
	}
	return fmt.Sprintf("%s.choose([]string{%s}, []int{%s}, %s)", step.Page, strings.Join(texts, ", "), strings.Join(places, ", "), way)
}

func (w *rodWriter) names(files []Upload) string {
	var list []string
	for _, f := range files {
		list = append(list, goString(w.s.values.safe(f.Name)))
	}
	return "[]string{" + strings.Join(list, ", ") + "}"
}

func (w *rodWriter) pageCall(step *Step) (string, error) {
	p := step.Page
	switch step.Verb {
	case Goto:
		return fmt.Sprintf("%s.visit(%s)", p, w.address(step.Text)), nil
	case Reload:
		return fmt.Sprintf("check(%s.Timeout(patience).Reload())", p), nil
	case Back:
		return fmt.Sprintf("check(%s.Timeout(patience).NavigateBack())", p), nil
	case Forward:
		return fmt.Sprintf("check(%s.Timeout(patience).NavigateForward())", p), nil
	case NewPage:
		return fmt.Sprintf("%s := s.open()\n\t_ = %s", p, p), nil
	case ClosePage:
		return fmt.Sprintf("check(%s.Close())", p), nil
	case ToFront:
		return fmt.Sprintf("_, err%d := %s.Activate()\n\tcheck(err%d)", w.next(), p, w.answers), nil
	case SetContent:
		return fmt.Sprintf("check(%s.SetDocumentContent(%s))", p, w.text(step.Text)), nil
	case KeyPress:
		return fmt.Sprintf("%s.keys(%s)", p, w.text(step.Text)), nil
	case KeyType, InsertText:
		return fmt.Sprintf("check(%s.InsertText(%s))", p, w.text(step.Text)), nil
	case KeyDown:
		return fmt.Sprintf("check(%s.Keyboard.Press(keyOf(%s)))", p, w.text(step.Text)), nil
	case KeyUp:
		return fmt.Sprintf("check(%s.Keyboard.Release(keyOf(%s)))", p, w.text(step.Text)), nil
	case MouseMove:
		return fmt.Sprintf("check(%s.Mouse.MoveTo(proto.NewPoint(%s, %s)))", p, step.option("x", "0"), step.option("y", "0")), nil
	case MouseDown, MouseUp:
		return fmt.Sprintf("check(%s.Mouse.%s(proto.InputMouseButtonLeft, 1))", p, map[Verb]string{MouseDown: "Down", MouseUp: "Up"}[step.Verb]), nil
	case MouseClick, TouchTap:
		return fmt.Sprintf("check(%s.Mouse.MoveTo(proto.NewPoint(%s, %s)))\n\tcheck(%s.Mouse.Click(proto.InputMouseButtonLeft, %s))", p, step.option("x", "0"), step.option("y", "0"), p, step.option("clickCount", "1")), nil
	case MouseWheel:
		return fmt.Sprintf("check(%s.Mouse.Scroll(%s, %s, 1))", p, step.option("deltaX", "0"), step.option("deltaY", "0")), nil
	case Scroll:
		return fmt.Sprintf("%s.MustEval(`(x, y) => window.scrollTo(x, y)`, %s, %s)", p, step.option("x", "0"), step.option("y", "0")), nil
	case Resize:
		return fmt.Sprintf("%s.MustSetViewport(%s, %s, 1, false)", p, step.option("width", "1280"), step.option("height", "720")), nil
	case Evaluate:
		return fmt.Sprintf("%s.MustEval(`text => (0, eval)(text)`, %s)", p, w.text(step.Text)), nil
	case WaitScript:
		return fmt.Sprintf("%s.holds(\"the condition\", `(0, eval)(argument)`, %s, false, step{\"by\": \"css\", \"text\": \"html\"})", p, w.text(step.Text)), nil
	}
	return "", fmt.Errorf("%s", step.Verb)
}

func (w *rodWriter) next() int { w.answers++; return w.answers }

// expectScripts say in JavaScript what assertions ask for: of the element e,
// the list of all, and the argument.
var expectScripts = map[string]string{
	"toBeVisible": `e && e.getBoundingClientRect().width > 0 && getComputedStyle(e).visibility !== "hidden"`, "toBeHidden": `!e || !(e.getBoundingClientRect().width > 0)`,
	"toBeAttached": `e`, "toBeChecked": `e.checked || e.getAttribute("aria-checked") === "true"`, "toBeDisabled": `e.disabled`, "toBeEnabled": `!e.disabled`, "toBeEditable": `!e.disabled && !e.readOnly`,
	"toBeEmpty": `!(e.value ?? e.textContent).trim()`, "toBeFocused": `e === e.getRootNode().activeElement`, "toHaveText": `e.textContent.replace(/\s+/g, " ").trim() === argument.replace(/\s+/g, " ").trim()`,
	"toContainText": `e.textContent.replace(/\s+/g, " ").includes(argument.replace(/\s+/g, " ").trim())`, "toHaveValue": `e.value === argument`, "toHaveCount": `list.length === argument`,
	"toHaveId": `e.id === argument`, "toHaveClass": `e.className === argument`, "toContainClass": `argument.split(" ").every(c => e.classList.contains(c))`,
}

func (w *rodWriter) expect(step *Step) (string, error) {
	x := step.Assert
	script, ok := expectScripts[x.Method]
	argument := "nil"
	if x.OfPage || !ok || x.List || len(x.Args) > 1 {
		if x.Method == "toHaveURL" && len(x.Args) == 1 && x.Args[0].Regexp == "" && !x.Not {
			return fmt.Sprintf("%s.isAt(%s)", step.Page, goString("^"+regexp.QuoteMeta(w.s.values.safe(w.s.relative(x.Args[0].Text)))+"$")), nil
		}
		return "", fmt.Errorf("the assertion %s", x.Method)
	}
	if len(x.Args) == 1 {
		switch a := x.Args[0]; {
		case a.Regexp != "":
			script, argument = `new RegExp(argument, "`+onlyFlags(a.Flags)+`").test(e.value ?? e.textContent)`, goString(a.Regexp)
		case a.JSON != "":
			argument = goOf(jsonOf(a.JSON))
		default:
			argument = w.text(a.Text)
		}
	}
	way, err := w.way(step.Target)
	return fmt.Sprintf("%s.holds(%s, %s, %s, %v, %s)", step.Page, goString(cut(oneLine(w.s.values.safe(step.Title)), 120)), goString(script), argument, x.Not, way), err
}
