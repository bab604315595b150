package userflow

import (
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// From makes a flow of what was done in a recording. Elements are named by all
// that was recorded of them. What flows have no step for becomes a custom step
// that keeps the call's name and parameters; failed actions are left out.
func From(t *trace.Trace) *Flow {
	f := &Flow{Title: "Session"}
	for _, c := range t.Contexts {
		if c.Title != "" {
			f.Title = c.Title
		}
		if size, ok := c.Viewport(); ok && len(f.Steps) == 0 {
			f.Steps = append(f.Steps, Step{Type: "setViewport", Width: int(size.Width), Height: int(size.Height), Scale: 1})
		}
	}
	pages := tabsOf(t)
	for _, a := range t.Actions {
		if a.Kind == trace.KindCall && a.Error == nil {
			f.Steps = append(f.Steps, stepsOf(a, pages.target(a))...)
		}
	}
	return f
}

// parameters are those of actions that steps need.
type parameters struct {
	URL          string       `json:"url"`
	Selector     string       `json:"selector"`
	Position     *trace.Point `json:"position"`
	Button       string       `json:"button"`
	Value        string       `json:"value"`
	Text         string       `json:"text"`
	Key          string       `json:"key"`
	X            float64      `json:"x"`
	Y            float64      `json:"y"`
	ViewportSize *trace.Size  `json:"viewportSize"`
	Options      []struct {
		Value string `json:"value"`
		Both  string `json:"valueOrLabel"`
		Label string `json:"label"`
	} `json:"options"`
	Target *target `json:"_target"`
	Frame  *struct {
		Index []int `json:"index"`
	} `json:"_frame"`
}

// target is an element as recordings of ours describe it.
type target struct {
	All   []string `json:"selectors"` // each means the element alone
	Role  string   `json:"role"`
	Name  string   `json:"name"`
	Text  string   `json:"text"`
	Path  []string `json:"path"`
	XPath string   `json:"xpath"`
	TestA string   `json:"testIdAttribute"`
	Test  string   `json:"testId"`
}

// only reports whether a selector of that kind alone means the element and no
// other: a flow takes the first one that it finds. Where it was not recorded
// what else means it, that is left to luck.
func (t *target) only(kind string) bool {
	for _, s := range t.All {
		if strings.HasPrefix(s, kind) && !strings.Contains(s, " >> ") {
			return true
		}
	}
	return len(t.All) == 0
}

// buttons are the names that flows have for those of a mouse.
var buttons = map[string]string{"right": "secondary", "middle": "auxiliary"}

func stepsOf(a *trace.Action, page string) []Step {
	var p parameters
	if json.Unmarshal(a.Before.Params, &p) != nil {
		return nil
	}
	s := Step{Target: page, Selectors: p.selectors()}
	if p.Frame != nil {
		s.Frame = p.Frame.Index
	}
	if p.Position != nil {
		s.OffsetX, s.OffsetY = p.Position.X, p.Position.Y
	}
	switch a.Before.Method {
	case "goto":
		return []Step{{Type: "navigate", Target: elsewhere(page), URL: p.URL, Asserted: []Asserted{{Type: "navigation", URL: p.URL}}}}
	case "click", "tap", "check", "uncheck":
		s.Type, s.Button = "click", buttons[p.Button]
		if a.Before.Method == "tap" {
			s.DeviceType = "touch"
		}
	case "dblclick":
		s.Type = "doubleClick"
	case "hover":
		s.Type = "hover"
	case "fill", "selectOption":
		s.Type, s.Value, s.OffsetX, s.OffsetY = "change", p.text(), 0, 0
	case "press":
		return press(s, p.Key)
	case "scroll":
		s.Type, s.X, s.Y = "scroll", p.X, p.Y
		return []Step{s}
	case "setViewportSize":
		if p.ViewportSize == nil {
			return nil
		}
		return []Step{{Type: "setViewport", Target: page, Width: int(p.ViewportSize.Width), Height: int(p.ViewportSize.Height), Scale: 1}}
	case "close":
		return []Step{{Type: "close", Target: page}}
	case "keyboardDown", "keyboardUp":
		return []Step{{Type: "key" + strings.TrimPrefix(a.Before.Method, "keyboard"), Target: page, Key: p.Key}}
	case "type":
		return typed(s, p.Text)
	case "setInputFiles", "dragAndDrop", "reload", "goToHistoryEntry":
		return []Step{{Type: "customStep", Target: page, Frame: s.Frame, Name: a.Before.Method, Parameters: a.Before.Params}}
	default:
		return nil
	}
	if len(s.Selectors) == 0 {
		return nil
	}
	return []Step{s}
}

// elsewhere is the target of a step that concerns the main page unless it says
// otherwise.
func elsewhere(page string) string {
	if page == "main" {
		return ""
	}
	return page
}

func (p *parameters) text() string {
	for _, o := range p.Options {
		for _, v := range []string{o.Both, o.Value, o.Label} {
			if v != "" {
				return v
			}
		}
	}
	return p.Value
}

// press is a chord: its modifiers are held while its key is pressed.
func press(s Step, chord string) []Step {
	keys := strings.Split(chord, "+")
	if strings.HasSuffix(chord, "+") { // the key is plus itself
		keys = append(strings.Split(strings.TrimSuffix(strings.TrimSuffix(chord, "+"), "+"), "+"), "+")
		if chord == "+" {
			keys = []string{"+"}
		}
	}
	var list []Step
	for _, k := range keys {
		list = append(list, Step{Type: "keyDown", Target: s.Target, Key: k})
	}
	for i := len(keys) - 1; i >= 0; i-- {
		list = append(list, Step{Type: "keyUp", Target: s.Target, Key: keys[i]})
	}
	return list
}

// typed is a text that is typed where the focus is, letter by letter.
func typed(s Step, text string) (list []Step) {
	for _, c := range text {
		key := string(c)
		if c == '\n' {
			key = "Enter"
		}
		list = append(list, Step{Type: "keyDown", Target: s.Target, Key: key}, Step{Type: "keyUp", Target: s.Target, Key: key})
	}
	return list
}

var (
	byRole = lazyregexp.New(`^internal:role=([a-z]+)\[name="((?:[^"\\]|\\.)*)"[is]\]$`)
	byText = lazyregexp.New(`^internal:text="((?:[^"\\]|\\.)*)"[is]$`)
	byTest = lazyregexp.New(`^internal:testid=\[([\w-]+)="((?:[^"\\]|\\.)*)"[is]?\]$`)
)

// selectors are the ways to find the element, best first.
func (p *parameters) selectors() Selectors {
	var list Selectors
	add := func(chain ...string) { list = append(list, chain) }
	if t := p.Target; t != nil {
		if t.Test != "" {
			add("[" + t.TestA + "=" + quote(t.Test) + "]")
		}
		if t.Role != "" && t.Name != "" && t.only("internal:role=") {
			add("aria/" + t.Name + "[role=" + quote(t.Role) + "]")
		}
		if len(t.Path) > 0 {
			add(t.Path...)
		}
		if t.XPath != "" {
			add("xpath/" + t.XPath)
		}
		if t.Text != "" && len(t.Text) < 60 && t.only("internal:text=") {
			add("text/" + t.Text)
		}
		return list
	}
	last := p.Selector
	if i := strings.LastIndex(last, " >> internal:control=enter-frame >> "); i >= 0 {
		return nil // a flow names frames by their number, which is not known
	}
	switch m := []string(nil); {
	case last == "":
	case byRole.MatchString(last):
		m = byRole.FindStringSubmatch(last)
		add("aria/" + unquote(m[2]) + "[role=" + quote(m[1]) + "]")
	case byText.MatchString(last):
		add("text/" + unquote(byText.FindStringSubmatch(last)[1]))
	case byTest.MatchString(last):
		m = byTest.FindStringSubmatch(last)
		add("[" + m[1] + "=" + quote(unquote(m[2])) + "]")
	case strings.HasPrefix(last, "xpath="):
		add("xpath/" + strings.TrimPrefix(last, "xpath="))
	case !strings.Contains(last, ">>") && !strings.HasPrefix(last, "internal:"):
		add(last)
	}
	return list
}

func unquote(s string) string {
	var out string
	if json.Unmarshal([]byte(`"`+s+`"`), &out) != nil {
		return s
	}
	return out
}
