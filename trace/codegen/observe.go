package codegen

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

const (
	navigationWindow = 5 * time.Second // in which a navigation is an effect of a step
	requestWindow    = 2 * time.Second // in which a request is, counted from the step's end
)

// observe gives the steps what happened after each.
func (s *Scenario) observe(ctx context.Context) {
	for i, step := range s.Steps {
		if step.Error != "" {
			step.Caught = s.goesOn(i)
		}
		s.shots(step)
	}
	s.happenings()
	for i := range s.Steps {
		s.observeURL(i)
		s.observeRequests(i)
	}
	s.observePictures()
	s.findFailure()
	s.observePages(ctx)
}

// goesOn reports whether anything was done after step i.
func (s *Scenario) goesOn(i int) bool {
	if x := s.Steps[i].Assert; x != nil && x.Soft {
		return false // it says itself that the test goes on
	}
	for _, later := range s.Steps[i+1:] {
		if later.Action != nil && later.Verb != NotCarried && later.Verb != ClosePage {
			return true
		}
	}
	return false
}

// window is the span in which something may be an effect of step i: until the
// next step on any page begins.
func (s *Scenario) window(i int, atMost time.Duration) (from, to trace.Time) {
	step := s.Steps[i]
	from, to = step.time[0], step.time[1].Add(atMost)
	for _, next := range s.Steps[i+1:] {
		if next.Action != nil && next.time[0] > step.time[0] && next.Verb != NotCarried {
			return from, min(to, next.time[0])
		}
	}
	return from, to
}

// shots finds the snapshots of a step's main frame.
func (s *Scenario) shots(step *Step) {
	if step.Action == nil {
		return
	}
	for _, shot := range step.Action.Snapshots {
		switch {
		case !shot.IsMainFrame:
		case shot.Phase == trace.PhaseAfter:
			step.after = shot
		case step.before == nil:
			step.before = shot
		}
	}
}

// nextOn returns the next step on the page of step i, nil if there is none.
func (s *Scenario) nextOn(i int) *Step {
	for _, next := range s.Steps[i+1:] {
		if next.page == s.Steps[i].page && next.Action != nil {
			return next
		}
	}
	return nil
}

// gone reports whether the page of step i closed with it.
func (s *Scenario) gone(i int) bool {
	at, closed := s.pages.closed[s.Steps[i].page]
	return closed && s.nextOn(i) == nil && at < s.Steps[i].time[1].Add(300*time.Millisecond)
}

// settled is the snapshot that shows what step i led to: the one that the next
// step begins with, which has had more time, where there is one.
func (s *Scenario) settled(i int) *trace.Snapshot {
	next, after := s.nextOn(i), s.Steps[i].after
	late := next != nil && after != nil && after.Time > next.time[0] // it may show what the next step brought
	if next != nil && next.before != nil && !next.Verb.navigates() && (late || next.time[0] >= s.Steps[i].time[1]) {
		return next.before
	}
	if late {
		return nil
	}
	return after
}

// observeURL finds out where a step led.
func (s *Scenario) observeURL(i int) {
	step := s.Steps[i]
	if !step.Verb.acts() && step.Verb != Goto && step.Verb != Back && step.Verb != Forward || step.Error != "" || s.gone(i) {
		return
	}
	now := s.settled(i)
	if now == nil {
		step.URL = s.documentAfter(i)
		return
	}
	if step.Verb == Goto {
		if origin(now.FrameURL) != "" && !samePlace(now.FrameURL, step.Text, s.recorded) {
			step.URL = now.FrameURL
		}
		return
	}
	was := s.urlBefore(i)
	if now.FrameURL != was && was != "" && origin(now.FrameURL) != "" {
		step.URL = now.FrameURL
	}
}

func (s *Scenario) urlBefore(i int) string {
	if b := s.Steps[i].before; b != nil {
		return b.FrameURL
	}
	for j := i - 1; j >= 0; j-- {
		if p := s.Steps[j]; p.page == s.Steps[i].page && p.after != nil {
			return p.after.FrameURL
		}
	}
	return ""
}

// samePlace reports whether an address that was asked for is the one shown.
func samePlace(shown, asked, base string) bool {
	if strings.HasPrefix(asked, "/") {
		asked = base + asked
	}
	clean := func(u string) string {
		u, _, _ = strings.Cut(u, "#")
		return strings.TrimSuffix(u, "/")
	}
	return clean(shown) == clean(asked)
}

// documentAfter is the address of the document that a step made the page load,
// for traces without snapshots.
func (s *Scenario) documentAfter(i int) (address string) {
	if len(s.trace.Snapshots) > 0 || s.Steps[i].Verb.navigates() {
		return ""
	}
	from, to := s.window(i, navigationWindow)
	for _, q := range s.trace.Network {
		if q.Start >= from && q.Start < to && isDocument(q) && q.Response.Status/100 == 2 && (q.PageRef == "" || trace.PageKey(q.PageRef) == s.Steps[i].page) {
			address = q.Request.URL
		}
	}
	return address
}

