package verify

import (
	"time"

	"github.com/tracedeck/tracedeck/trace/perf"
)

// How much a state lists. What is beyond is kept by its key alone, so that
// verdicts stay right, and counted.
const (
	MostErrors    = 50      // errors of console, pages, actions and the test
	MostFailures  = 50      // endpoints that failed
	MostEndpoints = 100     // endpoints in all
	mostKinds     = 5000    // of each of them by key; more are not told apart
	mostPlaces    = 2000    // pages and steps
	mostText      = 300     // runes of a message
	mostBody      = 1 << 20 // bytes of a request's body that are read for its GraphQL operation
)

// Category says where an issue showed.
type Category string

// The categories.
const (
	Console Category = "console" // an error of the console
	Page    Category = "page"    // an uncaught error or rejection
	Action  Category = "action"  // an action that failed
	Test    Category = "test"    // an error of the test itself
	Network Category = "network" // requests that were answered with 4xx or 5xx, or not at all
)

// Issue is one kind of trouble with how often it was seen.
type Issue struct {
	Key      string   `json:"key"` // the same for the same kind in any session
	Category Category `json:"type"`
	Message  string   `json:"message,omitempty"` // of the first; "" where it is beyond what a state lists
	Count    int      `json:"count"`
	Source   string   `json:"source,omitempty"`   // function and script at the top of the stack
	Page     string   `json:"page,omitempty"`     // path of the page that was shown
	Step     string   `json:"step,omitempty"`     // what was done last
	Endpoint string   `json:"endpoint,omitempty"` // of a request
	Status   int      `json:"status,omitempty"`   // of the last answer; 0 where none came
	Calls    int      `json:"calls,omitempty"`    // of the endpoint, failed or not
	at       float64
}

// Endpoint is what requests asked for, with how they were answered.
type Endpoint struct {
	Name     string  `json:"name"` // method, host, path with ids masked, GraphQL operation
	Calls    int     `json:"calls"`
	Failed   int     `json:"failed"`
	Status   int     `json:"status"`   // of the last answer; 0 where none came
	Duration float64 `json:"duration"` // milliseconds, the median
	Bytes    int64   `json:"bytes"`
	Type     string  `json:"content_type,omitempty"`
	last     float64
	took     []float64
}

// Socket is a WebSocket address.
type Socket struct {
	Path        string  `json:"path"`
	Connections int     `json:"connections"`
	State       string  `json:"state"` // open or closed
	CloseCode   int     `json:"close_code,omitempty"`
	Messages    int     `json:"messages"`
	Rate        float64 `json:"message_rate"` // messages a second
}

// State is what a session, or a span of one, came to.
type State struct {
	CapturedAt time.Time `json:"captured_at"`
	Source     string    `json:"source"` // the trace that was read
	From       float64   `json:"from"`   // milliseconds since the recording began
	To         float64   `json:"to"`     // up to where it goes
	URLFilter  string    `json:"url_filter,omitempty"`
	PageURL    string    `json:"page_url,omitempty"` // that was shown last
	// Normalizer is the version of the rules by which kinds were made. States
	// made by different ones cannot be held against each other.
	Normalizer string            `json:"normalizer"`
	Issues     []Issue           `json:"issues"`
	Warnings   []Issue           `json:"warnings"` // of the console
	Endpoints  []Endpoint        `json:"endpoints"`
	Sockets    []Socket          `json:"sockets"`
	Pages      []string          `json:"pages"` // paths that were visited
	Steps      []string          `json:"steps"` // keys of what was done
	Perf       *perf.Report      `json:"performance"`
	Recorded   map[Category]bool `json:"recorded"`
	// Happened is how many things the span holds: actions, requests, messages,
	// errors, events.
	Happened int `json:"happened"`
	// LeftOut says what is not listed.
	LeftOut []string `json:"left_out,omitempty"`
}

// Counts sum a state up.
type Counts struct {
	ConsoleErrors int `json:"console_errors"` // how often, page errors included
	NetworkErrors int `json:"network_errors"` // requests that failed
	TestErrors    int `json:"test_errors"`    // actions that failed, and the test
	TotalIssues   int `json:"total_issues"`
	Kinds         int `json:"kinds"` // what the verdict goes by
}

// Counts counts the issues of a state.
func (s *State) Counts() Counts {
	var c Counts
	for _, i := range s.Issues {
		switch i.Category {
		case Network:
			c.NetworkErrors += i.Count
		case Console, Page:
			c.ConsoleErrors += i.Count
		default:
			c.TestErrors += i.Count
		}
		c.TotalIssues += i.Count
	}
	c.Kinds = len(s.Issues)
	return c
}

// NotRecorded names what the trace does not hold, so that nothing can be said
// of it.
func (s *State) NotRecorded() []string {
	list := []string{}
	for _, c := range []Category{Console, Page, Network, Action} {
		if !s.Recorded[c] {
			list = append(list, string(c))
		}
	}
	return list
}

func (s *State) issues() map[string]*Issue {
	m := make(map[string]*Issue, len(s.Issues))
	for i := range s.Issues {
		m[s.Issues[i].Key] = &s.Issues[i]
	}
	return m
}

func (s *State) endpoint(name string) *Endpoint {
	for i := range s.Endpoints {
		if s.Endpoints[i].Name == name {
			return &s.Endpoints[i]
		}
	}
	return nil
}
