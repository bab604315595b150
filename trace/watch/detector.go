package watch

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/redact"
)

// Thresholds of the rules.
const (
	slowLCP    = 4000 // milliseconds; web vitals call more than that poor
	slowFactor = 2    // times the median of earlier loads
	slowLeast  = 1000 // milliseconds, below which nothing counts as slow
	longTask   = 500  // milliseconds
	rageClicks = 3
	rageSpan   = 5 * time.Second
	ragePixels = 30
	formWait   = 5 * time.Second
	clickWait  = time.Second
	mostKeys   = 500      // of each kind that are remembered
	mostText   = 200      // runes of a message
	mostBody   = 100      // runes of a preview
	mostOfBody = 64 << 10 // bytes of an entry that are looked at
)

// Detector finds what is worth telling in the events of a trace, given to it in
// the order in which they were written. It is not safe for concurrent use.
type Detector struct {
	// Body returns the beginning of an entry, for previews of answers; nil
	// leaves them out.
	Body func(file string) string

	mask  *redact.Masker
	forms *redact.Masker // knows no values: what gives itself away to it is in the open
	found []Finding
	now   trace.Time // the latest moment heard of
	zero  trace.Time // the first
	begun bool

	told    *recent[bool]      // errors, by their kind
	good    *recent[int]       // the last good status of each endpoint
	bad     *recent[bool]      // endpoints that fail now
	rounds  *recent[int]       // how often an endpoint was well again
	loads   *recent[[]float64] // LCP of earlier loads, by page
	counted *recent[string]    // the load of each page that was judged
	clicks  *recent[*burst]
	open    *recent[*click] // by call
	submits *recent[*submit]
	at      trace.Position
	moment  trace.Time // of the event that is looked at; 0 where it has none
}

// NewDetector returns a Detector whose findings are without secrets. The
// masker may be shared; nil means one of the Detector's own.
func NewDetector(m *redact.Masker) *Detector {
	if m == nil {
		m = redact.NewMasker(redact.Options{})
	}
	return &Detector{mask: m, forms: redact.NewMasker(redact.Options{}), told: newRecent[bool](), good: newRecent[int](), bad: newRecent[bool](), rounds: newRecent[int](), loads: newRecent[[]float64](),
		counted: newRecent[string](), clicks: newRecent[*burst](), open: newRecent[*click](), submits: newRecent[*submit]()}
}

// Event looks at one event and returns what is worth telling. The masker
// learns from its line.
func (d *Detector) Event(e *trace.Event) []Finding {
	d.at, d.moment = e.Position, momentOf(e.Body)
	defer func() { d.moment = 0 }()
	d.learn(e)
	switch b := e.Body.(type) {
	case *trace.ContextOptions:
		if !d.begun && b.MonotonicTime != 0 {
			d.zero, d.begun = b.MonotonicTime, true
		}
	case *trace.Console:
		d.advance(d.moment)
		d.console(b)
	case *trace.ContextEvent:
		d.advance(d.moment)
		d.event(b)
	case *trace.ResourceSnapshot:
		d.request(b)
	case *trace.Before:
		d.advance(d.moment)
		d.call(b)
	case *trace.Input:
		d.input(b)
	case *trace.FrameSnapshot:
		d.snapshot(b)
	case *trace.After:
		d.advance(d.moment)
		d.ended(b)
	case *trace.TestError:
		d.tell(Finding{Category: Errors, Severity: Error, Rule: "test-failed", Message: "The test failed: " + firstLine(b.Message)}, "test "+kind(firstLine(b.Message)))
	}
	return d.take()
}

// learn lets the masker meet the secrets of a line.
func (d *Detector) learn(e *trace.Event) {
	if len(e.Raw) > 0 {
		d.mask.LearnLine(e.Raw)
	}
}

// Tick tells the Detector what time it is on the trace's clock, and returns
// what did not happen in time: forms and clicks without an effect.
func (d *Detector) Tick(now trace.Time) []Finding {
	d.advance(now)
	return d.take()
}

// Now returns the latest moment that the Detector heard of.
func (d *Detector) Now() trace.Time { return d.now }

func (d *Detector) take() []Finding {
	list := d.found
	d.found = nil
	return list
}

// tell adds a finding. What is told once is not told again by the Detector for
// the same key; a key of "" is always told.
func (d *Detector) tell(f Finding, key string) {
	if f.at == 0 {
		f.at = d.now
		if d.moment != 0 {
			f.at = d.moment // which is earlier where lines are written late
		}
	}
	f.key = key
	if key != "" {
		if _, ok := d.told.get(f.Key()); ok {
			return
		}
		d.told.put(f.Key(), true)
	}
	f.Time = float64(max(0, f.at-d.zero)) / 1e6
	f.Message, f.URL, f.Preview = d.clean(f.Message, mostText), d.clean(f.URL, mostText), d.clean(f.Preview, mostBody)
	if f.Place == "" && d.at.Line > 0 {
		f.Place = fmt.Sprintf("%s:%d", d.at.File, d.at.Line)
	}
	d.found = append(d.found, f)
}

// clean masks a text and cuts it then: a secret across the cut must not escape.
func (d *Detector) clean(s string, most int) string {
	if s == "" {
		return s
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r < 0x20 || r == 0x7f || r == utf8.RuneError:
			return '\uFFFD'
		}
		return r
	}, d.mask.Text(s))
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// recent remembers values by key, the latest few hundred of them.
type recent[T any] struct {
	values map[string]T
	order  []string
}

func newRecent[T any]() *recent[T] { return &recent[T]{values: map[string]T{}} }

func (r *recent[T]) get(key string) (v T, ok bool) {
	v, ok = r.values[key]
	return v, ok
}

func (r *recent[T]) put(key string, v T) {
	if _, ok := r.values[key]; !ok {
		r.order = append(r.order, key)
		if len(r.order) > mostKeys {
			delete(r.values, r.order[0])
			r.order = append(r.order[:0:0], r.order[1:]...)
		}
	}
	r.values[key] = v
}

func (r *recent[T]) drop(key string) {
	if _, ok := r.values[key]; !ok {
		return
	}
	delete(r.values, key)
	for i, k := range r.order {
		if k == key {
			r.order = append(r.order[:i], r.order[i+1:]...)
			return
		}
	}
}
