package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/tracedeck/tracedeck/replay/determinism"
)

// waitFor waits until an element is, or is not, there.
func waitFor(ctx context.Context, r *run, d *doing) error {
	state, selector := d.params.text("state"), d.params.text("selector")
	if d.params.text("operator") != "" { // of a user flow
		return waitForCount(ctx, r, d)
	}
	switch state {
	case "hidden", "detached":
		return r.await(ctx, d.params.timeout(r.o.Limits.Patience), func() (bool, error, error) {
			list, err := r.query(ctx, d, selector)
			if err != nil || len(list) == 0 {
				return err == nil, nil, err
			}
			why, err := lacks(ctx, list[0], needs{visible: true})
			return state == "hidden" && why != nil, errorf("E_ASSERTION", "%s is still there", selector), err
		})
	}
	_, err := r.element(ctx, d, selector, needs{visible: state != "attached", one: true})
	return err
}

func waitForCount(ctx context.Context, r *run, d *doing) error {
	want := int(d.params.number("count"))
	if _, ok := d.params["count"]; !ok {
		want = 1
	}
	return r.await(ctx, d.params.timeout(r.o.Limits.Patience), func() (bool, error, error) {
		list, err := r.query(ctx, d, d.params.text("selector"))
		n := len(list)
		ok := map[string]bool{"==": n == want, ">=": n >= want, "<=": n <= want}[d.params.text("operator")]
		return ok, errorf("E_ASSERTION", "there are %d of %s, not %s %d", n, d.params.text("selector"), d.params.text("operator"), want), err
	})
}

// outcome is what the page says of an assertion.
type outcome struct {
	Matches  bool
	Known    bool
	Received any
}

// expect repeats an assertion until it holds, or its time is over.
func expect(ctx context.Context, r *run, d *doing) error {
	not, selector := d.params.truth("isNot", false), d.params.text("selector")
	what, err := json.Marshal(object{"expression": d.params.text("expression"), "expressionArg": argument(d.params["expressionArg"]), "expectedText": r.expected(d),
		"expectedNumber": d.params["expectedNumber"], "useInnerText": d.params["useInnerText"], "expectedValue": plainValue(d.params["expectedValue"])})
	if err != nil {
		return err
	}
	var assertion map[string]any
	_ = json.Unmarshal(what, &assertion) // it was made a moment ago
	for k, v := range assertion {
		if v == nil {
			delete(assertion, k)
		}
	}
	var last outcome
	err = r.await(ctx, d.params.timeout(r.o.Limits.Patience), func() (bool, error, error) {
		last = outcome{}
		if err := r.assert(ctx, d, selector, assertion, &last); err != nil {
			return false, nil, err
		}
		if !last.Known {
			return true, nil, nil
		}
		verbWord := ""
		if not {
			verbWord = "not "
		}
		return last.Matches != not, errorf("E_ASSERTION", "expect(%s) %s%s failed; received %v", selector, verbWord, d.params.text("expression"), last.Received), nil
	})
	if err == nil && !last.Known {
		d.action.Log("the assertion " + d.params.text("expression") + " is not known and was not checked")
		r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("%s: the assertion %s is not known and was not checked", d.planned.action.ID(), d.params.text("expression")))
	}
	return err
}

// expected are the texts of an assertion. Addresses are those of now.
func (r *run) expected(d *doing) any {
	if d.params.text("expression") != "to.have.url" {
		return d.params["expectedText"]
	}
	out := []any{}
	for _, v := range d.params.list("expectedText") {
		text := object{}
		if m, ok := v.(map[string]any); ok {
			for k, v := range m {
				text[k] = v
			}
			if s, ok := m["string"].(string); ok {
				text["string"] = r.mapped(s)
			}
			if s, ok := m["regexSource"].(string); ok {
				text["regexSource"] = r.mappedPattern(s)
			}
		}
		out = append(out, text)
	}
	return out
}

// mappedPattern is a regular expression for the addresses of now.
func (r *run) mappedPattern(source string) string {
	for then, now := range r.o.Origins {
		from, err := url.Parse(then)
		to, err2 := url.Parse(now)
		if err != nil || err2 != nil {
			continue
		}
		for _, host := range [][2]string{{from.Host, to.Host}, {regexpQuote(from.Host), regexpQuote(to.Host)}} {
			source = strings.ReplaceAll(source, host[0], host[1])
		}
	}
	return source
}

func regexpQuote(s string) string { return strings.NewReplacer(".", `\.`, "-", "\\-").Replace(s) }

func argument(v any) any {
	if s, ok := v.(string); ok {
		return s
	}
	return nil
}

