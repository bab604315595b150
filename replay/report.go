package replay

import (
	"errors"
	"fmt"
	"time"

	"github.com/tracedeck/tracedeck/replay/heal"
	"github.com/tracedeck/tracedeck/replay/mock"
)

// Status is what became of a step.
type Status string

// What can become of a step.
const (
	Passed   Status = "passed"
	Failed   Status = "failed"
	AsBefore Status = "failed-as-recorded" // the recorded action failed too
	Changed  Status = "passed-unlike-recorded"
	Skipped  Status = "skipped" // it depends on one that failed
	LeftOut  Status = "left-out"
)

// Step is the report of one recorded action.
type Step struct {
	Number   int    `json:"number"` // of the recorded action, from 1
	Recorded string `json:"recorded"`
	Call     string `json:"call,omitempty"` // call id in the new trace
	Title    string `json:"title"`
	Status   Status `json:"status"`
	Code     string `json:"code,omitempty"`
	Error    string `json:"error,omitempty"`
	Was      string `json:"recordedError,omitempty"`
	WasCode  string `json:"recordedCode,omitempty"` // the code that the recorded error would have here, where its text tells
	Picture  string `json:"picture,omitempty"`      // its key
	// Heal is how the element was found where its selector found none.
	Heal  *heal.Match `json:"heal,omitempty"`
	Clock float64     `json:"clockMs"` // of the session, at the end of the step
	Took  float64     `json:"tookMs"`  // in real time
}

// Picture is one that was taken.
type Picture struct {
	Key    string `json:"key"`
	File   string `json:"file"` // entry of the new trace
	SHA256 string `json:"sha256"`
	Call   string `json:"call,omitempty"`
	Stamp  string `json:"stamp"` // what it may be compared with
	// Boxes are where the elements of Options.Boxes lay, by their selector, in pixels of the picture.
	Boxes map[string][]Box `json:"boxes,omitempty"`
}

// Report says what became of a replay.
type Report struct {
	Trace    string     `json:"trace"`
	Output   string     `json:"output"`
	Regime   string     `json:"regime"`
	Browser  string     `json:"browser"`
	Seed     string     `json:"seed"`
	Epoch    time.Time  `json:"epoch"`
	Steps    []Step     `json:"steps"`
	Pictures []Picture  `json:"pictures"`
	Refused  []Refusal  `json:"refused"` // said before it started
	Code     string     `json:"code,omitempty"`
	Error    string     `json:"error,omitempty"` // why it ended before its last step
	Last     *Diagnosis `json:"diagnosis,omitempty"`
	Clock    float64    `json:"clockMs"`
	Wall     float64    `json:"wallMs"`
	Warnings []string   `json:"warnings,omitempty"`
	// Network says how the recording answered the session.
	Network  *mock.Report  `json:"network,omitempty"`
	Duration time.Duration `json:"-"`
}

// Refusal is a recorded action that cannot be carried out, and why.
type Refusal struct {
	Recorded string `json:"recorded"`
	Title    string `json:"title"`
	Reason   string `json:"reason"`
}

// Diagnosis is the state of things when a limit was reached.
type Diagnosis struct {
	Pending []string `json:"pending,omitempty"`
	Console []string `json:"console,omitempty"`
	URL     string   `json:"url,omitempty"`
	// Picture is the resource of the new trace that shows the page, if it could
	// still be drawn.
	Picture string `json:"picture,omitempty"`
}

// Count returns how many steps have the status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, step := range r.Steps {
		if step.Status == s {
			n++
		}
	}
	return n
}

// OK reports whether the replay did what the recording did, to its end.
func (r *Report) OK() bool {
	return r.Code == "" && r.Count(Failed) == 0 && r.Count(Skipped) == 0 && (r.Network == nil || !r.Network.Failed())
}

// Error is what kept a step or a session from being carried out.
type Error struct {
	// Code is one of E_NO_ELEMENT, E_NOT_UNIQUE, E_NOT_ACTIONABLE, E_ASSERTION,
	// E_SELECTOR, E_STEP_LIMIT, E_NAVIGATION_LIMIT, E_SESSION_LIMIT,
	// E_UNREPLAYABLE, E_NOTHING_TO_REPLAY, E_NO_STEP, E_ORIGIN, or one of package determinism.
	Code string
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// hints are what to do about an error, by its code.
var hints = map[string]string{
	"E_NO_ELEMENT":        "the page may have changed; look at the picture of the step in the new trace",
	"E_NOT_UNIQUE":        "the page has more of these elements than when it was recorded",
	"E_NOT_ACTIONABLE":    "something covers or disables the element; look at the picture of the step",
	"E_UNREPLAYABLE":      "check that --url serves the app that was recorded, in the state in which it was recorded",
	"E_NOTHING_TO_REPLAY": "the trace holds no actions that can be carried out; record one with tracedeck record",
	"E_NO_STEP":           "tracedeck actions prints the call ids of a trace",
	"E_SESSION_LIMIT":     "give it more time with --limit-session",
	"E_NAVIGATION_LIMIT":  "check that the server answers, or give it more time with --limit-navigation",
	"E_STEP_LIMIT":        "give it more time with --limit-step",
	"E_ORIGIN":            "an address such as http://localhost:3000 is expected",
}

// Hint says what to do.
func (e *Error) Hint() string { return hints[e.Code] }

func errorf(code, format string, args ...any) error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// CodeOf returns the code of an error of this package, of package determinism
// or of package browser, or "".
func CodeOf(err error) string {
	var coded interface{ code() string }
	if errors.As(err, &coded) {
		return coded.code()
	}
	return codeOfOthers(err)
}

func (e *Error) code() string { return e.Code }
