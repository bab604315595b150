package codegen

import (
	"fmt"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
	"github.com/tracedeck/tracedeck/trace/title"
)

var sgr = lazyregexp.New("\x1b\\[[0-9;]*m")

// longPause is how long nothing must happen between two steps to be told.
const longPause = 2 * time.Second

// readSteps makes steps of the actions.
func (s *Scenario) readSteps() error {
	actions, err := s.chosen()
	if err != nil {
		return err
	}
	r := &stepReader{s: s}
	for _, a := range actions {
		r.read(a)
	}
	s.snap()
	s.findBase()
	s.openFirst()
	if len(s.Steps) == 0 {
		return ErrNoSteps
	}
	return nil
}

// ErrNoSteps is the error for a trace in which nothing was done that a program
// could do again.
var ErrNoSteps = fmt.Errorf("no actions that can be done again")

// chosen returns the actions that the options ask for.
func (s *Scenario) chosen() ([]*trace.Action, error) {
	from, to := 0, len(s.trace.Actions)
	for _, end := range []struct {
		id   string
		set  *int
		more int
	}{{s.o.From, &from, 0}, {s.o.To, &to, 1}} {
		if end.id == "" {
			continue
		}
		i := indexOf(s.trace.Actions, end.id)
		if i < 0 {
			return nil, fmt.Errorf("no action %q", end.id)
		}
		*end.set = i + end.more
	}
	var list []*trace.Action
	routed := false
	for _, a := range s.trace.Actions[min(from, to):to] {
		routed = routed || a.Kind == trace.KindCall && a.Title().Group == title.Route
		if carried(a) {
			list = append(list, a)
		}
	}
	if routed {
		s.warn("W_ROUTES", "", "the recorded test answered requests itself, with what the trace does not hold: --fixtures mock gives the recorded answers")
	}
	if n := s.o.Last; n > 0 && len(list) > n {
		list = list[len(list)-n:]
	}
	return list, nil
}

func indexOf(actions []*trace.Action, id string) int {
	for i, a := range actions {
		if a.ID() == id {
			return i
		}
	}
	return -1
}

// carried reports whether an action is one that a user or a test made itself.
func carried(a *trace.Action) bool {
	if a.Kind != trace.KindCall || a.Before == nil {
		return a.Kind == trace.KindStep && a.Before != nil && a.Before.Method == "expect"
	}
	if a.Before.Class == "Route" || a.Before.Class == "WebSocketRoute" {
		return false
	}
	for p := a.Parent; p != nil; p = p.Parent {
		if p.Kind == trace.KindCall && p.Before.Method != "__waitInfo__" || p.Kind == trace.KindHook && strings.HasPrefix(p.Before.Title, "Fixture") {
			return p.Kind == trace.KindHook && p.Before.Title == "Before Hooks"
		}
	}
	switch a.Title().Group {
	case title.Getter, title.Internal, title.Route:
		return false
	}
	return true
}

// stepReader makes steps of actions one after the other.
type stepReader struct {
	s       *Scenario
	end     trace.Time // of the action before
	chooser bool       // somebody waits for a file chooser
}

func (r *stepReader) read(a *trace.Action) {
	key := r.s.pages.key(a.PageID)
	p := paramsOf(a.Before.Params)
	if r.aside(a, p) {
		return
	}
	step := r.stepOf(a, p)
	if step == nil {
		return
	}
	step.Action, step.page, step.time = a, key, [2]trace.Time{a.Start, a.End}
	step.Group, step.Title = groupsOf(a), titleOf(a)
	if a.Error != nil {
		step.Error = oneLine(a.Error.Message)
	}
	if r.end > 0 && a.Start.Sub(r.end) > longPause {
		step.Pause = a.Start.Sub(r.end)
	}
	r.end = max(r.end, a.End)
	name, isNew := r.s.pages.name(key)
	step.Page = name
	if isNew && name != "page" && step.Verb != NewPage {
		if r.open(step, key) && step.Verb == Goto && r.listens(a) {
			return // the page went there itself
		}
	}
	r.s.Steps = append(r.s.Steps, step)
}

// listens reports whether an action is one that a recorder saw in a browser: it
// tells of the first address of a window as if somebody had typed it.
func (r *stepReader) listens(a *trace.Action) bool {
	return a.Context != nil && strings.HasPrefix(a.Context.Producer(), "tracedeck")
}

