package locator

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// DefaultTestIDAttribute is the attribute getByTestId looks at unless a test says otherwise.
const DefaultTestIDAttribute = "data-testid"

// FromCode reads locator code as people paste it and gives the selector it makes:
//
//	page.getByRole('button', { name: 'Save' }).first()
//	await expect(page.locator('#a').contentFrame().getByText(/done/i)).toBeVisible();
//	page.get_by_label("Name", exact=True).fill("Ada")
//
// It reads JavaScript, Python, Java and C#. What comes before the first locator call (page, this.page) and
// the call made on the locator at the end (click, toBeVisible) are left out. A plain selector is taken as
// one. testIDAttribute is what getByTestId looks at; empty is DefaultTestIDAttribute. The error says what
// could not be read; it wraps ErrTooLong for code longer than MaxLength.
func FromCode(code, testIDAttribute string) (Selector, error) {
	if len(code) > MaxLength {
		return Selector{}, fmt.Errorf("locator code of %d bytes: %w", len(code), ErrTooLong)
	}
	if testIDAttribute == "" {
		testIDAttribute = DefaultTestIDAttribute
	}
	s, err := fromCode(code, testIDAttribute)
	if err == nil {
		return s, nil
	}
	if plain, plainErr := Parse(code); plainErr == nil {
		return plain, nil
	}
	return Selector{}, fmt.Errorf("locator code %q: %w", clip(code), err)
}

func fromCode(code, testIDAttribute string) (Selector, error) {
	tokens, err := codeTokens(code)
	if err != nil {
		return Selector{}, err
	}
	r := codeReader{tokens: tokens}
	calls, err := r.statement()
	if err != nil {
		return Selector{}, err
	}
	text, err := codeBuilder{testIDAttribute}.selector(calls)
	if err != nil {
		return Selector{}, err
	}
	return Parse(text)
}

// statement reads a whole line: an assignment's right side, a chain, a semicolon.
func (r *codeReader) statement() ([]codeCall, error) {
	if i := slices.IndexFunc(r.tokens, func(t codeToken) bool {
		return t.kind == codePunct && (t.text == "=" || t.text == "(")
	}); i > 0 && r.tokens[i].text == "=" {
		r.pos = i + 1
	}
	calls, err := r.chain()
	if err != nil {
		return nil, err
	}
	r.eat(";")
	if r.pos < len(r.tokens) {
		return nil, r.unexpected()
	}
	if !slices.ContainsFunc(calls, func(c codeCall) bool { return c.called }) {
		return nil, errNoCode
	}
	return calls, nil
}

type codeBuilder struct{ testIDAttribute string }

// steps that belong to a chain of locators; anything else before them is the page, anything after is what is
// done with the element.
type codeStep func(b codeBuilder, c codeCall) ([]string, error)

var codeSteps map[string]codeStep

func init() {
	by := func(engine string) codeStep {
		return func(_ codeBuilder, c codeCall) ([]string, error) { return byText(engine, c) }
	}
	attr := func(name string) codeStep {
		return func(_ codeBuilder, c codeCall) ([]string, error) { return byAttribute(name, c) }
	}
	codeSteps = map[string]codeStep{
		"locator": codeBuilder.locator, "framelocator": codeBuilder.frameLocator, "getbyrole": codeBuilder.role,
		"getbytestid": codeBuilder.testID, "getbytext": by(EngineByText), "getbylabel": by(EngineLabel),
		"getbyplaceholder": attr("placeholder"), "getbyalttext": attr("alt"), "getbytitle": attr("title"),
		"filter": codeBuilder.filter, "and": codeBuilder.nested, "or": codeBuilder.nested,
		"describe": codeBuilder.describe, "nth": codeBuilder.nth,
		"first":        fixed(EngineNth + "=0"),
		"last":         fixed(EngineNth + "=-1"),
		"visible":      fixed(EngineVisible + "=true"),
		"contentframe": fixed(EngineControl + "=" + EnterFrame),
	}
}

func fixed(part string) codeStep {
	return func(codeBuilder, codeCall) ([]string, error) { return []string{part}, nil }
}

// oldCalls act on a selector given to the page itself.
var oldCalls = strings.Fields(`click dblclick fill type press check uncheck hover tap focus blur selectoption
	setinputfiles textcontent innertext innerhtml inputvalue getattribute isvisible ishidden isenabled isdisabled
	ischecked iseditable waitforselector dispatchevent evalonselector queryselector queryselectorall $ $$ $eval $$eval`)

// selector turns calls into the parts of a selector, joined.
func (b codeBuilder) selector(calls []codeCall) (string, error) {
	parts, err := b.parts(calls)
	if err != nil {
		return "", err
	}
	if len(parts) == 0 {
		return "", errors.New("holds no locator")
	}
	return strings.Join(parts, " >> "), nil
}

func (b codeBuilder) parts(calls []codeCall) ([]string, error) {
	var parts []string
	for _, c := range calls {
		step := codeSteps[c.name]
		switch {
		case step == nil && len(parts) > 0 && c.name == "owner":
			parts = leaveFrame(parts)
			continue
		case step == nil && len(parts) > 0:
			return parts, nil
		case step == nil:
			if found, err := b.beforeLocator(c); found != nil || err != nil {
				return found, err
			}
			continue
		}
		more, err := step(b, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		parts = appendParts(parts, more)
	}
	return parts, nil
}

const enterFramePart = EngineControl + "=" + EnterFrame

// appendParts keeps a position that is asked of a frame before the step into it: frameLocator('a').first().
func appendParts(parts, more []string) []string {
	last := len(parts) - 1
	if last > 0 && parts[last] == enterFramePart && strings.HasPrefix(more[0], EngineNth+"=") {
		return append(append(parts[:last:last], more...), enterFramePart)
	}
	return append(parts, more...)
}

func leaveFrame(parts []string) []string {
	if last := len(parts) - 1; parts[last] == enterFramePart {
		return parts[:last]
	}
	return parts
}

// beforeLocator finds the locator inside expect(…), or the selector given to an old call such as
// page.click('#a').
func (b codeBuilder) beforeLocator(c codeCall) ([]string, error) {
	if !c.called || len(c.args) == 0 {
		return nil, nil
	}
	switch a := c.args[0]; {
	case a.kind == codeChain && (c.name == "expect" || c.name == "assertthat"):
		return b.parts(a.chain)
	case a.kind == codeText && slices.Contains(oldCalls, c.name):
		return []string{a.text}, nil
	}
	return nil, nil
}
