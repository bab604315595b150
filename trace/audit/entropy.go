package audit

import (
	"math"
	"strings"
)

// entropy is how many bits each byte of s tells, going by how often each
// occurs in it.
func entropy(s string) float64 {
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

func mix(s string) (digits, upper, lower int) {
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

// placeholderWords make a value an example where they stand in it as words.
var placeholderWords = map[string]bool{"example": true, "test": true, "sample": true, "dummy": true, "placeholder": true, "changeme": true,
	"demo": true, "dev": true, "mock": true, "fake": true, "your": true, "xxxx": true, "redacted": true, "undefined": true, "null": true}

// samples are values that documentation prints.
var samples = []string{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "4eC39HqLyjWDarjtT1zdp7dc",
	"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c", "AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe"}

// placeholder reports whether a value was written to be one.
func placeholder(s string) bool {
	for _, known := range samples {
		if strings.Contains(s, known) {
			return true
		}
	}
	for _, word := range strings.FieldsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		if placeholderWords[strings.ToLower(word)] {
			return true
		}
	}
	return false
}

// strong reports whether a value that is named like a secret looks like one.
func strong(s string) bool { return len(s) >= 8 && entropy(s) >= 3 && !strings.ContainsAny(s, " \t\n") }

// generated reports whether a value looks so much like one that a machine made
// that it is taken for a secret in a program, where names tell little.
func generated(s string) bool {
	if len(s) < 16 || len(s) > 512 || strings.ContainsAny(s, " (){}<>,;$\n") || strings.Contains(s, "//") {
		return false
	}
	digits, upper, lower := mix(s)
	return !alphabet(s) && digits >= 2 && upper+lower >= 4 && digits+upper+lower >= len(s)*3/4 && entropy(s) >= 3.5
}

// alphabet reports whether a value lists the signs that something is made of.
func alphabet(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "abcdefgh") || strings.Contains(s, "0123456789") || strings.Contains(s, "qwertyuiop")
}
