package report

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/failures"
	"github.com/tracedeck/tracedeck/trace/redact"
)

// Version is that of the JSON form of a [Run]. It changes when a reader of the
// old form would be misled.
const Version = 1

// Status is what came of one attempt at a test.
type Status string

// What can come of an attempt.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
	// Unknown is for a trace without a failure where nothing says that the
	// test passed.
	Unknown Status = "unknown"
)

// Session is one attempt at a test: a trace, an entry of a results file, or both.
type Session struct {
	Trace    string             `json:"trace,omitempty"`
	Title    string             `json:"title"`
	Suite    string             `json:"suite,omitempty"` // the test's file
	Project  string             `json:"project,omitempty"`
	Retry    int                `json:"retry"` // 0 is the first attempt
	Status   Status             `json:"status"`
	Flaky    bool               `json:"flaky,omitempty"` // a later attempt passed
	Duration float64            `json:"duration"`        // milliseconds
	Started  string             `json:"started,omitempty"`
	Producer string             `json:"producer,omitempty"`
	Failures []failures.Failure `json:"failures"`
	// BrowserErrors counts uncaught errors of pages.
	BrowserErrors int             `json:"browserErrors"`
	Warnings      []trace.Warning `json:"warnings,omitempty"`
}

// Summary counts the tests of a run; several attempts at one test count once.
type Summary struct {
	Tests         int `json:"tests"`
	Passed        int `json:"passed"`
	Failed        int `json:"failed"`
	Flaky         int `json:"flaky"`
	Skipped       int `json:"skipped"`
	Unknown       int `json:"unknown"`
	Attempts      int `json:"attempts"`
	BrowserErrors int `json:"browserErrors"`
}

// Run is what came of a run of tests.
type Run struct {
	Version  int       `json:"version"`
	Summary  Summary   `json:"summary"`
	Sessions []Session `json:"sessions"`
}

// Options say how a run is read.
type Options struct {
	Trace    trace.Options
	Failures failures.Options // its Mask is set
	Redact   redact.Options
	Results  *Results // nil: what came of the tests is taken from the traces
	Keep     func(Session) bool
}

// Read opens the traces one after the other and puts the run together. A trace
// that cannot be opened is an error.
func Read(ctx context.Context, traces []string, o Options) (*Run, error) {
	run := &Run{Version: Version, Sessions: []Session{}}
	for _, name := range traces {
		s, err := readTrace(ctx, name, o)
		if err != nil {
			return nil, err
		}
		run.Sessions = append(run.Sessions, s)
	}
	if o.Results != nil {
		run.Sessions = o.Results.apply(run.Sessions, redact.NewMasker(o.Redact))
	}
	if o.Keep != nil {
		run.Sessions = slices.DeleteFunc(run.Sessions, func(s Session) bool { return !o.Keep(s) })
	}
	run.sum()
	return run, nil
}

func readTrace(ctx context.Context, name string, o Options) (Session, error) {
	a, err := trace.Open(ctx, name, o.Trace)
	if err != nil {
		return Session{}, err
	}
	defer a.Close()
	return OfArchive(ctx, a, o)
}

// OfArchive reads one open trace.
func OfArchive(ctx context.Context, a *trace.Archive, o Options) (Session, error) {
	t, err := trace.Load(ctx, a, trace.LoadOptions{NoProtocol: true})
	if err != nil {
		return Session{}, err
	}
	m := redact.NewMasker(o.Redact)
	if err := m.Learn(ctx, a); err != nil {
		return Session{}, err
	}
	return OfTrace(ctx, a, t, m, o)
}

// OfTrace makes a session of a trace that is loaded already; m has learnt it.
func OfTrace(ctx context.Context, a *trace.Archive, t *trace.Trace, m *redact.Masker, o Options) (Session, error) {
	o.Failures.Mask = m.Text
	s := Session{Trace: a.Name(), Duration: float64(t.Duration.Milliseconds()), Producer: t.Producer(), Status: Unknown,
		Failures: failures.Of(ctx, a, t, o.Failures), Warnings: a.Warnings()}
	if !t.Start.IsZero() {
		s.Started = t.Start.Format("2006-01-02T15:04:05.000Z07:00")
	}
	for _, f := range s.Failures {
		if f.Kind == trace.FailedPage {
			s.BrowserErrors++
		} else {
			s.Status = Failed
		}
	}
	s.identify(t)
	return masked(m, s)
}

