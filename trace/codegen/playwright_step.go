package codegen

import (
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace/locator"
)

// step writes one step with what it waits for and what it must lead to.
func (w *playwright) step(i int) {
	step := w.s.Steps[i]
	if step.Verb == ClosePage && i == len(w.s.Steps)-1 {
		return // the page is closed anyway
	}
	w.comments(step)
	if step.Verb == NotCarried {
		w.line("// Not carried over: %s", cut(oneLine(w.s.values.safe(step.Text)), 160))
		return
	}
	if !w.test {
		w.line("at = %d; // %s", i+1, cut(oneLine(w.s.values.safe(step.Title)), 120))
	}
	waits := w.before(step)
	if step.Caught {
		w.line("// Failed when it was recorded: %s", cut(oneLine(w.s.values.safe(step.Error)), 120))
		caught := "() => {}"
		if step.Verb == Goto { // the browser's page of the error comes a moment later
			caught = "() => " + step.Page + ".waitForURL(/^chrome-error:/, { timeout: 5000 }).catch(() => {})"
		}
		w.line("await %s.catch(%s);", w.call(step), caught)
	} else if step.Verb == NewPage {
		w.context = true
		w.line("const %s = await context.newPage();", step.Page)
	} else {
		w.line("await %s;", w.call(step))
	}
	w.after(step, waits)
	if w.test {
		w.assertions(i, step)
	}
	w.pictures(i, step)
}

func (w *playwright) comments(step *Step) {
	if group := strings.Join(step.Group, " › "); group != w.group {
		w.group = group
		if group != "" {
			w.body.WriteString("\n")
			w.line("// %s", oneLine(w.s.values.safe(group)))
		}
	}
	if step.Pause > 0 {
		w.line("// %s s passed here.", seconds(step.Pause))
	}
}

// before writes what must be waiting before the step is taken, and returns
// the variables of the answers.
func (w *playwright) before(step *Step) (waits []string) {
	for _, q := range step.Waits {
		if !w.test && len(step.Waits) > 1 && q != step.Waits[0] {
			break
		}
		w.answers++
		name := fmt.Sprintf("answer%d", w.answers)
		waits = append(waits, name)
		w.line("const %s = %s.waitForResponse(r => %s);", name, step.Page, w.matches(q))
	}
	if step.Opens != "" {
		w.line("const %sOpens = %s.waitForEvent('popup');", step.Opens, step.Page)
	}
	for i := range step.Loads {
		w.line("const %s = %s.waitForEvent('download');", w.download(step, i), step.Page)
	}
	if len(step.Picks) > 0 {
		w.line("const %s = %s.waitForEvent('filechooser');", w.chooser(step), step.Page)
	}
	w.dialogs(step)
	return waits
}

func (w *playwright) download(step *Step, i int) string {
	return fmt.Sprintf("download%d", w.number(step)+i)
}
func (w *playwright) chooser(step *Step) string { return fmt.Sprintf("chooser%d", w.number(step)) }

// number is the place of a step, from 1.
func (w *playwright) number(step *Step) int {
	for i, s := range w.s.Steps {
		if s == step {
			return i + 1
		}
	}
	return 0
}

func (w *playwright) dialogs(step *Step) {
	if len(step.Answers) == 0 {
		return
	}
	if a := step.Answers[0]; len(step.Answers) == 1 {
		call := "dismiss()"
		if a.Accept && a.HasText {
			call = "accept(" + w.text(a.Text) + ")"
		} else if a.Accept {
			call = "accept()"
		}
		w.line("%s.once('dialog', dialog => dialog.%s);", step.Page, call)
		return
	}
	w.helpers["dialogs"] = true
	var list []string
	for _, a := range step.Answers {
		item := fmt.Sprintf("{ accept: %v", a.Accept)
		if a.HasText {
			item += ", text: " + w.text(a.Text)
		}
		list = append(list, item+" }")
	}
	w.line("answerDialogs(%s, %s);", step.Page, strings.Join(list, ", "))
}

// after writes what is awaited once the step was taken.
func (w *playwright) after(step *Step, waits []string) {
	if step.Opens != "" {
		w.line("const %s = await %sOpens;", step.Opens, step.Opens)
	}
	if len(step.Picks) > 0 {
		w.line("await (await %s).setFiles(%s);", w.chooser(step), w.files(step.Picks))
	}
	for i, d := range step.Loads {
		if w.test {
			w.line("expect((await %s).suggestedFilename()).toBe(%s);", w.download(step, i), w.text(d.Name))
		} else {
			w.line("await %s;", w.download(step, i))
		}
	}
	for i, name := range waits {
		w.answer(name, step.Waits[i])
	}
	if step.URL != "" && (w.o.Checks(CheckURL) || !w.test) {
		w.line("await expect(%s).toHaveURL(%s);", step.Page, w.url(step.URL))
	}
}

func (w *playwright) answer(name string, q *Request) {
	switch {
	case !w.o.Checks(CheckNetwork):
		w.line("await %s;", name)
	case q.Status >= 500 && w.o.Expect == Fixed:
		w.line("expect((await %s).status()).toBeLessThan(500); // it was %d", name, q.Status)
	case q.Status == 304:
		w.line("expect([200, 304]).toContain((await %s).status());", name)
	default:
		w.line("expect((await %s).status()).toBe(%d);", name, q.Status)
	}
	if w.o.Checks(CheckShape) && q.json {
		if shape := shapeOf(q.got, 2, w.indent); shape != "" {
			w.line("expect(await (await %s).json()).toEqual(%s);", name, shape)
		}
	}
}

