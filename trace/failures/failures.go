// Package failures says why a session failed: each failure with what its log
// waited for, what went wrong around it, and hints by named rules.
package failures

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// Failure is one thing that went wrong, with the evidence for it. All texts
// are without colours and went through [Options.Mask].
type Failure struct {
	Kind     trace.FailureKind `json:"kind"`           // action, test or page
	Time     float64           `json:"time"`           // milliseconds since the start of the trace
	Name     string            `json:"name,omitempty"` // of the error's class
	Message  string            `json:"message"`        // its first line
	Detail   string            `json:"detail,omitempty"`
	Action   string            `json:"action,omitempty"` // call id
	Title    string            `json:"title,omitempty"`
	Page     string            `json:"page,omitempty"`   // address that was shown
	Source   string            `json:"source,omitempty"` // file:line
	Stack    []string          `json:"stack,omitempty"`  // innermost first
	Waited   string            `json:"waited,omitempty"` // why it waited until it gave up
	Log      []string          `json:"log,omitempty"`    // the last lines
	Requests []Request         `json:"requests,omitempty"`
	Console  []Message         `json:"console,omitempty"`
	Timeline []Moment          `json:"timeline,omitempty"`
	Hints    []Hint            `json:"hints,omitempty"`
	Noise    []string          `json:"noise,omitempty"` // troubles that hardly matter
	Also     []string          `json:"also,omitempty"`  // other errors that tell of the same
	Left     int               `json:"left,omitempty"`  // requests and messages that are not listed
}

// Request is a request that failed, or was not answered.
type Request struct {
	After    float64 `json:"after"` // milliseconds after the failure; negative before it
	Method   string  `json:"method"`
	URL      string  `json:"url"`
	Status   int     `json:"status"` // 0 where no answer came
	Failure  string  `json:"failure,omitempty"`
	Pending  bool    `json:"pending,omitempty"`
	Took     float64 `json:"took"` // milliseconds; -1 unknown
	Sent     string  `json:"sent,omitempty"`
	Received string  `json:"received,omitempty"`
	Line     string  `json:"line"` // entry:line
}

// Message is an error of the console or an uncaught error of a page.
type Message struct {
	After    float64 `json:"after"`
	Text     string  `json:"text"`
	Source   string  `json:"source,omitempty"`
	Uncaught bool    `json:"uncaught,omitempty"`
}

// Moment is something that happened near a failure.
type Moment struct {
	After float64 `json:"after"` // milliseconds after the failure
	What  string  `json:"what"`  // action, request, console or page
	Text  string  `json:"text"`
	Bad   bool    `json:"bad,omitempty"`
}

// Hint is what a rule concludes from the evidence. Rule names are stable.
type Hint struct {
	Rule string `json:"rule"`
	Text string `json:"text"`
}

// Options say how far evidence reaches.
type Options struct {
	Before   time.Duration       // how long before a failure to look; 0 means 3 s
	Moments  int                 // of the timeline; 0 means 12
	MaxBody  int                 // runes of a body that are shown; 0 means 400
	MaxList  int                 // requests, messages and log lines of each failure; 0 means 8
	Mask     func(string) string // takes secrets out; nil leaves texts as they are
	NoBodies bool
}

func (o Options) settled() Options {
	def := func(n *int, to int) {
		if *n <= 0 {
			*n = to
		}
	}
	if o.Before <= 0 {
		o.Before = 3 * time.Second
	}
	def(&o.Moments, 12)
	def(&o.MaxBody, 400)
	def(&o.MaxList, 8)
	if o.Mask == nil {
		o.Mask = func(s string) string { return s }
	}
	return o
}

// Of returns the failures of a trace, in the order of time. The archive may be
// nil; then there are no bodies.
func Of(ctx context.Context, a *trace.Archive, t *trace.Trace, o Options) []Failure {
	f := &finder{ctx: ctx, a: a, t: t, o: o.settled()}
	list := []Failure{}
	for _, e := range f.distinct() {
		list = append(list, f.failure(e))
	}
	return list
}

type finder struct {
	ctx context.Context
	a   *trace.Archive
	t   *trace.Trace
	o   Options
}

// distinct leaves out errors that only repeat another: the step around the
// call that failed, and the test that failed with it.
func (f *finder) distinct() []*trace.Failure {
	var list []*trace.Failure
	for _, e := range f.t.Errors {
		switch {
		case e.Kind == trace.FailedTest && e.Action != nil:
		case e.Action != nil && innerFailed(e.Action):
		case e.Kind == trace.FailedTest && f.timedOutInAction(e):
		default:
			list = append(list, e)
		}
	}
	return list
}

func innerFailed(a *trace.Action) bool {
	for _, c := range a.Walk()[1:] {
		if c.Error != nil && a.Error != nil && plain(c.Error.Message) == plain(a.Error.Message) {
			return true
		}
	}
	return false
}

