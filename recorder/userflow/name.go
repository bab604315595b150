package userflow

import (
	"github.com/go-rod/rod"

	"github.com/tracedeck/tracedeck/recorder/inject"
)

// selector is what a replay finds the element by. That of a flow may mean
// several elements, of which the first that can be seen is taken. The script that
// names elements is given an object of its own for the page's global one, so that
// the page does not see it.
func selector(e *rod.Element, frame []int, chain []string) string {
	given := Locator(nil, chain)
	source := "function (given) { const own = {document}; (function (globalThis) {" + inject.SelectorScript() + "\n})(own); const names = own.__deckSelector;" +
		"try { const list = names.find(given); if (list.length === 1 && list[0] === this) return given } catch {} return names.describe(this).selector }"
	r, err := e.Evaluate(rod.Eval(source, given).This(e.Object))
	if err != nil || r.Value.Str() == "" {
		return Locator(frame, chain)
	}
	return inFrame(frame, r.Value.Str())
}
