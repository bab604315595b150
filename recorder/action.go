package recorder

import (
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// Call says what an action is, by the names of the trace format. Viewers know
// those of Playwright ("Frame", "click"); for others give a Title.
type Call struct {
	Class  string
	Method string
	Title  string
	Params any // becomes a JSON object; nil is an empty one
	Group  string
	PageID string // of the page that it concerns, if there is one
	Parent string // call id; "" means the innermost group
	// Since is when it began, if that was before now, on the session's clock.
	Since trace.Time
}

// classCDP is the class of the commands that [Options.Protocol] records.
const classCDP = "CDP"

// Action is an action under way. End it.
type Action struct {
	s      *Session
	id     string
	pageID string
	shown  bool // snapshots and pictures are taken around it
	files  []trace.Attachment
}

// Begin records the beginning of an action.
func (s *Session) Begin(c Call) *Action {
	params, err := json.Marshal(c.Params)
	if err != nil || c.Params == nil {
		params = []byte("{}")
	}
	s.mu.Lock()
	a := &Action{s: s, id: s.newCall(), pageID: c.PageID}
	b := &trace.Before{CallID: a.id, StartTime: s.Now(), Class: c.Class, Method: c.Method, Title: c.Title, Params: params,
		Group: c.Group, PageID: c.PageID, ParentID: c.Parent}
	if c.Since > 0 && c.Since < b.StartTime {
		b.StartTime = c.Since
	}
	if !s.o.NoStacks {
		b.Stack = callers()
	}
	if c.Class != classCDP {
		s.under = append(s.under, a.id)
	} else if n := len(s.under); n > 0 && b.ParentID == "" {
		b.ParentID = s.under[n-1] // what is under way is why
	}
	if b.ParentID == "" {
		b.ParentID = s.group()
	}
	s.mu.Unlock()
	a.shown = s.rec != nil && trace.KindOf(c.Class, c.Method) == trace.KindCall
	if a.shown {
		s.rec.Before(b)
	} else {
		s.Write(b)
	}
	return a
}

// ID returns the action's call id.
func (a *Action) ID() string { return a.id }

// Log adds a line to the action's log.
func (a *Action) Log(text string) {
	a.s.Write(&trace.Log{CallID: a.id, Time: a.s.Now(), Message: text})
}

// Input says where the action is about to act, in CSS pixels of the page.
func (a *Action) Input(point trace.Point, box *trace.Rect) {
	a.s.Write(&trace.Input{CallID: a.id, Point: &point, Box: box})
}

// Attach gives the action a file, which the line of its end names.
func (a *Action) Attach(f trace.Attachment) { a.files = append(a.files, f) }

// End records the end of the action, and why it went wrong if err is not nil.
func (a *Action) End(err error) { a.EndWith(nil, err) }

// EndWith is End with what the action returned, which becomes JSON.
func (a *Action) EndWith(result any, err error) {
	a.s.mu.Lock()
	a.s.under = slices.DeleteFunc(a.s.under, func(id string) bool { return id == a.id })
	a.s.mu.Unlock()
	after := &trace.After{CallID: a.id, EndTime: a.s.Now(), Attachments: a.files}
	if err != nil {
		after.Error = &trace.Error{Name: "Error", Message: err.Error()}
	}
	if data, merr := json.Marshal(result); merr == nil && result != nil {
		after.Result = data
	}
	if a.shown {
		a.s.rec.After(after, a.pageID)
		return
	}
	a.s.Write(after)
}

// Do records do as an action.
func (s *Session) Do(ctx context.Context, c Call, do func(context.Context) error) error {
	a := s.Begin(c)
	err := do(ctx)
	a.End(err)
	return err
}

// ours are the packages whose frames say nothing to who reads a call stack.
var ours = []string{"github.com/tracedeck/tracedeck/recorder.", "github.com/tracedeck/tracedeck/recorder/cdp.", "github.com/tracedeck/tracedeck/replay.", "github.com/go-rod/rod", "runtime.", "testing."}

// callers returns the Go frames that led to an action, innermost first.
func callers() []trace.StackFrame {
	pc := make([]uintptr, 64)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	var list []trace.StackFrame
	for len(list) < 20 {
		f, more := frames.Next()
		if f.Function != "" && (!isOurs(f.Function) || strings.HasSuffix(f.File, "_test.go")) {
			list = append(list, trace.StackFrame{File: f.File, Line: f.Line, Function: f.Function})
		}
		if !more {
			break
		}
	}
	return list
}

func isOurs(function string) bool {
	for _, p := range ours {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}
