package mock

import (
	"fmt"
	"maps"
	"sort"
)

// Codes of what a router reports.
const (
	CodeMiss        = "E_ROUTE_MISS_MOCK"        // no answer, and OnMiss is Error
	CodeMissWarn    = "W_ROUTE_MISS_MOCK"        // no answer, and OnMiss is Warn
	CodeMissPass    = "W_ROUTE_MISS_PASSTHROUGH" // no answer, and the server was asked
	CodeBodyMissing = "E_MOCK_BODY_MISSING"      // the answer's body is not in the recording
	CodeBlocked     = "W_EGRESS_BLOCKED"         // the request was not let out
	CodeAgain       = "W_MOCK_AGAIN"             // an answer was given more often than it was recorded
	CodeBodyCut     = "W_BODY_TRUNCATED"         // only a part of the answer's body was recorded
	CodeSocket      = "W_SOCKET_DIVERGED"        // a web socket went another way than the recorded one
)

// Miss is something that the recording could not answer as it should, or that
// was not let out.
type Miss struct {
	Code   string `json:"code"`
	Method string `json:"method"`
	URL    string `json:"url"`
	Type   string `json:"type,omitempty"`
	// Nearest is the address of the recorded request that is most like it, and
	// Reason why that was not taken, or what else was wrong.
	Nearest string `json:"nearest,omitempty"`
	Reason  string `json:"reason"`
	Count   int    `json:"count"` // how often it happened
}

// String is the miss in one line.
func (m Miss) String() string {
	s := fmt.Sprintf("%s: %s %s: ", m.Code, m.Method, m.URL)
	if m.Nearest != "" {
		s += "nearest is " + m.Nearest + ": "
	}
	s += m.Reason
	if m.Count > 1 {
		s += fmt.Sprintf(" (%d times)", m.Count)
	}
	return s
}

// Report says how a recording answered a session.
type Report struct {
	Answered int    `json:"answered"` // requests that the recording answered
	Passed   int    `json:"passed"`   // requests that were let out
	Misses   []Miss `json:"misses,omitempty"`
	// Levels counts the answers by how well the recorded request fitted.
	Levels map[Level]int `json:"levels,omitempty"`
	// Refused counts connections that a Gate did not make, by host or origin.
	// Who asked for them is not known: the browser's own services are among them.
	Refused map[string]int `json:"refused,omitempty"`
	// Left are requests of scripts that were recorded and not asked for.
	Left []string `json:"left,omitempty"`
}

// Failed reports whether the session must count as failed: something was
// missing that the options do not allow to be.
func (r *Report) Failed() bool {
	for _, m := range r.Misses {
		if m.Code[0] == 'E' {
			return true
		}
	}
	return false
}

const maxMisses = 10000 // a page may ask without end

func (r *Router) note(m Miss) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m.Count = 1
	key := m.Code + " " + m.Method + " " + m.URL + " " + m.Reason
	if i, ok := r.noted[key]; ok {
		r.misses[i].Count++
		return
	}
	if len(r.misses) >= maxMisses {
		return
	}
	r.noted[key] = len(r.misses)
	r.misses = append(r.misses, m)
}

func (r *Router) refused(host string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.shut[host]; known || len(r.shut) < maxMisses {
		r.shut[host]++
	}
}

// Report returns what happened so far.
func (r *Router) Report() *Report {
	r.mu.Lock()
	rep := &Report{Answered: r.answered, Passed: r.passed, Misses: append([]Miss(nil), r.misses...), Levels: map[Level]int{}, Refused: maps.Clone(r.shut)}
	for l, n := range r.levels {
		rep.Levels[l] = n
	}
	r.mu.Unlock()
	r.q.mu.Lock()
	defer r.q.mu.Unlock()
	for _, c := range r.q.list {
		if c.kind == data && c.used == 0 && c.method != "OPTIONS" {
			rep.Left = append(rep.Left, c.method+" "+c.Request.URL)
		}
	}
	sort.Strings(rep.Left)
	return rep
}
