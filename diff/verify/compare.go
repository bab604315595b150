package verify

import (
	"fmt"
	"math"
	"slices"

	"github.com/tracedeck/tracedeck/trace/perf"
)

// Difference is how two states differ.
type Difference struct {
	Errors      ErrorDiff     `json:"errors"`
	Network     NetworkDiff   `json:"network"`
	Performance []perf.Change `json:"performance"`
	WebSockets  SocketDiff    `json:"websockets"`
	Notes       []string      `json:"notes"`
}

// ErrorDiff are errors of console, pages, actions and the test.
type ErrorDiff struct {
	New          []Issue  `json:"new"`
	Resolved     []Issue  `json:"resolved"`
	Unchanged    []Issue  `json:"unchanged"`
	NotExercised []string `json:"not_exercised"` // of those resolved
}

// NetworkDiff are requests, by their endpoint.
type NetworkDiff struct {
	NewErrors        []Endpoint     `json:"new_errors"`
	Recovered        []Endpoint     `json:"recovered"`
	StatusChanges    []StatusChange `json:"status_changes"`
	TimingChanges    []TimingChange `json:"timing_changes"`
	NewEndpoints     []Endpoint     `json:"new_endpoints"`
	MissingEndpoints []Endpoint     `json:"missing_endpoints"`
}

// StatusChange is an endpoint whose last answer has another status.
type StatusChange struct {
	Endpoint string `json:"endpoint"`
	Before   int    `json:"before"`
	After    int    `json:"after"`
}

// TimingChange is an endpoint that became slower or faster by a tenth of a
// second and a fifth; in milliseconds, medians.
type TimingChange struct {
	Endpoint string  `json:"endpoint"`
	Before   float64 `json:"before"`
	After    float64 `json:"after"`
	Change   string  `json:"duration_change"`
}

// SocketDiff are changes of WebSocket connections.
type SocketDiff struct {
	ConnectionChanges []SocketChange `json:"connection_changes"`
}

// SocketChange is what became of a WebSocket address.
type SocketChange struct {
	Path   string `json:"path"`
	Type   string `json:"type"` // appeared, gone, close_code or message_rate
	Before string `json:"before"`
	After  string `json:"after"`
}

// Summary sums a Difference up.
type Summary struct {
	Verdict                string `json:"verdict"`         // unchanged, improved, regressed or mixed
	NewErrors              int    `json:"new_errors"`      // how often
	NewErrorKinds          int    `json:"new_error_kinds"` // how many kinds
	ResolvedErrors         int    `json:"resolved_errors"` // how often before
	ResolvedKinds          int    `json:"resolved_kinds"`
	NewNetworkErrors       int    `json:"new_network_errors"` // endpoints
	RecoveredEndpoints     int    `json:"recovered_endpoints"`
	PerformanceRegressions int    `json:"performance_regressions"`
	PerformanceGains       int    `json:"performance_improvements"`
}

// Compare holds two states against each other. Endpoints that came or went and
// times are told, and have no say in the verdict.
func Compare(a, b *State) (*Difference, Summary) {
	d := &Difference{Performance: perfChanges(a, b), Notes: notes(a, b)}
	var s Summary
	d.errors(a, b, &s)
	d.network(a, b, &s)
	d.sockets(a, b)
	for _, c := range d.Performance {
		switch c.Effect {
		case "regressed":
			s.PerformanceRegressions++
		case "improved":
			s.PerformanceGains++
		}
	}
	s.Verdict = Weigh(s.NewErrorKinds+s.NewNetworkErrors+s.PerformanceRegressions, s.ResolvedKinds+s.RecoveredEndpoints+s.PerformanceGains)
	return d, s
}

