package audit

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/assignment"
)

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
func strong(s string) bool {
	return len(s) >= 8 && assignment.Entropy(s) >= 3 && !strings.ContainsAny(s, " \t\n")
}

// generated reports whether a value looks so much like one that a machine made
// that it is taken for a secret in a program, where names tell little.
func generated(s string) bool {
	if len(s) < 16 || len(s) > 512 || strings.ContainsAny(s, " (){}<>,;$\n") || strings.Contains(s, "//") {
		return false
	}
	digits, upper, lower := assignment.Mix(s)
	return !assignment.Alphabet(s) && digits >= 2 && upper+lower >= 4 && digits+upper+lower >= len(s)*3/4 && assignment.Entropy(s) >= 3.5
}
