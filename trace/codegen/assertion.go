package codegen

import (
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// Assertion is one that the recorded test made itself.
type Assertion struct {
	Method  string // of Playwright's expect, such as "toHaveText"
	Not     bool
	Soft    bool
	Args    []Argument
	List    bool // the first argument is a list
	OfPage  bool
	Options []Option
}

// Argument is what something is compared with.
type Argument struct {
	Text   string
	Regexp string // source; "" where Text is meant
	Flags  string
	JSON   string // a value that is no text
}

// assertions are the names that Playwright's protocol has for them.
var assertions = map[string]string{
	"to.be.attached": "toBeAttached", "to.be.checked": "toBeChecked", "to.be.disabled": "toBeDisabled", "to.be.editable": "toBeEditable", "to.be.empty": "toBeEmpty", "to.be.enabled": "toBeEnabled",
	"to.be.focused": "toBeFocused", "to.be.hidden": "toBeHidden", "to.be.visible": "toBeVisible", "to.be.in.viewport": "toBeInViewport", "to.have.text": "toHaveText", "to.have.text.array": "toHaveText",
	"to.contain.text": "toContainText", "to.contain.text.array": "toContainText", "to.have.class": "toHaveClass", "to.have.class.array": "toHaveClass", "to.contain.class": "toContainClass",
	"to.contain.class.array": "toContainClass", "to.have.accessible.name": "toHaveAccessibleName", "to.have.accessible.description": "toHaveAccessibleDescription", "to.have.accessible.error.message": "toHaveAccessibleErrorMessage",
	"to.have.attribute": "toHaveAttribute", "to.have.attribute.value": "toHaveAttribute", "to.have.count": "toHaveCount", "to.have.css": "toHaveCSS", "to.have.id": "toHaveId", "to.have.property": "toHaveJSProperty",
	"to.have.role": "toHaveRole", "to.have.title": "toHaveTitle", "to.have.url": "toHaveURL", "to.have.value": "toHaveValue", "to.have.values": "toHaveValues", "to.match.aria": "toMatchAriaSnapshot",
	"to.be.detached": "toBeAttached", "to.be.readonly": "toBeEditable", "to.be.unchecked": "toBeChecked",
}

// inverted are the names of assertions whose opposite is meant.
var inverted = map[string]bool{"to.be.detached": true, "to.be.readonly": true, "to.be.unchecked": true}

type expectedText struct {
	String         *string
	RegexSource    *string
	RegexFlags     string
	MatchSubstring bool
	IgnoreCase     bool
}

func (r *stepReader) expect(a *trace.Action, p params) *Step {
	expression := p.text("expression")
	method, ok := assertions[expression]
	if !ok {
		return &Step{Verb: NotCarried, Text: "expect " + expression}
	}
	x := &Assertion{Method: method, Not: p.truth("isNot") != inverted[expression], Soft: soft(a), List: strings.HasSuffix(expression, ".array") || method == "toHaveValues"}
	if arg := p.text("expressionArg"); arg != "" {
		x.Args = append(x.Args, Argument{Text: arg})
	}
	x.readTexts(p)
	if p.has("expectedNumber") && method == "toHaveCount" {
		x.Args = append(x.Args, Argument{JSON: number(p.number("expectedNumber"))})
	}
	x.readValue(p)
	step := &Step{Verb: Expect, Assert: x, Target: Element{Selector: p.text("selector")}}
	x.OfPage = !step.Target.Some() || method == "toHaveURL" || method == "toHaveTitle"
	return step
}

func (x *Assertion) readTexts(p params) {
	var texts []expectedText
	if json.Unmarshal(p["expectedText"], &texts) != nil {
		return
	}
	for _, t := range texts {
		switch {
		case t.RegexSource != nil:
			x.Args = append(x.Args, Argument{Regexp: *t.RegexSource, Flags: t.RegexFlags})
		case t.String != nil:
			x.Args = append(x.Args, Argument{Text: *t.String})
		}
		if t.MatchSubstring && x.Method == "toHaveText" {
			x.Method = "toContainText"
		}
		if t.IgnoreCase && len(x.Options) == 0 && t.RegexSource == nil {
			x.Options = []Option{{"ignoreCase", "true"}}
		}
	}
}

// readValue reads what an element's property or state is compared with.
func (x *Assertion) readValue(p params) {
	var v struct{ Value json.RawMessage }
	if json.Unmarshal(p["expectedValue"], &v) != nil {
		return
	}
	value, ok := serialised(v.Value)
	switch {
	case !ok || value == "" || value == "undefined":
	case x.Method == "toHaveJSProperty":
		x.Args = append(x.Args, Argument{JSON: value})
	case x.Method == "toMatchAriaSnapshot":
		var s struct{ S string }
		if json.Unmarshal(v.Value, &s) == nil {
			x.Args = append(x.Args, Argument{Text: s.S})
		}
	case x.Method == "toBeChecked" && strings.Contains(value, "false"):
		x.Options = append(x.Options, Option{"checked", "false"})
	}
}

// soft reports whether a failure of the assertion let the test go on.
func soft(a *trace.Action) bool {
	return strings.Contains(a.Before.Title, `"soft `) || a.Runner != nil && strings.Contains(a.Runner.Title, `"soft `)
}
