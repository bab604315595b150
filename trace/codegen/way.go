package codegen

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace/locator"
)

// link is one link of the way to an element, as the finder of rod programs
// reads it.
type link map[string]any

// wayOf takes a selector apart for programs that have no locators.
func wayOf(selector string) ([]link, error) {
	s, err := locator.Parse(selector)
	if err != nil {
		return nil, err
	}
	var way []link
	for _, p := range s.Parts {
		l, err := linkOf(p)
		if err != nil {
			return nil, err
		}
		if l != nil {
			way = append(way, l)
		}
	}
	return way, nil
}

func linkOf(p locator.Part) (link, error) {
	switch p.Engine {
	case locator.EngineCSS, locator.EngineCSSLight:
		return cssLink(p)
	case locator.EngineXPath:
		return link{"by": "xpath", "text": p.Body}, nil
	case locator.EngineNth:
		var n int
		_, err := fmt.Sscan(p.Body, &n)
		return link{"by": "nth", "nth": n}, err
	case locator.EngineVisible:
		return link{"by": "visible", "is": p.Body != "false"}, nil
	case locator.EngineDescribe:
		return nil, nil
	case locator.EngineControl:
		return link{"by": "frame"}, nil
	case locator.EngineByText, locator.EngineText, locator.EngineLabel, locator.EngineHasText, locator.EngineHasNotText:
		return textLink(p)
	case locator.EngineRole, locator.EngineAttr, locator.EngineTestID:
		return attributeLink(p)
	case locator.EngineHas, locator.EngineHasNot, locator.EngineAnd, locator.EngineOr, locator.EngineChain:
		return nestedLink(p)
	}
	return nil, fmt.Errorf("the engine %q is not carried over", p.Engine)
}

// cssLink keeps CSS that browsers know themselves.
func cssLink(p locator.Part) (link, error) {
	css, err := p.CSS()
	if err != nil {
		return nil, err
	}
	for _, complex := range css {
		for _, compound := range complex {
			if len(compound.Functions) > 0 {
				return nil, fmt.Errorf("the pseudo-class :%s is not carried over", compound.Functions[0].Name)
			}
		}
	}
	return link{"by": "css", "text": p.Body}, nil
}

func textLink(p locator.Part) (link, error) {
	t, err := p.Text()
	if err != nil {
		return nil, err
	}
	want := map[string]any{"text": t.String, "exact": t.Exact}
	if t.Regexp != nil {
		want = map[string]any{"regexp": t.Regexp.Source, "flags": t.Regexp.Flags}
	}
	switch p.Engine {
	case locator.EngineLabel:
		return link{"by": "label", "want": want}, nil
	case locator.EngineHasText, locator.EngineHasNotText:
		return link{"by": "hasText", "want": want, "is": p.Engine == locator.EngineHasText}, nil
	}
	return link{"by": "text", "want": want}, nil
}

func attributeLink(p locator.Part) (link, error) {
	a, err := p.Attributes()
	if err != nil {
		return nil, err
	}
	if p.Engine != locator.EngineRole {
		if len(a.Conditions) != 1 {
			return nil, fmt.Errorf("%s is not carried over", p)
		}
		c := a.Conditions[0]
		return link{"by": "attr", "attr": c.Name(), "want": wantOf(c)}, nil
	}
	l, states := link{"by": "role", "role": a.Name}, map[string]any{}
	for _, c := range a.Conditions {
		switch {
		case c.Name() == "name":
			l["name"] = wantOf(c)
		case c.Value.Kind == locator.BoolValue:
			states[c.Name()] = c.Value.Bool
		case c.Value.Kind == locator.NumberValue:
			states[c.Name()] = c.Value.Number
		case c.Value.String == "true" || c.Value.String == "false":
			states[c.Name()] = c.Value.String == "true"
		case c.Name() == "level":
			var n int
			_, _ = fmt.Sscan(c.Value.String, &n)
			states["level"] = n
		}
	}
	if len(states) > 0 {
		l["states"] = states
	}
	return l, nil
}

func wantOf(c locator.Attribute) map[string]any {
	if c.Value.Kind == locator.RegexpValue {
		return map[string]any{"regexp": c.Value.Regexp.Source, "flags": c.Value.Regexp.Flags}
	}
	return map[string]any{"text": c.Value.String, "exact": !c.IgnoreCase}
}

func nestedLink(p locator.Part) (link, error) {
	inner, _, err := p.Inner()
	if err != nil {
		return nil, err
	}
	way, err := wayOf(inner.String())
	if err != nil {
		return nil, err
	}
	by := strings.TrimPrefix(p.Engine, "internal:")
	return link{"by": strings.TrimSuffix(by, "-not"), "inner": way, "is": p.Engine != locator.EngineHasNot}, nil
}

// goValue writes a value that is JSON as Go.
func goValue(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "nil"
	}
	var plain any
	if json.Unmarshal(b, &plain) != nil {
		return "nil"
	}
	return goOf(plain)
}

func goOf(v any) string {
	switch v := v.(type) {
	case string:
		return goString(v)
	case bool:
		return fmt.Sprint(v)
	case float64:
		return number(v)
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, goOf(item))
		}
		return "[]any{" + strings.Join(items, ", ") + "}"
	case map[string]any:
		var items []string
		for _, name := range sortedKeys(v) {
			items = append(items, goString(name)+": "+goOf(v[name]))
		}
		return "step{" + strings.Join(items, ", ") + "}"
	}
	return "nil"
}

// jsonOf is the value of a JSON text, and nil for what is none.
func jsonOf(text string) (v any) {
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	return v
}
