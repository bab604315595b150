package diff

import (
	"sort"

	"github.com/tracedeck/tracedeck/diff/dom"
	"github.com/tracedeck/tracedeck/diff/visual"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// Section is one sort of thing that was compared.
type Section struct {
	Name    SectionName     `json:"name"`
	Verdict verdict.Outcome `json:"verdict"`
	// RecordedA and RecordedB say whether the traces hold it at all. What is
	// in neither is inconclusive, and has no say in the verdict of all.
	RecordedA bool     `json:"recordedA"`
	RecordedB bool     `json:"recordedB"`
	Changes   []Change `json:"changes"`
	// More is how many changes were left out.
	More int `json:"more,omitempty"`
	// Note says why nothing can be told, or what was left out.
	Note string `json:"note,omitempty"`
	// Tree is what differs of a page: of a single step only.
	Tree *dom.Node `json:"tree,omitempty"`
	// Picture is how the pictures differ: of a single step only.
	Picture *visual.Result `json:"picture,omitempty"`
}

// section makes a section of changes in what both traces hold.
func section(name SectionName, changes []Change) Section {
	if changes == nil {
		changes = []Change{}
	}
	s := Section{Name: name, RecordedA: true, RecordedB: true, Changes: changes}
	parts := make([]verdict.Outcome, len(changes))
	for i, c := range changes {
		parts[i] = c.Effect
	}
	s.Verdict = verdict.Combine(parts...)
	return s
}

// unrecorded makes a section of what at least one trace does not hold.
func unrecorded(name SectionName, inA, inB bool) Section {
	s := Section{Name: name, Verdict: verdict.Inconclusive, RecordedA: inA, RecordedB: inB, Changes: []Change{}}
	switch {
	case inA:
		s.Note = "not recorded in B"
	case inB:
		s.Note = "not recorded in A"
	default:
		s.Note = "not recorded in either trace"
	}
	return s
}

// limit leaves out what is beyond the first changes; the graver come first.
func (s *Section) limit(max int) {
	sort.SliceStable(s.Changes, func(i, j int) bool { return rank(s.Changes[i].Effect) < rank(s.Changes[j].Effect) })
	if len(s.Changes) > max {
		s.More += len(s.Changes) - max
		s.Changes = s.Changes[:max]
	}
}

func rank(o verdict.Outcome) int {
	switch o {
	case verdict.Regressed, verdict.Mixed:
		return 0
	case verdict.Improved:
		return 1
	case verdict.Changed:
		return 2
	case verdict.Inconclusive:
		return 3
	}
	return 4
}

// counts reports whether the section has a say in the verdict of all.
func (s *Section) counts() bool { return s.RecordedA || s.RecordedB }
