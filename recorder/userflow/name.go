package userflow

import (
	"encoding/json"
	"strings"

	"github.com/go-rod/rod"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/inject"
)

// named is what a trace says of the element that a step is about.
type named struct {
	Selector string          `json:"selector"`
	Target   json.RawMessage `json:"target"`
	Hidden   bool            `json:"hidden"` // what it holds is not to be recorded
}

// name says what a replay finds the element by. A selector of a flow may mean
// several elements, of which the first that can be seen is taken. The script that
// names elements is given an object of its own for the page's global one, so that
// the page does not see it.
func name(e *rod.Element, frame []int, chain []string, o recorder.Options) named {
	given := Locator(nil, chain)
	options := map[string]any{"mask": strings.Join(o.Browser.Mask, ", "), "keep": o.Browser.Secrets}
	source := "function (given, options) { const own = {document, __deckOptions: options}; (function (globalThis) {" + inject.SelectorScript() + "\n})(own); const names = own.__deckSelector;" +
		"const target = names.describe(this), hidden = names.hides(this); let selector = target.selector;" +
		"try { const list = names.find(given); if (list.length === 1 && list[0] === this) selector = given } catch {}" +
		"return JSON.stringify({selector, target, hidden}) }"
	n := named{}
	r, err := e.Evaluate(rod.Eval(source, given, options).This(e.Object))
	if err != nil || json.Unmarshal([]byte(r.Value.Str()), &n) != nil || n.Selector == "" {
		return named{Selector: Locator(frame, chain), Hidden: true}
	}
	n.Selector = inFrame(frame, n.Selector)
	return n
}

// params are the beginning of an action's parameters.
func (n named) params() map[string]any {
	p := map[string]any{"selector": n.Selector}
	if len(n.Target) > 0 {
		p["_target"] = n.Target
	}
	return p
}

// shown is a value as it is recorded.
func (n named) shown(value string) string {
	if !n.Hidden {
		return value
	}
	return strings.Repeat("•", len([]rune(value)))
}
