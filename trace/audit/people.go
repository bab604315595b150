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
		s.hide(p.value)
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

var kindNames = map[string]string{"email": "e-mail address", "phone": "phone number", "ssn": "US Social Security number", "card": "payment card number"}

func personalSeverity(code string, p person) verdict.Severity {
	strong := p.kind == "ssn" || p.kind == "card"
	switch {
	case p.sample || !p.sure && !strong:
		return verdict.Info
	case strong && (code == "pii-in-url" || code == "pii-to-third-party"):
		return verdict.Critical
	case strong, code == "pii-in-url", code == "pii-to-third-party":
		return verdict.Warning
	}
	return verdict.Info
}
