package locator

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

type codeKind uint8

const (
	codeEOF codeKind = iota
	codeName
	codeString
	codeRegexp
	codeNumber
	codePunct
)

type codeToken struct {
	kind codeKind
	// text is the name or the mark itself, the number's digits, or what the string or regular expression
	// stands for.
	text  string
	flags string // of a regular expression
}

// codeTokens cuts a piece of JavaScript, Python, Java or C# into the tokens locator code is made of.
func codeTokens(code string) ([]codeToken, error) {
	var tokens []codeToken
	for {
		code = skipBlank(code)
		if code == "" {
			return tokens, nil
		}
		t, rest, err := codeToken1(code, tokens)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, t)
		code = rest
	}
}

func skipBlank(code string) string {
	for {
		code = trimLeft(code)
		switch {
		case strings.HasPrefix(code, "//"):
			_, code, _ = strings.Cut(code, "\n")
		case strings.HasPrefix(code, "/*"):
			_, code, _ = strings.Cut(code[2:], "*/")
		default:
			return code
		}
	}
}

func codeToken1(code string, before []codeToken) (t codeToken, rest string, err error) {
	switch c := code[0]; {
	case c == '"' || c == '\'' || c == '`':
		return codeStringToken(code)
	case c == '@' && strings.HasPrefix(code, `@"`):
		return verbatimString(code[1:])
	case isNameByte(c) && (c < '0' || c > '9'):
		n := nameLength(code)
		if prefix := strings.ToLower(code[:n]); len(code) > n && (code[n] == '"' || code[n] == '\'') {
			switch prefix {
			case "r":
				return rawString(code[n:])
			case "u", "b":
				return codeStringToken(code[n:])
			}
		}
		return codeToken{kind: codeName, text: code[:n]}, code[n:], nil
	case '0' <= c && c <= '9' || c == '-' && len(code) > 1 && '0' <= code[1] && code[1] <= '9':
		n := 1 + nameLength(code[1:])
		for n+1 < len(code) && code[n] == '.' && '0' <= code[n+1] && code[n+1] <= '9' {
			n += 1 + nameLength(code[n+1:])
		}
		return codeToken{kind: codeNumber, text: code[:n]}, code[n:], nil
	case c == '/' && startsExpression(before):
		return regexpToken(code)
	}
	_, n := utf8.DecodeRuneInString(code)
	return codeToken{kind: codePunct, text: code[:n]}, code[n:], nil
}

// startsExpression says whether a slash here opens a regular expression and does not divide.
func startsExpression(before []codeToken) bool {
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return last.kind == codePunct && strings.Contains("(,:=[{", last.text)
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func nameLength(s string) int {
	n := 0
	for n < len(s) && isNameByte(s[n]) {
		n++
	}
	return n
}

var errStringEnd = errors.New("string does not end")

func codeStringToken(code string) (codeToken, string, error) {
	if strings.HasPrefix(code, `"""`) {
		body, rest, ok := strings.Cut(code[3:], `"""`)
		if !ok {
			return codeToken{}, "", errStringEnd
		}
		return codeToken{kind: codeString, text: body}, rest, nil
	}
	mark := code[0]
	var b strings.Builder
	for i := 1; i < len(code); i++ {
		switch c := code[i]; {
		case c == mark:
			return codeToken{kind: codeString, text: b.String()}, code[i+1:], nil
		case c == '$' && mark == '`' && strings.HasPrefix(code[i:], "${"):
			return codeToken{}, "", errors.New("text with ${…} is only known when it runs")
		case c == '\\' && i+1 < len(code):
			i += unescapeCode(&b, code[i+1:])
		case c == '\n' && mark != '`':
			return codeToken{}, "", errStringEnd
		default:
			b.WriteByte(c)
		}
	}
	return codeToken{}, "", errStringEnd
}

// unescapeCode writes what stands after a backslash and says how many bytes that took.
func unescapeCode(b *strings.Builder, s string) int {
	if i := strings.IndexByte("bfnrtv0", s[0]); i >= 0 {
		b.WriteByte("\b\f\n\r\t\v\x00"[i])
		return 1
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	if s[0] == 'u' && strings.HasPrefix(s, "u{") {
		if end := strings.IndexByte(s, '}'); end > 2 {
			if r, err := strconv.ParseUint(s[2:end], 16, 32); err == nil {
				b.WriteRune(rune(r))
				return end + 1
			}
		}
	}
	if digits > 0 && len(s) > digits {
		if r, err := strconv.ParseUint(s[1:1+digits], 16, 32); err == nil {
			return digits + 1 + writeUnit(b, rune(r), s[1+digits:])
		}
	}
	if s[0] == '\n' {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	b.WriteString(s[:n])
	return n
}

// writeUnit joins two halves of a surrogate pair written one after the other.
func writeUnit(b *strings.Builder, r rune, rest string) int {
	if r >= 0xd800 && r < 0xdc00 && len(rest) >= 6 && strings.HasPrefix(rest, `\u`) {
		if low, err := strconv.ParseUint(rest[2:6], 16, 32); err == nil && low >= 0xdc00 && low < 0xe000 {
			b.WriteRune((r-0xd800)<<10 + rune(low) - 0xdc00 + 0x10000)
			return 6
		}
	}
	b.WriteRune(r)
	return 0
}

// rawString is Python's r"…": backslashes stay, and keep a quote from ending it.
func rawString(code string) (codeToken, string, error) {
	mark := code[0]
	for i := 1; i < len(code); i++ {
		switch code[i] {
		case '\\':
			i++
		case mark:
			return codeToken{kind: codeString, text: code[1:i]}, code[i+1:], nil
		}
	}
	return codeToken{}, "", errStringEnd
}

// verbatimString is C#'s @"…", where a quote is written twice.
func verbatimString(code string) (codeToken, string, error) {
	for i := 1; i < len(code); i++ {
		if code[i] != '"' {
			continue
		}
		if strings.HasPrefix(code[i:], `""`) {
			i++
			continue
		}
		text := strings.ReplaceAll(code[1:i], `""`, `"`)
		return codeToken{kind: codeString, text: text}, code[i+1:], nil
	}
	return codeToken{}, "", errStringEnd
}

func regexpToken(code string) (codeToken, string, error) {
	r := attributeReader{rest: code}
	re, err := r.regexp()
	if err != nil {
		return codeToken{}, "", fmt.Errorf("regular expression: %w", err)
	}
	if n := nameLength(r.rest); n > 0 {
		return codeToken{}, "", fmt.Errorf("regular expression: unknown flags %q", r.rest[:n])
	}
	return codeToken{kind: codeRegexp, text: re.Source, flags: re.Flags}, r.rest, nil
}
