package verdict

import (
	"fmt"
	"sort"
)

// Remarks are what has to be known besides the findings: what was not
// recorded, what is not listed, which limits were met.
func (r *Report) Remarks() []string {
	var list []string
	for i := range r.Checks {
		c := &r.Checks[i]
		if why := c.Reasons(); why != "" && c.State != Clean {
			list = append(list, fmt.Sprintf("%s: %s: %s", c.Name, map[State]string{NotRecorded: "not recorded", Partial: "looked at in part", Found: "looked at in part"}[c.State], why))
		}
	}
	list = append(list, countLines(r.Summary.NotShown, "not listed, beyond the limit")...)
	list = append(list, countLines(r.Summary.BelowFloor, "not listed, less severe than asked for")...)
	return append(list, r.Notes...)
}

func countLines(m map[string]int, text string) []string {
	var list []string
	for name, n := range m {
		list = append(list, fmt.Sprintf("%s: %d %s", name, n, text))
	}
	sort.Strings(list)
	return list
}
