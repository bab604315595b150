package locator

import (
	"slices"
	"strings"
)

// Normalized is the selector in the one form that all its spellings share, for comparing and as a key:
// engines by their fullest name, blanks and case gone where they do not matter, role conditions in order,
// the three ways to ask for a test id made one, descriptions left out. Two selectors with equal normalized
// forms find the same elements; the reverse need not hold.
func (s Selector) Normalized() Selector {
	var n Selector
	for _, p := range s.Parts {
		if p.Engine == EngineDescribe {
			continue
		}
		n.Parts = append(n.Parts, p.normal(n.Parts))
	}
	if again, err := Parse(n.String()); len(n.Parts) > 0 && (err != nil || !again.same(n)) {
		return s // its quotes hold only as they were written
	}
	return n
}

// same is whether both have the same parts, however they are written.
func (s Selector) same(o Selector) bool {
	return slices.EqualFunc(s.Parts, o.Parts, func(a, b Part) bool { return a.Engine == b.Engine && a.Body == b.Body && a.Capture == b.Capture })
}

// normal is the part's own normal form; before are the normal parts ahead of it.
func (p Part) normal(before []Part) Part {
	q := Part{Engine: p.Engine, Body: p.Body, Capture: p.Capture}
	switch p.Engine {
	case EngineCSS, EngineCSSLight:
		return normalCSS(q)
	case "id":
		if isPlainName(trim(p.Body)) {
			q.Engine, q.Body = EngineCSS, "#"+trim(p.Body)
		}
	case "data-testid", "data-test-id", "data-test":
		q.Engine, q.Body = EngineTestID, testIDBody(p.Engine, p.Body)
	case EngineRole, EngineTestID, EngineAttr:
		if a, err := p.Attributes(); err == nil {
			q.Body = a.normal(p.Engine)
		}
	case EngineByText, EngineLabel, EngineHasText, EngineHasNotText:
		if t, err := p.Text(); err == nil {
			q.Body = t.normal()
		}
	case EngineHas, EngineHasNot, EngineAnd, EngineOr, EngineChain:
		inner, _, err := p.Inner()
		if inner = inner.Normalized(); err == nil && len(inner.Parts) > 0 {
			if short := inner.insideFrames(before); len(short.Parts) > 0 {
				inner = short
			}
			q.Body = quoteJSON(inner.String())
		}
	default:
		// Without the blanks before them, quotes in a text may be letters.
		if q.Body = trim(p.Body); len(split(q.canonical())) != 1 {
			q.Body = p.Body
		}
	}
	return q
}

func testIDBody(attribute, value string) string {
	return "[" + attribute + "=" + attributeBody(codeValue{kind: codeText, text: value}, true) + "]"
}

// normalCSS recognises a test id asked for by attribute, and otherwise tidies blanks.
func normalCSS(p Part) Part {
	list, err := p.CSS()
	if err != nil {
		return p
	}
	if p.Engine == EngineCSS && len(list) == 1 && len(list[0]) == 1 && len(list[0][0].Functions) == 0 {
		if name, value, ok := testIDCondition(list[0][0].Plain); ok {
			p.Engine, p.Body = EngineTestID, testIDBody(name, value)
			return p
		}
	}
	p.Body = tidyCSS(p.Body)
	if p.Engine == EngineCSSLight {
		p.Engine, p.Body = EngineCSS, tidyCSS(":light("+p.Body+")")
	}
	return p
}

// tidyCSS makes blanks uniform, unless that would change what is read: a comment may be all that keeps two
// tokens apart.
func tidyCSS(body string) string {
	tokens, err := cssTokens(body)
	if err != nil {
		return body
	}
	tidy := printCSS(tokens)
	again, err := cssTokens(tidy)
	isSpace := func(t cssToken) bool { return t.kind == cssSpace }
	if err != nil || len(split(tidy)) != 1 ||
		!slices.Equal(slices.DeleteFunc(tokens, isSpace), slices.DeleteFunc(again, isSpace)) {
		return trim(body)
	}
	return tidy
}

