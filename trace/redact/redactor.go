package redact

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// redactor replaces secrets. It goes over a trace twice: it learns, and then
// it knows.
type redactor struct {
	o        Options
	names    *names
	patterns []pattern
	vault    *vault
	gate     *gate
	finder   *finder // nil while learning
	report   Report
	renamed  map[string]string // names of entries, as lines say them

	place  string // that is looked at
	typing bool   // the line is of a call that types
	page   bool   // the line is a page's snapshot
	typed  map[string][]string
	call   string
}

func newRedactor(o Options) *redactor {
	r := &redactor{o: o, names: newNames(o.Names, o.KeepNames), vault: newVault(), renamed: map[string]string{}, typed: map[string][]string{}}
	r.gate = nameGate(r.names)
	r.report = Report{Rules: map[string]int{}, Places: []Place{}, Warnings: []trace.Warning{}}
	for _, value := range o.Values {
		if value != "" {
			r.vault.marker(value, true)
		}
	}
	for _, p := range o.Patterns {
		r.patterns = append(r.patterns, pattern{name: "own pattern", form: lazyregexp.Of(p)})
	}
	r.patterns = append(r.patterns, patterns()...)
	return r
}

// learned ends the learning.
func (r *redactor) learned() {
	r.finder = newFinder(r.vault)
	r.vault.seen = map[int]bool{}
}

// secret returns what stands for a secret that was found.
func (r *redactor) secret(s, what string, strong bool) string {
	if s == "" || markerForm.MatchString(s) {
		return s
	}
	marker := r.vault.marker(s, strong)
	r.count(what, marker)
	return marker
}

// count reports a place. What is said of it may not hold a secret itself.
func (r *redactor) count(what, marker string) {
	if r.finder == nil {
		return
	}
	rule, _, _ := strings.Cut(what, " of ")
	if kind, _, ok := strings.Cut(what, " "); ok && (kind == "cookie" || kind == "parameter") {
		rule = kind
	}
	r.report.Replaced++
	r.report.Rules[rule]++
	if len(r.report.Places) >= maxPlaces {
		r.report.Hidden++
		return
	}
	const longest = 60
	if len(what) > longest {
		what = what[:longest]
	}
	what = r.finder.replace(what, func(spelling) {})
	r.report.Places = append(r.report.Places, Place{Place: r.place, What: strings.ToValidUTF8(what, "?"), With: marker})
}

// noteTyped remembers what a call typed: it may be quoted in the call's title
// and log, where it would not be taken for a secret if it is a common word.
func (r *redactor) noteTyped(s string) {
	if r.call != "" && !markerForm.MatchString(s) {
		r.typed[r.call] = append(r.typed[r.call], s)
	}
}
