package audit

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/assignment"
)

// shownPersons looks for personal data in what a page shows. A long number that
// nothing names may be anything there: it is a card's only if it is written as one.
func (c *content) shownPersons(text, key, at string) {
	people(text, key, func(p person) {
		if p.sure {
			c.person(p, at)
		}
	})
}

// readAttributes are those that hold words for people.
var readAttributes = map[string]bool{"title": true, "alt": true, "content": true, "aria-label": true, "aria-description": true, "aria-valuetext": true, "label": true}

// attributePersons looks at attributes that say something of people: words, links
// to write or to call, and data for scripts. Of others, such as the points of a
// drawing, the numbers mean nothing.
func (c *content) attributePersons(name, value string) {
	scheme, rest, _ := strings.Cut(value, ":")
	data, isData := strings.CutPrefix(name, "data-")
	switch {
	case readAttributes[name]:
		c.shownPersons(value, "", shownName(name))
	case isData:
		c.shownPersons(value, data, shownName(name))
	case name == "href" && strings.EqualFold(scheme, "mailto"):
		c.shownPersons(unescape(rest), "", name)
	case name == "href" && strings.EqualFold(scheme, "tel"):
		c.shownPersons(rest, "tel", name)
	}
}

// typedPersons looks at what was typed into a field that has these names: they
// tell what a value alone does not, such as that it is somebody's name.
func (c *content) typedPersons(names []string, value, at string) {
	if redacted(value) {
		return
	}
	key := told(names)
	found := false
	people(value, key, func(p person) {
		found = true
		c.person(p, at)
	})
	if kind := typedKind(key, value); kind != "" && !found {
		c.person(person{kind: kind, value: value, sample: placeholder(value), sure: true}, at)
	}
}

// told returns the word, or the two or three words in a row, of the names that say
// what is typed there, and "" if none do.
func told(names []string) string {
	for _, name := range names {
		words := selectorWord.FindAllString(name[:min(len(name), 1000)], 50)
		for i := range words {
			for n := min(3, len(words)-i); n > 0; n-- {
				if key := assignment.Plain(strings.Join(words[i:i+n], "")); tells(key) {
					return key
				}
			}
		}
	}
	return ""
}

// tells reports whether a name of a field says what is typed there.
func tells(key string) bool {
	return ssnKey(key) || cardKey(key) || phoneKey(key) || typedKind(key, "000") != ""
}

// fieldKinds are names of fields, the HTML standard's for filling in among them,
// beside those of [personalNames].
var fieldKinds = map[string]string{"givenname": "name", "additionalname": "name", "yourname": "name", "bday": "birth", "addressline2": "address",
	"addresslevel1": "address", "addresslevel2": "address", "postcode": "address", "town": "address", "city": "address", "zip": "address", "ccname": "name", "nameoncard": "name", "cardholder": "name",
	"passport": "id", "iban": "account", "accountnumber": "account", "bankaccount": "account",
	"cccsc": "code", "cvc": "code", "cvv": "code", "cvv2": "code", "cardsecuritycode": "code", "securitycode": "code"}

func typedKind(key, value string) string {
	kind := fieldKinds[key]
	if kind == "" {
		kind = personalNames[key]
	}
	if kind == "code" && (len(value) < 3 || len(value) > 4 || strings.Trim(value, "0123456789") != "") {
		return ""
	}
	return kind
}