func isDocument(q *trace.Request) bool {
	if dest := q.Request.Header("sec-fetch-dest"); dest != "" {
		return dest == "document"
	}
	return q.ResourceType == "document"
}

// happenings gives the steps the pages, downloads and dialogs that they brought.
func (s *Scenario) happenings() {
	var pending *Step
	for _, e := range s.trace.Events {
		step := s.stepAt(e.Time, trace.PageKey(e.PageID))
		if step == nil {
			continue
		}
		p := paramsOf(e.Params)
		switch e.Method {
		case "download":
			step.Loads = append(step.Loads, Download{p.text("suggestedFilename")})
		case "dialog":
			pending = step
		case "dialogClosed": // tracedeck's recorder tells the answer so
			if pending != nil && len(pending.Answers) == 0 {
				pending.Answers = append(pending.Answers, Answer{Accept: p.truth("accepted"), Text: p.text("text"), HasText: p.text("text") != ""})
			}
		case "pageError":
			if text := pageError(e.Params); text != "" && !contains(s.Errors, text) {
				s.Errors = append(s.Errors, text)
			}
		}
	}
}

// stepAt returns the last step that had begun at a time, on the page if the
// page is known.
func (s *Scenario) stepAt(at trace.Time, page string) (found *Step) {
	for _, step := range s.Steps {
		if step.time[0] > at {
			break
		}
		if step.Verb != NotCarried && step.Verb != Expect && (page == "" || step.page == page || found == nil) {
			found = step
		}
	}
	return found
}

// pageError is the text of an uncaught error as a page's "pageerror" event
// gives it.
func pageError(raw json.RawMessage) string {
	var p struct {
		Error struct {
			Error struct{ Message, Name string }
			Value json.RawMessage
		}
	}
	if json.Unmarshal(raw, &p) != nil {
		return ""
	}
	return p.Error.Error.Message
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// observePictures tells which steps changed how the page looks: the picture of
// the screencast is another one afterwards.
func (s *Scenario) observePictures() {
	at := func(t trace.Time, page string) (file string) {
		for _, f := range s.trace.Frames {
			if f.Time > t {
				break
			}
			if page == "" || trace.PageKey(f.PageID) == page {
				file = f.File
			}
		}
		return file
	}
	for i, step := range s.Steps {
		if step.Action == nil || step.Verb == Expect || step.Verb == NotCarried || s.gone(i) {
			continue
		}
		from, to := s.window(i, time.Second)
		was, is := at(from, step.page), at(to, step.page)
		switch step.Verb {
		case Fill, TypeText, Clear, Hover, Focus, WaitFor, ClosePage:
			continue
		}
		step.Changed = step.Verb.navigates() || step.URL != "" || is != was && is != "" || len(s.trace.Frames) == 0 && step.Verb.acts()
	}
}

// findFailure finds what the session shows to be wrong: an action that failed
// and ended it, else the first uncaught error, answer of a broken server, or
// error on the console.
func (s *Scenario) findFailure() {
	for i, step := range s.Steps {
		if step.Error != "" && !step.Caught {
			s.Failure = &Failure{Kind: "action", Message: step.Error, Step: i, When: step.time[1], Where: sourceOf(step.Action)}
			return
		}
	}
	for _, f := range s.trace.Errors {
		if f.Kind == trace.FailedPage || f.Kind == trace.FailedTest {
			kind := map[bool]string{true: "page error", false: "test"}[f.Kind == trace.FailedPage]
			s.Failure = &Failure{Kind: kind, Message: oneLine(f.Message), Step: s.indexAt(f.Time), When: f.Time, Where: f.Location.URL}
			if f.Name != "" && !strings.HasPrefix(s.Failure.Message, f.Name) {
				s.Failure.Message = f.Name + ": " + s.Failure.Message
			}
			return
		}
	}
	for _, q := range s.trace.Network {
		if q.Response.Status >= 500 {
			s.Failure = &Failure{Kind: "answer", Message: q.Request.Method + " " + s.relative(q.Request.URL) + " was answered " + number(float64(q.Response.Status)), Step: s.indexAt(q.Start), When: q.End}
			return
		}
	}
	for _, m := range s.trace.Console {
		if m.Kind == "error" && !strings.HasPrefix(m.Text, "Failed to load resource") { // of which the request tells more
			s.Failure = &Failure{Kind: "console", Message: oneLine(m.Text), Step: s.indexAt(m.Time), When: m.Time, Where: m.Location.URL}
			return
		}
	}
}

func (s *Scenario) indexAt(t trace.Time) (i int) {
	for j, step := range s.Steps {
		if step.time[0] <= t && step.Verb != NotCarried {
			i = j
		}
	}
	return i
}

func sourceOf(a *trace.Action) string {
	if a == nil || len(a.Stack) == 0 {
		return ""
	}
	return a.Stack[0].File + ":" + number(float64(a.Stack[0].Line))
}
