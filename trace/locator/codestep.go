package locator

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var errNoText = errors.New("text is only known when it runs")

// first is the first argument, as a text or a regular expression.
func (c codeCall) first() (codeValue, error) {
	if len(c.args) == 0 || c.args[0].kind != codeText && c.args[0].kind != codePattern {
		return codeValue{}, errNoText
	}
	return c.args[0], nil
}

func (c codeCall) options() []namedValue {
	for _, a := range c.args {
		if a.kind == codeOptions {
			return a.named
		}
	}
	return nil
}

func (c codeCall) exact() bool {
	for _, o := range c.options() {
		if o.name == "exact" {
			return o.value.truth
		}
	}
	return false
}

func suffix(exact bool) string {
	if exact {
		return "s"
	}
	return "i"
}

// textBody and attributeBody write a text as the two kinds of engines want it.
func textBody(v codeValue, exact bool) string {
	if v.kind == codePattern {
		return v.re.escaped()
	}
	return quoteJSON(v.text) + suffix(exact)
}

func attributeBody(v codeValue, exact bool) string {
	if v.kind == codePattern {
		return v.re.escaped()
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v.text) + `"` + suffix(exact)
}

// escaped writes the regular expression so that the chain around it can still be cut at ">>" and quotes.
func (r Regexp) escaped() string {
	// With these flags a needless backslash is an error; a code is none.
	strict := strings.ContainsAny(r.Flags, "uv")
	var b strings.Builder
	b.WriteByte('/')
	for i := 0; i < len(r.Source); i++ {
		switch c := r.Source[i]; {
		case c == '\\' && i+1 < len(r.Source):
			i++
			b.WriteString(r.Source[i-1 : i+1])
		case c != '"' && c != '\'' && c != '`' && !strings.HasPrefix(r.Source[i:], ">>"):
			b.WriteByte(c)
		case strict:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c == '>':
			i++
			b.WriteString(`\>\>`)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String() + "/" + r.Flags
}

func byText(engine string, c codeCall) ([]string, error) {
	v, err := c.first()
	if err != nil {
		return nil, err
	}
	return []string{engine + "=" + textBody(v, c.exact())}, nil
}

func byAttribute(name string, c codeCall) ([]string, error) {
	v, err := c.first()
	if err != nil {
		return nil, err
	}
	return []string{EngineAttr + "=[" + name + "=" + attributeBody(v, c.exact()) + "]"}, nil
}

func (b codeBuilder) testID(c codeCall) ([]string, error) {
	v, err := c.first()
	if err != nil {
		return nil, err
	}
	return []string{EngineTestID + "=[" + b.testIDAttribute + "=" + attributeBody(v, true) + "]"}, nil
}

// roleAttributes are the options of getByRole in the order in which Playwright writes them.
var roleAttributes = [...]struct{ option, attribute string }{
	{"checked", "checked"}, {"disabled", "disabled"}, {"selected", "selected"}, {"expanded", "expanded"},
	{"includehidden", "include-hidden"}, {"level", "level"}, {"name", "name"}, {"description", "description"},
	{"pressed", "pressed"},
}

var roleOptionNames = func() []string {
	names := []string{"exact"}
	for _, a := range roleAttributes {
		names = append(names, a.option)
	}
	return names
}()

func (b codeBuilder) role(c codeCall) ([]string, error) {
	role, err := c.first()
	if err != nil || role.kind != codeText {
		return nil, errNoText
	}
	for _, o := range c.options() {
		if !slices.Contains(roleOptionNames, o.name) {
			return nil, fmt.Errorf("option %s is not known", o.name)
		}
	}
	var body strings.Builder
	body.WriteString(EngineRole + "=" + role.text)
	for _, a := range roleAttributes {
		for _, o := range c.options() {
			if o.name != a.option || o.value.kind == codeNull {
				continue
			}
			v, err := roleValue(o, c.exact())
			if err != nil {
				return nil, fmt.Errorf("%s: %w", o.name, err)
			}
			body.WriteString("[" + a.attribute + "=" + v + "]")
		}
	}
	return []string{body.String()}, nil
}

func roleValue(o namedValue, exact bool) (string, error) {
	switch v := o.value; v.kind {
	case codeBool:
		return strconv.FormatBool(v.truth), nil
	case codeDigits:
		return v.number, nil
	case codeText, codePattern:
		if v.text == "mixed" && o.name != "name" && o.name != "description" { // a state, not a text
			return v.text, nil
		}
		return attributeBody(v, exact), nil
	}
	return "", errNoText
}

func (b codeBuilder) locator(c codeCall) ([]string, error) {
	if len(c.args) == 0 {
		return nil, errNoText
	}
	var parts []string
	switch a := c.args[0]; a.kind {
	case codeText:
		parts = []string{a.text}
	case codeChain:
		inner, err := b.selector(a.chain)
		if err != nil {
			return nil, err
		}
		parts = []string{EngineChain + "=" + quoteJSON(inner)}
	default:
		return nil, errNoText
	}
	more, err := b.filters(c.options())
	return append(parts, more...), err
}

func (b codeBuilder) frameLocator(c codeCall) ([]string, error) {
	if len(c.args) == 0 {
		return []string{EngineControl + "=" + AnyFrame}, nil
	}
	v, err := c.first()
	if err != nil || v.kind != codeText {
		return nil, errNoText
	}
	return []string{v.text, enterFramePart}, nil
}

func (b codeBuilder) filter(c codeCall) ([]string, error) {
	parts, err := b.filters(c.options())
	if err == nil && len(parts) == 0 {
		err = errors.New("names no condition")
	}
	return parts, err
}

// filters writes the conditions of filter and locator in the order in which Playwright applies them.
func (b codeBuilder) filters(options []namedValue) ([]string, error) {
	var parts []string
	for _, f := range [...]struct{ option, engine string }{
		{"hastext", EngineHasText}, {"hasnottext", EngineHasNotText}, {"has", EngineHas}, {"hasnot", EngineHasNot},
		{"visible", EngineVisible},
	} {
		for _, o := range options {
			if o.name != f.option || o.value.kind == codeNull {
				continue
			}
			body, err := b.filterBody(o.value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", o.name, err)
			}
			parts = append(parts, f.engine+"="+body)
		}
	}
	return parts, nil
}

func (b codeBuilder) filterBody(v codeValue) (string, error) {
	switch v.kind {
	case codeBool:
		return strconv.FormatBool(v.truth), nil
	case codeText, codePattern:
		return textBody(v, false), nil
	case codeChain:
		inner, err := b.selector(v.chain)
		return quoteJSON(inner), err
	}
	return "", errNoText
}

func (b codeBuilder) nested(c codeCall) ([]string, error) {
	if len(c.args) != 1 || c.args[0].kind != codeChain {
		return nil, errors.New("needs a locator")
	}
	inner, err := b.selector(c.args[0].chain)
	return []string{"internal:" + c.name + "=" + quoteJSON(inner)}, err
}

func (b codeBuilder) describe(c codeCall) ([]string, error) {
	v, err := c.first()
	if err != nil || v.kind != codeText {
		return nil, errNoText
	}
	return []string{EngineDescribe + "=" + quoteJSON(v.text)}, nil
}

func (b codeBuilder) nth(c codeCall) ([]string, error) {
	if len(c.args) != 1 || c.args[0].kind != codeDigits {
		return nil, errors.New("needs a number")
	}
	return []string{EngineNth + "=" + c.args[0].number}, nil
}
