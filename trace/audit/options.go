package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// DefaultLimit is how many findings of a category are listed.
const DefaultLimit = 20

// Options say what is looked for and what is listed. The zero value does all
// checks and lists what is a warning or worse.
type Options struct {
	Checks []string         // of [Checks]; nil means all
	URL    template.Filter  // only traffic with these addresses
	Least  verdict.Severity // milder findings are only counted; "" means verdict.Warning
	Limit  int              // findings listed of a category; 0 means DefaultLimit, less than 0 all
	// OnFinding, if set, is called with each finding when it is first made, before
	// all of the trace was read: its occurrences are not counted yet, and later
	// ones may push it off the list.
	OnFinding func(verdict.Finding)
	// OnProgress, if set, is told how much of the trace was looked at, from 0 to 1.
	OnProgress func(done float64)
}

// settle fills in what was left out, and says what is wrong.
func (o *Options) settle() error {
	if len(o.Checks) == 0 {
		o.Checks = Checks
	}
	for _, c := range o.Checks {
		if !slices.Contains(Checks, c) {
			return fmt.Errorf("check %q: there is %s", c, strings.Join(Checks, ", "))
		}
	}
	if o.Least == "" {
		o.Least = verdict.Warning
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	return nil
}
