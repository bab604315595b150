package cdp

import (
	"encoding/json"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// flood limits how many messages of one target are recorded when a page
// writes more than anybody can read: a burst passes, then a rate.
type flood struct {
	tokens  float64
	last    trace.Time
	started bool
	dropped int
	since   trace.Time // when the first of those dropped came
	said    time.Time
}

// admits reports whether one more message is recorded, which the page wrote at.
func (f *flood) admits(rate float64, at trace.Time) bool {
	burst := 2 * rate
	if !f.started {
		f.started, f.tokens = true, burst
	} else if at > f.last {
		f.tokens = min(burst, f.tokens+rate*time.Duration(at-f.last).Seconds())
	}
	f.last = max(f.last, at)
	if f.tokens < 1 {
		if f.dropped == 0 {
			f.since = at
		}
		f.dropped++
		return false
	}
	f.tokens--
	return true
}

// takeDropped counts what did not get as far as here.
func (r *Recorder) takeDropped() {
	for id, n := range r.conn.takeDropped() {
		s := r.sessions[id]
		if s == nil {
			continue
		}
		if s.console.dropped == 0 {
			s.console.since = r.sink.Now()
		}
		s.console.dropped += n
	}
}

// throttled writes that the script leaves something out of a page.
func (r *Recorder) throttled(f *frame, data raw, at trace.Time) {
	var m struct {
		What    string  `json:"what"`
		Dropped int     `json:"dropped"`
		Took    float64 `json:"took"` // milliseconds
	}
	if json.Unmarshal(data, &m) == nil {
		r.happened(at, "throttled", f.page.id, map[string]any{"what": m.What, "dropped": m.Dropped, "took": round(m.Took), "frameId": f.ref()})
	}
}

// report writes how many were dropped, once a second and at the end.
func (f *flood) report(r *Recorder, s *session, last bool) {
	if f.dropped == 0 || !last && time.Since(f.said) < time.Second {
		return
	}
	r.happened(r.sink.Now(), "throttled", pageOf(s), map[string]any{"what": "console", "dropped": f.dropped, "since": f.since.Milliseconds()})
	f.dropped, f.said = 0, time.Now()
}
