package codegen

import (
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// values replaces what should not stand in a program, the same everywhere:
// credentials by variables of the environment, addresses and numbers of people
// by ones that belong to nobody.
type values struct {
	env   map[string]string // variable by recorded value
	ids   map[string]bool   // recorded ids that are others when data is made again
	fakes map[string]string
	mails int
	cards int
	typed map[string]bool
}

func newValues() *values {
	return &values{env: map[string]string{}, ids: map[string]bool{}, fakes: map[string]string{}, typed: map[string]bool{}}
}

// Piece is a part of a text: one of its fields is set.
type Piece struct {
	Literal string
	Env     string // variable of the environment
	ID      string // recorded id of something that is made anew
}

// redactedForm is what stands for a secret in a redacted trace.
var redactedForm = lazyregexp.New(`redacted-[0-9]+`)

// text takes a recorded text apart.
func (v *values) text(s string) []Piece {
	if name, ok := v.env[s]; ok && s != "" {
		return []Piece{{Env: name}}
	}
	if v.ids[s] {
		return []Piece{{ID: s}}
	}
	var out []Piece
	for s != "" {
		m := redactedForm.FindStringIndex(s)
		if m == nil {
			break
		}
		name, ok := v.env[s[m[0]:m[1]]]
		if !ok {
			out = append(out, Piece{Literal: v.safe(s[:m[1]])})
		} else {
			out = append(out, Piece{Literal: v.safe(s[:m[0]])}, Piece{Env: name})
		}
		s = s[m[1]:]
	}
	if s != "" || len(out) == 0 {
		out = append(out, Piece{Literal: v.safe(s)})
	}
	return out
}

// address is text for an address, in which ids stand between slashes.
func (v *values) address(s string) (out []Piece) {
	parts := strings.Split(s, "/")
	for i, part := range parts {
		if i > 0 {
			out = append(out, Piece{Literal: "/"})
		}
		if id, rest := cutID(part); v.ids[id] && id != "" {
			out = append(out, Piece{ID: id}, Piece{Literal: v.safe(rest)})
			continue
		}
		out = append(out, v.text(part)...)
	}
	return out
}

func cutID(part string) (id, rest string) {
	if i := strings.IndexAny(part, "?#"); i >= 0 {
		return part[:i], part[i:]
	}
	return part, ""
}

var (
	mailForm = lazyregexp.New(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)
	cardForm = lazyregexp.New(`\b\d(?:[ -]?\d){12,18}\b`)
	cards    = []string{"4242 4242 4242 4242", "5555 5555 5555 4444", "3782 822463 10005"}
)

// safe replaces what belongs to people.
func (v *values) safe(s string) string {
	s = mailForm.ReplaceAllStringFunc(s, func(mail string) string {
		if strings.HasSuffix(strings.ToLower(mail), "@example.com") || strings.Contains(mail, "@2x.") {
			return mail
		}
		return v.fake(mail, func() string { v.mails++; return fmt.Sprintf("user%d@example.com", v.mails) })
	})
	return cardForm.ReplaceAllStringFunc(s, func(card string) string {
		if !luhn(card) {
			return card
		}
		return v.fake(card, func() string { v.cards++; return cards[(v.cards-1)%len(cards)] })
	})
}

func (v *values) fake(value string, make func() string) string {
	if f, ok := v.fakes[value]; ok {
		return f
	}
	f := make()
	v.fakes[value] = f
	return f
}

// sensitive reports whether a text holds something that is replaced by what a
// page cannot show again.
func (v *values) sensitive(s string) bool {
	if redactedForm.MatchString(s) {
		return true
	}
	for value := range v.env {
		if len(value) > 2 && strings.Contains(s, value) {
			return true
		}
	}
	return mailForm.MatchString(s) || cardForm.MatchString(s) && luhn(cardForm.FindString(s))
}

// luhn checks the digit that ends the number of a card.
func luhn(s string) bool {
	sum, n := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		d := int(s[i] - '0')
		if n%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum, n = sum+d, n+1
	}
	return n >= 13 && sum%10 == 0 && strings.Trim(s, "0 -") != ""
}
