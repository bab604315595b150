package audit

import (
	"strings"
	"unicode/utf8"
)

// mask returns enough of a secret to know it by, and at most a third.
func mask(s string) string {
	n := utf8.RuneCountInString(s)
	if n < 12 {
		return "***"
	}
	r := []rune(s)
	head, tail := min(6, n/4), min(3, n/8)
	return strings.Map(visible, string(r[:head])) + "***" + strings.Map(visible, string(r[n-tail:]))
}

// visible keeps line ends and control characters out of masked values.
func visible(r rune) rune {
	if r < 0x20 || r == 0x7f {
		return '.'
	}
	return r
}
