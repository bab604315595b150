package locator

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	input "github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

type cssKind uint8

const (
	cssEOF cssKind = iota
	cssSpace
	cssIdent
	cssFunction // a name with its opening parenthesis
	cssHash
	cssString
	cssNumber
	cssDelim
	cssColon
	cssComma
	cssOpen
	cssClose
	cssOpenSquare
	cssCloseSquare
	cssOther // whatever only makes sense within brackets: dimensions, attribute operators
)

type cssToken struct {
	kind cssKind
	text string
}

var cssKinds = map[css.TokenType]cssKind{
	css.WhitespaceToken: cssSpace, css.IdentToken: cssIdent, css.CustomPropertyNameToken: cssIdent,
	css.FunctionToken: cssFunction, css.HashToken: cssHash, css.StringToken: cssString,
	css.NumberToken: cssNumber, css.DelimToken: cssDelim, css.ColonToken: cssColon, css.CommaToken: cssComma,
	css.LeftParenthesisToken: cssOpen, css.RightParenthesisToken: cssClose,
	css.LeftBracketToken: cssOpenSquare, css.RightBracketToken: cssCloseSquare,
	css.DimensionToken: cssOther, css.IncludeMatchToken: cssOther, css.DashMatchToken: cssOther,
	css.PrefixMatchToken: cssOther, css.SuffixMatchToken: cssOther, css.SubstringMatchToken: cssOther,
}

// cssTokens cuts CSS into the tokens a selector may have; comments are left out.
func cssTokens(text string) ([]cssToken, error) {
	// The rules of CSS for input: no zero bytes, and a lone backslash at the end is a character.
	text = strings.ReplaceAll(text, "\x00", "\ufffd")
	if bare := strings.TrimRight(text, `\`); (len(text)-len(bare))%2 == 1 {
		text = text[:len(text)-1] + "\ufffd"
	}
	lexer := css.NewLexer(input.NewInputString(text))
	var tokens []cssToken
	for {
		tt, data := lexer.Next()
		switch tt {
		case css.ErrorToken:
			return tokens, nil
		case css.CommentToken:
			continue
		case css.UnicodeRangeToken:
			// A selector has no ranges: "u+a" is an element next to another.
			rest, err := cssTokens(string(data[2:]))
			if err != nil {
				return nil, err
			}
			tokens = append(tokens, cssToken{cssIdent, string(data[:1])}, cssToken{cssDelim, "+"})
			tokens = append(tokens, rest...)
			continue
		}
		if call, arg, ok := quotedURL(tt, data); ok {
			tokens = append(tokens, cssToken{cssFunction, call}, cssToken{cssString, arg}, cssToken{cssClose, ")"})
			continue
		}
		kind, ok := cssKinds[tt]
		if !ok {
			return nil, fmt.Errorf("%q has no place in CSS selectors", clip(string(data)))
		}
		tokens = append(tokens, cssToken{kind, string(data)})
	}
}

// quotedURL takes url("x") apart: only without quotes is it a token of its own.
func quotedURL(tt css.TokenType, data []byte) (call, arg string, ok bool) {
	if tt != css.URLToken {
		return "", "", false
	}
	call, arg, _ = strings.Cut(string(data), "(")
	arg = strings.TrimSpace(strings.TrimSuffix(arg, ")"))
	return call + "(", arg, len(arg) > 1 && (arg[0] == '"' || arg[0] == '\'')
}

func unquoteCSS(s string) string {
	quote := s[:1]
	return strings.TrimSuffix(s[1:], quote)
}

// unescapeCSS resolves backslashes: up to six hexadecimal digits and one blank stand for a character, a
// line end for nothing, anything else for itself.
func unescapeCSS(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = unescapeOne(&b, s[i+1:])
	}
}

func unescapeOne(b *strings.Builder, s string) (rest string) {
	n := 0
	for n < len(s) && n < 6 && strings.IndexByte("0123456789abcdefABCDEF", s[n]) >= 0 {
		n++
	}
	switch {
	case n > 0:
		code, _ := strconv.ParseUint(s[:n], 16, 32)
		if code == 0 {
			code = utf8.RuneError
		}
		b.WriteRune(rune(code))
		if n < len(s) && strings.IndexByte(" \t\n\r\f", s[n]) >= 0 {
			n++
		}
		return s[n:]
	case s[0] == '\n' || s[0] == '\f':
		return s[1:]
	case s[0] == '\r':
		return strings.TrimPrefix(s[1:], "\n")
	}
	_, size := utf8.DecodeRuneInString(s)
	b.WriteString(s[:size])
	return s[size:]
}