func (r *run) assert(ctx context.Context, d *doing, selector string, assertion map[string]any, to *outcome) error {
	if selector == "" { // about the page
		list, err := find(ctx, d.page, d.page.Target(), []object{{"engine": "css", "body": ":root", "css": [][]object{{{"plain": ":root", "functions": []object{}, "combinator": ""}}}}})
		if err != nil || len(list) == 0 {
			return err
		}
		return list[0].Call(ctx, "function (a) { return __deckReplay.assert(a, [this]) }", to, assertion)
	}
	list, err := r.query(ctx, d, selector)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		world, err := d.page.World(ctx, d.page.Target(), finder())
		if err != nil {
			return err
		}
		data, err := json.Marshal(assertion)
		if err != nil {
			return err
		}
		h, _, err := d.page.Run(ctx, d.page.Target(), world, fmt.Sprintf("(() => __deckReplay.assert(%s, []))()", data))
		if err != nil {
			return err
		}
		return h.Call(ctx, "function () { return this }", to)
	}
	args := []any{assertion}
	for _, e := range list[1:] {
		args = append(args, e)
	}
	return list[0].Call(ctx, "function (a, ...more) { return __deckReplay.assert(a, [this, ...more]) }", to, args...)
}

// expression is a recorded script, ready to be evaluated.
func expression(p params) (string, error) {
	code := p.text("expression")
	if code == "" {
		code = p.text("script")
	}
	isFunction := p.truth("isFunction", false)
	arg, err := json.Marshal(plainValue(p["arg"]))
	if err != nil {
		return "", err
	}
	if isFunction {
		return fmt.Sprintf("(%s)(%s)", code, arg), nil
	}
	script, err := json.Marshal(code) // it may be several statements
	return fmt.Sprintf("(0, eval)(%s)", script), err
}

// plainValue makes a value of Playwright's way to write one.
func plainValue(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	if inner, ok := m["value"]; ok && len(m) <= 2 {
		return plainValue(inner)
	}
	for _, k := range []string{"s", "n", "b", "d", "u", "bi"} {
		if x, ok := m[k]; ok {
			return x
		}
	}
	if list, ok := m["a"].([]any); ok {
		out := []any{}
		for _, x := range list {
			out = append(out, plainValue(x))
		}
		return out
	}
	if list, ok := m["o"].([]any); ok {
		out := map[string]any{}
		for _, x := range list {
			if pair, ok := x.(map[string]any); ok {
				out[params(pair).text("k")] = plainValue(pair["v"])
			}
		}
		return out
	}
	return nil
}

func evaluate(ctx context.Context, r *run, d *doing) error {
	if d.params.text("selector") != "" { // of an element that the program held
		return evaluateOn(ctx, r, d)
	}
	code, err := expression(d.params)
	if err != nil {
		return err
	}
	return r.evaluated(ctx, d, code)
}

// evaluated runs a script of the recording. What it returns may need time to
// pass, which does while it is waited for.
func (r *run) evaluated(ctx context.Context, d *doing, code string) error {
	frame := r.frameNow(d.page, d.scene.frame)
	if frame == "" {
		frame = d.page.Target()
	}
	if _, err := d.page.EvaluateIn(ctx, frame, "(() => { "+watched("("+code+")")+" })()"); err != nil {
		return err
	}
	return r.ended(ctx, d, frame)
}

// slot is where a page keeps what became of a script of the recording.
const slot = "globalThis.__tracedeckResult"

// watched is code that notes in the slot what becomes of an expression.
func watched(expression string) string {
	return fmt.Sprintf("const r = {}; %s = r; Promise.resolve().then(() => %s).then(() => { r.done = true }, e => { r.done = true; r.error = String(e && e.stack || e) });", slot, expression)
}

// ended waits for the end of a script of the recording.
func (r *run) ended(ctx context.Context, d *doing, frame string) error {
	return r.await(ctx, r.o.Limits.Patience, func() (bool, error, error) {
		var now struct {
			Done  bool
			Error string
		}
		data, err := d.page.EvaluateIn(ctx, frame, slot)
		if err != nil || json.Unmarshal(data, &now) != nil {
			return err == nil, nil, err // another document: it was a navigation
		}
		if now.Error != "" {
			return false, nil, errorf("E_SCRIPT", "%s", now.Error)
		}
		return now.Done, errorf("E_SCRIPT", "the script did not come to an end"), nil
	})
}

func evaluateOn(ctx context.Context, r *run, d *doing) error {
	e, err := r.element(ctx, d, d.params.text("selector"), needs{})
	if err != nil {
		return err
	}
	code, arg := d.params.text("expression"), object{"value": plainValue(d.params["arg"])}
	if err := inPage(ctx, d, []*determinism.Handle{e}, "function (arg, e) { "+watched("("+code+")(e, arg)")+" }", arg); err != nil {
		return err
	}
	return r.ended(ctx, d, e.Frame)
}