// open makes sure that the page of a step is there: the step that opened it
// says so, or a new one is made.
func (r *stepReader) open(step *Step, key string) (byStep bool) {
	var best *Step
	var least time.Duration
	opener := r.s.pages.openID[key]
	for _, before := range r.s.Steps {
		if opener == "" || before.page != opener || before.Opens != "" || !before.Verb.acts() {
			continue
		}
		if d, ok := r.s.pages.openedBy(before, key); ok && (best == nil || d <= least) {
			best, least = before, d
		}
	}
	if best != nil {
		best.Opens = step.Page
		return true
	}
	r.s.Steps = append(r.s.Steps, &Step{Verb: NewPage, Page: step.Page, page: key, time: [2]trace.Time{step.time[0], step.time[0]}, Title: "Open a page"})
	return false
}

// groupsOf returns the titles of the groups and steps around an action,
// outermost first.
func groupsOf(a *trace.Action) (list []string) {
	for p := a.Parent; p != nil; p = p.Parent {
		if p.Kind == trace.KindGroup || p.Kind == trace.KindStep {
			list = append([]string{oneLine(p.Title().Text)}, list...)
		}
	}
	return list
}

func titleOf(a *trace.Action) string {
	t := a.Title()
	return oneLine(t.String())
}

// aside handles the calls that are no steps of their own but say something
// about others. It reports whether this was one.
func (r *stepReader) aside(a *trace.Action, p params) bool {
	last := r.lastStep()
	switch call := a.Before.Class + "." + strings.TrimPrefix(a.Before.Method, "vibium:"); call {
	case "Dialog.accept", "Dialog.dismiss", "Dialog.dialog.accept", "Dialog.dialog.dismiss":
		if last != nil {
			text := orDefault(p.text("promptText"), p.text("text"))
			last.Answers = append(last.Answers, Answer{Accept: strings.HasSuffix(call, "accept"), Text: text, HasText: p.has("promptText") || text != ""})
		}
		return true
	case "ElementHandle.setInputFiles":
		if r.chooser && last != nil {
			last.Picks, r.chooser = p.uploads(), false
			return true
		}
	}
	if a.Before.Method == "__waitInfo__" || a.Before.Method == "waitForEventInfo" {
		r.chooser = r.chooser || p.text("event") == "filechooser" || strings.Contains(a.Before.Title, `"filechooser"`)
		return true
	}
	return false
}

func (r *stepReader) lastStep() *Step {
	if n := len(r.s.Steps); n > 0 {
		return r.s.Steps[n-1]
	}
	return nil
}

// findBase finds the origin that most of the session is about: that of the
// first page.
func (s *Scenario) findBase() {
	if s.o.BaseURL != "" {
		s.BaseURL = strings.TrimRight(s.o.BaseURL, "/")
	}
	recorded := ""
	for _, step := range s.Steps {
		if recorded == "" && step.Verb == Goto {
			recorded = origin(step.Text)
		}
	}
	for _, p := range s.trace.Snapshots {
		if recorded == "" && p.IsMainFrame {
			recorded = origin(p.FrameURL)
		}
	}
	for _, q := range s.trace.Network {
		if recorded == "" && q.ResourceType != "image" {
			recorded = origin(q.Request.URL)
		}
	}
	s.recorded = recorded
	if s.BaseURL == "" {
		s.BaseURL = recorded
	}
}

// openFirst makes the first step open the page on which the session began,
// where the recording began on a page that was open already.
func (s *Scenario) openFirst() {
	if len(s.Steps) == 0 || s.Steps[0].Verb.navigates() && s.Steps[0].Verb != Reload {
		return
	}
	for i, step := range s.Steps {
		if step.Verb.navigates() && step.Verb != Reload {
			break
		}
		if step.Target.Some() || i == len(s.Steps)-1 {
			address := s.startURL()
			if address == "" {
				s.warn("W_NO_START", "", "the recording does not say on which page it began")
				return
			}
			first := s.Steps[0]
			s.midway = true
			s.Steps = append([]*Step{{Verb: Goto, Text: address, Page: first.Page, page: first.page, time: [2]trace.Time{first.time[0], first.time[0]}, Title: "Open " + address}}, s.Steps...)
			return
		}
	}
}

// startURL is the address of the first page that is seen.
func (s *Scenario) startURL() string {
	for _, p := range s.trace.Snapshots {
		if p.IsMainFrame && origin(p.FrameURL) != "" {
			return p.FrameURL
		}
	}
	for _, q := range s.trace.Network {
		if isDocument(q) {
			return q.Request.URL
		}
	}
	return ""
}
