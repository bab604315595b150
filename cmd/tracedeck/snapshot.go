package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
	"github.com/tracedeck/tracedeck/trace/snapshot/inline"
)

type snapshotFlags struct {
	out    string
	phase  string
	frame  string
	text   bool
	bare   bool
	chrome string
	state  stateFlags
}

func snapshotCommand() *command {
	return &command{name: "snapshot", args: "TRACE [ACTION] | capture|compare|list|delete …", short: "write the page at an action as HTML, text or PNG; keep states of sessions and compare them",
		long: `ACTION is a call id as "actions" prints it, or its number in that list, counted
from 1; without it the snapshots are listed. The HTML is one file that needs
nothing else, and nothing in it runs. A PNG is drawn by Chromium.

capture NAME TRACE keeps what a session, or one that is still recorded, has come to:
errors, endpoints, sockets and performance, without bodies. compare A B compares two
of them; a trace may stand in the place of a name, and current for the trace of the
other one as it is now. list and delete NAME do what they say. Ten are kept, for two
hours each. The exit code of compare is 1 if B regressed.`,
		examples: []example{
			{"tracedeck snapshot trace.zip", "what snapshots there are"},
			{"tracedeck snapshot trace.zip call@14 -o page.html", "the page after the action"},
			{"tracedeck snapshot trace.zip call@14 --phase action -o page.png", "as it was clicked, with the target outlined"},
			{"tracedeck snapshot trace.zip call@14 --text", "what stood on the page"},
			{"tracedeck snapshot capture before-deploy trace.zip", "keep how it was"},
			{"tracedeck snapshot compare before-deploy after.zip", "what a deployment broke"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o snapshotFlags
			fs.StringVarP(&o.out, "output", "o", "-", "file to write, .html or .png; - is HTML to standard output")
			fs.StringVar(&o.phase, "phase", "after", "moment of the action: before, action or after")
			fs.StringVar(&o.frame, "frame", "", "id of a child frame; the main frame otherwise")
			fs.BoolVar(&o.text, "text", false, "print the text of the page")
			fs.BoolVar(&o.bare, "bare", false, "without target outline and pointer")
			fs.StringVar(&o.chrome, "browser", "", "Chromium to draw with; found on the PATH otherwise")
			o.state.bind(fs)
			return func(ctx context.Context, env *env, args []string) (int, error) {
				return runSnapshot(ctx, env, o, args)
			}
		}}
}

func runSnapshot(ctx context.Context, env *env, o snapshotFlags, args []string) (int, error) {
	if len(args) > 0 && snapshotVerbs[args[0]] != nil {
		return snapshotVerbs[args[0]](ctx, &deskEnv{env, &o.state, o.state.desk()}, args[1:])
	}
	if len(args) == 0 || len(args) > 2 {
		return 0, usageError("which trace, and which action?")
	}
	a, t, err := env.loadTrace(ctx, args[:1])
	if err != nil {
		return 0, err
	}
	defer a.Close()
	if len(args) == 1 {
		return exitOK, listSnapshots(env, t)
	}
	act, err := findAction(t, args[1])
	if err != nil {
		return 0, err
	}
	s := snapshot.FromTrace(a, t)
	n, err := o.find(t, s, act)
	if err != nil {
		return 0, err
	}
	if o.text {
		text, err := s.Text(ctx, n)
		fmt.Fprintln(env.out, text)
		return exitOK, err
	}
	return exitOK, o.write(ctx, env, a, s, n, act)
}

// findAction finds an action by its id, or by its number in the tree.
func findAction(t *trace.Trace, name string) (*trace.Action, error) {
	tree := t.Tree()
	var number int
	if _, err := fmt.Sscanf(name, "%d", &number); err == nil && fmt.Sprint(number) == name && number >= 1 && number <= len(tree) {
		return tree[number-1], nil
	}
	for _, a := range tree {
		if a.ID() == name {
			return a, nil
		}
	}
	return nil, withHint(fmt.Errorf("no action %q in the trace", name), "tracedeck actions --all lists the actions with their ids")
}

// find returns the number of the snapshot that the viewer would show.
func (o snapshotFlags) find(t *trace.Trace, s *snapshot.Store, act *trace.Action) (int, error) {
	n, ok := s.TabOf(t, act, trace.Phase(o.phase))
	if !ok {
		return 0, usageError("--phase %q: there is before, action and after", o.phase)
	}
	if n >= 0 && o.frame != "" {
		if n, ok = s.FrameOf(n, o.frame); !ok {
			return 0, withHint(fmt.Errorf("the frame %q has no snapshot at that moment", o.frame), "tracedeck snapshot without an action lists the snapshots with their frames")
		}
	}
	if n < 0 {
		return 0, withHint(fmt.Errorf("there is no snapshot for %s", act.ID()), "the trace was recorded without DOM snapshots, or the page was not there yet; tracedeck frames shows pictures")
	}
	return n, nil
}

func (o snapshotFlags) write(ctx context.Context, env *env, a *trace.Archive, s *snapshot.Store, n int, act *trace.Action) error {
	opts := inline.Options{}
	opts.NoTarget = o.bare
	if !o.bare {
		opts.Point = pointOf(act)
	}
	var doc bytes.Buffer
	report, err := inline.Write(ctx, &doc, a, s, n, opts)
	if err != nil {
		return err
	}
	for _, w := range report.Warnings {
		env.warn("%s", w)
	}
	if len(report.Missing) > 0 {
		env.warn("%d resources of the page are not in the trace, such as %s", len(report.Missing), shortURL(report.Missing[0]))
	}
	if strings.EqualFold(filepath.Ext(o.out), ".png") {
		place, _ := s.Place(n)
		return writeOutput(env, o.out, func(w io.Writer) error { return drawPage(ctx, w, doc.Bytes(), place.Viewport, o.chrome) })
	}
	return writeOutput(env, o.out, func(w io.Writer) error {
		_, err := w.Write(doc.Bytes())
		return err
	})
}

func pointOf(a *trace.Action) *trace.Point {
	for i := len(a.Inputs) - 1; i >= 0; i-- {
		if a.Inputs[i].Point != nil {
			return a.Inputs[i].Point
		}
	}
	return a.Point
}

// snapshotRecord is a snapshot of a frame in the answer of "snapshot --json".
type snapshotRecord struct {
	Action string      `json:"action"`
	Phase  trace.Phase `json:"phase"`
	Time   float64     `json:"time"` // milliseconds since the start of the trace
	Frame  string      `json:"frame"`
	Main   bool        `json:"main"`
	URL    string      `json:"url"`
	Place  string      `json:"place"`
}

func listSnapshots(env *env, t *trace.Trace) error {
	records := []snapshotRecord{}
	for _, s := range t.Snapshots {
		records = append(records, snapshotRecord{s.CallID, s.Phase, s.Time.Milliseconds(), s.FrameID, s.IsMainFrame, s.FrameURL, place(s.Position)})
	}
	if env.json {
		return env.printJSON(records)
	}
	if len(records) == 0 {
		return withHint(errors.New("the trace has no DOM snapshots"), "it was recorded without them; tracedeck frames shows pictures")
	}
	tb := table{head: []string{"time", "action", "phase", "frame", "page"}, right: map[int]bool{0: true}, flex: 4}
	for _, r := range records {
		frame := plain("main")
		if !r.Main {
			frame = colored(dim, r.Frame)
		}
		tb.add(plain(offset(time.Duration(r.Time*1e6))), plain(r.Action), plain(string(r.Phase)), frame, plain(r.URL))
	}
	return tb.print(env)
}
