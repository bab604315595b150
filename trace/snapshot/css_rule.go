package snapshot

import (
	"strings"

	"github.com/tdewolff/parse/v2/css"
)

// atRule writes the beginning of an at-rule, or all of one that loads or
// names something.
func (s *sheet) atRule(t cssToken) {
	name := strings.ToLower(unescape(t.data[1:]))
	s.at = "@" + name
	switch name {
	case "import":
		s.importRule()
	case "charset":
		s.skipRule()
	case "namespace":
		s.write("@namespace")
		s.namespaceRule()
	default:
		s.write("@" + cssName(t.data[1:]))
	}
}

// importRule leaves the whole rule out where the address leads nowhere.
func (s *sheet) importRule() {
	address, found := "", false
	for s.i++; s.i < len(s.tokens); s.i++ {
		switch t := s.tokens[s.i]; t.kind {
		case css.WhitespaceToken, css.CommentToken:
			continue
		case css.StringToken:
			address, found = cssString(t.data), true
		case css.URLToken:
			address, found = cssURL(t.data), true
		}
		break
	}
	to := ""
	if found {
		to = loads(s.a, s.base, address, UseStyle)
	}
	if to == "" || to[0] == '#' {
		s.i--
		s.skipRule()
		return
	}
	s.write("@import " + quoteCSS(to))
}

// skipRule steps over the rest of an at-rule that has no block.
func (s *sheet) skipRule() {
	s.at = ""
	for depth := 0; s.i+1 < len(s.tokens); {
		switch s.tokens[s.i+1].kind {
		case css.LeftParenthesisToken, css.FunctionToken, css.LeftBracketToken, css.LeftBraceToken:
			depth++
		case css.RightParenthesisToken, css.RightBracketToken:
			depth--
		case css.RightBraceToken:
			if depth--; depth < 0 {
				return
			}
		case css.SemicolonToken:
			if depth <= 0 {
				s.i++
				return
			}
		}
		s.i++
	}
}

// namespaceRule writes the name of a namespace as a string: it is not loaded.
func (s *sheet) namespaceRule() {
	for s.i+1 < len(s.tokens) {
		switch t := s.tokens[s.i+1]; t.kind {
		case css.URLToken:
			s.write(quoteCSS(cssURL(t.data)))
		case css.StringToken:
			s.write(quoteCSS(cssString(t.data)))
		case css.IdentToken, css.WhitespaceToken, css.CommentToken:
			s.i++
			s.token(t)
			continue
		default:
			return
		}
		s.i++
	}
}
