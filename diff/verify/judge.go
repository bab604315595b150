package verify

import "github.com/tracedeck/tracedeck/trace/verdict"

// Verdict is what a change of the code came to.
type Verdict string

// What it can come to.
const (
	Fixed        Verdict = "fixed"              // all that was wrong is gone, and nothing is new
	Improved     Verdict = "improved"           // some of it is gone, and nothing is new
	Unchanged    Verdict = "unchanged"          // the same is wrong
	Different    Verdict = "different_issue"    // something else is wrong instead
	Regressed    Verdict = "regressed"          // more is wrong
	NoIssues     Verdict = "no_issues_detected" // nothing was wrong, and nothing is
	Inconclusive Verdict = "inconclusive"       // it was not tried again, or not recorded
)

// Rows of the table by which Judge decides; the first that holds does.
const (
	RowNothing      = 0 // a side holds nothing that could show trouble: inconclusive
	RowNoIssues     = 1 // nothing before, nothing after: no_issues_detected
	RowFirstIssues  = 2 // nothing before, something after: regressed
	RowNotExercised = 3 // all gone, none of it tried again: inconclusive
	RowAllGone      = 4 // all gone: fixed
	RowSomeGone     = 5 // some gone, none new: improved
	RowSame         = 6 // none gone, none new: unchanged
	RowOnlyNew      = 7 // none gone, some new: regressed
	RowMore         = 8 // some gone, some new, more than before: regressed
	RowOthers       = 9 // some gone, some new, no more than before: different_issue
)

// Kinds are the sizes of the sets that a verdict goes by: kinds of trouble
// before and after, those gone, those gone that were not exercised, and those
// new.
type Kinds struct {
	Before       int `json:"before"`
	After        int `json:"after"`
	Resolved     int `json:"resolved"`
	NotExercised int `json:"not_exercised"`
	New          int `json:"new"`
}

// Judge returns the verdict and the row of the table that gave it.
func Judge(k Kinds) (Verdict, int) {
	switch {
	case k.Before == 0 && k.After == 0:
		return NoIssues, RowNoIssues
	case k.Before == 0:
		return Regressed, RowFirstIssues
	case k.New == 0 && k.Resolved == k.Before && k.NotExercised == k.Before:
		return Inconclusive, RowNotExercised
	case k.New == 0 && k.Resolved == k.Before:
		return Fixed, RowAllGone
	case k.New == 0 && k.Resolved > 0:
		return Improved, RowSomeGone
	case k.New == 0:
		return Unchanged, RowSame
	case k.Resolved == 0:
		return Regressed, RowOnlyNew
	case k.After > k.Before:
		return Regressed, RowMore
	}
	return Different, RowOthers
}

// Weigh is the verdict of a comparison of two states: worse and better at once
// is mixed, and what is neither is unchanged.
func Weigh(bad, good int) string {
	var parts []verdict.Outcome
	if bad > 0 {
		parts = append(parts, verdict.Regressed)
	}
	if good > 0 {
		parts = append(parts, verdict.Improved)
	}
	if o := verdict.Combine(parts...); o != verdict.Same {
		return string(o)
	}
	return string(Unchanged)
}
