package locator

import (
	"errors"
	"fmt"
	"strings"
)

// Regexp is a JavaScript regular expression. It is not compiled: the dialects of Go and JavaScript differ,
// and what it is matched against lives in the browser.
type Regexp struct {
	Source string // as between the slashes of a literal
	Flags  string // in alphabetical order, each once
}

const regexpFlags = "dgimsuvy"

// newRegexp writes a regular expression as JavaScript's RegExp does: slashes escaped, flags in order. The
// error says why JavaScript would refuse it.
func newRegexp(source, flags string) (Regexp, error) {
	var ordered strings.Builder
	for _, f := range regexpFlags {
		switch n := strings.Count(flags, string(f)); {
		case n > 1:
			return Regexp{}, fmt.Errorf("flag %q is repeated", f)
		case n == 1:
			ordered.WriteRune(f)
		}
	}
	if ordered.Len() != len(flags) {
		return Regexp{}, fmt.Errorf("unknown flags %q", clip(flags))
	}
	if strings.ContainsRune(flags, 'u') && strings.ContainsRune(flags, 'v') {
		return Regexp{}, errors.New("flags u and v exclude each other")
	}
	if err := checkRegexp(source); err != nil {
		return Regexp{}, fmt.Errorf("regular expression %q: %w", clip(source), err)
	}
	return Regexp{escapeSlashes(source), ordered.String()}, nil
}

// String prints the regular expression as a literal, /source/flags.
func (r Regexp) String() string { return "/" + r.Source + "/" + r.Flags }

// escapeSlashes makes a source fit between slashes.
func escapeSlashes(source string) string {
	if source == "" {
		return "(?:)"
	}
	var b strings.Builder
	inClass := false
	for i := 0; i < len(source); i++ {
		c := source[i]
		switch {
		case c == '\\' && i+1 < len(source):
			b.WriteByte(c)
			i++
			c = source[i]
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			b.WriteByte('\\')
		}
		if c == '\n' {
			b.WriteString(`\n`)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// checkRegexp finds what every JavaScript engine refuses: brackets that do not pair, a quantifier after
// nothing, a backslash at the end. It lets pass what only a full parser would see.
func checkRegexp(source string) error {
	open := 0
	repeatable := false
	for i := 0; i < len(source); i++ {
		c := source[i]
		atom := true
		switch c {
		case '\\':
			if i++; i == len(source) {
				return errors.New("ends in a backslash")
			}
		case '[':
			end := classEnd(source[i:])
			if end < 0 {
				return errors.New("'[' is not closed")
			}
			i += end
		case '(':
			open++
			atom = false
			prefix := groupPrefix(source[i+1:])
			if prefix < 0 {
				return errors.New("group has no proper name")
			}
			i += prefix
		case ')':
			if open--; open < 0 {
				return errors.New("')' closes nothing")
			}
		case '|', '^', '$':
			atom = false
		case '*', '+', '?':
			if !repeatable {
				return fmt.Errorf("%q repeats nothing", c)
			}
			atom = false
			if i+1 < len(source) && source[i+1] == '?' {
				i++
			}
		}
		repeatable = atom
	}
	if open > 0 {
		return errors.New("'(' is not closed")
	}
	return nil
}

func classEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ']':
			return i
		}
	}
	return -1
}

// groupPrefix is the length of the "?:", "?=", "?!", "?<=", "?<!" or "?<name>" that follows a parenthesis,
// and -1 where a name is broken.
func groupPrefix(s string) int {
	switch {
	case strings.HasPrefix(s, "?<=") || strings.HasPrefix(s, "?<!"):
		return 3
	case strings.HasPrefix(s, "?<"):
		end := strings.IndexByte(s, '>')
		if end < 3 || strings.ContainsFunc(s[2:end], notInName) || '0' <= s[2] && s[2] <= '9' {
			return -1
		}
		return end + 1
	case len(s) > 1 && s[0] == '?' && strings.IndexByte(":=!", s[1]) >= 0:
		return 2
	}
	return 0
}

// notInName tells the letters that the name of a group cannot have. Of those
// beyond ASCII all are let pass.
func notInName(r rune) bool {
	letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '$'
	return r < 0x80 && !letter
}
