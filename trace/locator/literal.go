package locator

import (
	"fmt"
	"strconv"
	"strings"
)

// quote writes a string literal as JavaScript's JSON.stringify would, in the given quotes.
func quote(s string, mark byte) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte(mark)
	escapeJSON(&b, s, mark)
	b.WriteByte(mark)
	return b.String()
}

const shortEscapes = "\b\t\n\f\r"

func escapeJSON(b *strings.Builder, s string, mark byte) {
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '\\' && c != mark {
			continue
		}
		b.WriteString(s[start:i])
		start = i + 1
		switch short := strings.IndexByte(shortEscapes, c); {
		case c >= 0x20:
			b.WriteByte('\\')
			b.WriteByte(c)
		case short >= 0:
			b.WriteByte('\\')
			b.WriteByte("btnfr"[short])
		default:
			fmt.Fprintf(b, `\u%04x`, c)
		}
	}
	b.WriteString(s[start:])
}

func formatNumber(n float64) string {
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// plain is the source without the backslashes that quotes need in selectors only.
func (r Regexp) plain() string {
	var b strings.Builder
	for i := 0; i < len(r.Source); i++ {
		if c := r.Source[i]; c == '\\' && i+1 < len(r.Source) {
			i++
			if strings.IndexByte("'\"`", r.Source[i]) < 0 {
				b.WriteByte(c)
			}
		}
		b.WriteByte(r.Source[i])
	}
	return b.String()
}

// flags joins the names that a language has for i, m and s; the others do not change what a text matches.
func (r Regexp) flags(separator string, names [3]string) string {
	var out []string
	for i, f := range "ims" {
		if strings.ContainsRune(r.Flags, f) {
			out = append(out, names[i])
		}
	}
	if len(out) == 0 {
		return ""
	}
	return ", " + strings.Join(out, separator)
}