// shapeOf is a matcher for the members of an answer and their kinds.
func shapeOf(v any, depth int, indent string) string {
	switch v := v.(type) {
	case string:
		return "expect.any(String)"
	case float64:
		return "expect.any(Number)"
	case bool:
		return "expect.any(Boolean)"
	case []any:
		return "expect.any(Array)"
	case map[string]any:
		if depth == 0 {
			return "expect.any(Object)"
		}
		var items []string
		for _, name := range sortedKeys(v) {
			if shape := shapeOf(v[name], depth-1, indent+"  "); shape != "" && v[name] != nil {
				items = append(items, jsName(name)+": "+shape)
			}
		}
		return "expect.objectContaining(" + jsList("{", items, "}", indent, " ") + ")"
	}
	return ""
}

// matches is the condition under which a response is the one of a request.
func (w *playwright) matches(q *Request) string {
	cond := "r.request().method() === " + jsString(q.Method) + " && "
	p := path(q.URL)
	var b strings.Builder
	wild := false
	for i, part := range strings.Split(p, "/") {
		if i > 0 {
			b.WriteString(`\/`)
		}
		if w.s.varies(part) || w.s.values.ids[part] {
			b.WriteString(`[^\/]+`)
			wild = true
		} else {
			b.WriteString(escapeRegexp(part))
		}
	}
	if wild {
		cond += jsRegexp("^"+b.String()+"$", "") + ".test(new URL(r.url()).pathname)"
	} else {
		cond += "new URL(r.url()).pathname === " + jsString(p)
	}
	if q.Operation != "" && identifier.MatchString(q.Operation) {
		cond += " && /\\b" + escapeRegexp(q.Operation) + "\\b/.test(r.request().postData() ?? '')"
	}
	return cond
}

// url is an address to compare with.
func (w *playwright) url(address string) string {
	rel := w.s.relative(address)
	if source, ok := w.s.urlPattern(rel); ok {
		return jsRegexp(source, "")
	}
	return jsText(w.s.values.address(rel))
}

func (w *playwright) text(s string) string { return jsText(w.s.values.text(s)) }

// locator is the code that finds an element.
func (w *playwright) locator(page string, e Element) string {
	if e.FrameURL != "" {
		page += ".frame({ url: url => url.pathname === " + jsString(path(e.FrameURL)) + " })!"
	}
	return page + "." + locatorCode(w.s.values.safe(e.Selector), w.s.TestID)
}

// locatorCode writes a selector as code: as the locator it came of, or as it
// is where it came of none.
func locatorCode(selector, testID string) string {
	s, err := locator.Parse(selector)
	if err != nil {
		return "locator(" + jsString(selector) + ")"
	}
	s = portable(s, testID)
	code, err := s.Code(locator.JavaScript)
	if err != nil || code == "" || !printable(code) {
		return "locator(" + jsString(s.String()) + ")"
	}
	return code
}

// portable makes CSS of test ids that are in another attribute than
// getByTestId looks at.
func portable(s locator.Selector, testID string) locator.Selector {
	parts := append([]locator.Part(nil), s.Parts...)
	changed := false
	for i, p := range parts {
		if p.Engine != locator.EngineTestID {
			continue
		}
		a, err := p.Attributes()
		if err != nil || len(a.Conditions) != 1 || a.Conditions[0].Name() == testID || a.Conditions[0].Value.Kind != locator.StringValue {
			continue
		}
		c := a.Conditions[0]
		parts[i], changed = locator.Part{Engine: locator.EngineCSS, Body: "[" + c.Name() + "=" + quoted(c.Value.String) + "]"}, true
	}
	if !changed {
		return s
	}
	return locator.Selector{Parts: parts}
}

func printable(code string) bool {
	for _, r := range code {
		if unprintable(r) {
			return false
		}
	}
	return true
}

func (w *playwright) assertions(i int, step *Step) {
	if w.o.Checks(CheckDOM) {
		for _, e := range step.Effects {
			target := w.locator(step.Page, e.Target)
			if e.Text == "" {
				w.line("await expect(%s).toBeVisible();", target)
			} else {
				w.line("await expect(%s).toHaveText(%s);", target, w.text(e.Text))
			}
		}
	}
	if w.o.Checks(CheckVisual) && step.Changed && !step.Caught {
		w.line("await expect(%s).toHaveScreenshot('%02d-%s.png', { maxDiffPixelRatio%s });", step.Page, i+1, slug(string(step.Verb)), w.masks(step))
	}
}

func (w *playwright) masks(step *Step) string {
	if len(step.Masks) == 0 || w.o.NoMasks {
		return ""
	}
	var list []string
	for _, e := range step.Masks {
		list = append(list, w.locator(step.Page, e))
	}
	return ", mask: [" + strings.Join(list, ", ") + "]"
}

func (w *playwright) pictures(i int, step *Step) {
	if w.o.Screenshots && step.Changed {
		w.line("await %s.screenshot({ path: 'step-%02d.png' });", step.Page, i+1)
	}
}

// slug is a text as a part of a file's name.
func slug(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, s)
	return strings.ToLower(strings.Trim(cut(s, 40), "-…"))
}
