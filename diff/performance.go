package diff

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// metric is something about the speed of a session, in its unit.
type metric struct {
	name string
	unit string // "ms", "" for a count or a score, "bytes"
	// It is worse, or better, when it differs by more than this share of the
	// smaller value and by more than this amount.
	share, amount float64
	// good and poor are the limits of its ratings; 0 where it has none.
	good, poor float64
}

// metrics are what is compared, with the limits from which a difference counts.
var metrics = []metric{
	{"TTFB", "ms", 0.5, 100, 800, 1800},
	{"FCP", "ms", 0.5, 200, 1800, 3000},
	{"LCP", "ms", 0.5, 200, 2500, 4000},
	{"CLS", "", 0, 0.05, 0.1, 0.25},
	{"INP", "ms", 0.5, 200, 200, 500},
	{"load", "ms", 0.5, 200, 0, 0},
	{"long tasks", "ms", 0.5, 200, 0, 0},
	{"requests", "", 0.5, 5, 0, 0},
	{"bytes", "bytes", 1, 100 << 10, 0, 0},
	{"steps", "ms", 0.5, 1000, 0, 0},
}

// effect says what becomes of the metric. Swapping the values mirrors it.
func (m *metric) effect(a, b float64) effect {
	low, high := min(a, b), max(a, b)
	far := high-low > m.amount && high > low*(1+m.share)
	if m.good > 0 && low <= m.good && high > m.poor {
		far = true // from good to poor, or back
	}
	switch {
	case !far:
		return told
	case b > a:
		return worse
	}
	return better
}

func (m *metric) shown(v float64) string {
	switch {
	case m.unit == "ms":
		return fmt.Sprintf("%.0f ms", v)
	case m.unit == "bytes" && v >= 1000:
		return fmt.Sprintf("%.1f kB", v/1000)
	case m.name == "CLS":
		return fmt.Sprintf("%.3f", v)
	}
	return fmt.Sprintf("%.0f%s", v, strings.TrimSuffix(" "+m.unit, " "))
}

// performance compares how fast the sessions were.
func (c *Comparer) performance() Section {
	a, b := c.measured(0), c.measured(1)
	byA, byB := virtualClock(c.sides[0].Trace), virtualClock(c.sides[1].Trace)
	paced := byA || byB
	var changes []Change
	var missing []string
	for i := range metrics {
		m := &metrics[i]
		v, inA := a[m.name]
		w, inB := b[m.name]
		if inA != inB {
			missing = append(missing, m.name)
		}
		if !inA || !inB || m.shown(v) == m.shown(w) {
			continue
		}
		effect := m.effect(v, w)
		if m.unit == "ms" && paced {
			effect = told
		}
		changes = append(changes, Change{Kind: ChangeValue, Effect: effect, What: m.name, A: m.shown(v), B: m.shown(w)})
	}
	s := section(Performance, changes)
	var notes []string
	if paced {
		notes = append(notes, "times decide nothing: "+paceOf(byA, byB)+" under a virtual clock, whose pace is not the application's")
	}
	if len(missing) > 0 {
		notes = append(notes, "only one trace holds "+strings.Join(missing, ", "))
	}
	s.Note = strings.Join(notes, "; ")
	return s
}

// stamp says by what the pictures of a replay were taken: the way in which the
// clock was given and the browser. It is "" for a trace that is none.
func stamp(t *trace.Trace) string {
	for _, e := range t.Events {
		var begin struct{ Stamp string }
		if e.Class == "Replay" && e.Method == "begin" && json.Unmarshal(e.Params, &begin) == nil {
			return begin.Stamp
		}
	}
	return ""
}

// virtualClock reports whether a trace is a replay in which the driver moved the clock.
func virtualClock(t *trace.Trace) bool {
	for _, e := range t.Events {
		var begin struct{ Regime string }
		if e.Class == "Replay" && e.Method == "begin" && json.Unmarshal(e.Params, &begin) == nil {
			return begin.Regime == "frames" || begin.Regime == "timers"
		}
	}
	return false
}

func paceOf(a, b bool) string {
	switch {
	case a && b:
		return "both traces were replayed"
	case a:
		return "A was replayed"
	}
	return "B was replayed"
}

// measured returns what a trace says about its speed.
func (c *Comparer) measured(side int) map[string]float64 {
	t := c.sides[side].Trace
	all := map[string]float64{}
	vitals(t, all)
	if recordsNetwork(t) {
		all["requests"] = float64(len(t.Network))
		bytes := 0
		for _, r := range t.Network {
			if n := r.Response.TransferSize; n > 0 {
				bytes += n
			} else if n := r.Response.Content.Size; n > 0 {
				bytes += n
			}
		}
		all["bytes"] = float64(bytes)
	}
	for i := range c.align.Pairs {
		// Only what both did can be held against each other.
		if p := &c.align.Pairs[i]; p.Both() && p.A.action.Kind == trace.KindCall {
			s := p.A
			if side == 1 {
				s = p.B
			}
			if d, ok := s.action.Duration(); ok {
				all["steps"] += float64(d) / 1e6
			}
			if d, ok := s.action.Duration(); ok && s.method == "goto" {
				all["load"] += float64(d) / 1e6
			}
		}
	}
	return all
}

// vitals takes what pages measured of themselves: the worst of each. Where
// none did, the median wait of the documents' requests tells of the first byte.
func vitals(t *trace.Trace, all map[string]float64) {
	for _, e := range t.Events {
		var p map[string]any
		if e.Class != "Performance" || json.Unmarshal(e.Params, &p) != nil {
			continue
		}
		if d, ok := p["duration"].(float64); ok && e.Method == "longtask" {
			all["long tasks"] += d
		}
		for _, name := range []string{"TTFB", "FCP", "LCP", "CLS", "INP"} {
			if v, ok := p[name].(float64); ok && e.Method == "vitals" {
				all[name] = max(all[name], v)
			}
		}
	}
	if _, ok := all["TTFB"]; ok {
		return
	}
	var waits []float64
	for _, r := range t.Network {
		if r.ResourceType == "document" && r.Timings.Wait > 0 {
			waits = append(waits, r.Timings.Wait)
		}
	}
	if len(waits) > 0 {
		slices.Sort(waits)
		all["TTFB"] = waits[len(waits)/2]
	}
}

// pairTimes compares how long a step took: from a half more, and a fifth of a
// second. It is told, and decides nothing.
func (c *Comparer) pairTimes(p Pair) Section {
	a, okA := p.A.action.Duration()
	b, okB := p.B.action.Duration()
	m := metric{name: "duration", unit: "ms", share: 0.5, amount: 200}
	ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
	if !okA || !okB {
		return section(Performance, nil)
	}
	e := m.effect(ms(a), ms(b))
	if e == told {
		return section(Performance, nil)
	}
	return section(Performance, []Change{{Kind: ChangeValue, Effect: e, What: m.name, A: m.shown(ms(a)), B: m.shown(ms(b))}})
}
