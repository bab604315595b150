package template

import (
	"strings"
)

// Variable reports whether a part of a path, unescaped, names one thing of many
// by its look alone: it is a number, a UUID, an e-mail address, eight or more hex
// digits with a decimal one among them, or as irregular as a machine makes it.
func Variable(s string) bool {
	switch {
	case s == "" || len(s) > 2000:
		return len(s) > 0
	case number(s), uuid(s), hexadecimal(s), address(s), ulid(s), random(s, 16):
		return true
	}
	// "cus_NffrFeUfNV2Hib", "red-shoes-4711023"
	if i := strings.LastIndexAny(s, "_-"); i > 0 && !dateLike(s) {
		tail := s[i+1:]
		return number(tail) && len(tail) >= 6 || hexadecimal(tail) || letters(s[:i]) && random(tail, 12)
	}
	// "123.json"
	if i := strings.LastIndexByte(s, '.'); i > 0 && len(s)-i <= 6 && letters(s[i+1:]) {
		return number(s[:i]) || uuid(s[:i])
	}
	return false
}

func number(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func letters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// hexadecimal reports whether s is a hash or an id in hex: without a decimal digit it
// could be a word.
func hexadecimal(s string) bool {
	digits := 0
	for i := range len(s) {
		if !isHex(s[i]) {
			return false
		}
		if s[i] <= '9' {
			digits++
		}
	}
	return len(s) >= 8 && digits > 0
}

func uuid(s string) bool {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "{"), "}")
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (s[i] == '-') || !dash && !isHex(s[i]) {
			return false
		}
	}
	return true
}

// ulid knows the 26 signs of Crockford's base 32 that begin with a time.
func ulid(s string) bool {
	if len(s) != 26 || s[0] < '0' || s[0] > '7' {
		return false
	}
	for i := range len(s) {
		c := s[i] &^ 0x20
		if s[i] >= '0' && s[i] <= '9' {
			continue
		}
		if c < 'A' || c > 'Z' || strings.IndexByte("ILOU", c) >= 0 {
			return false
		}
	}
	return true
}

func address(s string) bool {
	at := strings.IndexByte(s, '@')
	return at > 0 && strings.IndexByte(s[at+1:], '.') > 0 && !strings.HasSuffix(s, ".") && !strings.ContainsAny(s, " /:")
}

func dateLike(s string) bool {
	return len(s) >= 10 && number(s[:4]) && s[4] == '-' && number(s[5:7]) && s[7] == '-' && number(s[8:10])
}

// random reports whether a part of least signs or more is made of base64url's and
// changes between letters and digits, or large and small, more often than words do.
func random(s string, least int) bool {
	if len(s) < least {
		return false
	}
	m, ok := measure(s)
	if !ok || m.marks > len(s)/8 || m.digits == 0 {
		return false
	}
	if m.upper > 0 && m.lower > 0 {
		return float64(m.upper+m.lower) < 2.6*float64(m.words) || m.consonants >= 4
	}
	return m.digits*4 >= len(s) && m.numbers >= 3
}

// look is what a text is made of.
type look struct {
	digits, upper, lower, marks int
	words, numbers              int // runs: "getUser2" is two words and a number
	consonants                  int // the longest run
}

func measure(s string) (m look, ok bool) {
	var last byte
	run := 0
	for i := range len(s) {
		c := s[i]
		kind := kindOf(c)
		switch kind {
		case '0':
			m.digits++
			if last != '0' {
				m.numbers++
			}
		case 'A':
			m.upper++
			if last != 'A' {
				m.words++
			}
		case 'a':
			m.lower++
			if last != 'a' && last != 'A' {
				m.words++
			}
		case '-':
			m.marks++
		default:
			return m, false
		}
		if run++; kind != 'a' && kind != 'A' || strings.IndexByte("aeiouy", c|0x20) >= 0 {
			run = 0
		}
		m.consonants = max(m.consonants, run)
		last = kind
	}
	return m, true
}

func kindOf(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0'
	case c >= 'A' && c <= 'Z':
		return 'A'
	case c >= 'a' && c <= 'z':
		return 'a'
	case c == '-' || c == '_':
		return '-'
	}
	return 0
}
