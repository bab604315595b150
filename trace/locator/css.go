package locator

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// CSS is a list of alternatives: "a > b, c" has two.
type CSS []Complex

// Complex is a chain of compounds; a combinator belongs to the compound before it.
type Complex []Compound

// Compound is what holds for one element: plain CSS, and the functions that Playwright adds or carries out
// itself because they must see through shadow roots.
type Compound struct {
	Plain      string // ordinary CSS, as written; empty where there are only functions
	Functions  []Function
	Combinator string // what stands between this and the next: ">", "+", "~", or "" for a descendant
}

// Function is a pseudo-class such as :has-text("x"), :visible or :is(a, b), its name in lower case.
type Function struct {
	Name      string
	Arguments []Argument
}

// Argument is a string, a number, or a selector, which Selector then holds.
type Argument struct {
	String   string
	Number   float64
	IsNumber bool
	Selector Complex
}

// ownFunctions are the pseudo-classes that a browser's querySelector cannot answer alone.
var ownFunctions = []string{
	"not", "is", "where", "has", "scope", "light", "visible", "text", "text-matches", "text-is", "has-text",
	"above", "below", "right-of", "left-of", "near", "nth-match",
}

// CSS reads the body of the css engines. The light form, which stays out of shadow roots, is answered as if
// it were written :light(…).
func (p Part) CSS() (CSS, error) {
	switch p.Engine {
	case EngineCSS:
		return parseCSS(p.Body)
	case EngineCSSLight:
		return parseCSS(":light(" + p.Body + ")")
	}
	return nil, fmt.Errorf("engine %s is not CSS", p.Engine)
}

func parseCSS(text string) (CSS, error) {
	tokens, err := cssTokens(text)
	if err != nil {
		return nil, err
	}
	r := cssReader{tokens: tokens}
	args, err := r.arguments(0)
	if err != nil {
		return nil, err
	}
	if r.peek().kind != cssEOF {
		return nil, r.unexpected()
	}
	list := make(CSS, len(args))
	for i, a := range args {
		if a.Selector == nil {
			return nil, errors.New("a string or number is no CSS selector")
		}
		list[i] = a.Selector
	}
	return list, nil
}

// maxCSSDepth bounds functions inside functions.
const maxCSSDepth = 100

type cssReader struct {
	tokens []cssToken
	pos    int
}

func (r *cssReader) peek() cssToken {
	if r.pos < len(r.tokens) {
		return r.tokens[r.pos]
	}
	return cssToken{kind: cssEOF}
}

func (r *cssReader) next() cssToken {
	t := r.peek()
	r.pos++
	return t
}

func (r *cssReader) space() {
	for r.peek().kind == cssSpace {
		r.pos++
	}
}

func (r *cssReader) unexpected() error {
	if t := r.peek(); t.kind != cssEOF {
		return fmt.Errorf("unexpected %q in CSS", clip(t.text))
	}
	return errors.New("CSS ends too early")
}

func (r *cssReader) arguments(depth int) ([]Argument, error) {
	var args []Argument
	for {
		a, err := r.argument(depth)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
		r.space()
		if r.peek().kind != cssComma {
			return args, nil
		}
		r.pos++
	}
}

func (r *cssReader) argument(depth int) (Argument, error) {
	r.space()
	switch t := r.peek(); t.kind {
	case cssString:
		r.pos++
		return Argument{String: unescapeCSS(unquoteCSS(t.text))}, nil
	case cssNumber:
		r.pos++
		n, err := strconv.ParseFloat(t.text, 64)
		return Argument{Number: n, IsNumber: true}, err
	}
	c, err := r.complex(depth)
	return Argument{Selector: c}, err
}

func (r *cssReader) complex(depth int) (Complex, error) {
	var c Complex
	if isCombinator(r.peek()) {
		c = Complex{{Functions: []Function{{Name: "scope"}}}}
	} else {
		first, err := r.compound(depth)
		if err != nil {
			return nil, err
		}
		c = Complex{first}
	}
	for {
		r.space()
		switch t := r.peek(); {
		case isCombinator(t):
			c[len(c)-1].Combinator = t.text
			r.pos++
			r.space()
		case t.kind == cssComma || t.kind == cssClose || t.kind == cssEOF:
			return c, nil
		}
		next, err := r.compound(depth)
		if err != nil {
			return nil, err
		}
		c = append(c, next)
	}
}

func isCombinator(t cssToken) bool {
	return t.kind == cssDelim && (t.text == ">" || t.text == "+" || t.text == "~")
}

func (r *cssReader) compound(depth int) (Compound, error) {
	if depth > maxCSSDepth {
		return Compound{}, fmt.Errorf("CSS functions nest deeper than %d", maxCSSDepth)
	}
	var c Compound
	var plain strings.Builder
	for {
		var err error
		switch t := r.peek(); {
		case t.kind == cssIdent, t.kind == cssHash, t.kind == cssDelim && t.text == "*":
			plain.WriteString(t.text)
			r.pos++
		case t.kind == cssDelim && t.text == ".":
			err = r.class(&plain)
		case t.kind == cssColon:
			err = r.pseudo(&c, &plain, depth)
		case t.kind == cssOpenSquare:
			err = r.brackets(&plain)
		default:
			c.Plain = plain.String()
			if c.Plain == "" && len(c.Functions) == 0 {
				return c, r.unexpected()
			}
			return c, nil
		}
		if err != nil {
			return c, err
		}
	}
}

func (r *cssReader) class(plain *strings.Builder) error {
	r.pos++
	if r.peek().kind != cssIdent {
		return r.unexpected()
	}
	plain.WriteString("." + r.next().text)
	return nil
}

func (r *cssReader) brackets(plain *strings.Builder) error {
	for r.peek().kind != cssEOF {
		t := r.next()
		plain.WriteString(t.text)
		if t.kind == cssCloseSquare {
			return nil
		}
	}
	return r.unexpected()
}

func (r *cssReader) pseudo(c *Compound, plain *strings.Builder, depth int) error {
	r.pos++
	t := r.peek()
	if t.kind != cssIdent && t.kind != cssFunction {
		return r.unexpected()
	}
	r.pos++
	name := strings.ToLower(strings.TrimSuffix(t.text, "("))
	own := slices.Contains(ownFunctions, name)
	switch {
	case own && t.kind == cssIdent:
		c.Functions = append(c.Functions, Function{Name: name})
		return nil
	case own:
		return r.function(c, name, depth)
	}
	plain.WriteString(":" + t.text)
	if t.kind == cssIdent {
		return nil
	}
	return r.parentheses(plain)
}

func (r *cssReader) function(c *Compound, name string, depth int) error {
	args, err := r.arguments(depth + 1)
	if err != nil {
		return err
	}
	if r.peek().kind != cssClose {
		return r.unexpected()
	}
	r.pos++
	c.Functions = append(c.Functions, Function{Name: name, Arguments: args})
	return nil
}

func (r *cssReader) parentheses(plain *strings.Builder) error {
	open := 1
	for r.peek().kind != cssEOF {
		t := r.next()
		plain.WriteString(t.text)
		switch t.kind {
		case cssOpen, cssFunction:
			open++
		case cssClose:
			open--
		}
		if open == 0 {
			return nil
		}
	}
	return r.unexpected()
}
