package assignment

import (
	"math"
	"strings"
)

// Entropy is how many bits each byte of s tells, going by how often each
// occurs in it.
func Entropy(s string) float64 {
	if s == "" {
		return 0
	}
	var counts [256]int
	for i := 0; i < len(s); i++ {
		counts[s[i]]++
	}
	bits, n := 0.0, float64(len(s))
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / n
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// Mix counts the digits and the letters of both cases.
func Mix(s string) (digits, upper, lower int) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		}
	}
	return
}

// Alphabet reports whether a value lists the signs that something is made of.
func Alphabet(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "abcdefgh") || strings.Contains(s, "0123456789") || strings.Contains(s, "qwertyuiop")
}

// Masked reports whether somebody took the secret out already.
func Masked(value string) bool {
	return strings.Trim(value, "*•xX.…-") == "" || strings.Contains(strings.ToLower(value), "redacted") || strings.Contains(value, "***")
}

// Plain is a name in lower case without what separates its words.
func Plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, name)
}

func mentions(list []string, name string) bool {
	for _, part := range list {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

func word(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}
