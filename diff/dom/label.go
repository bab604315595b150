package dom

import (
	"fmt"
	"strings"
)

// maxShown is how many bytes of a text are shown.
const maxShown = 300

func clip(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "…"
}

// label names an element as a selector would: "button#save.primary".
func (c *comparison) label(v visitor, r *ref) string {
	if r.isText() {
		return "#text"
	}
	name := r.name()
	for _, a := range v.p.attributes(name, r.attrs()) {
		switch a.Name {
		case "id":
			name += "#" + a.Value
		case "class":
			if list := strings.Fields(a.Value); len(list) > 0 {
				name += "." + strings.Join(list[:min(len(list), 2)], ".")
			}
		}
	}
	return clip(name)
}

// shown is what a node that only one page has looks like: its beginning as
// HTML, and its text.
func (c *comparison) shown(v visitor, r *ref) string {
	if r.isText() {
		return clip(r.text())
	}
	var b strings.Builder
	b.WriteString("<" + r.name())
	for _, a := range v.p.attributes(r.name(), r.attrs()) {
		fmt.Fprintf(&b, " %s=%q", shownName(a.Name), a.Value)
		if b.Len() > maxShown {
			break
		}
	}
	b.WriteString(">")
	text := textIn(v, r, 0)
	return clip(b.String() + strings.TrimSpace(text))
}

// textIn returns the beginning of the text below a node.
func textIn(v visitor, r *ref, deep int) string {
	if r.isText() {
		return r.text() + " "
	}
	if name := r.name(); deep > 50 || name == "style" || name == "script" {
		return ""
	}
	var b strings.Builder
	list, err := v.children(r)
	for _, c := range list {
		if b.Len() > maxShown || err != nil {
			break
		}
		b.WriteString(textIn(v, c, deep+1))
	}
	return b.String()
}

// shownNames are names for what recorders note of fields.
var shownNames = map[string]string{"__playwright_value_": "value", "__playwright_checked_": "checked", "__playwright_selected_": "selected",
	"__playwright_popover_open_": "popover open", "__playwright_shadow_root_": "shadow root",
	"__playwright_style_sheet_": "style sheet"}

func shownName(name string) string {
	if s, ok := shownNames[name]; ok {
		return s
	}
	return name
}

// Lines returns the tree as lines of text, two blanks a level: "~ p#total",
// "  - 3 items", "  + 4 items".
func (n *Node) Lines() []string {
	var list []string
	n.lines(&list, "")
	return list
}

var signs = map[Kind]string{Same: " ", Changed: "~", Added: "+", Removed: "-", Moved: ">"}

func (n *Node) lines(list *[]string, indent string) {
	add := func(sign, text string) { *list = append(*list, indent+sign+" "+text) }
	switch {
	case n.Name == "#text" && n.Kind == Changed:
		add("-", n.A)
		add("+", n.B)
	case n.Kind == Added:
		add("+", n.B)
	case n.Kind == Removed:
		add("-", n.A)
	case n.A != "" || n.B != "":
		add("-", n.A)
		add("+", n.B)
	default:
		add(signs[n.Kind], n.Name)
	}
	for _, a := range n.Attributes {
		*list = append(*list, indent+"  "+a.line())
	}
	for _, c := range n.Children {
		c.lines(list, indent+"  ")
	}
}

func (a AttributeChange) line() string {
	switch a.Kind {
	case Added:
		return fmt.Sprintf("+ %s=%q", a.Name, a.B)
	case Removed:
		return fmt.Sprintf("- %s=%q", a.Name, a.A)
	}
	return fmt.Sprintf("~ %s: %q → %q", a.Name, a.A, a.B)
}
