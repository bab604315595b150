package contract

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

const (
	maxHistory    = 20 // statuses that are kept of an endpoint
	maxViolations = 10 // of an endpoint that are listed
)

// Violation is a break with the contract, however often it was seen.
type Violation struct {
	Endpoint string           `json:"endpoint"`
	Severity verdict.Severity `json:"severity"`
	Change
	Description string     `json:"description"`
	Count       int        `json:"count"` // answers
	Of          int        `json:"of"`    // answers that were checked
	Place       string     `json:"place"` // entry:line of the first
	FirstSeen   string     `json:"first_seen,omitempty"`
	LastSeen    string     `json:"last_seen,omitempty"`
	History     []int      `json:"status_history,omitempty"`
	LastError   *ErrorBody `json:"last_error,omitempty"`

	call int // the last that was counted
}

// Rebaseline is an endpoint that changed for good: its last answers were alike,
// and not as the contract has them.
type Rebaseline struct {
	Endpoint string `json:"endpoint"`
	Answers  int    `json:"answers"` // in a row
	Shape    any    `json:"shape"`
}

// Checked is what became of one endpoint.
type Checked struct {
	template.Endpoint
	Name        string         `json:"name"`
	Calls       int            `json:"calls"`
	Statuses    map[string]int `json:"statuses"`
	Established bool           `json:"established"`
	New         bool           `json:"new,omitempty"` // not in the contract
	Checked     int            `json:"checked"`       // good answers, once it was established
	Matching    int            `json:"matching"`
	Consistency string         `json:"consistency,omitempty"` // "8/10 (80 %)"
	Unparsable  map[string]int `json:"unparsable,omitempty"`
	NotShown    int            `json:"violations_not_shown,omitempty"`
}

// Result is what a check came to.
type Result struct {
	Violations []Violation  `json:"violations"`
	Rebaseline []Rebaseline `json:"rebaseline_candidates"`
	Endpoints  []Checked    `json:"endpoints"`
	Calls      int          `json:"calls"`
	Clean      int          `json:"clean_endpoints"` // without a violation; established ones, where that is what they are checked against
	Untracked  []string     `json:"untracked,omitempty"`
	Hints      []string     `json:"hints,omitempty"`
}

// Worst returns the severity of the worst violation, and "" if there is none.
func (r *Result) Worst() (worst verdict.Severity) {
	for _, v := range r.Violations {
		if v.Severity.AtLeast(worst) {
			worst = v.Severity
		}
	}
	return worst
}

// Check compares the answers of a trace with the contract, which stays as it is.
// Endpoints that are not in it, or not established, are learnt from the trace
// itself first; c may be nil for a check of a trace within itself.
func (c *Contract) Check(ctx context.Context, a *trace.Archive, o Options) (*Result, error) {
	_, trackers, r, err := c.check(ctx, a, o)
	if err != nil {
		return nil, err
	}
	return r.finish(trackers), nil
}

// Accept makes what an endpoint answers now the contract, for each endpoint that
// is a candidate for it in the trace and that the filter selects. It returns their
// names.
func (c *Contract) Accept(ctx context.Context, a *trace.Archive, o Options, which template.Filter) ([]string, error) {
	_, trackers, _, err := c.check(ctx, a, o)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, t := range trackers {
		e := c.find(t.e.Endpoint)
		if e == nil || t.streak < enough || !which.Match(e.String()) {
			continue
		}
		e.Shape, e.Samples, e.Steady = t.candidate, t.streak, t.streak
		names = append(names, e.String())
	}
	sort.Strings(names)
	return names, nil
}

