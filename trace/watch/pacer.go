package watch

import (
	"slices"
	"sort"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// Options say what is told, and how often.
type Options struct {
	Categories []Category    // nil: all
	Least      Severity      // "": all
	URL        string        // only findings whose address holds this text; those without an address pass
	StrictURL  bool          // those without an address do not pass
	Batch      time.Duration // how long findings are gathered; 0 means 2 s
	Throttle   time.Duration // least time between notices; 0 means 5 s, negative none
	PerMinute  int           // notices; 0 means 12
	Repeat     time.Duration // within which the same is not told again; 0 means 30 s
	Most       int           // findings in a notice; 0 means 10
	Waiting    int           // findings that wait; 0 means 100. More drop the oldest of the least grave
}

// DefaultOptions are the values that zeros mean.
func DefaultOptions() Options { return Options{}.settled() }

func (o Options) settled() Options {
	def(&o.Batch, 2*time.Second)
	def(&o.Throttle, 5*time.Second)
	def(&o.PerMinute, 12)
	def(&o.Repeat, 30*time.Second)
	def(&o.Most, 10)
	def(&o.Waiting, 100)
	return o
}

func def[T int | time.Duration](v *T, to T) {
	if *v == 0 {
		*v = to
	}
}

// Passes reports whether the options let the finding through.
func (o Options) Passes(f Finding) bool {
	switch {
	case o.Categories != nil && !slices.Contains(o.Categories, f.Category),
		o.Least != "" && f.Severity.rank() > o.Least.rank(),
		o.URL != "" && f.URL == "" && o.StrictURL,
		o.URL != "" && f.URL != "" && !strings.Contains(f.URL, o.URL):
		return false
	}
	return true
}

// Notice is what is told at once. What is not among its findings is counted.
type Notice struct {
	Findings []Finding `json:"findings"` // the gravest first, then by time
	More     int       `json:"more"`     // that waited too and are not listed
	Repeated int       `json:"repeated"` // that said what was told a moment ago
	Dropped  int       `json:"dropped"`  // for which there was no room any more
}

// Pacer turns findings into notices: it gathers for a moment, tells the same
// only once in a while, and keeps a distance between notices. Nothing is lost
// without being counted. It has no clock of its own and is not safe for
// concurrent use: each subscriber has one.
type Pacer struct {
	o        Options
	waiting  []Finding
	said     map[string]time.Time // until when a finding is a repetition
	since    time.Time            // when the first of those that wait came
	last     time.Time            // of the last notice
	tokens   *rate.Limiter
	repeated int
	dropped  int
}

// NewPacer returns a Pacer with nothing to tell.
func NewPacer(o Options) *Pacer {
	o = o.settled()
	return &Pacer{o: o, said: map[string]time.Time{}, tokens: rate.NewLimiter(rate.Limit(float64(o.PerMinute)/60), 1)}
}

// Add takes a finding that came now.
func (p *Pacer) Add(f Finding, now time.Time) {
	if !p.o.Passes(f) {
		return
	}
	if until, ok := p.said[f.Key()]; ok && now.Before(until) {
		p.repeated++
		return
	}
	p.forget(now)
	p.said[f.Key()] = now.Add(p.o.Repeat)
	if len(p.waiting) == 0 {
		p.since = now
	}
	p.waiting = append(p.waiting, f)
	if len(p.waiting) > p.o.Waiting {
		p.drop()
	}
}

// forget keeps the memory of what was said small.
func (p *Pacer) forget(now time.Time) {
	if len(p.said) < mostKeys {
		return
	}
	for k, until := range p.said {
		if !now.Before(until) || len(p.said) >= 2*mostKeys {
			delete(p.said, k)
		}
	}
}

// drop gives up the oldest of those that are least grave.
func (p *Pacer) drop() {
	worst := 0
	for i, f := range p.waiting {
		if f.Severity.rank() > p.waiting[worst].Severity.rank() {
			worst = i
		}
	}
	p.waiting = slices.Delete(p.waiting, worst, worst+1)
	p.dropped++
}

// Due returns when there will be a notice if nothing else comes; ok is false
// where nothing waits.
func (p *Pacer) Due(now time.Time) (at time.Time, ok bool) {
	if len(p.waiting) == 0 {
		return at, false
	}
	at = p.since.Add(p.o.Batch)
	if !p.last.IsZero() && p.o.Throttle > 0 {
		at = later(at, p.last.Add(p.o.Throttle))
	}
	r := p.tokens.ReserveN(later(at, now), 1)
	wait := r.DelayFrom(later(at, now))
	r.CancelAt(later(at, now))
	if wait > 0 {
		at = later(at, now).Add(wait)
	}
	return at, true
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// Next returns the notice that is due now; ok is false where none is.
func (p *Pacer) Next(now time.Time) (n Notice, ok bool) {
	at, ok := p.Due(now)
	if !ok || now.Before(at) || !p.tokens.AllowN(now, 1) {
		return Notice{}, false
	}
	return p.take(now), true
}

// Flush returns what waits, whether it is due or not; ok is false where
// nothing waits and nothing is left to be counted.
func (p *Pacer) Flush(now time.Time) (n Notice, ok bool) {
	if len(p.waiting) == 0 && p.repeated == 0 && p.dropped == 0 {
		return Notice{}, false
	}
	return p.take(now), true
}

func (p *Pacer) take(now time.Time) Notice {
	sort.SliceStable(p.waiting, func(i, j int) bool {
		a, b := p.waiting[i], p.waiting[j]
		if a.Severity.rank() != b.Severity.rank() {
			return a.Severity.rank() < b.Severity.rank()
		}
		return a.at < b.at
	})
	most := min(len(p.waiting), p.o.Most)
	n := Notice{Findings: slices.Clone(p.waiting[:most]), More: len(p.waiting) - most, Repeated: p.repeated, Dropped: p.dropped}
	p.waiting, p.repeated, p.dropped, p.last = nil, 0, 0, now
	return n
}

// Clear forgets what waits, for a subscriber that does not want it any more.
func (p *Pacer) Clear() { p.waiting, p.repeated, p.dropped = nil, 0, 0 }
