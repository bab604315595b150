package locator

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A piece of locator code: calls in a chain, with literals, options and further chains as arguments.

type codeCall struct {
	name   string // without underscores and in lower case, so that all languages agree: "getbyrole"
	called bool   // it has parentheses
	args   []codeValue
}

type codeValue struct {
	kind   codeValueKind
	text   string
	number string
	truth  bool
	re     Regexp
	chain  []codeCall
	named  []namedValue
}

type namedValue struct {
	name  string // as a codeCall's, and without the "regex" or "string" that C# adds
	value codeValue
}

type codeValueKind uint8

const (
	codeNull codeValueKind = iota
	codeText
	codeBool
	codeDigits
	codePattern
	codeOptions
	codeChain
)

func plainName(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

type codeReader struct {
	tokens []codeToken
	pos    int
	depth  int
}

var errNoCode = errors.New("not a chain of calls")

func (r *codeReader) peek() codeToken {
	if r.pos < len(r.tokens) {
		return r.tokens[r.pos]
	}
	return codeToken{}
}

func (r *codeReader) at(mark string) bool {
	t := r.peek()
	return t.kind == codePunct && t.text == mark
}

func (r *codeReader) eat(mark string) bool {
	if r.at(mark) {
		r.pos++
		return true
	}
	return false
}

func (r *codeReader) eatName(names ...string) bool {
	for _, n := range names {
		if t := r.peek(); t.kind == codeName && t.text == n {
			r.pos++
			return true
		}
	}
	return false
}

func (r *codeReader) unexpected() error {
	if t := r.peek(); t.kind != codeEOF {
		return fmt.Errorf("unexpected %q", clip(t.text))
	}
	return errors.New("code ends too early")
}

// chain reads name.name(arguments).name …
func (r *codeReader) chain() ([]codeCall, error) {
	if r.depth++; r.depth > maxNesting {
		return nil, fmt.Errorf("code nests deeper than %d", maxNesting)
	}
	defer func() { r.depth-- }()
	for r.eatName("await", "return", "new", "const", "let", "var") {
	}
	var calls []codeCall
	for {
		t := r.peek()
		if t.kind != codeName {
			return nil, r.unexpected()
		}
		r.pos++
		c := codeCall{name: plainName(t.text)}
		if r.eat("(") {
			c.called = true
			var err error
			if c.args, err = r.arguments(")"); err != nil {
				return nil, err
			}
		}
		calls = append(calls, c)
		r.eat("?")
		if !r.eat(".") {
			return calls, nil
		}
	}
}

// arguments reads up to the closing mark; name=value and name: value become one options argument.
func (r *codeReader) arguments(closing string) ([]codeValue, error) {
	var args []codeValue
	var named []namedValue
	for !r.eat(closing) {
		name, isNamed := r.argumentName()
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		if isNamed {
			named = append(named, namedValue{name, v})
		} else {
			args = append(args, v)
		}
		if !r.eat(",") && !r.at(closing) {
			return nil, r.unexpected()
		}
	}
	if named != nil {
		args = append(args, codeValue{kind: codeOptions, named: named})
	}
	return args, nil
}

func (r *codeReader) argumentName() (string, bool) {
	t := r.peek()
	if (t.kind != codeName && t.kind != codeString) || r.pos+1 >= len(r.tokens) {
		return "", false
	}
	next := r.tokens[r.pos+1]
	if next.kind != codePunct || next.text != "=" && next.text != ":" {
		return "", false
	}
	r.pos += 2
	return optionName(t.text), true
}

func optionName(name string) string {
	name = plainName(name)
	for _, base := range [...]string{"name", "hastext", "hasnottext", "description"} {
		if name == base+"regex" || name == base+"string" {
			return base
		}
	}
	return name
}

func (r *codeReader) value() (codeValue, error) {
	t := r.peek()
	switch t.kind {
	case codeString:
		r.pos++
		return codeValue{kind: codeText, text: t.text}, nil
	case codeRegexp:
		r.pos++
		return codeValue{kind: codePattern, re: Regexp{t.text, t.flags}}, nil
	case codeNumber:
		r.pos++
		if _, err := strconv.ParseFloat(t.text, 64); err != nil {
			return codeValue{}, fmt.Errorf("%q is not a number", clip(t.text))
		}
		return codeValue{kind: codeDigits, number: t.text}, nil
	case codeName:
		return r.nameValue(t.text)
	}
	if r.eat("{") {
		return r.options()
	}
	return codeValue{}, r.unexpected()
}

func (r *codeReader) options() (codeValue, error) {
	if r.depth++; r.depth > maxNesting {
		return codeValue{}, fmt.Errorf("code nests deeper than %d", maxNesting)
	}
	defer func() { r.depth-- }()
	args, err := r.arguments("}")
	if err != nil {
		return codeValue{}, err
	}
	switch {
	case len(args) == 0:
		return codeValue{kind: codeOptions}, nil
	case len(args) == 1 && args[0].kind == codeOptions:
		return args[0], nil
	}
	return codeValue{}, errors.New("options need names")
}

func (r *codeReader) nameValue(name string) (codeValue, error) {
	switch name {
	case "true", "True", "false", "False":
		r.pos++
		return codeValue{kind: codeBool, truth: name[0]|0x20 == 't'}, nil
	case "null", "None", "undefined":
		r.pos++
		return codeValue{}, nil
	}
	isNew := name == "new"
	calls, err := r.flagged()
	if err != nil {
		return codeValue{}, err
	}
	if isNew && r.eat("{") { // C#: new() { … }, new PageOptions { … }
		return r.options()
	}
	return chainValue(calls)
}

// flagged reads a chain and, where flags are joined with '|', the names after it as well.
func (r *codeReader) flagged() ([]codeCall, error) {
	if r.peek().text == "new" && r.pos+1 < len(r.tokens) && r.tokens[r.pos+1].text == "(" {
		r.pos += 2 // C#'s new()
		if !r.eat(")") {
			return nil, r.unexpected()
		}
		return nil, nil
	}
	calls, err := r.chain()
	for err == nil && r.eat("|") {
		var more []codeCall
		more, err = r.chain()
		calls = append(calls, more...)
	}
	return calls, err
}

// chainValue recognises the regular expressions, roles and options that are chains by their looks.
func chainValue(calls []codeCall) (codeValue, error) {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = c.name
	}
	joined := strings.Join(names, ".")
	switch {
	case joined == "re.compile" || joined == "pattern.compile" || joined == "regex" || joined == "regexp":
		return compiled(calls[len(calls)-1].args)
	case strings.HasPrefix(joined, "ariarole.") && len(names) == 2:
		return codeValue{kind: codeText, text: names[1]}, nil
	}
	for i, c := range calls {
		if strings.HasSuffix(c.name, "options") && c.called {
			return setters(calls[i+1:])
		}
	}
	return codeValue{kind: codeChain, chain: calls}, nil
}

// setters reads Java's new Page.GetByRoleOptions().setName("x").setExact(true).
func setters(calls []codeCall) (codeValue, error) {
	v := codeValue{kind: codeOptions}
	for _, c := range calls {
		name, ok := strings.CutPrefix(c.name, "set")
		if !ok || len(c.args) != 1 {
			return v, fmt.Errorf("unexpected %q", clip(c.name))
		}
		v.named = append(v.named, namedValue{name, c.args[0]})
	}
	return v, nil
}

var flagNames = map[string]string{
	"ignorecase": "i", "i": "i", "caseinsensitive": "i", "multiline": "m", "m": "m",
	"dotall": "s", "s": "s", "singleline": "s",
}

// compiled reads the arguments of re.compile, Pattern.compile, new Regex and new RegExp.
func compiled(args []codeValue) (codeValue, error) {
	if len(args) == 0 || args[0].kind != codeText {
		return codeValue{}, errors.New("regular expression is only known when it runs")
	}
	flags := ""
	if len(args) > 1 {
		flags = args[1].text
		for _, c := range args[1].chain {
			flags += flagNames[c.name]
		}
	}
	re, err := newRegexp(args[0].text, flags)
	return codeValue{kind: codePattern, re: re}, err
}