func (d *Difference) errors(a, b *State, s *Summary) {
	d.Errors = ErrorDiff{New: []Issue{}, Resolved: []Issue{}, Unchanged: []Issue{}, NotExercised: []string{}}
	was, is := a.issues(), b.issues()
	for _, k := range sortedKeys(was) {
		old := was[k]
		switch {
		case old.Category == Network:
		case is[k] != nil:
			d.Errors.Unchanged = append(d.Errors.Unchanged, *is[k])
		default:
			d.Errors.Resolved = append(d.Errors.Resolved, *old)
			s.ResolvedKinds++
			s.ResolvedErrors += old.Count
			if !b.exercised(old) {
				d.Errors.NotExercised = append(d.Errors.NotExercised, told(old))
			}
		}
	}
	for _, k := range sortedKeys(is) {
		if now := is[k]; was[k] == nil && now.Category != Network {
			d.Errors.New = append(d.Errors.New, *now)
			s.NewErrorKinds++
			s.NewErrors += now.Count
		}
	}
}

func (d *Difference) network(a, b *State, s *Summary) {
	n := &d.Network
	*n = NetworkDiff{[]Endpoint{}, []Endpoint{}, []StatusChange{}, []TimingChange{}, []Endpoint{}, []Endpoint{}}
	for _, e := range b.Endpoints {
		old := a.endpoint(e.Name)
		if e.Failed > 0 && (old == nil || old.Failed == 0) {
			n.NewErrors = append(n.NewErrors, e)
		}
		if old == nil {
			n.NewEndpoints = append(n.NewEndpoints, e)
			continue
		}
		if e.Failed == 0 && old.Failed > 0 {
			n.Recovered = append(n.Recovered, e)
		}
		if e.Status != old.Status && !(fresh(e.Status) && fresh(old.Status)) {
			n.StatusChanges = append(n.StatusChanges, StatusChange{e.Name, old.Status, e.Status})
		}
		if diff := e.Duration - old.Duration; math.Abs(diff) >= 100 && math.Abs(diff) >= min(e.Duration, old.Duration)/5 && e.Duration > 0 && old.Duration > 0 {
			n.TimingChanges = append(n.TimingChanges, TimingChange{e.Name, old.Duration, e.Duration, fmt.Sprintf("%+.0fms", diff)})
		}
	}
	for _, e := range a.Endpoints {
		if b.endpoint(e.Name) == nil {
			n.MissingEndpoints = append(n.MissingEndpoints, e)
		}
	}
	s.NewNetworkErrors, s.RecoveredEndpoints = len(n.NewErrors), len(n.Recovered)
	n.limit(d)
}

// limit keeps the lists of endpoints within what a state lists.
func (n *NetworkDiff) limit(d *Difference) {
	for _, l := range []*[]Endpoint{&n.NewErrors, &n.Recovered, &n.NewEndpoints, &n.MissingEndpoints} {
		if more := len(*l) - MostEndpoints; more > 0 {
			*l = (*l)[:MostEndpoints]
			d.Notes = append(d.Notes, fmt.Sprintf("%d more endpoints are not listed", more))
		}
	}
}

// fresh reports whether a status is an answer from the server or as good as
// that from the cache.
func fresh(status int) bool { return status == 200 || status == 304 }

func (d *Difference) sockets(a, b *State) {
	d.WebSockets.ConnectionChanges = []SocketChange{}
	add := func(path, kind, before, after string) {
		d.WebSockets.ConnectionChanges = append(d.WebSockets.ConnectionChanges, SocketChange{path, kind, before, after})
	}
	for _, old := range a.Sockets {
		i := slices.IndexFunc(b.Sockets, func(s Socket) bool { return s.Path == old.Path })
		if i < 0 {
			add(old.Path, "gone", old.State, "")
			continue
		}
		now := b.Sockets[i]
		if now.CloseCode != old.CloseCode {
			add(old.Path, "close_code", fmt.Sprint(old.CloseCode), fmt.Sprint(now.CloseCode))
		}
		if low, high := min(old.Rate, now.Rate), max(old.Rate, now.Rate); high > low*1.5 {
			add(old.Path, "message_rate", fmt.Sprintf("%.2f/s", old.Rate), fmt.Sprintf("%.2f/s", now.Rate))
		}
	}
	for _, now := range b.Sockets {
		if !slices.ContainsFunc(a.Sockets, func(s Socket) bool { return s.Path == now.Path }) {
			add(now.Path, "appeared", "", now.State)
		}
	}
}