// timedOutInAction holds for a test's "timeout exceeded" where an action that
// it cut short tells more.
func (f *finder) timedOutInAction(e *trace.Failure) bool {
	return timeoutMessage.MatchString(plain(e.Message)) && f.cutShort() != nil
}

func (f *finder) cutShort() *trace.Failure {
	for _, e := range f.t.Errors {
		if e.Kind == trace.FailedAction && strings.Contains(e.Message, "Test timeout of") && !innerFailed(e.Action) {
			return e
		}
	}
	return nil
}

func (f *finder) failure(e *trace.Failure) Failure {
	message, detail := headline(plain(e.Message))
	out := Failure{Kind: e.Kind, Time: e.Time.Milliseconds(), Name: e.Name, Message: f.clean(message, 400), Detail: f.clean(detail, 1500), Page: f.page(e)}
	f.describe(&out, e)
	f.around(&out, e)
	f.timeline(&out, e)
	if first := f.cutShort(); first == e {
		for _, other := range f.t.Errors {
			if other.Kind == trace.FailedTest && other.Action == nil && timeoutMessage.MatchString(plain(other.Message)) {
				out.Also = append(out.Also, f.clean(firstLine(plain(other.Message)), 200))
			}
		}
	}
	out.Hints = f.hints(&out, e)
	return out
}

// describe says what was done, where in the source, and what its log tells.
func (f *finder) describe(out *Failure, e *trace.Failure) {
	if e.Location.URL != "" {
		out.Source = f.clean(place(e.Location.URL, e.Location.Line+1), 300)
	}
	out.Stack = f.stack(e)
	a := e.Action
	if a == nil {
		return
	}
	out.Action, out.Title = a.ID(), f.clean(a.Title().String(), 200)
	if len(a.Stack) > 0 {
		out.Source = f.clean(place(a.Stack[0].File, a.Stack[0].Line), 300)
	}
	log := logOf(a, e)
	out.Waited = why(append(strings.Split(out.Message+"\n"+out.Detail, "\n"), log...))
	log = distinctLines(log)
	for _, l := range log[max(0, len(log)-f.o.MaxList):] {
		out.Log = append(out.Log, f.clean(l, 300))
	}
}

// logOf returns the log of an action, which old and new recorders write into
// the message, into lines of their own, or both.
func logOf(a *trace.Action, e *trace.Failure) []string {
	var log []string
	for _, l := range a.Logs {
		log = append(log, plain(l.Message))
	}
	if len(log) > 0 {
		return log
	}
	_, after, ok := strings.Cut(plain(e.Message), "Call log:")
	if !ok {
		return nil
	}
	for line := range strings.Lines(after) {
		if line = strings.TrimRight(line, "\r\n "); strings.TrimSpace(line) != "" {
			log = append(log, strings.TrimPrefix(strings.TrimPrefix(line, "  "), "- "))
		}
	}
	return log
}

// distinctLines keeps of lines that come again, as retries write them, the
// last, with how often there was one.
func distinctLines(log []string) []string {
	last, count := map[string]int{}, map[string]int{}
	for i, l := range log {
		last[l] = i
		count[l]++
	}
	var list []string
	for i, l := range log {
		if last[l] != i {
			continue
		}
		if n := count[l]; n > 1 {
			l = fmt.Sprintf("%d × %s", n, strings.TrimSpace(l))
		}
		list = append(list, l)
	}
	return list
}

// page returns the address that the page showed when it failed.
func (f *finder) page(e *trace.Failure) string {
	id := e.PageID
	if e.Action != nil {
		id = e.Action.PageID
	}
	address := ""
	for _, s := range f.t.Snapshots {
		if s.IsMainFrame && (id == "" || trace.PageKey(s.PageID) == trace.PageKey(id)) && s.Time <= e.Time {
			address = s.FrameURL
		}
	}
	return f.clean(address, 300)
}

// OfError makes a failure of an error that no trace tells of, such as one in
// the results of a test runner. A nil mask leaves texts as they are.
func OfError(e trace.Error, mask func(string) string) Failure {
	f := &finder{t: &trace.Trace{}, o: Options{Mask: mask}.settled()}
	message, detail := headline(plain(e.Message))
	out := Failure{Kind: trace.FailedTest, Name: e.Name, Message: f.clean(message, 400), Detail: f.clean(detail, 1500),
		Stack: f.stack(&trace.Failure{Stack: e.Stack})}
	for _, r := range rules {
		if text := r.says(f, &out, &trace.Failure{Message: e.Message}); text != "" {
			out.Hints = append(out.Hints, Hint{r.name, f.clean(text, 300)})
		}
	}
	return out
}
