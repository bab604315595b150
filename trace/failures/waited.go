package failures

import "regexp"

// check is one thing that an action makes sure of before it acts, and how its
// log tells of it.
type check struct {
	no, yes *regexp.Regexp
	why     string
}

// checks are in the order in which they explain a failure. The viewer's card
// of a failure has the same.
var checks = []check{
	{regexp.MustCompile(`(?i)strict mode violation`), regexp.MustCompile(`(?i)resolved to <|resolved to visible`),
		"more than one element matches the locator"},
	{regexp.MustCompile(`(?i)waiting for (locator|get_?[bB]y|selector|frame)|resolved to 0 elements|element\(s\) not found`), regexp.MustCompile(`(?i)resolved to [^0 ]|element is (not )?(visible|enabled|stable|editable)`),
		"no element matched the locator for the whole wait"},
	{regexp.MustCompile(`(?i)element is not visible|resolved to hidden|outside of the viewport`), regexp.MustCompile(`(?i)element is visible|resolved to visible|visible, enabled and stable$`),
		"the element was found, but stayed invisible"},
	{regexp.MustCompile(`(?i)element is not stable|element was detached`), regexp.MustCompile(`(?i)element is visible, enabled and stable`),
		"the element kept moving or was replaced"},
	{regexp.MustCompile(`(?i)element is not enabled|element is disabled`), regexp.MustCompile(`(?i)element is (visible, )?enabled`),
		"the element was found, but stayed disabled"},
	{regexp.MustCompile(`(?i)element is not editable|element is readonly`), regexp.MustCompile(`(?i)element is .*editable$`),
		"the element was found, but could not be edited"},
	{regexp.MustCompile(`(?i)unexpected value`), regexp.MustCompile(`(?i)^\s*expected value`),
		"the element was found, but never had the expected value"},
	{regexp.MustCompile(`(?i)intercepts pointer events`), regexp.MustCompile(`(?i)performing click action|click action done`),
		"another element lay above it and would have got the click"},
}

// found holds for a line by which elements were found, too many of them.
var found = regexp.MustCompile(`(?i)strict mode violation`)

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

var waitingForState = regexp.MustCompile(`(?i)waiting for element to be`)
