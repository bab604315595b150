package diff

import (
	"bytes"
	"encoding/json"
	"net/url"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/locator"
	"github.com/tracedeck/tracedeck/trace/title"
)

// Step is one step of a trace: a call, a group, or a step of the test.
type Step struct {
	CallID string     `json:"callId"`
	Title  string     `json:"title"` // as it is shown: Click getByRole('button', { name: 'Save' })
	Path   []string   `json:"path"`  // titles of the groups and steps around it, the outermost first
	Start  trace.Time `json:"start"` // milliseconds on the clock of its trace
	End    trace.Time `json:"end"`
	Failed bool       `json:"failed,omitempty"`

	action  *trace.Action
	method  string // in lower case, without the recorder's prefix
	target  string // the normalised locator, or the address's path
	params  map[string]string
	key     string // what pairs it with a step of the other trace
	exact   string // the key and the parameters
	raw     map[string]string
	depth   int
	visible bool
	bag     map[string]bool
}

// Action returns the action of the trace that the step is.
func (s *Step) Action() *trace.Action { return s.action }

// steps returns the steps of a trace in the order of its tree.
func (m *Masks) steps(t *trace.Trace, o *Options) []*Step {
	var list []*Step
	var path []string
	var walk func(actions []*trace.Action, keys string)
	walk = func(actions []*trace.Action, keys string) {
		for _, a := range actions {
			s := m.step(a, path, keys)
			inner, grown := keys, false
			if s.visible || o.Hidden && a.Kind != trace.KindProtocol {
				list = append(list, s)
				inner, grown = s.key, true
				path = append(path, s.Title)
			}
			if len(path) < maxDepth {
				walk(a.Children, inner)
			}
			if grown {
				path = path[:len(path)-1]
			}
		}
	}
	walk(t.Roots, "")
	return list
}

// maxDepth is how deeply steps may be nested.
const maxDepth = 200

func (m *Masks) step(a *trace.Action, path []string, around string) *Step {
	name := a.Title()
	s := &Step{CallID: a.ID(), Title: strings.TrimSpace(name.Text + " " + name.Detail), Path: append([]string{}, path...), Start: a.Start, End: a.End,
		Failed: a.Error != nil, action: a, method: methodOf(a.Before.Method), depth: len(path)}
	s.visible = a.Kind != trace.KindProtocol && (name.Group == "" || a.Error != nil || a.Kind == trace.KindGroup || strings.HasPrefix(s.method, "evaluate")) &&
		!(a.Kind == trace.KindHook && name.Group == title.Configuration)
	s.raw = paramsOf(a.Before.Params)
	s.target = m.takeTarget(s, a)
	s.params = map[string]string{}
	for k, v := range s.raw {
		masked := m.Field(InStep, k, v)
		if strings.HasPrefix(k, "_") && masked != v { // what the recorder notes: it may be there or not
			continue
		}
		s.params[k] = masked
	}
	s.name(m, a, around)
	return s
}

// name makes the keys. A group or a step of the test is told by its title.
func (s *Step) name(m *Masks, a *trace.Action, around string) {
	b := &strings.Builder{}
	b.WriteString(around)
	b.WriteString("\x00")
	b.WriteString(a.Kind.String())
	b.WriteString("\x01")
	b.WriteString(s.method)
	if a.Kind != trace.KindCall || s.target == "" && a.Before.Title != "" && a.Context.Version >= titled {
		b.WriteString("\x01")
		b.WriteString(m.Text(InMessage, s.Title))
	}
	b.WriteString("\x01")
	b.WriteString(s.target)
	s.key = b.String()
	for _, k := range sortedKeys(s.params) {
		b.WriteString("\x02" + k + "\x03" + s.params[k])
	}
	s.exact = b.String()
}

func sortedKeys[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

// sameMethod are other recorders' names for the methods of Playwright.
var sameMethod = map[string]string{"navigate": "goto", "go": "goto", "type": "type", "pressSequentially": "type", "selectoption": "selectoption",
	"callfunction": "evaluateexpression", "evaluate": "evaluateexpression"}

// methodOf returns a method without what is a recorder's own about its name:
// "vibium:element.click" is "click".
func methodOf(name string) string {
	name = name[strings.LastIndexAny(name, ":.")+1:]
	name = strings.ToLower(name)
	if to, ok := sameMethod[name]; ok {
		return to
	}
	return name
}

// targetParams are the parameters that say what a step is about, besides
// selectors. Vibium has one for each way to find an element.
var targetParams = []string{"role", "text", "label", "placeholder", "testid", "xpath", "alt", "near"}

// takeTarget moves what the step is about out of its parameters.
func (m *Masks) takeTarget(s *Step, a *trace.Action) string {
	var list []string
	for _, k := range []string{"selector", "locator", "source", "target"} {
		if v, ok := s.raw[k]; ok {
			list = append(list, m.normal(a, k, v))
			delete(s.raw, k)
		}
	}
	if strings.HasPrefix(a.Before.Method, "vibium:") {
		for _, k := range targetParams {
			if v, ok := s.raw[k]; ok {
				list = append(list, k+"="+m.Text(InStep, v))
				delete(s.raw, k)
			}
		}
	}
	if v, ok := s.raw["url"]; ok && len(list) == 0 {
		list = append(list, m.pathOf(v))
	}
	if v, ok := s.raw["expression"]; ok {
		list = append(list, m.Text(InStep, v))
	}
	return strings.Join(list, " ")
}

func (m *Masks) normal(a *trace.Action, param, text string) string {
	sel, err := locator.Parse(text)
	if param == "locator" {
		sel, err = locator.FromCode(text, a.Context.TestIDAttribute)
	}
	if err != nil {
		return m.Text(InStep, text)
	}
	return m.Text(InStep, sel.Normalized().String())
}

// pathOf is an address without its host and query, with numbers and ids
// masked.
func (m *Masks) pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" {
		return m.Text(InURL, clip(address, 200))
	}
	parts := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	for i, p := range parts {
		parts[i] = m.Text(InPath, m.Text(InURL, p))
	}
	return "/" + strings.Join(parts, "/")
}

// paramsOf returns the parameters of a call as texts: strings as they are,
// anything else as JSON.
func paramsOf(params json.RawMessage) map[string]string {
	var all map[string]json.RawMessage
	if len(params) == 0 || json.Unmarshal(params, &all) != nil {
		return map[string]string{}
	}
	list := make(map[string]string, len(all))
	for k, v := range all {
		var text string
		if json.Unmarshal(v, &text) == nil && !bytes.Equal(v, []byte("null")) {
			list[k] = text
			continue
		}
		list[k] = plainValue(v)
	}
	return list
}

// plainValue shows a value; the protocol's wrapping of arguments is taken off.
func plainValue(v json.RawMessage) string {
	var wrapped struct {
		Value   map[string]json.RawMessage `json:"value"`
		Handles []json.RawMessage          `json:"handles"`
	}
	if json.Unmarshal(v, &wrapped) == nil && len(wrapped.Value) == 1 && wrapped.Handles != nil {
		for _, inner := range wrapped.Value {
			v = inner
		}
	}
	return canonical(v)
}

// canonical is JSON with the members of objects in the order of their names, as their own order means nothing.
func canonical(v json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	var value any
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if d.Decode(&value) != nil || e.Encode(value) != nil {
		return string(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
