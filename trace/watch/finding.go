package watch

import "github.com/tracedeck/tracedeck/trace"

// Category sorts findings.
type Category string

// The categories.
const (
	Errors      Category = "errors"           // of the console and of pages
	Network     Category = "network_errors"   // requests that fail
	Performance Category = "performance"      // slow loads and long tasks
	Frustration Category = "user_frustration" // clicks and forms without an effect
	Security    Category = "security"         // secrets in addresses
)

// Categories are all of them.
func Categories() []Category { return []Category{Errors, Network, Performance, Frustration, Security} }

// Severity says how grave a finding is.
type Severity string

// The severities, from the gravest.
const (
	Critical Severity = "critical"
	Error    Severity = "error"
	Warning  Severity = "warning"
	Info     Severity = "info"
)

// rank is lower for what is graver.
func (s Severity) rank() int {
	switch s {
	case Critical:
		return 0
	case Error:
		return 1
	case Warning:
		return 2
	}
	return 3
}

// Finding is something worth telling. Its texts are without secrets.
type Finding struct {
	ID       int64    `json:"id"` // counts from 1 within a [Log]; 0 outside of one
	Category Category `json:"category"`
	Severity Severity `json:"severity"`
	Rule     string   `json:"rule"` // stable, such as "server-error"
	Message  string   `json:"message"`
	Time     float64  `json:"time"` // milliseconds since the recording began
	URL      string   `json:"url,omitempty"`
	Method   string   `json:"method,omitempty"`
	Status   int      `json:"status,omitempty"`
	Previous int      `json:"previous,omitempty"` // status of an earlier answer
	Preview  string   `json:"preview,omitempty"`  // beginning of the answer
	Action   string   `json:"action,omitempty"`   // call id
	Place    string   `json:"place,omitempty"`    // entry:line

	key string
	at  trace.Time
}

// Key is the same for findings that say the same thing.
func (f Finding) Key() string { return string(f.Category) + "\x00" + f.Rule + "\x00" + f.key }
