package failures

import "github.com/tracedeck/tracedeck/trace/lazyregexp"

// check is one thing that an action makes sure of before it acts, and how its
// log tells of it.
type check struct {
	no, yes *lazyregexp.Regexp
	why     string
}

// checks are in the order in which they explain a failure. The viewer's card
// of a failure has the same.
var checks = []check{
	{lazyregexp.New(`(?i)strict mode violation`), lazyregexp.New(`(?i)resolved to <|resolved to visible`),
		"more than one element matches the locator"},
	{lazyregexp.New(`(?i)waiting for (locator|get_?[bB]y|selector|frame)|resolved to 0 elements|element\(s\) not found`), lazyregexp.New(`(?i)resolved to [^0 ]|element is (not )?(visible|enabled|stable|editable)`),
		"no element matched the locator for the whole wait"},
	{lazyregexp.New(`(?i)element is not visible|resolved to hidden|outside of the viewport`), lazyregexp.New(`(?i)element is visible|resolved to visible|visible, enabled and stable$`),
		"the element was found, but stayed invisible"},
	{lazyregexp.New(`(?i)element is not stable|element was detached`), lazyregexp.New(`(?i)element is visible, enabled and stable`),
		"the element kept moving or was replaced"},
	{lazyregexp.New(`(?i)element is not enabled|element is disabled`), lazyregexp.New(`(?i)element is (visible, )?enabled`),
		"the element was found, but stayed disabled"},
	{lazyregexp.New(`(?i)element is not editable|element is readonly`), lazyregexp.New(`(?i)element is .*editable$`),
		"the element was found, but could not be edited"},
	{lazyregexp.New(`(?i)unexpected value`), lazyregexp.New(`(?i)^\s*expected value`),
		"the element was found, but never had the expected value"},
	{lazyregexp.New(`(?i)intercepts pointer events`), lazyregexp.New(`(?i)performing click action|click action done`),
		"another element lay above it and would have got the click"},
}

// found holds for a line by which elements were found, too many of them.
var found = lazyregexp.New(`(?i)strict mode violation`)

// why returns what an action waited for when it gave up, as its log tells; the
// last line that says something of a check decides.
func why(log []string) string {
	failed, strict := make([]bool, len(checks)), false
	for _, line := range log {
		strict = strict || found.MatchString(line)
		if waitingForState.MatchString(line) {
			continue
		}
		for i, c := range checks {
			switch {
			case c.no.MatchString(line):
				failed[i] = !(i == 1 && strict)
			case c.yes.MatchString(line):
				failed[i] = false
			}
		}
	}
	for i, c := range checks {
		if failed[i] {
			return c.why
		}
	}
	return ""
}

var waitingForState = lazyregexp.New(`(?i)waiting for element to be`)
