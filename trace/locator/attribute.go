package locator

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Attributes is the body of the role, attribute, test id, _react and _vue engines: a name followed by
// conditions in brackets, `button[name="Save"i][level=2]`.
type Attributes struct {
	Name       string // the role or component; empty where only conditions are given
	Conditions []Attribute
}

// Attribute is one bracketed condition.
type Attribute struct {
	Path     []string // the name, split at dots: [props.id=1]
	Operator string   // "=", "*=", "^=", "$=", "|=", "~=", or "" if only the name is given
	Value    Value
	// IgnoreCase is an 'i' after a quoted value. For the internal: engines it also means that the value may
	// be a part of the whole text.
	IgnoreCase bool
}

// Name is the path joined with dots.
func (a Attribute) Name() string { return strings.Join(a.Path, ".") }

// ValueKind says what sort of thing stands after an operator.
type ValueKind uint8

// The sorts of values.
const (
	NoValue     ValueKind = iota // the attribute only has to be there
	StringValue                  // quoted, or bare where that is allowed
	BoolValue                    // true or false, bare
	NumberValue                  // bare, in _react and _vue
	RegexpValue                  // between slashes
)

// Value is what an attribute is compared with. Only the field of its kind is set.
type Value struct {
	Kind   ValueKind
	String string
	Bool   bool
	Number float64
	Regexp Regexp
}

// Attributes reads the body of the role, attribute, test id, _react and _vue engines.
func (p Part) Attributes() (Attributes, error) {
	bare := p.Engine != "_react" && p.Engine != "_vue"
	r := attributeReader{rest: p.Body, bare: bare}
	a, err := r.read()
	if err != nil {
		return Attributes{}, fmt.Errorf("%s body %q: %w", p.Engine, clip(p.Body), err)
	}
	return a, nil
}

type attributeReader struct {
	rest string
	bare bool // a value without quotes is a string
}

func (r *attributeReader) read() (Attributes, error) {
	var a Attributes
	r.space()
	a.Name = r.identifier(false)
	r.space()
	for strings.HasPrefix(r.rest, "[") {
		c, err := r.condition()
		if err != nil {
			return a, err
		}
		a.Conditions = append(a.Conditions, c)
		r.space()
	}
	if r.rest != "" {
		return a, r.unexpected()
	}
	if a.Name == "" && len(a.Conditions) == 0 {
		return a, errors.New("is empty")
	}
	return a, nil
}

func (r *attributeReader) space() { r.rest = trimLeft(r.rest) }

func (r *attributeReader) eat(s string) bool {
	rest, ok := strings.CutPrefix(r.rest, s)
	r.rest = rest
	return ok
}

func (r *attributeReader) unexpected() error {
	if r.rest == "" {
		return errors.New("ends too early")
	}
	c, _ := utf8.DecodeRuneInString(r.rest)
	return fmt.Errorf("unexpected %q", c)
}

// identifier takes the letters of a CSS name; numeric also allows what may stand in a bare value.
func (r *attributeReader) identifier(numeric bool) string {
	i := 0
	for i < len(r.rest) {
		c := r.rest[i]
		name := c >= 0x80 || c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if !name && (!numeric || c != '+' && c != '.') {
			break
		}
		i++
	}
	id := r.rest[:i]
	r.rest = r.rest[i:]
	return id
}

func (r *attributeReader) condition() (a Attribute, err error) {
	r.eat("[")
	if a.Path, err = r.path(); err != nil {
		return a, err
	}
	if r.eat("]") {
		return a, nil
	}
	if a.Operator, err = r.operator(); err != nil {
		return a, err
	}
	r.space()
	if a.Value, err = r.value(&a); err != nil {
		return a, err
	}
	r.space()
	if !r.eat("]") {
		return a, r.unexpected()
	}
	if a.Operator != "=" && a.Value.Kind != StringValue {
		return a, fmt.Errorf("operator %s needs a string", a.Operator)
	}
	return a, nil
}

func (r *attributeReader) path() ([]string, error) {
	var path []string
	for {
		r.space()
		name := ""
		if strings.HasPrefix(r.rest, `"`) || strings.HasPrefix(r.rest, `'`) {
			var err error
			if name, err = r.quoted(); err != nil {
				return nil, err
			}
		} else {
			name = r.identifier(false)
		}
		if name == "" {
			return nil, r.unexpected()
		}
		path = append(path, name)
		r.space()
		if !r.eat(".") {
			return path, nil
		}
	}
}

func (r *attributeReader) operator() (string, error) {
	for _, op := range [...]string{"=", "*=", "^=", "$=", "|=", "~="} {
		if r.eat(op) {
			return op, nil
		}
	}
	return "", r.unexpected()
}

func (r *attributeReader) value(a *Attribute) (Value, error) {
	switch {
	case strings.HasPrefix(r.rest, "/"):
		re, err := r.regexp()
		return Value{Kind: RegexpValue, Regexp: re}, err
	case strings.HasPrefix(r.rest, `"`), strings.HasPrefix(r.rest, `'`):
		s, err := r.quoted()
		if err != nil {
			return Value{}, err
		}
		r.space()
		a.IgnoreCase = r.eat("i") || r.eat("I")
		if !a.IgnoreCase && !r.eat("s") {
			r.eat("S")
		}
		return Value{Kind: StringValue, String: s}, nil
	}
	return r.bareValue()
}

func (r *attributeReader) bareValue() (Value, error) {
	word := r.identifier(true)
	switch word {
	case "true", "false":
		return Value{Kind: BoolValue, Bool: word == "true"}, nil
	}
	if r.bare {
		return Value{Kind: StringValue, String: word}, nil
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return Value{}, fmt.Errorf("value %q must be quoted", clip(word))
	}
	return Value{Kind: NumberValue, Number: n}, nil
}

// quoted takes a string in single or double quotes, where a backslash stands for the letter after it.
func (r *attributeReader) quoted() (string, error) {
	quote := r.rest[0]
	var b strings.Builder
	for i := 1; i < len(r.rest); i++ {
		c := r.rest[i]
		if c == quote {
			r.rest = r.rest[i+1:]
			return b.String(), nil
		}
		if c == '\\' {
			if i++; i == len(r.rest) {
				break
			}
			c = r.rest[i]
		}
		b.WriteByte(c)
	}
	return "", errors.New("string does not end")
}

func (r *attributeReader) regexp() (Regexp, error) {
	inClass := false
	i := 1
	for ; i < len(r.rest); i++ {
		c := r.rest[i]
		if c == '/' && !inClass {
			break
		}
		switch c {
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		}
	}
	if i >= len(r.rest) {
		return Regexp{}, errors.New("regular expression does not end")
	}
	source, rest := r.rest[1:i], r.rest[i+1:]
	n := 0
	for n < len(rest) && strings.IndexByte("dgimsuvy", rest[n]) >= 0 {
		n++
	}
	r.rest = rest[n:]
	return newRegexp(source, rest[:n])
}
