package snapshot

import (
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// noAddress stands where an address was taken out of a style sheet: the rule
// stays valid, and nothing is loaded.
const noAddress = "data:,"

// CSS writes a style sheet anew so that it loads only what a gives an address
// to. base is the sheet's own address. Every token is decoded and written in
// one canonical way, so that no spelling hides an address; the text is also
// inert where it stands in HTML or SVG.
func CSS(sheet, base string, a Addresses) string {
	return newSheet(base, a).rewrite(sheet)
}

type cssToken struct {
	kind css.TokenType
	data string
}

// sheet rewrites one style sheet or style attribute.
type sheet struct {
	out    strings.Builder
	base   string
	a      Addresses
	tokens []cssToken
	i      int
	last   byte // what was written last
	nest   []nesting
	at     string // at-rule whose block has not begun
}

// nesting is an open bracket: what function or at-rule it belongs to.
type nesting struct {
	close css.TokenType
	name  string
}

func newSheet(base string, a Addresses) *sheet {
	if a == nil {
		a = nowhere{}
	}
	return &sheet{base: base, a: a}
}

func (s *sheet) rewrite(text string) string {
	s.lex(text)
	s.out.Grow(len(text))
	for ; s.i < len(s.tokens); s.i++ {
		s.token(s.tokens[s.i])
	}
	return s.out.String()
}

func (s *sheet) lex(text string) {
	text = strings.ToValidUTF8(text, "\ufffd")
	text = strings.ReplaceAll(text, "\x00", "\ufffd")
	l := css.NewLexer(parse.NewInputString(text))
	for {
		kind, data := l.Next()
		if kind == css.ErrorToken {
			return
		}
		s.tokens = append(s.tokens, cssToken{kind, string(data)})
	}
}

// write appends text that is safe by itself, and keeps it apart from a
// character with which it would begin markup.
func (s *sheet) write(text string) {
	if text == "" {
		return
	}
	switch c := text[0]; {
	case s.last == '<' && (letter(c) || c == '/' || c == '!' || c == '?'):
		s.out.WriteByte(' ')
	case s.last == '&' && (letter(c) || c == '#'):
		s.out.WriteString("/**/")
	}
	s.out.WriteString(text)
	s.last = text[len(text)-1]
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func (s *sheet) token(t cssToken) {
	switch t.kind {
	case css.IdentToken, css.CustomPropertyNameToken:
		s.ident(t)
	case css.FunctionToken:
		s.function(t)
	case css.AtKeywordToken:
		s.atRule(t)
	case css.HashToken:
		s.write("#" + cssName(t.data[1:]))
	case css.StringToken:
		s.string(cssString(t.data))
	case css.URLToken:
		s.url(cssURL(t.data))
	case css.DimensionToken:
		s.dimension(t.data)
	case css.BadStringToken, css.BadURLToken:
		s.write("!bad ")
	case css.DelimToken:
		s.delim(t.data)
	case css.WhitespaceToken:
		s.blank(t.data)
	case css.CommentToken:
		s.write("/**/")
	case css.CDOToken, css.CDCToken:
		s.write(" ")
	default:
		s.bracket(t)
		s.write(t.data)
	}
}

func (s *sheet) blank(text string) {
	if strings.ContainsAny(text, "\n\r\f") {
		s.write("\n")
		return
	}
	s.write(" ")
}

func (s *sheet) delim(text string) {
	if text[0] == '\\' || text[0] < ' ' || text[0] >= 0x7f {
		text = "!bad " // a blank would make a rule valid that is not
	}
	s.write(text)
}

func (s *sheet) dimension(text string) {
	unit := len(text) - len(strings.TrimLeft(text, "+-.0123456789"))
	if e := strings.TrimLeft(text[unit:], "eE"); len(text[unit:])-len(e) == 1 && e != "" && strings.ContainsRune("+-0123456789", rune(e[0])) {
		unit += 1 + len(e) - len(strings.TrimLeft(e, "+-0123456789"))
	}
	name := cssName(text[unit:])
	if strings.ContainsRune(text[unit:], '\\') && name != "" && (name[0] == 'e' || name[0] == 'E') {
		name = escapeRune(rune(name[0])) + name[1:]
	}
	s.write(text[:unit] + name)
}

// bracket keeps track of what is open.
func (s *sheet) bracket(t cssToken) {
	switch t.kind {
	case css.LeftParenthesisToken:
		s.open(css.RightParenthesisToken, "")
	case css.LeftBracketToken:
		s.open(css.RightBracketToken, "")
	case css.LeftBraceToken:
		s.open(css.RightBraceToken, s.at)
		s.at = ""
	case css.SemicolonToken:
		s.at = ""
	case css.RightParenthesisToken, css.RightBracketToken, css.RightBraceToken:
		s.close(t.kind)
	}
}

func (s *sheet) open(close css.TokenType, name string) {
	s.nest = append(s.nest, nesting{close, name})
}

// close closes the innermost bracket of that kind. As in browsers, a closing
// bracket without an opening one closes nothing.
func (s *sheet) close(kind css.TokenType) {
	if n := len(s.nest); n > 0 && s.nest[n-1].close == kind {
		s.nest = s.nest[:n-1]
	}
}

// inside returns the name of the innermost function.
func (s *sheet) inside() string {
	if n := len(s.nest); n > 0 && s.nest[n-1].close == css.RightParenthesisToken {
		return s.nest[n-1].name
	}
	return ""
}

func (s *sheet) use() Use {
	for i := len(s.nest) - 1; i >= 0; i-- {
		if s.nest[i].name == "@font-face" {
			return UseFont
		}
	}
	return UseImage
}

// loading functions take addresses as plain strings.
func loading(function string) bool {
	switch strings.TrimPrefix(function, "-webkit-") {
	case "image-set", "image", "src", "cross-fade":
		return true
	}
	return false
}

func (s *sheet) function(t cssToken) {
	name := cssName(t.data[:len(t.data)-1])
	lower := strings.ToLower(unescape(t.data[:len(t.data)-1]))
	switch {
	case lower == "url":
		s.skipFunction()
		s.url("")
		return
	case lower == "expression" || s.underLoading() && substitutes(lower):
		name = "x-no-" + name
	}
	s.write(name + "(")
	s.open(css.RightParenthesisToken, lower)
}

// substitutes tells functions that could put an address where one is loaded.
func substitutes(function string) bool {
	switch function {
	case "var", "attr", "env", "if", "inherit", "random-item":
		return true
	}
	return strings.HasPrefix(function, "--")
}

func (s *sheet) underLoading() bool {
	for _, n := range s.nest {
		if n.close == css.RightParenthesisToken && loading(n.name) {
			return true
		}
	}
	return false
}

// skipFunction steps over a function's arguments and its end.
func (s *sheet) skipFunction() {
	for depth := 1; s.i+1 < len(s.tokens); {
		s.i++
		switch s.tokens[s.i].kind {
		case css.LeftParenthesisToken, css.FunctionToken:
			depth++
		case css.RightParenthesisToken:
			if depth--; depth == 0 {
				return
			}
		}
	}
}

func (s *sheet) string(text string) {
	if loading(s.inside()) {
		to := loads(s.a, s.base, text, s.use())
		if to == "" {
			to = noAddress
		}
		text = to
	}
	s.write(quoteCSS(text))
}

func (s *sheet) url(address string) {
	to := loads(s.a, s.base, address, s.use())
	if to == "" {
		to = noAddress
	}
	s.write("url(" + quoteCSS(to) + ")")
}

// selectorClasses are pseudo-classes that need a script to be true, and the
// marks that stand for them.
var selectorClasses = map[string]string{
	"defined":      "not([data-tracedeck-undefined])",
	"popover-open": "is([data-tracedeck-popover])",
	"modal":        "is([data-tracedeck-modal])",
}

func (s *sheet) ident(t cssToken) {
	name := cssName(t.data)
	if mark := selectorClasses[strings.ToLower(name)]; mark != "" && s.pseudoClass() {
		name = mark
	}
	s.write(name)
}

// pseudoClass reports whether the current token is one: behind a single
// colon, in something that a block follows.
func (s *sheet) pseudoClass() bool {
	if s.i < 1 || s.tokens[s.i-1].kind != css.ColonToken || s.i > 1 && s.tokens[s.i-2].kind == css.ColonToken {
		return false
	}
	for _, t := range s.tokens[s.i+1:] {
		switch t.kind {
		case css.LeftBraceToken:
			return true
		case css.SemicolonToken, css.RightBraceToken:
			return false
		}
	}
	return false
}
