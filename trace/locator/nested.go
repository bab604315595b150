package locator

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

var layoutEngines = []string{"left-of", "right-of", "above", "below", "near"}

func takesSelector(engine string) bool {
	switch engine {
	case EngineHas, EngineHasNot, EngineAnd, EngineOr, EngineChain:
		return true
	}
	return slices.Contains(layoutEngines, engine)
}

// Inner is the selector in the body of a part such as internal:has. distance is the second argument of the
// layout engines (near="#a",120), in CSS pixels; it is 0 where none is given.
func (p Part) Inner() (inner Selector, distance float64, err error) {
	if !takesSelector(p.Engine) {
		return Selector{}, 0, fmt.Errorf("engine %s takes no selector", p.Engine)
	}
	return p.inner(0)
}

func (p Part) inner(depth int) (Selector, float64, error) {
	if depth >= maxNesting {
		return Selector{}, 0, fmt.Errorf("selectors nest deeper than %d", maxNesting)
	}
	var args []json.RawMessage
	if err := json.Unmarshal([]byte("["+p.Body+"]"), &args); err != nil {
		return Selector{}, 0, errors.New("body is not a quoted selector")
	}
	if len(args) < 1 || len(args) > 2 {
		return Selector{}, 0, fmt.Errorf("%d arguments where a quoted selector is due", len(args))
	}
	text, ok := decodeJSONString(string(args[0]))
	if !ok {
		return Selector{}, 0, errors.New("body is not a quoted selector")
	}
	var distance float64
	if len(args) == 2 {
		if !slices.Contains(layoutEngines, p.Engine) || json.Unmarshal(args[1], &distance) != nil || string(args[1]) == "null" {
			return Selector{}, 0, errors.New("second argument must be the distance of a layout engine")
		}
	}
	inner, err := parse(text, depth+1)
	return inner, distance, err
}

// InnerOf is the selector inside part i as it is to be applied: a selector recorded inside a frame repeats
// the way into that frame, which has been gone already.
func (s Selector) InnerOf(i int) (Selector, error) {
	inner, _, err := s.Parts[i].Inner()
	if err != nil {
		return Selector{}, err
	}
	return inner.insideFrames(s.Parts[:i]), nil
}

// insideFrames leaves out the way into the frame that the parts before have already entered.
func (s Selector) insideFrames(before []Part) Selector {
	entered := lastFrame(s.Parts)
	if entered < 0 || entered >= len(before) {
		return s
	}
	for i := range entered + 1 {
		if s.Parts[i].Engine != before[i].Engine || s.Parts[i].Body != before[i].Body {
			return s
		}
	}
	return Selector{Parts: s.Parts[entered+1:]}
}

func lastFrame(parts []Part) int {
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].Engine == EngineControl && parts[i].Body == EnterFrame {
			return i
		}
	}
	return -1
}

// Nest makes a part that holds another selector: Nest(EngineHas, inner).
func Nest(engine string, inner Selector) Part {
	return Part{Engine: engine, Body: quoteJSON(inner.String())}
}

// decodeJSONString reads a text that is exactly one JSON string.
func decodeJSONString(text string) (string, bool) {
	text = strings.Trim(text, " \t\r\n")
	if len(text) < 2 || text[0] != '"' {
		return "", false
	}
	var s string
	err := json.Unmarshal([]byte(text), &s)
	return s, err == nil
}

// quoteJSON writes a string as JavaScript's JSON.stringify does: only what must be escaped is.
func quoteJSON(s string) string {
	return quote(s, '"')
}
