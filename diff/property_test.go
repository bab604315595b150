package diff_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/tracetest"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// side opens and loads a trace.
func side(t testing.TB, path string) diff.Side {
	t.Helper()
	return diff.Side{Name: filepath.Base(path), Archive: tracetest.Open(t, path), Trace: tracetest.Load(t, path)}
}

func compare(t testing.TB, a, b diff.Side) *diff.Result {
	t.Helper()
	r, err := diff.Traces(context.Background(), a, b, diff.Options{})
	if err != nil {
		t.Fatalf("%s and %s: %v", a.Name, b.Name, err)
	}
	return r
}

func corpus(t testing.TB) []string {
	var all []string
	for _, pattern := range []string{"playwright/*.zip", "playwright/old/*.zip", "vibium/*.zip"} {
		all = append(all, tracetest.Corpus(t, pattern)...)
	}
	return all
}

func TestTraceIsTheSameAsItself(t *testing.T) {
	for _, path := range corpus(t) {
		r := compare(t, side(t, path), side(t, path))
		if r.Verdict != verdict.Same || r.FirstDivergence != -1 || len(r.Hidden) > 0 {
			t.Errorf("%s: %s, first divergence %d, hidden %v", path, r.Verdict, r.FirstDivergence, r.Hidden)
		}
		for _, s := range r.Sections {
			if s.Verdict != verdict.Same && (s.RecordedA || s.RecordedB) || len(s.Changes) > 0 {
				t.Errorf("%s: %s is %s: %v", path, s.Name, s.Verdict, s.Changes)
			}
			if !s.RecordedA && s.Verdict != verdict.Inconclusive {
				t.Errorf("%s: %s is not recorded, and %s", path, s.Name, s.Verdict)
			}
		}
	}
}

// verdicts returns every verdict of a result by what it is of.
func verdicts(r *diff.Result, swapped bool) map[string]verdict.Outcome {
	all := map[string]verdict.Outcome{"all": r.Verdict}
	for _, s := range r.Sections {
		all[string(s.Name)] = s.Verdict
	}
	for _, p := range r.Pairs {
		a, b := "", ""
		if p.A != nil {
			a = p.A.CallID
		}
		if p.B != nil {
			b = p.B.CallID
		}
		if swapped {
			a, b = b, a
		}
		name := fmt.Sprintf("%s|%s", a, b)
		all[name] = p.Verdict
		for _, s := range p.Sections {
			all[name+" "+string(s.Name)] = s.Verdict
		}
	}
	return all
}

func TestSwappingMirrorsEveryVerdict(t *testing.T) {
	paths := corpus(t)
	for i, path := range paths {
		other := paths[(i+7)%len(paths)]
		if i+1 < len(paths) && i%2 == 0 {
			other = paths[i+1]
		}
		a, b := side(t, path), side(t, other)
		there, back := verdicts(compare(t, a, b), false), verdicts(compare(t, b, a), true)
		for name, v := range there {
			if back[name] != v.Mirror() {
				t.Errorf("%s and %s: %s is %s, and swapped %s", a.Name, b.Name, name, v, back[name])
			}
		}
		if len(there) != len(back) {
			t.Errorf("%s and %s: %d verdicts, and swapped %d", a.Name, b.Name, len(there), len(back))
		}
	}
}

func TestOrderOfWhatOverlapsMeansNothing(t *testing.T) {
	for _, names := range [][2]string{{"network", "network"}, {"network", "basic"}, {"console", "console"}, {"console", "forms"}, {"fail", "fail"}, {"pair-a", "pair-b"}} {
		a := side(t, tracetest.Corpus(t, "playwright/"+names[0]+".zip")[0])
		b := side(t, tracetest.Corpus(t, "playwright/"+names[1]+".zip")[0])
		want := verdicts(compare(t, a, b), false)
		for seed := range 3 {
			shuffled := b
			shuffled.Trace = permute(b.Trace, seed)
			got := verdicts(compare(t, a, shuffled), false)
			for name, v := range want {
				if got[name] != v {
					t.Errorf("%v: %s was %s and is %s in another order", names, name, v, got[name])
				}
			}
		}
	}
}

// permute returns the trace with its requests, messages and failures in another
// order: that in which they are listed, and where two requests overlap that in
// which they began as well.
func permute(t *trace.Trace, seed int) *trace.Trace {
	c := *t
	c.Network, c.Console, c.Errors = turned(t.Network, seed), turned(t.Console, seed), turned(t.Errors, seed)
	for i := 0; i+1 < len(c.Network); i++ {
		x, y := *c.Network[i], *c.Network[i+1]
		if x.Start < y.End && y.Start < x.End && x.PageRef == y.PageRef && !apart(t, x.Start, y.Start) {
			x.Start, y.Start = y.Start, x.Start
			c.Network[i], c.Network[i+1] = &x, &y
		}
	}
	return &c
}

// apart reports whether an action began between two moments.
func apart(t *trace.Trace, a, b trace.Time) bool {
	for _, act := range t.Actions {
		if act.Start > min(a, b) && act.Start <= max(a, b) {
			return true
		}
	}
	return false
}

func turned[T any](list []T, seed int) []T {
	out := make([]T, len(list))
	for i, v := range list {
		out[(i*7+seed*3+1)%max(len(list), 1)] = v
	}
	if len(list)%7 == 0 {
		for i, v := range list {
			out[len(list)-1-i] = v
		}
	}
	return out
}
