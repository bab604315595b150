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
	last    time.Time
	dropped int
	since   trace.Time // when the first of those dropped came
	said    time.Time
}

// admits reports whether one more message is recorded.
func (f *flood) admits(rate float64, now time.Time, at trace.Time) bool {
	burst := 2 * rate
	if f.last.IsZero() {
		f.tokens = burst
	} else {
		f.tokens = min(burst, f.tokens+rate*now.Sub(f.last).Seconds())
	}
	f.last = now
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

// throttled writes that the script leaves something out of a page.
func (r *Recorder) throttled(f *frame, payload string, at trace.Time) {
	var m struct {
		What    string  `json:"what"`
		Dropped int     `json:"dropped"`
		Took    float64 `json:"took"` // milliseconds
	}
	if json.Unmarshal([]byte(payload), &m) == nil {
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