func (c *Contract) check(ctx context.Context, a *trace.Archive, o Options) (*Contract, []*tracker, *Result, error) {
	known := map[string]bool{}
	if c != nil {
		for _, e := range c.Endpoints {
			known[e.String()] = true
		}
	}
	work := c.clone()
	work.settleOptions(&o)
	calls, err := collect(ctx, a, o, false)
	if err != nil {
		return nil, nil, nil, err
	}
	work.fold(calls)
	var list []*tracker
	by := map[*Endpoint]*tracker{}
	loggedOut := false
	for _, x := range calls {
		e := work.endpoint(x)
		if e == nil {
			continue
		}
		t := by[e]
		if t == nil {
			t = &tracker{e: e, isNew: !known[e.String()], statuses: map[string]int{}, found: map[Change]*Violation{}, good: e.Samples}
			by[e] = t
			list = append(list, t)
		}
		t.take(x, loggedOut)
		loggedOut = loggedOut || strings.Contains(strings.ToLower(x.endpoint.Path), "logout") || strings.Contains(strings.ToLower(x.endpoint.Path), "signout")
	}
	return work, list, &Result{Calls: len(calls), Untracked: work.Untracked}, nil
}

// tracker follows one endpoint through a trace.
type tracker struct {
	e          *Endpoint
	isNew      bool
	calls      int
	statuses   map[string]int
	unparsable map[string]int
	history    []int
	good, bad  int // answers that were good, and errors in a row since
	checked    int
	matching   int
	found      map[Change]*Violation
	order      []*Violation
	streak     int // answers in a row that are alike, and not as learnt
	candidate  *Shape
}

func (t *tracker) take(x *call, loggedOut bool) {
	t.calls++
	t.statuses[itoa(x.status)]++
	if x.state != "" {
		if t.unparsable == nil {
			t.unparsable = map[string]int{}
		}
		t.unparsable[x.state]++
	}
	t.history = append(t.history, x.status)
	t.history = t.history[max(0, len(t.history)-maxHistory):]
	t.e.count(x)
	switch {
	case x.failed():
		t.error(x, loggedOut)
		return
	case !x.good():
		return
	}
	t.good, t.bad = t.good+1, 0
	if x.shape == nil {
		return
	}
	if !t.e.Established() {
		t.e.teach(x)
		return
	}
	t.compare(x)
}

func (t *tracker) compare(x *call) {
	changes := Compare(t.e.Shape, x.shape)
	t.checked++
	if !slices.ContainsFunc(changes, func(c Change) bool { return c.Severity() != verdict.Info }) {
		t.matching++
	}
	for _, c := range changes {
		t.add(x, c, c.Severity(), c.Describe())
	}
	switch {
	case len(changes) == 0:
		t.streak, t.candidate = 0, nil
	case t.candidate != nil && t.candidate.String() == x.shape.String():
		t.streak++
		t.candidate.Merge(x.shape)
	default:
		t.streak, t.candidate = 1, &Shape{}
		t.candidate.Merge(x.shape)
	}
}

// error counts an error, which is a spike when answers were good before. What the
// session asked for itself is none: 401 behind a logout, 404 for one thing of many.
func (t *tracker) error(x *call, loggedOut bool) {
	if x.status == 401 && loggedOut || x.status == 404 && strings.Contains(x.endpoint.Path, ":") {
		return
	}
	if t.bad++; t.good < 2 || t.bad < 2 {
		return
	}
	severity := verdict.Warning
	if x.status >= 500 {
		severity = verdict.Critical
	}
	c := Change{Type: ErrorSpike}
	v := t.found[c]
	if v == nil {
		v = t.add(x, c, severity, "")
		v.Count = t.bad
	} else {
		t.add(x, c, severity, "")
	}
	if severity.AtLeast(v.Severity) {
		v.Severity = severity
	}
	v.History, v.LastError = slices.Clone(t.history), x.failure
	v.Description = fmt.Sprintf("%d good answers, then %d errors in a row (status %d)", t.good, t.bad, x.status)
}

