package locator

import (
	"errors"
	"fmt"
	"strings"
)

// Language is a programming language for which Playwright has bindings, by the name traces use.
type Language string

// The languages locator code is written in.
const (
	JavaScript Language = "javascript"
	Python     Language = "python"
	Java       Language = "java"
	CSharp     Language = "csharp"
)

// Format shows a selector as locator code, just as Playwright's viewer shows it:
// getByRole('button', { name: 'Save' }).first(). A selector that cannot be shown so comes back as it is.
// A language that is not known is taken for JavaScript.
func Format(selector string, lang Language) string {
	s, err := Parse(selector)
	if err != nil {
		return selector
	}
	return s.format(selector, lang)
}

// Describe is Format, except that an element with a name of its own (locator.describe) is shown by it.
func Describe(selector string, lang Language) string {
	s, err := Parse(selector)
	if err != nil {
		return selector
	}
	if d := s.Description(); d != "" {
		return d
	}
	return s.format(selector, lang)
}

func (s Selector) format(selector string, lang Language) string {
	code, err := s.Code(lang)
	if err != nil {
		return selector
	}
	return code
}

// Code writes the selector as locator code without the page before it. The error names the part whose body
// cannot be read.
func (s Selector) Code(lang Language) (string, error) {
	f := formatter{dialect: dialects[lang]}
	if f.dialect == nil {
		f.dialect = dialects[JavaScript]
	}
	return f.chain(s)
}

// receiver is what a method is called on; Java names its options after it.
type receiver string

const (
	onPage    receiver = "Page"
	onLocator receiver = "Locator"
	onFrame   receiver = "FrameLocator"
)

// dialect writes single calls in one language.
type dialect interface {
	locator(body string) string
	nested(method, inner string) string // locator, and, or: given another locator
	nth(index string) string            // "0" is the first, "-1" the last
	visible(on receiver, visible bool) string
	frame(any bool) string // step into the frame found so far, or into any
	role(on receiver, role string, options []option) string
	testID(t Text) string
	by(on receiver, method string, t Text) string       // getByText, getByLabel …
	filterText(on receiver, name string, t Text) string // hasText, hasNotText
	filterInner(on receiver, name, inner string) string // has, hasNot
}

var dialects = map[Language]dialect{
	JavaScript: javaScript{literals{'\'', "true", "false", javaScriptRegexp}},
	Python:     python{literals{'"', "True", "False", pythonRegexp}},
	Java:       java{literals{'"', "true", "false", javaRegexp}},
	CSharp:     cSharp{literals{'"', "true", "false", cSharpRegexp}},
}

// option is a named argument of getByRole, named as in JavaScript.
type option struct {
	name  string
	value Value
}

type formatter struct{ dialect dialect }

func (f formatter) chain(s Selector) (string, error) {
	var calls []string
	on := onPage
	for i, p := range s.Parts {
		if p.Engine == EngineDescribe {
			on = onLocator
			continue
		}
		if p.Engine == EngineControl && p.Body == EnterFrame && len(calls) == 0 {
			return "", errors.New("no frame element to enter")
		}
		call, err := f.call(s, i, on)
		if err != nil {
			return "", err
		}
		calls = append(calls, call)
		on = onLocator
		if p.entersFrame() {
			on = onFrame
		}
	}
	if len(calls) == 0 {
		return "", errors.New("selector has no locator code")
	}
	return strings.Join(calls, "."), nil
}

func (f formatter) call(s Selector, i int, on receiver) (string, error) {
	p := s.Parts[i]
	switch p.Engine {
	case EngineNth:
		return f.dialect.nth(p.Body), nil
	case EngineVisible:
		return f.dialect.visible(on, p.Body == "true"), nil
	case EngineControl:
		return f.control(p), nil
	case EngineRole:
		return f.role(p, on)
	case EngineTestID, EngineAttr:
		return f.attribute(p, on)
	case EngineByText, EngineLabel, EngineHasText, EngineHasNotText:
		return f.text(p, on)
	case EngineHas, EngineHasNot, EngineAnd, EngineOr, EngineChain:
		inner, err := s.InnerOf(i)
		if err != nil {
			return "", err
		}
		code, err := f.chain(inner)
		return f.nested(p.Engine, on, code), err
	}
	return f.locator(p), nil
}

func (f formatter) locator(p Part) string {
	p.Capture = false
	switch {
	case p.Engine == EngineCSSLight:
		return f.dialect.locator(":light(" + p.Body + ")")
	case p.Engine == EngineCSS,
		p.Engine == EngineXPath && (strings.HasPrefix(p.Body, "//") || strings.HasPrefix(p.Body, "..")):
		return f.dialect.locator(p.Body)
	case p.Engine == EngineText:
		return f.dialect.locator(p.canonical())
	}
	return f.dialect.locator(p.Engine + "=" + p.Body)
}

func (f formatter) nested(engine string, on receiver, code string) string {
	switch engine {
	case EngineHas:
		return f.dialect.filterInner(on, "has", code)
	case EngineHasNot:
		return f.dialect.filterInner(on, "hasNot", code)
	case EngineAnd:
		return f.dialect.nested("and", code)
	case EngineOr:
		return f.dialect.nested("or", code)
	}
	return f.dialect.nested("locator", code)
}

func (f formatter) control(p Part) string {
	if p.entersFrame() {
		return f.dialect.frame(p.Body == AnyFrame)
	}
	return f.locator(p)
}

func (p Part) entersFrame() bool {
	return p.Engine == EngineControl && (p.Body == EnterFrame || p.Body == AnyFrame)
}

func (f formatter) text(p Part, on receiver) (string, error) {
	t, err := p.Text()
	if err != nil {
		return "", err
	}
	switch p.Engine {
	case EngineByText:
		return f.dialect.by(on, "getByText", t), nil
	case EngineLabel:
		return f.dialect.by(on, "getByLabel", t), nil
	}
	if t.Exact {
		return f.locator(p), nil // filters have no exact form
	}
	if p.Engine == EngineHasText {
		return f.dialect.filterText(on, "hasText", t), nil
	}
	return f.dialect.filterText(on, "hasNotText", t), nil
}

var attributeMethods = map[string]string{
	"placeholder": "getByPlaceholder", "alt": "getByAltText", "title": "getByTitle",
}

func (f formatter) attribute(p Part, on receiver) (string, error) {
	body, err := p.Attributes()
	if err != nil {
		return "", err
	}
	if len(body.Conditions) == 0 {
		return "", fmt.Errorf("%s body %q names no attribute", p.Engine, clip(p.Body))
	}
	a := body.Conditions[0]
	t, ok := a.text()
	if !ok {
		return f.locator(p), nil
	}
	if p.Engine == EngineTestID {
		return f.dialect.testID(t), nil
	}
	if method := attributeMethods[a.Name()]; method != "" {
		return f.dialect.by(on, method, t), nil
	}
	return f.locator(p), nil
}

// text reads an attribute's value as a text to look for.
func (a Attribute) text() (Text, bool) {
	switch a.Value.Kind {
	case StringValue:
		return Text{String: a.Value.String, Exact: !a.IgnoreCase}, true
	case RegexpValue:
		return Text{Regexp: &a.Value.Regexp}, true
	}
	return Text{}, false
}
