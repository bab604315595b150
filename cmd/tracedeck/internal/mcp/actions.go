package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/failures"
)

type actionsArgs struct {
	TraceArg
	Failed bool   `json:"failed,omitempty" jsonschema:"only those that failed or never ended"`
	Grep   string `json:"grep,omitempty" jsonschema:"regular expression for title, locator or error"`
	All    bool   `json:"all,omitempty" jsonschema:"getters, routes, configuration and protocol commands too"`
	Range
}

// ActionItem is an action in a list.
type ActionItem struct {
	ID     string  `json:"id"`
	Parent string  `json:"parent,omitempty"`
	Kind   string  `json:"kind"`
	Title  string  `json:"title"`
	Start  float64 `json:"start" jsonschema:"milliseconds since the recording began"`
	Took   float64 `json:"took" jsonschema:"milliseconds; -1 if it never ended"`
	Error  string  `json:"error,omitempty"`
}

func (s *Server) actionsTool(ctx context.Context, in actionsArgs) (List[ActionItem], reply, error) {
	t, tr, err := s.load(ctx, in.Trace)
	if err != nil {
		return List[ActionItem]{}, reply{session: t}, err
	}
	re, err := pattern(in.Grep)
	if err != nil {
		return List[ActionItem]{}, reply{session: t}, err
	}
	var all []ActionItem
	for _, a := range tr.Tree() {
		hidden := a.Kind == trace.KindProtocol || a.Title().Group != ""
		if hidden && !in.All && a.Error == nil || in.Failed && a.Error == nil && !a.Unfinished {
			continue
		}
		if item := actionItem(t, a); re.MatchString(item.Title + " " + item.ID + " " + item.Error) {
			all = append(all, item)
		}
	}
	return part(all, in.Range), reply{session: t}, nil
}

func actionItem(t *session, a *trace.Action) ActionItem {
	item := ActionItem{ID: a.ID(), Kind: a.Kind.String(), Title: t.short(a.Title().String(), 200), Start: a.Start.Milliseconds(), Took: -1}
	if d, ok := a.Duration(); ok {
		item.Took = ms(d)
	}
	if a.Parent != nil {
		item.Parent = a.Parent.ID()
	}
	if a.Error != nil {
		item.Error = t.short(firstLine(a.Error.Message), 200)
	}
	return item
}

// short masks a text and cuts it then: a secret across the cut must not escape.
func (t *session) short(s string, most int) string {
	return failures.Cut(t.masker.Text(strings.ToValidUTF8(s, "\uFFFD")), most)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

type actionArgs struct {
	TraceArg
	Action string `json:"action" jsonschema:"call id, as actions and errors give it"`
}

// ActionDetail is all that is recorded of an action.
type ActionDetail struct {
	ActionItem
	Call      string        `json:"call" jsonschema:"class and method"`
	Params    string        `json:"params,omitempty" jsonschema:"as JSON"`
	Result    string        `json:"result,omitempty" jsonschema:"as JSON"`
	Message   string        `json:"message,omitempty" jsonschema:"of its error, whole"`
	Page      string        `json:"page,omitempty"`
	Log       []string      `json:"log,omitempty"`
	Stack     []string      `json:"stack,omitempty"`
	Point     *trace.Point  `json:"point,omitempty" jsonschema:"where it acted, in CSS pixels"`
	Snapshots []string      `json:"snapshots" jsonschema:"moments of which snapshot shows the page"`
	Requests  []RequestItem `json:"requests" jsonschema:"that began while it ran"`
	Note      string        `json:"note,omitempty"`
}

func (s *Server) actionTool(ctx context.Context, in actionArgs) (ActionDetail, reply, error) {
	t, tr, err := s.load(ctx, in.Trace)
	if err != nil {
		return ActionDetail{}, reply{session: t}, err
	}
	a, err := findAction(tr, in.Action)
	if err != nil {
		return ActionDetail{}, reply{session: t}, err
	}
	d := ActionDetail{ActionItem: actionItem(t, a), Call: a.Before.Class + "." + a.Before.Method, Params: t.short(string(t.masker.JSON(a.Before.Params)), 4000),
		Result: t.short(string(a.Result), 2000), Page: a.PageID, Point: a.Point, Snapshots: []string{}, Requests: []RequestItem{}}
	if a.Error != nil {
		d.Message = t.short(a.Error.Message, 4000)
	}
	for _, f := range a.Stack[:min(len(a.Stack), 10)] {
		d.Stack = append(d.Stack, t.short(fmt.Sprintf("%s %s:%d:%d", f.Function, f.File, f.Line, f.Column), 300))
	}
	const mostLog = 60
	for _, l := range a.Logs[max(0, len(a.Logs)-mostLog):] {
		d.Log = append(d.Log, t.short(l.Message, 300))
	}
	for _, n := range a.Snapshots {
		if n.IsMainFrame {
			d.Snapshots = append(d.Snapshots, string(n.Phase))
		}
	}
	d.addRequests(t, tr, a, max(0, len(a.Logs)-mostLog))
	return d, reply{session: t}, nil
}

func (d *ActionDetail) addRequests(t *session, tr *trace.Trace, a *trace.Action, logs int) {
	var notes []string
	if logs > 0 {
		notes = append(notes, fmt.Sprintf("%d earlier log lines are left out", logs))
	}
	const most = 30
	left := 0
	for _, r := range tr.Network {
		switch {
		case r.Start < a.Start || r.Start > a.End:
		case len(d.Requests) == most:
			left++
		default:
			d.Requests = append(d.Requests, requestItem(t, r))
		}
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("%d more requests are left out; network lists them", left))
	}
	d.Note = strings.Join(notes, "; ")
}

func findAction(tr *trace.Trace, id string) (*trace.Action, error) {
	for _, a := range tr.Actions {
		if a.ID() == id {
			return a, nil
		}
	}
	ids := make([]string, 0, len(tr.Actions))
	for _, a := range tr.Actions {
		ids = append(ids, a.ID())
	}
	return nil, fmt.Errorf("no action %q in the trace%s; actions lists them", id, meant(id, ids))
}
