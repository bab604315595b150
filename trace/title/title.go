// Package title says in a few words what an action of a trace did: Click getByRole('button', { name: 'Save' }).
//
// The texts are those of Playwright's trace viewer, for the methods of every release; those of Vibium and of
// WebDriver BiDi are added.
package title

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/trace/locator"
)

// Call is what a trace tells of an action's call, by the names of the format.
type Call struct {
	Class    string // "Frame"
	Method   string // "click"
	Title    string // the action's own title; empty if it has none
	Subtitle string // likewise
	Group    string // likewise
	Params   json.RawMessage
	// Language is the context's sdkLanguage, in which selectors are shown; empty is JavaScript.
	Language locator.Language
}

// Title is what to show for an action.
type Title struct {
	Text   string // what was done: Fill "Ada"
	Detail string // to what: an element as locator code, or an address; may be empty
	Group  Group
	Phases Phases
}

// String is text and detail on one line.
func (t Title) String() string {
	if t.Detail == "" {
		return t.Text
	}
	return t.Text + " " + t.Detail
}

// Of puts a call into words. Parameters that are missing stay in braces in the text and make the detail
// empty; line ends show as \n. A method nobody knows is shown as class.method.
func Of(c Call) Title {
	m, known := Lookup(c.Class, c.Method)
	t := Title{Group: cmp.Or(Group(c.Group), m.Group), Phases: m.Phases}
	p := params{raw: c.Params, language: c.Language, vibium: strings.HasPrefix(c.Method, "vibium:")}
	t.Text = c.Title
	if t.Text == "" {
		t.Text = m.Title
	}
	if t.Text != "" {
		t.Text, _ = p.fill(t.Text)
	} else {
		t.Text = fallback(c)
	}
	subtitle := c.Subtitle
	if subtitle == "" && known {
		subtitle = m.Subtitle
	}
	if detail, complete := p.fill(subtitle); complete {
		t.Detail = detail
	}
	return t
}

// fallback names a call that has no title: as its recorder would have, or by class and method.
func fallback(c Call) string {
	name, vibium := strings.CutPrefix(c.Method, "vibium:")
	switch {
	case c.Method == "":
		return c.Class
	case vibium && name != "":
		return vibiumTitle(name)
	case c.Class == "BiDi" || c.Class == "":
		return c.Method
	}
	return c.Class + "." + c.Method
}

var vibiumClasses = map[string]string{
	"el": "Element", "element": "Element", "page": "Page", "browser": "Browser", "context": "BrowserContext",
	"keyboard": "Page.keyboard", "mouse": "Page.mouse", "touch": "Page.touch", "network": "Network",
	"dialog": "Dialog", "clock": "Clock", "download": "Download",
}

// vibiumTitle follows Vibium's own rule from method to title.
func vibiumTitle(name string) string {
	prefix, rest, dotted := strings.Cut(name, ".")
	if class := vibiumClasses[prefix]; dotted && class != "" {
		return class + "." + rest
	}
	if name == "find" || name == "findAll" {
		return "Page." + name
	}
	if _, known := methods()["Vibium."+name]; known && !dotted {
		return "Element." + name
	}
	return name
}