func (t *tracker) add(x *call, c Change, severity verdict.Severity, text string) *Violation {
	v := t.found[c]
	at := ""
	if !x.at.IsZero() {
		at = x.at.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	if v == nil {
		v = &Violation{Endpoint: t.e.String(), Severity: severity, Change: c, Description: text, Place: x.place, FirstSeen: at}
		t.found[c] = v
		t.order = append(t.order, v)
	}
	if v.call != t.calls { // a list may break it in each of its elements
		v.Count++
		v.call = t.calls
	}
	v.LastSeen = at
	return v
}

func (r *Result) finish(trackers []*tracker) *Result {
	r.Violations, r.Rebaseline, r.Endpoints = []Violation{}, []Rebaseline{}, []Checked{}
	sort.SliceStable(trackers, func(i, j int) bool { return trackers[i].e.String() < trackers[j].e.String() })
	established := 0
	for _, t := range trackers {
		r.Endpoints = append(r.Endpoints, t.result())
		slices.SortStableFunc(t.order, func(a, b *Violation) int { return bySeverity(*a, *b) })
		for _, v := range t.order[:min(len(t.order), maxViolations)] {
			if v.Of = t.checked; v.Type == ErrorSpike {
				v.Of = t.calls
			}
			r.Violations = append(r.Violations, *v)
		}
		if t.streak >= enough {
			r.Rebaseline = append(r.Rebaseline, Rebaseline{t.e.String(), t.streak, t.candidate.Sketch()})
		}
		if t.e.Established() {
			established++
			if len(t.order) == 0 {
				r.Clean++
			}
		}
	}
	slices.SortStableFunc(r.Violations, bySeverity)
	r.hint(established)
	return r
}

func bySeverity(a, b Violation) int {
	switch {
	case a.Severity == b.Severity:
		return 0
	case a.Severity.AtLeast(b.Severity):
		return -1
	}
	return 1
}

func (t *tracker) result() Checked {
	c := Checked{Endpoint: t.e.Endpoint, Name: t.e.String(), Calls: t.calls, Statuses: t.statuses, Established: t.e.Established(), New: t.isNew, Checked: t.checked, Matching: t.matching,
		Unparsable: t.unparsable, NotShown: max(0, len(t.order)-maxViolations)}
	if t.checked > 0 {
		c.Consistency = fmt.Sprintf("%d/%d (%d %%)", t.matching, t.checked, t.matching*100/t.checked)
	}
	return c
}

func (r *Result) hint(established int) {
	unread := 0
	for _, e := range r.Endpoints {
		for _, n := range e.Unparsable {
			unread += n
		}
	}
	switch {
	case r.Calls == 0:
		r.Hints = append(r.Hints, "no calls of an API are in the trace: record it with network, and check the filters")
	case established == 0:
		r.Hints = append(r.Hints, fmt.Sprintf("no endpoint is established yet: that takes %d good JSON answers of each", enough))
	}
	if unread > 0 {
		r.Hints = append(r.Hints, fmt.Sprintf("%d JSON answers have no body in the trace that could be read", unread))
	}
	if len(r.Rebaseline) > 0 {
		r.Hints = append(r.Hints, "an API that was changed on purpose is accepted with: tracedeck contract learn --accept")
	}
}

// Sketch returns the shape as a value that shows it: objects with "?" behind the
// names of fields that may be missing, lists of one element, and kinds as strings.
func (s *Shape) Sketch() any {
	if s == nil {
		return "any"
	}
	var all []any
	for _, kind := range s.kinds() {
		switch {
		case kind == Object && !s.Opaque:
			m := map[string]any{}
			for name, f := range s.Fields {
				if !s.Required(name) {
					name += "?"
				}
				m[name] = f.Shape.Sketch()
			}
			all = append(all, m)
		case kind == Array && !s.Opaque:
			all = append(all, []any{s.Items.Sketch()})
		default:
			all = append(all, kind)
		}
	}
	switch len(all) {
	case 0:
		return "any"
	case 1:
		return all[0]
	}
	return map[string]any{"one of": all}
}
