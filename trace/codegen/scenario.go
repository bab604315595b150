package codegen

import (
	"context"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// Scenario is what a trace tells of a session, in the terms of a test.
type Scenario struct {
	Name     string // of the session
	Source   string // name of the trace
	Producer string // of the trace
	Recorded time.Time
	BaseURL  string // origin of the first page; "" if it is no http(s) one
	TestID   string // the attribute that test ids are in
	Settings Settings
	Steps    []*Step
	Requests []*Request
	Needs    []Variable // of the environment
	Errors   []string   // uncaught errors of pages, each once
	Failure  *Failure   // what the session shows to be wrong; nil if nothing is
	Warnings []trace.Warning

	o        Options
	archive  *trace.Archive
	trace    *trace.Trace
	values   *values
	born     map[string]bool // ids that the server gave during the session
	midway   bool            // the recording began on a page that was open already
	recorded string          // origin of the recording
	pages    *pages
}

// Settings are what the browser context was set to, where it is recorded.
type Settings struct {
	Viewport    trace.Size
	Scale       float64
	Mobile      bool
	Touch       bool
	Locale      string
	Timezone    string
	ColorScheme string
	UserAgent   string
	Browser     string // "chromium", "firefox" or "webkit"
}

// Variable is a variable of the environment that a program needs, because the
// trace holds a secret in its place.
type Variable struct {
	Name string `json:"name"`
	What string `json:"what"`
}

// Step is one thing to do, or an assertion of the recorded test.
type Step struct {
	Verb    Verb
	Page    string // variable of the page
	Target  Element
	To      Element         // of a drag
	Text    string          // what is typed, pressed, opened or answered
	Items   []Item          // options of a list
	Files   []Upload        // that are given to a field
	Options []Option        // further parameters, in the order they are written
	Assert  *Assertion      // of VerbExpect
	Answers []Answer        // to dialogs that the step opens
	Opens   string          // variable of the page that the step opens
	Loads   []Download      // downloads that the step begins
	Picks   []Upload        // files for the chooser that the step opens
	Waits   []*Request      // answers that the step brings
	URL     string          // where the step led; "" where it stayed
	Effects []Effect        // what the step brought to the page
	Changed bool            // the page looked different afterwards
	Masks   []Element       // what is never the same on the page
	Group   []string        // titles of the groups around it
	Pause   time.Duration   // since the step before
	Error   string          // why it failed when it was recorded
	Caught  bool            // the session went on after the failure
	Action  *trace.Action   // it was recorded as; nil if it was left to be understood
	Title   string          // in words
	time    [2]trace.Time   // from, to
	before  *trace.Snapshot // of the main frame
	after   *trace.Snapshot // likewise
	page    string          // key of its page
	secret  bool            // what is typed is not to be seen
}

// Option is one further parameter of a step. The value is JSON.
type Option struct{ Name, Value string }

// Item is an option of a list: its value or label, or its place.
type Item struct {
	Text    string
	ByIndex bool
	Index   int // from 0
}

// Upload is a file by what is known of it: not its content.
type Upload struct {
	Name, Type string
	Size       int // bytes; 0 if it is not known
}

// Download is a file that a page gave out.
type Download struct{ Name string }

// Answer is how a dialog was answered.
type Answer struct {
	Accept  bool
	Text    string
	HasText bool
}

// Effect is a text that a step brought to the page.
type Effect struct {
	Target Element
	Text   string // "" only asks for the element to be visible
}

// Failure is what a session shows to be wrong.
type Failure struct {
	Kind    string     `json:"kind"` // "action", "page error", "answer" or "console"
	Message string     `json:"message"`
	Step    int        `json:"step"` // index of the step it belongs to
	When    trace.Time `json:"-"`
	Where   string     `json:"where,omitempty"` // in the source
}

// Read makes a scenario of a trace. The archive must stay open as long as the
// scenario is used. What cannot be taken over is a warning.
//
// A trace holds secrets. Give a redacted one: see [Redacted].
func Read(ctx context.Context, a *trace.Archive, t *trace.Trace, o Options) (*Scenario, error) {
	if err := o.Valid(); err != nil {
		return nil, err
	}
	s := &Scenario{Source: a.Name(), Producer: t.Producer(), Recorded: t.Start, o: o, archive: a, trace: t, values: newValues()}
	s.describe()
	s.pages = newPages(t)
	if err := s.readSteps(); err != nil {
		return nil, err
	}
	s.findFrames(ctx)
	s.observe(ctx)
	s.classify(ctx)
	s.settle()
	return s, ctx.Err()
}

func (s *Scenario) warn(code, place, text string) {
	s.Warnings = append(s.Warnings, trace.Warning{Code: code, Place: place, Text: text})
}
