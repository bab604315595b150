package snapshot

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unescape decodes the escapes of a CSS name.
func unescape(name string) string {
	if strings.IndexByte(name, '\\') < 0 {
		return name
	}
	return decodeCSS(name)
}

// decodeCSS decodes the escapes in the inside of a name, string or address.
func decodeCSS(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			b.WriteByte(text[i])
			continue
		}
		i++
		if i >= len(text) {
			break
		}
		switch c := text[i]; {
		case hex(c):
			end := i + 1
			for end < len(text) && end < i+6 && hex(text[end]) {
				end++
			}
			v, _ := strconv.ParseUint(text[i:end], 16, 32)
			r := rune(v)
			if r == 0 || !utf8.ValidRune(r) {
				r = utf8.RuneError
			}
			b.WriteRune(r)
			if end+1 < len(text) && text[end] == '\r' && text[end+1] == '\n' {
				end++
			}
			if end < len(text) && strings.IndexByte(" \t\n\r\f", text[end]) >= 0 {
				end++
			}
			i = end - 1
		case c == '\r' && i+1 < len(text) && text[i+1] == '\n':
			i++
		case c == '\n' || c == '\r' || c == '\f':
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// cssName writes a name the canonical way.
func cssName(name string) string {
	plain := true
	for i := 0; i < len(name) && plain; i++ {
		plain = nameByte(name[i])
	}
	if plain {
		return name
	}
	text := decodeCSS(name)
	var b strings.Builder
	for i, r := range text {
		first := i == 0 && (r >= '0' && r <= '9' || r == '-') || i == 1 && text[0] == '-' && r >= '0' && r <= '9'
		if r < 0x80 && !nameByte(byte(r)) || first {
			b.WriteString(escapeRune(r))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func nameByte(c byte) bool {
	return letter(c) || c >= '0' && c <= '9' || c == '_' || c == '-' || c >= 0x80
}

func escapeRune(r rune) string { return `\` + strconv.FormatInt(int64(r), 16) + " " }

// cssString returns what a string token says.
func cssString(token string) string {
	if len(token) == 0 {
		return ""
	}
	inner := token[1:]
	if n := len(inner); n > 0 && inner[n-1] == token[0] {
		inner = inner[:n-1]
	}
	return decodeCSS(inner)
}

// cssURL returns the address that a url() token holds.
func cssURL(token string) string {
	i := strings.IndexByte(token, '(')
	inner := strings.Trim(strings.TrimSuffix(token[i+1:], ")"), " \t\n\r\f")
	if inner != "" && (inner[0] == '"' || inner[0] == '\'') {
		return cssString(inner)
	}
	return decodeCSS(inner)
}

// quoteCSS writes a string so that it also holds nothing that HTML reads.
func quoteCSS(text string) string {
	if !strings.ContainsFunc(text, oddInString) {
		return `"` + text + `"`
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		if oddInString(r) {
			b.WriteString(escapeRune(r))
			continue
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}

func oddInString(r rune) bool {
	return r < ' ' || r == 0x7f || r == '"' || r == '\\' || r == '<' || r == '>' || r == '&'
}