// masked lets the masker go over all of a session once more, as a whole.
func masked(m *redact.Masker, s Session) (out Session, err error) {
	b, err := json.Marshal(s)
	if err != nil {
		return s, err
	}
	out = Session{}
	if err := json.Unmarshal(m.JSON(b), &out); err != nil {
		return s, fmt.Errorf("%s: %w", s.Trace, err)
	}
	out.Trace = s.Trace // the caller's own name for it
	return out, nil
}

// identify says which test the trace is of: what a runner's event says, the
// title of a context, or the file's name.
func (s *Session) identify(t *trace.Trace) {
	for _, e := range t.Events {
		if e.Class == "Test" {
			s.testEvent(e)
		}
	}
	for _, c := range t.Contexts {
		if s.Title == "" {
			s.Title = c.Title
		}
	}
	if s.Title == "" {
		s.Title = nameOf(s.Trace)
	}
}

// testEvent takes what a runner wrote about its test into the trace.
func (s *Session) testEvent(e *trace.Happening) {
	var p struct {
		Title, File, Project, Status string
		Retry                        int
	}
	if json.Unmarshal(e.Params, &p) != nil {
		return
	}
	s.Title, s.Suite, s.Project = cmp.Or(p.Title, s.Title), cmp.Or(p.File, s.Suite), cmp.Or(p.Project, s.Project)
	s.Retry = max(s.Retry, p.Retry)
	if st := statusOf(p.Status); st != "" {
		s.Status = st
	}
}

// nameOf makes a title of a path: test runners put "trace.zip" into a folder
// named after the test.
func nameOf(name string) string {
	slashed := filepath.ToSlash(strings.TrimRight(name, `/\`))
	base := path.Base(slashed)
	plain := strings.TrimSuffix(base, path.Ext(base))
	if dir := path.Base(path.Dir(slashed)); (plain == "trace" || plain == "test") && dir != "." && dir != "/" {
		return dir
	}
	return plain
}

func statusOf(word string) Status {
	switch strings.ToLower(word) {
	case "passed", "pass", "ok":
		return Passed
	case "failed", "fail", "timedout", "timed out", "interrupted", "error", "broken":
		return Failed
	case "skipped", "skip", "pending", "disabled":
		return Skipped
	}
	return ""
}

// test names the test that the session is an attempt at.
func (s *Session) test() string { return s.Suite + "\x00" + s.Project + "\x00" + s.Title }

// sum sorts the sessions, says which are flaky, and counts.
func (r *Run) sum() {
	slices.SortStableFunc(r.Sessions, func(a, b Session) int {
		return cmp.Or(cmp.Compare(a.test(), b.test()), cmp.Compare(a.Retry, b.Retry))
	})
	for i := 0; i < len(r.Sessions); {
		k := i
		for k < len(r.Sessions) && r.Sessions[k].test() == r.Sessions[i].test() && (k == i || r.Sessions[k].Retry > r.Sessions[k-1].Retry) {
			k++
		}
		r.count(r.Sessions[i:k])
		i = k
	}
}

// count takes all attempts at one test.
func (r *Run) count(attempts []Session) {
	sum := &r.Summary
	sum.Tests++
	sum.Attempts += len(attempts)
	failed := false
	for i := range attempts {
		failed = failed || attempts[i].Status == Failed
		sum.BrowserErrors += attempts[i].BrowserErrors
	}
	switch last := attempts[len(attempts)-1].Status; {
	case last == Passed && failed:
		sum.Flaky++
		for i := range attempts {
			attempts[i].Flaky = attempts[i].Status == Failed
		}
	case last == Passed:
		sum.Passed++
	case last == Skipped:
		sum.Skipped++
	case last == Failed:
		sum.Failed++
	default:
		sum.Unknown++
	}
}

// Headline is one line about the run.
func (r *Run) Headline() string {
	s := r.Summary
	parts := []string{}
	for _, p := range []struct {
		n    int
		what string
	}{{s.Failed, "failed"}, {s.Flaky, "flaky"}, {s.Passed, "passed"}, {s.Skipped, "skipped"}, {s.Unknown, "without a failure that is recorded"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if len(parts) == 0 {
		return "no tests"
	}
	text := strings.Join(parts, ", ")
	if s.BrowserErrors > 0 {
		text += fmt.Sprintf("; %s of pages", plural(s.BrowserErrors, "uncaught error"))
	}
	return text
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Of puts a run together of sessions that were read one by one.
func Of(sessions []Session) *Run {
	run := &Run{Version: Version, Sessions: sessions}
	run.sum()
	return run
}
