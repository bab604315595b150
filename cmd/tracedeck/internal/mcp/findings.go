package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/audit"
	"github.com/tracedeck/tracedeck/trace/contract"
	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/perf"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

func (s *Server) addFindingTools() {
	tool(s, readOnly("audit", "Security faults that the session gives away: credentials and personal data where they should not be, endpoints without authentication, plain HTTP, headers and cookie flags. What was not recorded is told apart from what is clean."), s.auditTool)
	tool(s, readOnly("contract", "Where answers of the API break with their contract: learnt from good traces if some are named, otherwise from how the session itself began. Fields that are missing, of another type or null, errors where there were answers."), s.contractTool)
	tool(s, readOnly("perf", "How the session performed: web vitals, requests, bytes, long tasks, slowest requests and actions; against another session, or limits."), s.perfTool)
}

type auditArgs struct {
	TraceArg
	Checks   []string         `json:"checks,omitempty" jsonschema:"credentials, auth_patterns, pii_exposure, transport, headers, cookies; all if left out"`
	URL      string           `json:"url,omitempty" jsonschema:"only addresses that hold this text, or match glob:... or re:..."`
	Severity verdict.Severity `json:"severity,omitempty" jsonschema:"at least: critical, warning or info; warning unless told"`
	Range
}

// Audit is what an audit found.
type Audit struct {
	Findings List[verdict.Finding] `json:"findings"`
	Summary  verdict.Summary       `json:"summary"`
	Checks   []verdict.Check       `json:"checks" jsonschema:"what became of each check: clean, findings, partial or not_recorded"`
	Notes    []string              `json:"notes"`
	Worst    verdict.Severity      `json:"worst,omitempty"`
}

func (a *Audit) shrink() bool { return a.Findings.shrink() }

func (s *Server) auditTool(ctx context.Context, in auditArgs) (Audit, reply, error) {
	t, _, err := s.load(ctx, in.Trace)
	if err != nil {
		return Audit{}, reply{session: t}, err
	}
	url, err := template.ParseFilter(in.URL)
	if err != nil {
		return Audit{}, reply{session: t}, err
	}
	if in.Severity != "" {
		if _, err := verdict.ParseSeverity(string(in.Severity)); err != nil {
			return Audit{}, reply{session: t}, err
		}
	}
	r, err := audit.Run(ctx, t.archive, audit.Options{Checks: in.Checks, URL: url, Least: in.Severity, Limit: -1})
	if err != nil {
		return Audit{}, reply{session: t}, err
	}
	out := Audit{Findings: part(r.Findings, in.Range), Summary: r.Summary, Checks: r.Checks, Notes: append([]string{}, r.Remarks()...), Worst: r.Worst}
	return out, reply{session: t}, nil
}

type contractArgs struct {
	TraceArg
	Good  []string `json:"good,omitempty" jsonschema:"ids or paths of traces of good sessions to learn from; without, the session's own beginning"`
	URL   string   `json:"url,omitempty" jsonschema:"only addresses that hold this text, or match glob:... or re:..."`
	Depth int      `json:"depth,omitempty" jsonschema:"levels of objects and lists that are looked into; 3 unless told, 8 at most"`
	Range
}

// ContractCheck is what a check of an API's answers came to.
type ContractCheck struct {
	Violations List[contract.Violation] `json:"violations"`
	Endpoints  []EndpointItem           `json:"endpoints"`
	Changed    []string                 `json:"changed_for_good" jsonschema:"endpoints whose last answers agree on a new shape"`
	Calls      int                      `json:"calls"`
	Untracked  []string                 `json:"untracked,omitempty"`
	Hints      []string                 `json:"hints,omitempty"`
	More       int                      `json:"endpoints_left,omitempty" jsonschema:"endpoints that are not listed"`
}

// EndpointItem is what became of one endpoint.
type EndpointItem struct {
	Name        string `json:"name"`
	Calls       int    `json:"calls"`
	Established bool   `json:"established" jsonschema:"whether its shape is known well enough to be checked against"`
	Consistency string `json:"consistency,omitempty"`
}

func (c *ContractCheck) shrink() bool {
	if n := len(c.Endpoints); n > 10 {
		c.More += n - n/2
		c.Endpoints = c.Endpoints[:n/2]
		return true
	}
	return c.Violations.shrink()
}

