package viewer

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/audit"
	"github.com/tracedeck/tracedeck/trace/contract"
	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/perf"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// findings are what the tabs Audit, Contract and Performance show of a
// recording. Each is made when somebody first asks, and anew when a recording
// has grown since.
type findings struct{ audit, contract, perf finding }

// finding is one of them.
type finding struct {
	mu    sync.Mutex
	value any
	bytes int64 // how much had been read when it was made
}

// once returns the value, which make makes where there is none of what has
// been read by now.
func (f *finding) once(r *recording, make func() (any, error)) (any, error) {
	p := r.progress()
	if p.err != nil {
		return nil, p.err
	}
	if !p.done {
		return nil, errReading
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.value != nil && f.bytes == p.batch.Bytes {
		return f.value, nil
	}
	v, err := make()
	if err != nil {
		return nil, err
	}
	f.value, f.bytes = v, p.batch.Bytes
	return v, nil
}

// audit looks for security faults.
func (r *recording) audit(ctx context.Context) (any, error) {
	return r.findings.audit.once(r, func() (any, error) {
		return audit.Run(ctx, r.archive, audit.Options{Least: verdict.Info})
	})
}

// contractAnswer is what the answers of the session break, and with what.
type contractAnswer struct {
	*contract.Result
	// Within says that there is no contract but what the session itself began
	// with.
	Within bool `json:"within"`
}

func (r *recording) contract(ctx context.Context) (any, error) {
	return r.findings.contract.once(r, func() (any, error) {
		v, err := r.known.Contract.Check(ctx, r.archive, contract.Options{})
		return contractAnswer{v, r.known.Contract == nil}, err
	})
}

// perfAnswer is how the session performed, and which limits it did not keep.
type perfAnswer struct {
	*perf.Report
	Budget   bool          `json:"budget"` // there is one
	Exceeded []perf.Excess `json:"exceeded"`
}

func (r *recording) performance(ctx context.Context) (any, error) {
	return r.findings.perf.once(r, func() (any, error) {
		t, err := trace.Load(ctx, r.archive, trace.LoadOptions{NoLogs: true})
		if err != nil {
			return nil, err
		}
		report := perf.Of(t)
		a := perfAnswer{Report: report, Budget: r.known.Budget != nil, Exceeded: r.known.Budget.Exceeded(report)}
		if a.Exceeded == nil {
			a.Exceeded = []perf.Excess{}
		}
		return a, nil
	})
}

// placeAnswer is the row that a line became.
type placeAnswer struct {
	Table string    `json:"table"`
	Row   index.Row `json:"row"` // -1 if there is none
}

// rowAt finds the row of a line that is named "entry:line", as findings name
// the evidence.
func rowAt(x *index.Index, place string) placeAnswer {
	at := strings.LastIndexByte(place, ':')
	line, err := strconv.Atoi(place[at+1:])
	if at < 0 || err != nil {
		return placeAnswer{Row: index.NoRow}
	}
	is := func(p trace.Position) bool { return p.Line == line && p.File == place[:at] }
	for n := range index.Row(x.Len(index.Network)) {
		if is(x.Request(n).Position) {
			return placeAnswer{"network", n}
		}
	}
	for n := range index.Row(x.Len(index.Console)) {
		if is(x.Message(n).Position) {
			return placeAnswer{"console", n}
		}
	}
	for n := range index.Row(x.Len(index.Actions)) {
		if a := x.Action(n); is(a.Before) || is(a.After) || is(a.StepBefore) || is(a.StepAfter) {
			return placeAnswer{"actions", n}
		}
	}
	return placeAnswer{Row: index.NoRow}
}

// placesOf lists the places that findings name.
func placesOf(v any) (all []string) {
	switch v := v.(type) {
	case *verdict.Report:
		for _, f := range v.Findings {
			all = append(all, f.Evidence.Place)
		}
	case contractAnswer:
		for _, b := range v.Violations {
			all = append(all, b.Place)
		}
	case perfAnswer:
		for _, s := range v.SlowRequest {
			all = append(all, s.ID)
		}
	}
	return all
}
