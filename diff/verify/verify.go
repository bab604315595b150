package verify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracedeck/tracedeck/trace/perf"
)

// Result is what a change of the code came to.
type Result struct {
	Verdict Verdict `json:"verdict"`
	Row     int     `json:"row"` // of the table that decided
	Kinds   Kinds   `json:"kinds"`
	Before  Counts  `json:"before"`
	After   Counts  `json:"after"`
	// Changes are all kinds that were there before, those that are gone first.
	Changes      []Change      `json:"changes"`
	NewIssues    []Change      `json:"new_issues"`
	NotExercised []string      `json:"not_exercised"` // what is gone, but was not tried again
	Performance  []perf.Change `json:"performance_diff"`
	NotRecorded  []string      `json:"not_recorded"` // by the session after the change
	Normalizer   string        `json:"normalizer"`
	Notes        []string      `json:"notes"`
}

// Change is what became of a kind of trouble.
type Change struct {
	Type     string   `json:"type"` // resolved, not_exercised, changed, unchanged or new
	Category Category `json:"category"`
	Before   string   `json:"before"`
	After    string   `json:"after"`
	CountA   int      `json:"count_before"`
	CountB   int      `json:"count_after"`
	Page     string   `json:"page,omitempty"`
	Source   string   `json:"source,omitempty"`
}

// VerifyOptions change how a verdict is come to.
type VerifyOptions struct {
	// StrictCounts takes trouble that came at least twice as often for a
	// regression.
	StrictCounts bool
}

const notSeen = "(not seen)"

// Verify holds what was wrong before a change against what is wrong after it.
func Verify(before, after *State, o VerifyOptions) *Result {
	r := &Result{Before: before.Counts(), After: after.Counts(), Changes: []Change{}, NewIssues: []Change{}, NotExercised: []string{}, Performance: perfChanges(before, after),
		NotRecorded: after.NotRecorded(), Normalizer: after.Normalizer, Notes: notes(before, after)}
	b, a := before.issues(), after.issues()
	r.Kinds = Kinds{Before: len(b), After: len(a)}
	doubled := 0
	for _, k := range sortedKeys(b) {
		old, now := b[k], a[k]
		c := Change{Type: "unchanged", Category: old.Category, Before: told(old), After: notSeen, CountA: old.Count, Page: old.Page, Source: old.Source}
		switch {
		case now == nil && !after.exercised(old):
			c.Type, c.After = "not_exercised", "(not tried again)"
			r.Kinds.Resolved++
			r.Kinds.NotExercised++
			r.NotExercised = append(r.NotExercised, c.Before)
		case now == nil:
			c.Type = "resolved"
			if e := after.endpoint(old.Endpoint); e != nil && old.Category == Network {
				c.After = fmt.Sprintf("%s → %s", e.Name, answerOf(e.Status))
			}
			r.Kinds.Resolved++
		default:
			c.After, c.CountB = told(now), now.Count
			if now.Count != old.Count || now.Status != old.Status {
				c.Type = "changed"
			}
			if now.Count >= 2*old.Count {
				doubled++
			}
		}
		r.Changes = append(r.Changes, c)
	}
	for _, k := range sortedKeys(a) {
		if now := a[k]; b[k] == nil {
			c := Change{Type: "new", Category: now.Category, Before: notSeen, After: told(now), CountB: now.Count, Page: now.Page, Source: now.Source}
			if e := before.endpoint(now.Endpoint); e != nil && now.Category == Network {
				c.Before = fmt.Sprintf("%s → %s", e.Name, answerOf(e.Status))
			}
			r.NewIssues = append(r.NewIssues, c)
			r.Kinds.New++
		}
	}
	r.Verdict, r.Row = Judge(r.Kinds)
	if before.Happened == 0 || after.Happened == 0 {
		r.Verdict, r.Row = Inconclusive, RowNothing
	}
	if o.StrictCounts && doubled > 0 && r.Verdict != Regressed {
		r.Verdict = Regressed
		r.Notes = append(r.Notes, fmt.Sprintf("%d kinds came at least twice as often, which counts as a regression here", doubled))
	}
	order := map[string]int{"resolved": 0, "changed": 1, "unchanged": 2, "not_exercised": 3}
	slices.SortStableFunc(r.Changes, func(x, y Change) int { return cmp.Compare(order[x.Type], order[y.Type]) })
	return r
}

// exercised reports whether the session did what led to the trouble before: it
// called the endpoint, did the step, or visited the page.
func (s *State) exercised(i *Issue) bool {
	if i.Category == Network {
		return s.endpoint(i.Endpoint) != nil
	}
	if !s.Recorded[i.Category] && i.Category != Test {
		return false
	}
	if _, ok := slices.BinarySearch(s.Steps, i.Step); ok && i.Step != "" {
		return true
	}
	switch {
	case i.Category == Action:
		return false
	case i.Page == "" && i.Step == "":
		return s.Happened > 0
	}
	_, ok := slices.BinarySearch(s.Pages, i.Page)
	return ok && i.Page != ""
}

// told is an issue in a line.
func told(i *Issue) string {
	text := i.Message
	if text == "" {
		text = "(one of those that are only counted)"
	}
	switch {
	case i.Category == Network && i.Calls > 1:
		text += fmt.Sprintf(" (%d of %d calls)", i.Count, i.Calls)
	case i.Count > 1:
		text += fmt.Sprintf(" (x%d)", i.Count)
	}
	return text
}

func answerOf(status int) string {
	if status == 0 {
		return "no answer"
	}
	return fmt.Sprint(status)
}

func sortedKeys(m map[string]*Issue) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	slices.SortFunc(list, func(x, y string) int {
		a, b := m[x], m[y]
		return cmp.Or(cmp.Compare(a.Category, b.Category), cmp.Compare(a.Message, b.Message), cmp.Compare(x, y))
	})
	return list
}

// notes say what the sides cannot tell.
func notes(before, after *State) []string {
	list := []string{}
	for _, side := range []struct {
		name string
		s    *State
	}{{"before", before}, {"after", after}} {
		if side.s.Happened == 0 {
			list = append(list, "nothing was recorded "+side.name+" the change")
		}
		for _, what := range side.s.LeftOut {
			list = append(list, side.name+": "+what)
		}
		for _, what := range side.s.NotRecorded() {
			list = append(list, side.name+": "+recordedAs[Category(what)]+" not recorded")
		}
	}
	if before.Normalizer != after.Normalizer {
		list = append(list, "the sides were captured by different rules ("+before.Normalizer+", "+after.Normalizer+"): capture the older one again")
	}
	if before.URLFilter != after.URLFilter {
		list = append(list, "the sides were captured with different filters")
	}
	return list
}

var recordedAs = map[Category]string{Console: "the console was", Page: "errors of pages were", Network: "requests were", Action: "actions were"}

// counted are the metrics that have a say in a comparison. How long actions
// took is a matter of the machine, and failed requests are told one by one.
var counted = []string{"TTFB", "FCP", "LCP", "CLS", "INP", "requests", "bytes", "long tasks", "longest task", "TBT"}

func perfChanges(before, after *State) []perf.Change {
	list := []perf.Change{}
	if before.Perf == nil || after.Perf == nil {
		return list
	}
	for _, c := range perf.Compare(before.Perf, after.Perf) {
		if slices.Contains(counted, c.Name) {
			list = append(list, c)
		}
	}
	return list
}
