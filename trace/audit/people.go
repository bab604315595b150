package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace/verdict"
)

// people makes one finding for each kind of personal data in each field of a
// text.
func (s *scan) people(c *content, code string, e verdict.Evidence, endpoint string) {
	counts := map[[2]string]int{}
	for _, p := range c.people {
		if !namedKinds[p.kind] { // a town or a name is a part of much else
			s.hide(p.value)
		}
		counts[[2]string{p.kind, p.field}] += p.times
	}
	done := map[[2]string]bool{}
	for _, p := range sampleLast(c.people) {
		at := [2]string{p.kind, p.field}
		if done[at] {
			continue
		}
		done[at] = true
		f := e
		f.Field, f.Pattern, f.RedactedValue, f.PIIFields = p.field, kindNames[p.kind], mask(p.value), []string{p.kind}
		if namedKinds[p.kind] {
			f.RedactedValue = "***"
		}
		f.Notes = slices.Clone(e.Notes)
		if n := counts[at]; n > 1 {
			f.Notes = append(f.Notes, fmt.Sprintf("%d values", n))
		}
		if p.sample {
			f.Notes = append(f.Notes, "of those kept free for examples")
		}
		if endpoint == "" {
			endpoint = e.Source
		}
		s.add(code, personalSeverity(code, p.person), f, endpoint, p.kind)
	}
}

// sampleLast orders values so that of one kind and field a real one stands for all.
func sampleLast(list []placedPerson) []placedPerson {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b placedPerson) int {
		switch {
		case a.sample == b.sample:
			return strings.Compare(a.field, b.field)
		case a.sample:
			return 1
		}
		return -1
	})
	return list
}

var kindNames = map[string]string{"email": "e-mail address", "phone": "phone number", "ssn": "US Social Security number", "card": "payment card number",
	"name": "name of a person", "birth": "date of birth", "address": "postal address", "id": "number of an identity document", "account": "bank account", "code": "card security code"}

// namedKinds are kinds that only the name of a field tells of.
var namedKinds = map[string]bool{"name": true, "birth": true, "address": true, "id": true, "account": true, "code": true}

// personalSeverity says how bad personal data are at a place. What was typed or
// shown may well belong there; that numbers of cards and the like are in the trace
// is for its owner to know.
func personalSeverity(code string, p person) verdict.Severity {
	strong := p.kind == "ssn" || p.kind == "card" || p.kind == "id" || p.kind == "account" || p.kind == "code"
	written := code == "pii-in-page" || code == "pii-in-action"
	switch {
	case p.sample || !p.sure && (!strong || written):
		return verdict.Info
	case strong && (code == "pii-in-url" || code == "pii-to-third-party"):
		return verdict.Critical
	case strong, code == "pii-in-url", code == "pii-to-third-party":
		return verdict.Warning
	}
	return verdict.Info
}