// testIDCondition reads CSS that is no more than [data-testid="x"].
func testIDCondition(css string) (name, value string, ok bool) {
	r := attributeReader{rest: css, bare: true}
	a, err := r.read()
	if err != nil || a.Name != "" || len(a.Conditions) != 1 {
		return "", "", false
	}
	c := a.Conditions[0]
	name = c.Name()
	quotedPlainly := !strings.Contains(css, `\`) && c.Operator == "=" && !c.IgnoreCase
	isID := name == "data-testid" || name == "data-test-id" || name == "data-test"
	return name, c.Value.String, isID && quotedPlainly && c.Value.Kind == StringValue
}

// printCSS writes tokens with one blank where there were any, and around the combinators.
func printCSS(tokens []cssToken) string {
	var b strings.Builder
	// Where a comment was left out, blanks meet.
	tokens = slices.CompactFunc(slices.Clone(tokens), func(a, b cssToken) bool {
		return a.kind == cssSpace && b.kind == cssSpace
	})
	depth := 0 // blanks within brackets and foreign functions are left alone
	for i, t := range tokens {
		switch t.kind {
		case cssOpenSquare, cssOpen, cssFunction:
			depth++
		case cssCloseSquare, cssClose:
			depth--
		}
		switch {
		case t.kind == cssSpace && depth == 0:
			if i > 0 && i+1 < len(tokens) && !bindsAlone(tokens[i-1]) && !bindsAlone(tokens[i+1]) {
				b.WriteByte(' ')
			}
		case t.kind == cssSpace:
			b.WriteByte(' ')
		case depth == 0 && isCombinator(t):
			b.WriteString(" " + t.text + " ")
		case depth == 0 && t.kind == cssComma:
			b.WriteString(", ")
		default:
			b.WriteString(t.text)
		}
	}
	return strings.TrimSpace(b.String())
}

func bindsAlone(t cssToken) bool { return isCombinator(t) || t.kind == cssComma }

func isPlainName(s string) bool {
	for i, c := range []byte(s) {
		letter := c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// normal writes the conditions of a role sorted by name, those of other engines in their order.
func (a Attributes) normal(engine string) string {
	conditions := slices.Clone(a.Conditions)
	if engine == EngineRole {
		slices.SortStableFunc(conditions, func(x, y Attribute) int { return strings.Compare(x.Name(), y.Name()) })
	}
	var b strings.Builder
	b.WriteString(a.Name)
	for _, c := range conditions {
		b.WriteString("[" + c.normal(engine) + "]")
	}
	return b.String()
}

func (a Attribute) normal(engine string) string {
	path := make([]string, len(a.Path))
	for i, name := range a.Path {
		path[i] = name
		if !isPlainName(name) {
			path[i] = strings.TrimSuffix(attributeBody(codeValue{kind: codeText, text: name}, true), "s")
		}
	}
	name := strings.Join(path, ".")
	switch v := a.Value; v.Kind {
	case BoolValue:
		if v.Bool {
			return name + a.Operator + "true"
		}
		return name + a.Operator + "false"
	case NumberValue:
		return name + a.Operator + formatNumber(v.Number)
	case RegexpValue:
		return name + a.Operator + v.Regexp.normal()
	case StringValue:
		return name + a.Operator + a.normalString(engine)
	}
	return name
}

func (a Attribute) normalString(engine string) string {
	text := a.Value.String
	if engine == EngineRole {
		text = foldSpace(text)
		if a.isState() && isPlainName("x"+text) && text != "true" && text != "false" {
			return text // level=2, pressed=mixed
		}
	}
	if a.IgnoreCase {
		text = strings.ToLower(text)
	}
	return attributeBody(codeValue{kind: codeText, text: text}, !a.IgnoreCase)
}

func (a Attribute) isState() bool { return a.Name() != "name" && a.Name() != "description" }

// normal is the regular expression with its quotes escaped in the one way FromCode does it.
func (r Regexp) normal() string {
	if strings.ContainsAny(r.Flags, "uv") {
		return r.escaped()
	}
	return Regexp{r.plain(), r.Flags}.escaped()
}

func (t Text) normal() string {
	switch {
	case t.Regexp != nil:
		return t.Regexp.normal()
	case t.Exact:
		return textBody(codeValue{text: foldSpace(t.String)}, true)
	}
	return textBody(codeValue{text: foldText(t.String)}, false)
}

// foldSpace does to a text what matching does to both sides: blanks become one, those at the ends none.
func foldSpace(s string) string {
	return strings.Join(strings.FieldsFunc(s, isSpace), " ")
}

func foldText(s string) string { return strings.ToLower(foldSpace(s)) }
