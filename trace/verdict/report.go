package verdict

import (
	"slices"
	"strings"
)

// State says what became of a check, or of one of the things it looks at.
type State string

// What can become of a check.
const (
	Clean       State = "clean"        // all that there was was looked at, and nothing found
	Found       State = "findings"     // something was found
	Partial     State = "partial"      // nothing was found, in the part that was recorded and could be looked at
	NotRecorded State = "not_recorded" // the trace does not hold what the check needs
)

// Source is one kind of thing that a check looks at.
type Source struct {
	Name    string `json:"name"` // "request_urls", "response_bodies", …
	State   State  `json:"state"`
	Looked  int    `json:"looked"`            // things that were looked at
	Skipped int    `json:"skipped,omitempty"` // things that were there and were not looked at in full
	Missing int    `json:"missing,omitempty"` // things that happened and are not in the trace
	Reason  string `json:"reason,omitempty"`
}

// Check is what became of one check.
type Check struct {
	Name     string   `json:"name"`
	State    State    `json:"state"`
	Findings int      `json:"findings"` // also those not listed
	Sources  []Source `json:"sources"`
}

// Scanned counts what was looked at.
type Scanned struct {
	NetworkRequests int   `json:"network_requests"`
	ConsoleEntries  int   `json:"console_entries"`
	UniqueEndpoints int   `json:"unique_endpoints"`
	Bodies          int   `json:"bodies"`
	BodyBytes       int64 `json:"body_bytes"`
}

// Summary counts findings. Total, Critical, Warning and Info count what is
// listed; what is not is in BelowFloor and NotShown.
type Summary struct {
	Total      int            `json:"total"`
	Critical   int            `json:"critical"`
	Warning    int            `json:"warning"`
	Info       int            `json:"info"`
	BelowFloor map[string]int `json:"below_floor,omitempty"` // by category: less severe than was asked for
	NotShown   map[string]int `json:"not_shown,omitempty"`   // by category: beyond the cap
	Scanned    Scanned        `json:"scanned"`
}

// Report is what an audit found, worst first.
type Report struct {
	Findings []Finding `json:"findings"`
	Summary  Summary   `json:"summary"`
	Checks   []Check   `json:"checks"`
	Notes    []string  `json:"notes,omitempty"` // about the trace and limits that were met
	// Worst is the severity of the worst finding, also of those not listed; "" if
	// there is none.
	Worst Severity `json:"worst,omitempty"`
}

// Floor leaves out what is less severe than least and then, for each category,
// what is beyond cap, the least severe first, and counts both. A cap of 0 is
// none. It also sorts the findings and fills in the counts.
func (r *Report) Floor(least Severity, limit int) {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return b.Severity.rank() - a.Severity.rank()
	})
	kept, shown := []Finding{}, map[string]int{}
	found := map[string]int{}
	for _, f := range r.Findings {
		found[f.Category]++
		if r.Worst == "" {
			r.Worst = f.Severity
		}
		if !f.Severity.AtLeast(least) {
			r.Summary.BelowFloor = count(r.Summary.BelowFloor, f.Category)
			continue
		}
		if shown[f.Category]++; limit > 0 && shown[f.Category] > limit {
			r.Summary.NotShown = count(r.Summary.NotShown, f.Category)
			continue
		}
		kept = append(kept, f)
		r.Summary.add(f.Severity)
	}
	r.Findings = kept
	for i := range r.Checks {
		c := &r.Checks[i]
		if c.Findings = found[c.Name]; c.Findings > 0 {
			c.State = Found
		}
	}
}

func (s *Summary) add(severity Severity) {
	s.Total++
	switch severity {
	case Critical:
		s.Critical++
	case Warning:
		s.Warning++
	default:
		s.Info++
	}
}

func count(m map[string]int, key string) map[string]int {
	if m == nil {
		m = map[string]int{}
	}
	m[key]++
	return m
}

// StateOf returns the state of a check without findings that looks at sources.
func StateOf(sources []Source) State {
	recorded, whole := false, true
	for _, s := range sources {
		recorded = recorded || s.State != NotRecorded
		whole = whole && s.State == Clean
	}
	switch {
	case !recorded:
		return NotRecorded
	case whole:
		return Clean
	}
	return Partial
}

// Reasons says in one line why a check is not clean though nothing was found.
func (c *Check) Reasons() string {
	var list []string
	for _, s := range c.Sources {
		if s.Reason != "" {
			list = append(list, s.Reason)
		}
	}
	return strings.Join(list, "; ")
}