// inPage calls a function of the page's own world with an argument and with
// elements.
func inPage(ctx context.Context, d *doing, elements []*determinism.Handle, function string, arg object) error {
	args := []object{arg}
	var first string
	for _, e := range elements {
		var node struct{ Node struct{ BackendNodeID int } }
		if err := d.page.Call(ctx, "DOM.describeNode", object{"objectId": e.ID}, &node); err != nil {
			return err
		}
		var there struct{ Object struct{ ObjectID string } }
		if err := d.page.Call(ctx, "DOM.resolveNode", object{"backendNodeId": node.Node.BackendNodeID}, &there); err != nil {
			return err
		}
		args = append(args, object{"objectId": there.Object.ObjectID})
		first = there.Object.ObjectID
	}
	var answer struct {
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if err := d.page.Call(ctx, "Runtime.callFunctionOn", object{"objectId": first, "functionDeclaration": function, "arguments": args}, &answer); err != nil {
		return err
	}
	if e := answer.ExceptionDetails; e != nil {
		return errorf("E_SCRIPT", "%s %s", e.Text, e.Exception.Description)
	}
	return nil
}

func evaluateOnAll(ctx context.Context, r *run, d *doing) error {
	list, err := r.query(ctx, d, d.params.text("selector"))
	if err != nil || len(list) == 0 {
		return err
	}
	code, arg := d.params.text("expression"), object{"value": plainValue(d.params["arg"])}
	if err := inPage(ctx, d, list, "function (arg, ...list) { "+watched("("+code+")(list, arg)")+" }", arg); err != nil {
		return err
	}
	return r.ended(ctx, d, list[0].Frame)
}

func waitForFunction(ctx context.Context, r *run, d *doing) error {
	code, err := expression(d.params)
	if err != nil {
		return err
	}
	return r.await(ctx, d.params.timeout(r.o.Limits.Patience), func() (bool, error, error) {
		var yes bool
		data, err := d.page.Evaluate(ctx, "!!("+code+")")
		if err == nil {
			_ = json.Unmarshal(data, &yes) // a truth value
		}
		return yes, errorf("E_ASSERTION", "it did not become true: %s", firstLine(d.params.text("expression"))), err
	})
}

func dispatch(ctx context.Context, r *run, d *doing) error {
	e, err := r.element(ctx, d, d.params.text("selector"), needs{one: true})
	if err != nil {
		return err
	}
	return e.Call(ctx, `function (type, init) {
const kinds = { mouse: MouseEvent, click: MouseEvent, dblclick: MouseEvent, key: KeyboardEvent, touch: TouchEvent, pointer: PointerEvent, focus: FocusEvent, blur: FocusEvent, drag: DragEvent, wheel: WheelEvent, input: InputEvent };
const k = Object.keys(kinds).find(k => type.startsWith(k)); this.dispatchEvent(new (kinds[k] || Event)(type, { bubbles: true, cancelable: true, composed: true, ...init })) }`,
		nil, d.params.text("type"), plainValue(d.params["eventInit"]))
}

func resize(ctx context.Context, r *run, d *doing) error {
	size, _ := d.params["viewportSize"].(map[string]any)
	if size == nil {
		size = d.params
	}
	w, h := int(params(size).number("width")), int(params(size).number("height"))
	if w <= 0 || h <= 0 || w > 10000 || h > 10000 {
		return errorf("E_VIEWPORT", "%d×%d is no size of a viewport", w, h)
	}
	return d.page.Resize(ctx, w, h)
}

func addCookies(ctx context.Context, r *run, d *doing) error {
	var list []object
	for _, v := range d.params.list("cookies") {
		m, ok := v.(map[string]any)
		if !ok {
			continue
		}
		c := params(m)
		cookie := object{"name": c.text("name"), "value": c.text("value")}
		for _, k := range []string{"path", "expires", "httpOnly", "secure", "sameSite"} {
			if v, ok := c[k]; ok && v != -1.0 {
				cookie[k] = v
			}
		}
		if u := c.text("url"); u != "" {
			cookie["url"] = r.mapped(u)
		} else {
			cookie["domain"] = c.text("domain")
		}
		list = append(list, cookie)
	}
	if len(list) == 0 {
		return nil
	}
	return d.page.Call(ctx, "Network.setCookies", object{"cookies": list}, nil)
}

func initScript(ctx context.Context, r *run, d *doing) error {
	return d.page.Call(ctx, "Page.addScriptToEvaluateOnNewDocument", object{"source": d.params.text("source")}, nil)
}

func extraHeaders(ctx context.Context, r *run, d *doing) error {
	headers := map[string]string{}
	for _, v := range d.params.list("headers") {
		if m, ok := v.(map[string]any); ok {
			headers[params(m).text("name")] = params(m).text("value")
		}
	}
	return d.page.Call(ctx, "Network.setExtraHTTPHeaders", object{"headers": headers}, nil)
}

func offline(ctx context.Context, r *run, d *doing) error {
	return d.page.Call(ctx, "Network.emulateNetworkConditions", object{"offline": d.params.truth("offline", false), "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, nil)
}

func emulateMedia(ctx context.Context, r *run, d *doing) error {
	features := []object{}
	for name, feature := range map[string]string{"colorScheme": "prefers-color-scheme", "reducedMotion": "prefers-reduced-motion", "forcedColors": "forced-colors", "contrast": "prefers-contrast"} {
		if v := d.params.text(name); v != "" && v != "no-override" {
			features = append(features, object{"name": feature, "value": v})
		}
	}
	return d.page.Call(ctx, "Emulation.setEmulatedMedia", object{"media": d.params.text("media"), "features": features}, nil)
}
