package perf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// Metric is one number about a session. Value is nil where it was not recorded.
type Metric struct {
	Name   string   `json:"name"`
	Unit   string   `json:"unit,omitempty"` // ms, bytes, or none for counts and scores
	Value  *float64 `json:"value,omitempty"`
	Rating string   `json:"rating,omitempty"` // good, needs improvement or poor, by the limits of web vitals

	good, poor    float64
	share, amount float64 // what it must be worse by to count, of the smaller value and in all
}

// metrics are all of them, in the order in which they are told.
var metrics = []Metric{
	{Name: "TTFB", Unit: "ms", good: 800, poor: 1800, share: 0.5, amount: 100},
	{Name: "FCP", Unit: "ms", good: 1800, poor: 3000, share: 0.5, amount: 200},
	{Name: "LCP", Unit: "ms", good: 2500, poor: 4000, share: 0.5, amount: 200},
	{Name: "CLS", good: 0.1, poor: 0.25, amount: 0.05},
	{Name: "INP", Unit: "ms", good: 200, poor: 500, share: 0.5, amount: 200},
	{Name: "requests", share: 0.5, amount: 5},
	{Name: "failed requests", amount: 0.5},
	{Name: "bytes", Unit: "bytes", share: 1, amount: 100 << 10},
	{Name: "long tasks", share: 0.5, amount: 2},
	{Name: "longest task", Unit: "ms", share: 0.5, amount: 200},
	{Name: "TBT", Unit: "ms", share: 0.5, amount: 200},
	{Name: "actions", Unit: "ms", share: 0.5, amount: 1000},
	{Name: "slowest action", Unit: "ms", share: 0.5, amount: 1000},
}

// Names returns the names of all metrics.
func Names() []string {
	var list []string
	for _, m := range metrics {
		list = append(list, m.Name)
	}
	return list
}

func (m Metric) rating(v float64) string {
	switch {
	case m.good == 0:
		return ""
	case v <= m.good:
		return "good"
	case v <= m.poor:
		return "needs improvement"
	}
	return "poor"
}

// String writes the value with its unit.
func (m Metric) String() string {
	if m.Value == nil {
		return "not recorded"
	}
	v := *m.Value
	switch {
	case m.Name == "CLS":
		return fmt.Sprintf("%.3f", v)
	case m.Unit == "ms":
		return fmt.Sprintf("%.0f ms", v)
	case m.Unit == "bytes" && v >= 1e6:
		return fmt.Sprintf("%.1f MB", v/1e6)
	case m.Unit == "bytes" && v >= 1e3:
		return fmt.Sprintf("%.1f kB", v/1e3)
	case m.Unit == "bytes":
		return fmt.Sprintf("%.0f B", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func place(p trace.Position) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Metric returns the metric of that name; its Value is nil where it was not recorded.
func (r *Report) Metric(name string) Metric {
	for _, m := range r.Metrics {
		if m.Name == name {
			return m
		}
	}
	return Metric{Name: name}
}

// Change is a metric of two sessions.
type Change struct {
	Name   string   `json:"name"`
	Before *float64 `json:"before,omitempty"`
	After  *float64 `json:"after,omitempty"`
	// Effect is same, improved, regressed, or inconclusive where one of them
	// was not recorded.
	Effect string `json:"effect"`
}

// Compare holds a session against an earlier one. A difference counts when it
// is large both in itself and beside the smaller value, or when a rating went
// from good to poor or back.
func Compare(before, after *Report) []Change {
	var list []Change
	for _, m := range metrics {
		a, b := before.Metric(m.Name).Value, after.Metric(m.Name).Value // a report may come from a file
		if a == nil && b == nil {
			continue
		}
		c := Change{Name: m.Name, Before: a, After: b, Effect: "inconclusive"}
		if a != nil && b != nil {
			c.Effect = m.effect(*a, *b)
		}
		list = append(list, c)
	}
	return list
}

func (m Metric) effect(a, b float64) string {
	low, high := min(a, b), max(a, b)
	far := high-low > m.amount && high > low*(1+m.share)
	if m.good > 0 && low <= m.good && high > m.poor {
		far = true
	}
	switch {
	case !far:
		return "same"
	case b > a:
		return "regressed"
	}
	return "improved"
}

// Budget is the most that each metric may be, by its name.
type Budget map[string]float64

// ErrBudget is the cause of an error for a file that is no budget.
var ErrBudget = errors.New("no budget")

// ReadBudget reads a JSON object of limits by the names of metrics, such as
// {"LCP": 2500, "bytes": 1000000}.
func ReadBudget(r io.Reader) (Budget, error) {
	d := json.NewDecoder(io.LimitReader(r, 1<<20))
	var b Budget
	if err := d.Decode(&b); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBudget, err)
	}
	if len(b) == 0 {
		return nil, fmt.Errorf("%w: it holds no limits", ErrBudget)
	}
	out := Budget{}
	for name, limit := range b {
		known := ""
		for _, n := range Names() {
			if strings.EqualFold(n, strings.NewReplacer("-", " ", "_", " ").Replace(name)) {
				known = n
			}
		}
		switch {
		case known == "":
			return nil, fmt.Errorf("%w: there is no metric %.60q, but %s", ErrBudget, name, strings.Join(Names(), ", "))
		case limit < 0 || math.IsInf(limit, 0):
			return nil, fmt.Errorf("%w: the limit of %s is %v", ErrBudget, name, limit)
		}
		out[known] = limit
	}
	return out, nil
}

// Excess is a limit that was not kept, or cannot be told to be kept.
type Excess struct {
	Name  string   `json:"name"`
	Limit float64  `json:"limit"`
	Value *float64 `json:"value,omitempty"` // absent where it was not recorded
}

// Exceeded returns the limits that the session did not keep, and those of
// metrics that were not recorded: they are not known to be kept.
func (b Budget) Exceeded(r *Report) []Excess {
	list := []Excess{}
	for name, limit := range b {
		if m := r.Metric(name); m.Value == nil || *m.Value > limit {
			list = append(list, Excess{name, limit, m.Value})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}
