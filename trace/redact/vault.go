package redact

import (
	"fmt"
	"sort"
	"strings"
	"unicode"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// vault holds the secrets that were found and what stands for them. The same
// secret is replaced by the same text everywhere, so that it can still be
// seen that two places held one.
type vault struct {
	numbers map[string]int
	values  []string // by number, from 1
	strong  map[string]bool
	seen    map[int]bool // that were replaced somewhere
}

func newVault() *vault {
	return &vault{numbers: map[string]int{}, strong: map[string]bool{}, seen: map[int]bool{}}
}

var markerForm = lazyregexp.New(`^redacted-[0-9]+$`)

// marker returns what stands for the secret. strong secrets are replaced
// wherever they occur, others only where nothing else could be meant.
func (v *vault) marker(secret string, strong bool) string {
	if markerForm.MatchString(secret) {
		return secret
	}
	n, ok := v.numbers[secret]
	if !ok {
		v.values = append(v.values, secret)
		n = len(v.values)
		v.numbers[secret] = n
	}
	if strong {
		v.strong[secret] = true
	}
	v.seen[n] = true
	return fmt.Sprintf("redacted-%d", n)
}

func (v *vault) used() int { return len(v.seen) }

// anywhere lists the secrets that are replaced wherever they occur, the
// longest first: one may hold another.
func (v *vault) anywhere() (list []string) {
	for _, s := range v.values {
		if v.strong[s] || distinctive(s) {
			list = append(list, s)
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return len(list[i]) > len(list[j]) })
	return list
}

// distinctive reports whether a text can hardly mean anything but the secret:
// "true", "en" and "password" are values of secrets too, and much else.
func distinctive(s string) bool {
	if len(s) < 6 {
		return false
	}
	letters, digits, others, upper := 0, 0, 0, 0
	for i, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
			if i > 0 && unicode.IsUpper(r) {
				upper++
			}
		default:
			others++
		}
	}
	switch {
	case strings.ContainsAny(s, " \t\n") && len(s) < 16: // words
		return false
	case letters == 0 && others == 0: // a number
		return len(s) >= 9
	case digits == 0 && others == 0: // a word
		return len(s) >= 12 && upper > 0 && upper < letters-1
	}
	return true
}
