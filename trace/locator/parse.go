package locator

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// MaxLength is the length in bytes above which Parse refuses a selector.
const MaxLength = 1 << 20

// ErrTooLong is wrapped by the error of Parse and FromCode for input longer than MaxLength.
var ErrTooLong = errors.New("selector is too long")

// SyntaxError says why a text is no selector.
type SyntaxError struct {
	Selector string // the whole text
	Part     string // the link of the chain at fault, or ""
	Reason   string
}

func (e *SyntaxError) Error() string {
	if e.Part == "" || e.Part == e.Selector {
		return fmt.Sprintf("selector %q: %s", clip(e.Selector), e.Reason)
	}
	return fmt.Sprintf("selector %q: part %q: %s", clip(e.Selector), clip(e.Part), e.Reason)
}

func clip(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// Parse takes a selector apart. It accepts what Playwright's own parser accepts: CSS and selectors within
// selectors are checked here; the bodies of other engines are checked when they are read (Part.Attributes,
// Part.Text), and unknown engines are kept as they are. Any error is a *SyntaxError or wraps ErrTooLong.
func Parse(selector string) (Selector, error) {
	return parse(selector, 0)
}

// maxNesting bounds selectors inside selectors. Each level doubles its escapes, so real ones stay below five.
const maxNesting = 32

func parse(selector string, depth int) (Selector, error) {
	if len(selector) > MaxLength {
		return Selector{}, fmt.Errorf("selector of %d bytes: %w", len(selector), ErrTooLong)
	}
	s := Selector{source: selector}
	captured := false
	for i, raw := range split(selector) {
		p := parsePart(raw)
		if p.Capture && captured {
			return Selector{}, &SyntaxError{selector, raw, "only one part can capture with '*'"}
		}
		captured = captured || p.Capture
		if err := p.check(i, depth); err != nil {
			return Selector{}, &SyntaxError{selector, strings.TrimSpace(raw), err.Error()}
		}
		s.Parts = append(s.Parts, p)
	}
	return s, nil
}

// check reads the bodies that decide whether the whole selector is one.
func (p Part) check(index, depth int) error {
	switch {
	case p.Engine == EngineCSS || p.Engine == EngineCSSLight:
		_, err := p.CSS()
		return err
	case takesSelector(p.Engine):
		if index == 0 {
			return fmt.Errorf("%s cannot come first", p.Engine)
		}
		_, _, err := p.inner(depth)
		return err
	}
	return nil
}

// split cuts a chain at every ">>" outside quotes. A quote inside an unquoted text= body is only a letter:
// text=it's >> b.
func split(selector string) []string {
	if !strings.Contains(selector, ">>") {
		return []string{selector}
	}
	var parts []string
	start := 0
	text := bareText{selector: selector}
	text.enter(0)
	var quote byte
	for i := 0; i < len(selector); i++ {
		switch c := selector[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			if !text.holds(i) {
				quote = c
			}
		case c == '>' && strings.HasPrefix(selector[i:], ">>"):
			parts = append(parts, selector[start:i])
			i++
			start = i + 1
			text.enter(start)
		}
	}
	return append(parts, selector[start:])
}

// bareText tells which quotes stand within a text= body. It looks at no byte twice: a selector may be long.
type bareText struct {
	selector  string
	body      int // where the body of the current part starts, or -1
	lineBreak int // the first line end at or after some earlier body
}

const lineBreaks = "\n\r\u2028\u2029"

// enter goes on to the part that starts at the given place.
func (t *bareText) enter(start int) {
	t.body = -1
	rest, ok := strings.CutPrefix(trimLeft(t.selector[start:]), "text")
	if !ok {
		return
	}
	if rest, ok = strings.CutPrefix(trimLeft(rest), "="); !ok {
		return
	}
	t.body = len(t.selector) - len(rest)
	if t.lineBreak >= t.body {
		return
	}
	t.lineBreak = len(t.selector)
	if i := strings.IndexAny(rest, lineBreaks); i >= 0 {
		t.lineBreak = t.body + i
	}
}

// holds says whether a quote at the given place has some text, and no line end, between it and the "=".
func (t *bareText) holds(quote int) bool {
	return t.body >= 0 && quote > t.body && quote <= t.lineBreak
}

// parsePart finds the engine of one link of a chain.
func parsePart(raw string) Part {
	text := trim(raw)
	p := Part{Engine: EngineCSS, Body: text, raw: raw}
	name, body, ok := strings.Cut(text, "=")
	name = trim(name)
	switch {
	case ok && isEngineName(name):
		p.Engine, p.Body = name, body
	case len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0]:
		p.Engine = EngineText
	case strings.HasPrefix(strings.TrimLeft(text, "("), "//") || strings.HasPrefix(text, ".."):
		p.Engine = EngineXPath
	}
	if ok && strings.HasPrefix(p.Engine, "*") {
		p.Engine, p.Capture = p.Engine[1:], true
	}
	return p
}

func isEngineName(name string) bool {
	for _, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("_-+:*", c) >= 0:
		default:
			return false
		}
	}
	return name != ""
}

func isSpace(r rune) bool {
	// The white space of JavaScript's trim: Unicode's Zs, the line ends, and the byte order mark, but
	// not U+0085.
	return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r)
}

func trim(s string) string     { return strings.TrimFunc(s, isSpace) }
func trimLeft(s string) string { return strings.TrimLeftFunc(s, isSpace) }