func (s *Server) contractTool(ctx context.Context, in contractArgs) (ContractCheck, reply, error) {
	t, _, err := s.load(ctx, in.Trace)
	if err != nil {
		return ContractCheck{}, reply{session: t}, err
	}
	url, err := template.ParseFilter(in.URL)
	if err != nil || in.Depth < 0 || in.Depth > contract.MaxDepth {
		return ContractCheck{}, reply{session: t}, errors.Join(err, fmt.Errorf("depth is 1 to %d", contract.MaxDepth))
	}
	o := contract.Options{URL: url, Depth: in.Depth}
	c := &contract.Contract{}
	for _, name := range in.Good {
		g, _, err := s.load(ctx, name)
		if err != nil {
			return ContractCheck{}, reply{session: g}, err
		}
		if _, err := c.Learn(ctx, g.archive, o); err != nil {
			return ContractCheck{}, reply{session: g}, err
		}
	}
	r, err := c.Check(ctx, t.archive, o)
	if err != nil {
		return ContractCheck{}, reply{session: t}, err
	}
	out := ContractCheck{Violations: part(r.Violations, in.Range), Endpoints: []EndpointItem{}, Changed: []string{}, Calls: r.Calls, Untracked: r.Untracked[:min(len(r.Untracked), 20)], Hints: r.Hints}
	for _, e := range r.Endpoints {
		out.Endpoints = append(out.Endpoints, EndpointItem{e.Name, e.Calls, e.Established, e.Consistency})
	}
	for _, b := range r.Rebaseline {
		out.Changed = append(out.Changed, b.Endpoint)
	}
	return out, reply{session: t}, nil
}

type perfArgs struct {
	TraceArg
	Before string             `json:"before,omitempty" jsonschema:"id or path of an earlier session to hold it against"`
	Budget map[string]float64 `json:"budget,omitempty" jsonschema:"limits by the names of metrics, such as LCP, CLS, requests, bytes, TBT"`
}

// Performance is how a session performed.
type Performance struct {
	perf.Report
	Changes  []perf.Change `json:"changes,omitempty" jsonschema:"against the earlier session"`
	Exceeded []perf.Excess `json:"exceeded,omitempty" jsonschema:"limits that are not kept, or not known to be"`
	Left     int           `json:"loads_left,omitempty" jsonschema:"loads that are not listed"`
}

func (p *Performance) shrink() bool {
	n := len(p.Loads)
	if n < 2 {
		return false
	}
	p.Left += n - n/2
	p.Loads = p.Loads[:n/2]
	return true
}

func (s *Server) perfTool(ctx context.Context, in perfArgs) (Performance, reply, error) {
	t, tr, err := s.load(ctx, in.Trace)
	if err != nil {
		return Performance{}, reply{session: t}, err
	}
	budget, err := budgetOf(in.Budget)
	if err != nil {
		return Performance{}, reply{session: t}, err
	}
	out := Performance{Report: *perf.Of(tr)}
	out.Exceeded = budget.Exceeded(&out.Report)
	if in.Before != "" {
		b, bt, err := s.load(ctx, in.Before)
		if err != nil {
			return Performance{}, reply{session: b}, err
		}
		out.Changes = perf.Compare(perf.Of(bt), &out.Report)
	}
	return out, reply{session: t}, nil
}

// budgetOf checks the names of limits.
func budgetOf(limits map[string]float64) (perf.Budget, error) {
	if len(limits) == 0 {
		return nil, nil
	}
	b, err := marshal(limits)
	if err != nil {
		return nil, err
	}
	return perf.ReadBudget(strings.NewReader(b))
}

// recordingOf returns the path that a trace is opened by, of one that is open
// already or not.
func (s *Server) recordingOf(name string) (string, error) {
	if t := s.deck.find(name); t != nil {
		return t.Path, nil
	}
	if name == "" {
		t, err := s.deck.only()
		if err != nil {
			return "", err
		}
		return t.Path, nil
	}
	return absolute(name), nil
}

// fresh opens a trace as it is now, for a moment.
func (s *Server) fresh(ctx context.Context, path string, do func(a *trace.Archive, t *trace.Trace) error) error {
	if err := s.o.allowed(path); err != nil {
		return err
	}
	a, err := trace.Open(ctx, path, s.o.Trace)
	if err != nil {
		return err
	}
	defer a.Close()
	t, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		return err
	}
	return do(a, t)
}
