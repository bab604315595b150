package trace

import (
	"encoding/json"
	"math"
	"strings"
	"time"
)

// finish puts all times on one clock, and builds what needs the whole trace.
func (j *joiner) finish() {
	j.align()
	j.snapshots()
	j.parents()
	j.unfinished()
	j.failures()
	j.spans()
	t := j.t
	sortByTime(t.Actions, func(a *Action) Time { return a.Start })
	for _, a := range t.Actions {
		a.Title() // now, so that readers of a Trace may be several
		sortByTime(a.Children, func(c *Action) Time { return c.Start })
		if a.Parent == nil {
			t.Roots = append(t.Roots, a)
		}
	}
	sortByTime(t.Console, func(m *Message) Time { return m.Time })
	sortByTime(t.Errors, func(f *Failure) Time { return f.Time })
	sortByTime(t.Network, func(r *Request) Time { return r.Start })
	sortByTime(t.Frames, func(p *Picture) Time { return p.Time })
	sortByTime(t.Events, func(h *Happening) Time { return h.Time })
	sortByTime(t.Stdio, func(o *Output) Time { return o.Time })
}

// sameClock is how far the anchors of two contexts may lie apart and still be
// taken for one clock: wall times are whole milliseconds, read a little later
// than the monotonic time they go with.
const sameClock = 20 * time.Millisecond

// align finds for each context what puts its times on the trace's clock, and
// the moment that clock begins at.
func (j *joiner) align() {
	if len(j.t.Contexts) == 0 {
		return
	}
	wall := make([]Time, len(j.t.Contexts)) // wall time of each context's zero
	for i, c := range j.t.Contexts {
		wall[i] = Milliseconds(c.WallTime) - c.MonotonicTime
	}
	base := wall[0]
	for i, c := range j.t.Contexts {
		if d := wall[i].Sub(base); c.WallTime > 0 && j.t.Contexts[0].WallTime > 0 && (d > sameClock || d < -sameClock) {
			c.Shift = d
		}
	}
	first := Time(math.MaxInt64)
	for _, r := range j.retimes {
		if r.t.Known() {
			first = min(first, r.t.Add(r.ctx.Shift))
		}
	}
	for _, c := range j.t.Contexts {
		if c.MonotonicTime != 0 || c.WallTime > 0 && first < Time(time.Hour) {
			first = min(first, c.MonotonicTime.Add(c.Shift))
		}
	}
	if first == math.MaxInt64 {
		first = j.t.Contexts[0].MonotonicTime
	}
	for _, c := range j.t.Contexts {
		c.Shift -= time.Duration(first)
	}
	for _, r := range j.retimes {
		if r.t.Known() {
			*r.t = r.t.Add(r.ctx.Shift)
		}
	}
	if c := j.t.Contexts[0]; c.WallTime > 0 {
		j.t.Start = time.Unix(0, int64(base+first)).UTC()
	}
}

// snapshots gives each action its snapshots, and by them its page: newer
// versions do not say it otherwise.
func (j *joiner) snapshots() {
	for _, s := range j.t.Snapshots {
		act := j.actions[actionKey{s.Context.index, s.CallID}]
		if act == nil {
			continue
		}
		act.Snapshots = append(act.Snapshots, s)
		if act.PageID == "" && s.IsMainFrame {
			act.PageID = s.PageID
		}
	}
	for _, a := range j.t.Actions {
		if a.PageID == "" && len(a.Screenshots) > 0 {
			a.PageID = a.Screenshots[0].PageID
		}
	}
}

func (j *joiner) parents() {
	for _, a := range j.t.Actions {
		if p := j.parentOf(a); p != nil && !within(p, a) {
			a.Parent = p
			p.Children = append(p.Children, a)
		}
	}
	j.protocolParents()
	for _, a := range j.t.Actions {
		for p := a.Parent; p != nil && len(a.Stack) == 0; p = p.Parent {
			a.Stack = p.Stack
		}
	}
}

func (j *joiner) parentOf(a *Action) *Action {
	if a.Runner != nil {
		for _, c := range j.t.Contexts {
			if c.Runner() {
				if p := j.actions[actionKey{c.index, a.Runner.ParentID}]; p != nil {
					return p
				}
			}
		}
	}
	return j.actions[actionKey{a.Context.index, a.Before.ParentID}]
}

// within reports whether p is a or lies inside it: a ring of parents is cut.
func within(p, a *Action) bool {
	for ; p != nil; p = p.Parent {
		if p == a {
			return true
		}
	}
	return false
}

// protocolParents nests protocol commands in the calls that caused them: their
// recorder only knows the group.
func (j *joiner) protocolParents() {
	const afterwards = Time(2 * time.Second)
	var calls []*Action
	for _, a := range j.t.Actions {
		if a.Kind != KindProtocol {
			calls = append(calls, a)
		}
	}
	sortByTime(calls, func(a *Action) Time { return a.Start })
	for _, a := range j.t.Actions {
		if a.Kind != KindProtocol || a.Parent != nil && a.Parent.Kind != KindGroup {
			continue
		}
		p := enclosing(calls, a.Start)
		if p == nil && strings.HasSuffix(a.Before.Method, "captureScreenshot") {
			p = preceding(calls, a.Start, afterwards)
		}
		if p != nil && !within(p, a) {
			a.moveTo(p)
		}
	}
}

func (a *Action) moveTo(p *Action) {
	if old := a.Parent; old != nil {
		kept := old.Children[:0]
		for _, c := range old.Children {
			if c != a {
				kept = append(kept, c)
			}
		}
		old.Children = kept
	}
	a.Parent = p
	p.Children = append(p.Children, a)
}

// enclosing returns the shortest call that was running at t.
func enclosing(calls []*Action, t Time) *Action {
	var best *Action
	for _, c := range calls {
		if c.Start > t {
			break
		}
		if c.Kind == KindCall && !c.Unfinished && c.End >= t && (best == nil || c.End-c.Start <= best.End-best.Start) {
			best = c
		}
	}
	return best
}

func preceding(calls []*Action, t, within Time) *Action {
	var best *Action
	for _, c := range calls {
		if c.Start > t {
			break
		}
		if c.Kind == KindCall && !c.Unfinished && t-c.End <= within {
			best = c
		}
	}
	return best
}

// unfinished ends what has no end where its last child ends, else where the
// trace does.
func (j *joiner) unfinished() {
	last := Time(0)
	for _, r := range j.retimes {
		last = max(last, *r.t)
	}
	for _, r := range j.t.Network {
		r.End = r.Start
		if r.Entry.Time > 0 {
			r.End = r.Start + Milliseconds(r.Entry.Time)
		}
		last = max(last, r.End)
	}
	for i := len(j.t.Actions) - 1; i >= 0; i-- {
		if a := j.t.Actions[i]; a.Unfinished {
			a.End = a.Start
			for _, c := range a.Children {
				a.End = max(a.End, c.End)
			}
			if len(a.Children) == 0 {
				a.End = max(a.Start, last)
			}
		} else if a.End < a.Start {
			a.End = a.Start
		}
	}
	j.t.Duration = time.Duration(last)
}

// failures adds the failed actions to the errors. An error that a step only
// hands up from a step inside it is listed where it happened.
func (j *joiner) failures() {
	for _, a := range j.t.Actions {
		if a.Error == nil || a.inherited() {
			continue
		}
		j.t.Errors = append(j.t.Errors, &Failure{Kind: FailedAction, Time: a.End, Name: a.Error.Name, Message: a.Error.Message,
			Stack: a.Error.Stack, Action: a, PageID: a.PageID, Position: a.Position})
	}
	for _, f := range j.t.Errors {
		if f.Kind == FailedTest && !f.Time.Known() {
			f.Time = j.timeOf(f)
		}
	}
}

func (a *Action) inherited() bool {
	for _, c := range a.Children {
		if c.Error != nil && c.Error.Message == a.Error.Message {
			return true
		}
	}
	return false
}

// timeOf dates a test's error by the action that failed with it.
func (j *joiner) timeOf(f *Failure) Time {
	for _, a := range j.t.Actions {
		if a.Error != nil && a.Error.Message == f.Message {
			f.Action = a
			return a.End
		}
	}
	return Time(j.t.Duration)
}

// spans tells when each page was seen first and last.
func (j *joiner) spans() {
	seen := func(id string, from, to Time) {
		p := j.pages[PageKey(id)]
		if p == nil || id == "" {
			return
		}
		if !p.Opened.Known() || from < p.Opened {
			p.Opened = from
		}
		p.Ended = max(p.Ended, to)
	}
	for _, a := range j.t.Actions {
		seen(a.PageID, a.Start, a.End)
	}
	for _, f := range j.t.Frames {
		seen(f.PageID, f.Time, f.Time)
	}
	for _, h := range j.t.Events {
		seen(h.PageID, h.Time, h.Time)
	}
	for _, s := range j.t.Snapshots {
		seen(s.PageID, s.Time, s.Time)
	}
}

// pageFailure makes a Failure of a pageError event.
func pageFailure(b *ContextEvent) *Failure {
	var params struct {
		Error struct {
			Error *struct{ Message, Name, Stack string }
			Value json.RawMessage
		}
		PageID   string
		Location struct {
			URL    string
			Line   int
			Column int
		}
	}
	_ = json.Unmarshal(b.Params, &params)
	f := &Failure{Kind: FailedPage, Time: b.Time, PageID: b.PageID,
		Location: Location{URL: params.Location.URL, Line: params.Location.Line, Column: params.Location.Column}}
	if f.PageID == "" {
		f.PageID = params.PageID
	}
	switch e := params.Error.Error; {
	case e != nil:
		f.Name, f.Message, f.Stack = e.Name, e.Message, e.Stack
	case len(params.Error.Value) > 0:
		f.Message = "uncaught value: " + string(params.Error.Value)
	}
	return f
}
