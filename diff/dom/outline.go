package dom

import (
	"context"
	"errors"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// Outline returns what a person who cannot see a page is told of it: a line
// for each element with a role, "button \"Save\"", in the order of the page.
// Roles and names are those that the snapshot's elements and attributes give;
// what style sheets hide is not known.
func (p *Pages) Outline(ctx context.Context, at trace.Position) ([]string, error) {
	visits := maxVisits - maxOutline
	o := &outliner{v: visitor{ctx, p, &visits}, labels: map[string]string{}, byID: map[string]*ref{}}
	root, err := o.v.root(at)
	if root == nil || err != nil {
		return nil, err
	}
	if err := o.collect(root, 0); err != nil && !errors.Is(err, errTooLarge) {
		return nil, err
	}
	err = o.walk(root, 0)
	if errors.Is(err, errTooLarge) {
		err = nil
	}
	return o.lines, err
}

// maxOutline is how many nodes of a page are gone over for its outline, which
// takes longer than comparing hashes.
const maxOutline = 1 << 17

type outliner struct {
	v      visitor
	labels map[string]string // of fields, by id
	byID   map[string]*ref
	lines  []string
}

type attributes map[string]string

func (o *outliner) attributes(r *ref) attributes {
	list := o.v.p.attributes(r.name(), r.attrs())
	m := make(attributes, len(list))
	for _, a := range list {
		m[a.Name] = a.Value
	}
	return m
}

func (a attributes) has(name string) bool { _, ok := a[name]; return ok }

// collect learns what labels say and which element has which id.
func (o *outliner) collect(r *ref, deep int) error {
	if r.isText() {
		return nil
	}
	a := o.attributes(r)
	if id := a["id"]; id != "" && o.byID[id] == nil {
		o.byID[id] = r
	}
	if r.name() == "label" && a["for"] != "" {
		o.labels[a["for"]] = strings.TrimSpace(textIn(o.v, r, 0))
	}
	return o.each(r, deep, o.collect)
}

func (o *outliner) each(r *ref, deep int, do func(*ref, int) error) error {
	if deep > maxDeep {
		return errTooLarge
	}
	list, err := o.v.children(r)
	if err != nil {
		return err
	}
	for _, c := range list {
		if err := do(c, deep+1); err != nil {
			return err
		}
	}
	return nil
}

// roles are those of elements that have one by themselves.
var roles = map[string]string{"a": "link", "area": "link", "article": "article", "aside": "complementary", "button": "button", "dialog": "dialog",
	"fieldset": "group", "figure": "figure", "footer": "contentinfo", "form": "form", "h1": "heading", "h2": "heading", "h3": "heading",
	"h4": "heading", "h5": "heading", "h6": "heading", "header": "banner", "hr": "separator", "img": "img", "input": "textbox",
	"li": "listitem", "main": "main", "menu": "list", "meter": "meter", "nav": "navigation", "ol": "list", "option": "option",
	"output": "status", "p": "paragraph", "progress": "progressbar", "search": "search", "section": "region", "select": "combobox",
	"summary": "button", "table": "table", "tbody": "rowgroup", "td": "cell", "textarea": "textbox", "th": "columnheader", "tr": "row", "ul": "list"}

var inputRoles = map[string]string{"button": "button", "submit": "button", "reset": "button", "image": "button", "checkbox": "checkbox",
	"radio": "radio", "range": "slider", "number": "spinbutton", "search": "searchbox", "hidden": "", "file": "button", "color": "color"}

func (o *outliner) walk(r *ref, deep int) error {
	if r.isText() {
		return nil
	}
	a, name := o.attributes(r), r.name()
	switch {
	case name == "head" || name == "style" || name == "script" || name == "noscript" || a.has("hidden") || a["aria-hidden"] == "true" || a.has("inert"):
		return nil
	case name == "template" && !a.has("__playwright_shadow_root_"), strings.Contains(strings.ReplaceAll(a["style"], " ", ""), "display:none"):
		return nil
	}
	role := roleOf(name, a)
	if role != "" {
		if line := o.line(role, name, r, a); line != "" {
			o.lines = append(o.lines, line)
		}
	}
	return o.each(r, deep, o.walk)
}

func roleOf(name string, a attributes) string {
	if words := strings.Fields(a["role"]); len(words) > 0 {
		if words[0] == "none" || words[0] == "presentation" {
			return ""
		}
		return words[0]
	}
	switch name {
	case "a", "area":
		if !a.has("href") {
			return ""
		}
	case "input":
		if role, ok := inputRoles[strings.ToLower(a["type"])]; ok {
			return role
		}
	case "img":
		if a.has("alt") && a["alt"] == "" {
			return ""
		}
	case "section", "form":
		if a["aria-label"] == "" && a["aria-labelledby"] == "" {
			return ""
		}
	case "select":
		if a.has("multiple") {
			return "listbox"
		}
	}
	return roles[name]
}

// named are roles that take their name from what they hold.
var named = map[string]bool{"link": true, "button": true, "heading": true, "option": true, "cell": true, "columnheader": true, "rowheader": true,
	"tab": true, "menuitem": true, "checkbox": true, "radio": true, "switch": true, "treeitem": true, "tooltip": true, "status": true, "alert": true}

// states are attributes that a person is told of.
var states = []string{"aria-checked", "aria-expanded", "aria-selected", "aria-pressed", "aria-disabled", "aria-current", "aria-invalid", "aria-required"}

func (o *outliner) line(role, name string, r *ref, a attributes) string {
	line := role
	if called := o.called(role, name, r, a); called != "" {
		line += " " + `"` + clip(called) + `"`
	}
	if role == "heading" {
		level := a["aria-level"]
		if level == "" && len(name) == 2 {
			level = name[1:]
		}
		line += " [level=" + level + "]"
	}
	for _, s := range states {
		if v := a[s]; v != "" && v != "false" {
			line += " [" + strings.TrimPrefix(s, "aria-") + "=" + v + "]"
		}
	}
	if a.has("disabled") {
		line += " [disabled]"
	}
	if a["__playwright_checked_"] == "true" {
		line += " [checked]"
	}
	return line
}

// called is the accessible name of an element.
func (o *outliner) called(role, name string, r *ref, a attributes) string {
	var parts []string
	for _, id := range strings.Fields(a["aria-labelledby"]) {
		if e := o.byID[id]; e != nil {
			parts = append(parts, strings.TrimSpace(textIn(o.v, e, 0)))
		}
	}
	candidates := []string{strings.Join(parts, " "), a["aria-label"]}
	switch {
	case name == "img" || name == "area":
		candidates = append(candidates, a["alt"])
	case name == "input" && (role == "button"):
		candidates = append(candidates, a["value"], a["alt"])
	case name == "input" || name == "select" || name == "textarea":
		candidates = append(candidates, o.labels[a["id"]], a["placeholder"])
	}
	if named[role] {
		candidates = append(candidates, strings.TrimSpace(textIn(o.v, r, 0)))
	}
	for _, c := range append(candidates, a["title"]) {
		if c = strings.TrimSpace(c); c != "" {
			return c
		}
	}
	return ""
}
