package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
)

type actionsFlags struct {
	grep   string
	failed bool
	all    bool
	slower time.Duration
	flat   bool
	logs   bool
}

func actionsCommand() *command {
	return &command{name: "actions", args: "TRACE", short: "list what was done, as a tree with groups and steps",
		long: `Getters, route set-up, configuration calls and protocol commands are left out
unless --all asks for them. The exit code is 1 if an action that is listed failed.`,
		examples: []example{
			{"tracedeck actions trace.zip", "the tree, failed actions in red"},
			{"tracedeck actions --failed --logs trace.zip", "only what failed, with what the log says it waited for"},
			{"tracedeck actions --json trace.zip", "every action with parameters, times, errors and places"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o actionsFlags
			fs.StringVarP(&o.grep, "grep", "g", "", "only actions whose title, locator or error matches the regular expression")
			fs.BoolVar(&o.failed, "failed", false, "only actions that failed or never ended")
			fs.DurationVar(&o.slower, "slower-than", 0, "only actions that took at least this long")
			fs.BoolVarP(&o.all, "all", "a", false, "getters, routes, configuration and protocol commands too")
			fs.BoolVar(&o.flat, "flat", false, "in order of time, without the tree")
			fs.BoolVar(&o.logs, "logs", false, "with log lines")
			return func(ctx context.Context, env *env, args []string) (int, error) { return actions(ctx, env, o, args) }
		}}
}

func actions(ctx context.Context, env *env, o actionsFlags, args []string) (int, error) {
	match, err := o.matcher()
	if err != nil {
		return 0, err
	}
	a, t, err := env.loadTrace(ctx, args)
	if err != nil {
		return 0, err
	}
	defer a.Close()
	list := o.choose(t, match)
	code := exitOK
	for _, act := range list {
		if act.Error != nil {
			code = exitFound
		}
	}
	if env.json {
		return code, env.printJSON(actionRecords(list))
	}
	return code, printActions(env, o, list)
}

// matcher returns whether an action is asked for by the flags.
func (o actionsFlags) matcher() (func(*trace.Action) bool, error) {
	re, err := regexp.Compile("(?i)" + o.grep)
	if err != nil {
		return nil, withHint(fmt.Errorf("--grep %q: %w", o.grep, err), "put a backslash before characters that mean something in regular expressions")
	}
	return func(a *trace.Action) bool {
		d, _ := a.Duration()
		switch {
		case o.failed && a.Error == nil && !a.Unfinished, d < o.slower:
			return false
		case o.grep == "":
			return true
		}
		title := a.Title()
		text := title.Text + " " + title.Detail + " " + a.ID()
		if a.Error != nil {
			text += " " + a.Error.Message
		}
		return re.MatchString(text)
	}, nil
}

func (o actionsFlags) choose(t *trace.Trace, match func(*trace.Action) bool) []*trace.Action {
	var list []*trace.Action
	walk := t.Actions
	if !o.flat {
		walk = t.Tree()
	}
	for _, a := range walk {
		if (o.all || !hiddenByDefault(a) || a.Error != nil) && match(a) {
			list = append(list, a)
		}
	}
	return list
}

func hiddenByDefault(a *trace.Action) bool {
	return a.Kind == trace.KindProtocol || a.Title().Group != ""
}

func depth(a *trace.Action) int {
	n := 0
	for p := a.Parent; p != nil; p = p.Parent {
		n++
	}
	return n
}

func printActions(env *env, o actionsFlags, list []*trace.Action) error {
	tb := table{head: []string{"time", "took", "action", "id"}, right: map[int]bool{0: true, 1: true}, flex: 2}
	whole := !o.flat && o.grep == "" && !o.failed && o.slower == 0
	for _, a := range list {
		indent := ""
		if whole {
			indent = strings.Repeat("  ", depth(a))
		}
		tb.add(plain(offset(time.Duration(a.Start))), plain(took(a)), actionCell(a, indent), colored(dim, a.ID()))
		o.details(&tb, a, indent)
	}
	if len(list) == 0 {
		fmt.Fprintln(env.err, "no such actions")
		return nil
	}
	return tb.print(env)
}

func (o actionsFlags) details(tb *table, a *trace.Action, indent string) {
	if o.logs {
		for _, l := range a.Logs {
			when := ""
			if l.Time.Known() {
				when = offset(time.Duration(l.Time))
			}
			tb.add(colored(dim, when), plain(""), colored(dim, indent+"  · "+l.Message), plain(""))
		}
	}
	if a.Error != nil {
		for _, line := range strings.Split(strings.TrimSpace(printableLines(a.Error.Message)), "\n") {
			tb.add(plain(""), plain(""), colored(red, indent+"  "+line), plain(""))
			if !o.logs && !o.failed {
				return
			}
		}
	}
}

func took(a *trace.Action) string {
	d, ok := a.Duration()
	if !ok {
		return "…"
	}
	return shortDuration(d)
}

func actionCell(a *trace.Action, indent string) cell {
	title := a.Title()
	text := indent
	switch {
	case a.Error != nil:
		text += "✗ "
	case a.Unfinished:
		text += "… "
	case a.Kind == trace.KindGroup:
		text += "▾ "
	}
	text += title.Text
	if title.Detail != "" {
		text += "  " + title.Detail
	}
	switch {
	case a.Error != nil:
		return colored(red, text)
	case a.Kind == trace.KindGroup || a.Kind == trace.KindStep || a.Kind == trace.KindHook:
		return colored(bold, text)
	}
	return plain(text)
}

// actionRecord is one action in the answer of "actions --json".
type actionRecord struct {
	ID          string             `json:"id"`
	Parent      string             `json:"parent,omitempty"`
	Kind        trace.ActionKind   `json:"kind"`
	Title       string             `json:"title"`
	Detail      string             `json:"detail,omitempty"` // locator, address or value
	Class       string             `json:"class"`
	Method      string             `json:"method"`
	Params      any                `json:"params,omitempty"`
	Start       float64            `json:"start"` // milliseconds since the start of the trace
	End         float64            `json:"end"`
	Unfinished  bool               `json:"unfinished,omitempty"`
	Page        string             `json:"page,omitempty"`
	Error       *trace.Error       `json:"error,omitempty"`
	Point       *trace.Point       `json:"point,omitempty"`
	Box         *trace.Rect        `json:"box,omitempty"`
	Stack       []trace.StackFrame `json:"stack,omitempty"`
	Snapshots   []string           `json:"snapshots,omitempty"` // phases that have one
	Log         []string           `json:"log,omitempty"`
	Attachments []string           `json:"attachments,omitempty"`
	Place       string             `json:"place"` // entry:line of the first line that tells of it
}

func actionRecords(list []*trace.Action) []actionRecord {
	records := make([]actionRecord, 0, len(list))
	for _, a := range list {
		records = append(records, newActionRecord(a))
	}
	return records
}

func newActionRecord(a *trace.Action) actionRecord {
	title := a.Title()
	r := actionRecord{ID: a.ID(), Kind: a.Kind, Title: title.Text, Detail: title.Detail, Class: a.Before.Class, Method: a.Before.Method,
		Start: a.Start.Milliseconds(), End: a.End.Milliseconds(), Unfinished: a.Unfinished, Page: a.PageID, Error: a.Error,
		Stack: a.Stack, Place: place(a.Position), Point: a.Point}
	if len(a.Before.Params) > 0 {
		r.Params = a.Before.Params
	}
	if a.Parent != nil {
		r.Parent = a.Parent.ID()
	}
	for _, in := range a.Inputs {
		if in.Point != nil {
			r.Point = in.Point
		}
		if in.Box != nil {
			r.Box = in.Box
		}
	}
	seen := map[trace.Phase]bool{}
	for _, s := range a.Snapshots {
		if !seen[s.Phase] {
			seen[s.Phase] = true
			r.Snapshots = append(r.Snapshots, string(s.Phase))
		}
	}
	for _, l := range a.Logs {
		r.Log = append(r.Log, l.Message)
	}
	for _, at := range a.Attachments {
		r.Attachments = append(r.Attachments, at.Name)
	}
	return r
}

func place(p trace.Position) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }
