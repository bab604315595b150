package codegen

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
	"github.com/tracedeck/tracedeck/trace/locator"
)

// Element names an element of a page by a selector as traces hold them. The
// zero value is none.
type Element struct {
	Selector string
	FrameURL string // of the child frame to look in; "" is the main one
}

// Some reports whether an element is named.
func (e Element) Some() bool { return e.Selector != "" }

// target is how tracedeck's recorder describes an element.
type target struct {
	Selectors       []string          `json:"selectors"`
	Tag             string            `json:"tag"`
	TestIDAttribute string            `json:"testIdAttribute"`
	TestID          string            `json:"testId"`
	Role            string            `json:"role"`
	Name            string            `json:"name"`
	Label           string            `json:"label"`
	Text            string            `json:"text"`
	ID              string            `json:"id"`
	Generated       bool              `json:"generatedId"`
	CSS             string            `json:"css"`
	Attributes      map[string]string `json:"attributes"`
}

func targetOf(p params) *target {
	raw, ok := p["_target"]
	if !ok {
		return nil
	}
	var t target
	if json.Unmarshal(raw, &t) != nil {
		return nil
	}
	return &t
}

// rank is the place of a selector in the order test id, role and name, label,
// text, id, CSS. A selector is ranked by the link that finds the element.
func rank(selector string) int {
	s, err := locator.Parse(selector)
	if err != nil || len(s.Parts) == 0 {
		return 99
	}
	last, at := s.Parts[len(s.Parts)-1], 0
	if last.Engine == locator.EngineNth && len(s.Parts) > 1 {
		last, at = s.Parts[len(s.Parts)-2], 10
	}
	switch last.Engine {
	case locator.EngineTestID:
		return at
	case locator.EngineRole:
		if strings.Contains(last.Body, "name=") {
			return at + 1
		}
	case locator.EngineLabel:
		return at + 2
	case locator.EngineByText, locator.EngineText, locator.EngineAttr:
		return at + 3
	case locator.EngineCSS:
		if plainID.MatchString(last.Body) {
			return at + 4
		}
	}
	return at + 5
}

var plainID = lazyregexp.New(`^#[A-Za-z_][\w-]*$`)

// bestSelector chooses among the ways in which a recorder described an element.
// Those in the list are known to mean this element and no other; the recorded
// selector is one of them.
func bestSelector(recorded string, t *target) string {
	if t == nil {
		return recorded
	}
	best, way := recorded, ""
	if i := strings.LastIndex(recorded, enterFrame); i >= 0 {
		way = recorded[:i+len(enterFrame)]
	}
	if best == "" {
		best = t.described()
	}
	for _, s := range t.Selectors {
		if rank(s) < rank(strings.TrimPrefix(best, way)) {
			best = way + s
		}
	}
	return best
}

const enterFrame = " >> internal:control=enter-frame >> "

// described makes a selector of a description that has none.
func (t *target) described() string {
	switch {
	case t.TestID != "":
		return testIDSelector(orDefault(t.TestIDAttribute, locator.DefaultTestIDAttribute), t.TestID)
	case t.Role != "" && t.Name != "":
		return roleSelector(t.Role, t.Name)
	case t.Label != "":
		return "internal:label=" + quoted(t.Label) + "s"
	case t.Text != "" && len(t.Text) <= 80:
		return textSelector(t.Text)
	case t.ID != "" && !t.Generated:
		return idSelector(t.ID)
	}
	return t.CSS
}

func testIDSelector(attribute, id string) string {
	return "internal:testid=[" + attribute + "=" + quoted(id) + "s]"
}
func roleSelector(role, name string) string {
	return "internal:role=" + role + "[name=" + quoted(name) + "s]"
}
func textSelector(text string) string { return "internal:text=" + quoted(text) + "s" }

func idSelector(id string) string {
	if plainID.MatchString("#" + id) {
		return "#" + id
	}
	return "[id=" + quoted(id) + "]"
}

// quoted is a text in double quotes as selectors have it.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return strconv.Quote(s)
	}
	s = string(b)
	for _, r := range [][2]string{{`\u003c`, "<"}, {`\u003e`, ">"}, {`\u0026`, "&"}} {
		s = strings.ReplaceAll(s, r[0], r[1])
	}
	return s
}

func orDefault(s, or string) string {
	if s == "" {
		return or
	}
	return s
}

// vibiumSelector makes a selector of the ways in which Vibium names elements.
func vibiumSelector(p params) string {
	role, text := p.text("role"), p.text("text")
	switch {
	case p.text("selector") != "":
		return p.text("selector")
	case p.text("testid") != "":
		return testIDSelector(locator.DefaultTestIDAttribute, p.text("testid"))
	case role != "" && text != "":
		return "internal:role=" + role + "[name=" + quoted(text) + "i]"
	case role != "":
		return "internal:role=" + role
	case p.text("label") != "":
		return "internal:label=" + quoted(p.text("label")) + "i"
	case text != "":
		return "internal:text=" + quoted(text) + "i"
	case p.text("xpath") != "":
		return "xpath=" + p.text("xpath")
	}
	for _, name := range []string{"placeholder", "alt", "title"} {
		if v := p.text(name); v != "" {
			return "internal:attr=[" + name + "=" + quoted(v) + "i]"
		}
	}
	return ""
}
