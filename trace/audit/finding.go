package audit

import (
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/tracedeck/tracedeck/trace/verdict"
)

// key is a place where a rule is broken: what it is equal for is one finding for
// each value.
type key struct{ code, kind, endpoint, field, pattern string }

// made is a finding with what it takes to know it again.
type made struct {
	verdict.Finding
	value  uint64 // a hash of it
	others map[uint64]bool
}

const (
	maxMade   = 20_000 // findings
	maxValues = 5      // findings of one place
)

var seed = maphash.MakeSeed()

// add makes a finding, or counts one that is there already.
func (s *scan) add(code string, severity verdict.Severity, e verdict.Evidence, endpoint, value string, also ...string) {
	r := ruleOf[code]
	if !s.checks[r.Category] {
		return
	}
	k := key{code, e.Type, endpoint, e.Field, e.Pattern}
	hash := maphash.String(seed, value)
	list := s.made[k]
	for _, m := range list {
		if m.value == hash {
			m.again(severity)
			return
		}
	}
	switch {
	case len(list) >= maxValues:
		last := list[len(list)-1]
		if last.others == nil {
			last.others = map[uint64]bool{}
		}
		if len(last.others) < maxMade {
			last.others[hash] = true
		}
		last.again(severity)
		return
	case len(s.order) >= maxMade:
		s.dropped++
		return
	}
	m := &made{Finding: verdict.Finding{Severity: severity, Category: r.Category, Code: code, Title: r.Title, Description: r.Description,
		Evidence: e, Recommendation: r.Recommendation, CWE: r.CWE, Occurrences: 1, AlsoMatched: slices.Compact(slices.Sorted(slices.Values(also)))}, value: hash}
	s.made[k] = append(list, m)
	s.order = append(s.order, m)
	if s.o.OnFinding != nil && severity.AtLeast(s.o.Least) {
		s.o.OnFinding(s.shown(m))
	}
}

func (m *made) again(severity verdict.Severity) {
	m.Occurrences++
	if severity.AtLeast(m.Severity) {
		m.Severity = severity
	}
}

// shown returns a finding as it may leave the program.
func (s *scan) shown(m *made) verdict.Finding {
	f := m.Finding
	e := &f.Evidence
	e.Notes = slices.Clone(e.Notes)
	if n := len(m.others); n > 0 {
		e.Notes = append(e.Notes, fmt.Sprintf("and %d more values at the same place", n))
	}
	e.PIIFields = slices.Clone(e.PIIFields)
	for _, text := range []*string{&f.Title, &e.Method, &e.URL, &e.Page, &e.ResourceType, &e.Field, &e.Pattern, &e.Level, &e.Source, &e.Place, &e.Resource} {
		*text = s.clean(*text)
	}
	for _, list := range [][]string{e.Notes, e.PIIFields, f.AlsoMatched} {
		for i := range list {
			list[i] = s.clean(list[i])
		}
	}
	return f
}

// clean takes out of a text what was found anywhere, and what looks like a
// credential though it stands where none is looked for.
func (s *scan) clean(text string) string {
	if len(text) < 6 {
		return text
	}
	text = s.secrets.Clean(text)
	var found []hit
	tokens().each(text, func(*hit) bool { return true }, func(h hit) { found = append(found, h) })
	for i := len(found) - 1; i >= 0; i-- {
		h := found[i]
		text = text[:h.from] + "***" + text[h.from+len(h.value):]
	}
	return text
}

// finish makes the report.
func (s *scan) finish() *verdict.Report {
	s.lateTransport()
	s.lateAuth()
	r := &s.report
	for _, m := range s.order {
		r.Findings = append(r.Findings, s.shown(m))
	}
	for i := range r.Notes {
		r.Notes[i] = s.clean(r.Notes[i])
	}
	if s.dropped > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d more findings were not kept", s.dropped))
	}
	r.Summary.Scanned.UniqueEndpoints = len(s.endpoints)
	r.Checks = s.states()
	r.Floor(s.o.Least, max(0, s.o.Limit))
	if s.o.OnProgress != nil {
		s.o.OnProgress(1)
	}
	return r
}
