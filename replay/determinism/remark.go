package determinism

import "fmt"

// Remark is something of a session that may not repeat.
type Remark struct {
	// Code is W_MEDIA_BLOCKED where video or sound was not let in, W_REAL_TIME
	// where something goes on by a clock that is not the session's,
	// W_REAL_RANDOM where a random number is not the session's, or
	// W_SHARED_WORKER where what a worker does is not heard.
	Code string `json:"code"`
	Text string `json:"text"`
}

func (r Remark) String() string { return r.Code + ": " + r.Text }

// mostRemarks is how many of a session are kept.
const mostRemarks = 50

// Remarks are what was noted so far, each once.
func (s *Session) Remarks() []Remark {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Remark(nil), s.remarks...)
}

func (s *Session) remark(code, format string, args ...any) {
	r := Remark{code, fmt.Sprintf(format, args...)}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, before := range s.remarks {
		if before == r {
			return
		}
	}
	if len(s.remarks) < mostRemarks {
		s.remarks = append(s.remarks, r)
	}
}
