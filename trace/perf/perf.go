// Package perf says how a recorded session performed: web vitals, requests and
// bytes, long tasks, and how long actions took. What a trace does not hold is
// said to be not recorded, and is never taken for good.
package perf

import (
	"encoding/json"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// Load is one load of a page with what it measured of itself. A value that was
// not recorded is nil.
type Load struct {
	URL  string   `json:"url"`
	At   float64  `json:"at"`             // milliseconds since the start of the trace, when it was told last
	TTFB *float64 `json:"ttfb,omitempty"` // milliseconds
	FCP  *float64 `json:"fcp,omitempty"`  // milliseconds
	LCP  *float64 `json:"lcp,omitempty"`  // milliseconds
	CLS  *float64 `json:"cls,omitempty"`
	INP  *float64 `json:"inp,omitempty"` // milliseconds
}

// Slow is something that took long.
type Slow struct {
	What string  `json:"what"`
	ID   string  `json:"id"` // call id of an action, entry:line of a request
	Took float64 `json:"took"`
}

// TypeSum adds up the requests of one resource type.
type TypeSum struct {
	Type     string `json:"type"`
	Requests int    `json:"requests"`
	Bytes    int64  `json:"bytes"`
}

// Report is how a session performed.
type Report struct {
	Metrics     []Metric  `json:"metrics"`
	Loads       []Load    `json:"loads"`
	Types       []TypeSum `json:"types"`
	SlowActions []Slow    `json:"slowActions"`
	SlowRequest []Slow    `json:"slowRequests"`
	NotRecorded []string  `json:"notRecorded"` // names of metrics
}

// Of measures a trace.
func Of(t *trace.Trace) *Report {
	r := &Report{Loads: loads(t), Types: []TypeSum{}, SlowActions: []Slow{}, SlowRequest: []Slow{}, NotRecorded: []string{}}
	values := map[string]float64{}
	r.vitals(values)
	r.requests(t, values)
	longTasks(t, values, len(r.Loads) > 0)
	r.actions(t, values)
	for _, m := range metrics {
		if v, ok := values[m.Name]; ok {
			m.Value = &v
			m.Rating = m.rating(v)
		} else {
			r.NotRecorded = append(r.NotRecorded, m.Name)
		}
		r.Metrics = append(r.Metrics, m)
	}
	return r
}

// loads collects what pages told of themselves. A page tells its vitals again
// each time they change; the last telling of a load counts.
func loads(t *trace.Trace) []Load {
	list, at := []Load{}, map[string]int{}
	for _, e := range t.Events {
		if e.Class != "Performance" || e.Method != "vitals" {
			continue
		}
		var p struct {
			URL                      string
			TTFB, FCP, LCP, CLS, INP *float64
		}
		if json.Unmarshal(e.Params, &p) != nil {
			continue
		}
		ttfb := -1.0
		if p.TTFB != nil {
			ttfb = *p.TTFB
		}
		key, err := json.Marshal([]any{e.PageID, p.URL, ttfb})
		if err != nil {
			continue
		}
		l := Load{p.URL, e.Time.Milliseconds(), p.TTFB, p.FCP, p.LCP, p.CLS, p.INP}
		if i, ok := at[string(key)]; ok {
			list[i] = l
			continue
		}
		at[string(key)] = len(list)
		list = append(list, l)
	}
	return list
}

// vitals takes the worst of all loads.
func (r *Report) vitals(values map[string]float64) {
	for _, l := range r.Loads {
		for name, v := range map[string]*float64{"TTFB": l.TTFB, "FCP": l.FCP, "LCP": l.LCP, "CLS": l.CLS, "INP": l.INP} {
			if old, ok := values[name]; v != nil && *v >= 0 && (!ok || *v > old) {
				values[name] = *v
			}
		}
	}
}

func (r *Report) requests(t *trace.Trace, values map[string]float64) {
	if len(t.Network) == 0 {
		return
	}
	types := map[string]*TypeSum{}
	for _, q := range t.Network {
		kind := q.ResourceType
		if kind == "" {
			kind = "other"
		}
		if types[kind] == nil {
			types[kind] = &TypeSum{Type: kind}
		}
		n := int64(max(0, q.Response.TransferSize))
		if n == 0 {
			n = int64(max(0, q.Response.Content.Size, q.Response.BodySize))
		}
		types[kind].Requests++
		types[kind].Bytes += n
		values["requests"]++
		values["bytes"] += float64(n)
		if q.Failed() && !q.Pending() || q.Response.Status >= 400 {
			values["failed requests"]++
		}
		if took := q.End.Sub(q.Start); took > 0 && !q.Pending() && kind != "websocket" && kind != "eventsource" {
			r.SlowRequest = append(r.SlowRequest, Slow{q.Request.Method + " " + q.Request.URL, place(q.Position), float64(took) / 1e6})
		}
	}
	values["failed requests"] += 0
	for _, s := range types {
		r.Types = append(r.Types, *s)
	}
	sort.Slice(r.Types, func(i, j int) bool { return r.Types[i].Type < r.Types[j].Type })
	r.SlowRequest = slowest(r.SlowRequest)
}

// longTasks counts tasks, and what of them is above 50 ms, when the page did
// not answer. None is told of where none was watched for.
func longTasks(t *trace.Trace, values map[string]float64, watched bool) {
	count, blocked, longest := 0.0, 0.0, 0.0
	for _, e := range t.Events {
		if e.Class != "Performance" || e.Method != "longtask" {
			continue
		}
		var p struct{ Duration float64 }
		if json.Unmarshal(e.Params, &p) == nil && p.Duration > 0 {
			count++
			blocked += max(0, p.Duration-50)
			longest = max(longest, p.Duration)
		}
	}
	if count > 0 || watched {
		values["long tasks"], values["TBT"], values["longest task"] = count, blocked, longest
	}
}

func (r *Report) actions(t *trace.Trace, values map[string]float64) {
	for _, a := range t.Actions {
		if a.Kind != trace.KindCall || a.Title().Group != "" {
			continue
		}
		d, ok := a.Duration()
		if !ok {
			continue
		}
		ms := float64(d) / 1e6
		values["actions"] += ms
		values["slowest action"] = max(values["slowest action"], ms)
		r.SlowActions = append(r.SlowActions, Slow{strings.TrimSpace(a.Title().String()), a.ID(), ms})
	}
	r.SlowActions = slowest(r.SlowActions)
}

// slowest keeps the five that took the longest.
func slowest(list []Slow) []Slow {
	sort.SliceStable(list, func(i, j int) bool { return list[i].Took > list[j].Took })
	return list[:min(len(list), 5)]
}
