package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
)

func errorsCommand() *command {
	return &command{name: "errors", args: "TRACE", short: "say what failed: actions, the test, and uncaught errors of pages",
		long: `Each failure is printed with the last lines of its log, where in the source it
is, and what went wrong around it: requests that failed and console errors in
the seconds before. The exit code is 1 if anything failed.`,
		examples: []example{
			{"tracedeck errors trace.zip", "why it failed"},
			{"tracedeck errors --json trace.zip", "the same for programs"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			before := fs.Duration("before", 3*time.Second, "how long before a failure to look for related trouble")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				return failures(ctx, env, *before, args)
			}
		}}
}

// failureRecord is one failure in the answer of "errors --json".
type failureRecord struct {
	Kind    trace.FailureKind `json:"kind"` // action, test or page
	Time    float64           `json:"time"` // milliseconds since the start of the trace
	Name    string            `json:"name,omitempty"`
	Message string            `json:"message"`
	Stack   string            `json:"stack,omitempty"`
	Action  string            `json:"action,omitempty"` // call id
	Title   string            `json:"title,omitempty"`
	Source  string            `json:"source,omitempty"` // file:line
	Log     []string          `json:"log,omitempty"`
	Related []string          `json:"related,omitempty"`
	Place   string            `json:"place"`
}

func failures(ctx context.Context, env *env, before time.Duration, args []string) (int, error) {
	a, t, err := env.loadTrace(ctx, args)
	if err != nil {
		return 0, err
	}
	defer a.Close()
	list := []failureRecord{}
	for _, f := range t.Errors {
		if f.Kind == trace.FailedTest && f.Action != nil {
			continue // told with the action that failed with it
		}
		list = append(list, newFailureRecord(t, f, before))
	}
	code := exitOK
	if len(list) > 0 {
		code = exitFound
	}
	if env.json {
		return code, env.printJSON(list)
	}
	if len(list) == 0 {
		fmt.Fprintln(env.out, "nothing failed")
	}
	for i, r := range list {
		if i > 0 {
			fmt.Fprintln(env.out)
		}
		r.print(env)
	}
	return code, nil
}

func newFailureRecord(t *trace.Trace, f *trace.Failure, before time.Duration) failureRecord {
	r := failureRecord{Kind: f.Kind, Time: f.Time.Milliseconds(), Name: f.Name, Message: stripSGR(f.Message), Stack: stripSGR(f.Stack), Place: place(f.Position)}
	if f.Location.URL != "" {
		r.Source = fmt.Sprintf("%s:%d", f.Location.URL, f.Location.Line+1)
	}
	if act := f.Action; act != nil {
		title := act.Title()
		r.Action, r.Title = act.ID(), strings.TrimSpace(title.String())
		if len(act.Stack) > 0 {
			r.Source = fmt.Sprintf("%s:%d", act.Stack[0].File, act.Stack[0].Line)
		}
		const last = 6
		for _, l := range act.Logs[max(0, len(act.Logs)-last):] {
			r.Log = append(r.Log, stripSGR(l.Message))
		}
	}
	r.Related = related(t, f, before)
	return r
}

// related lists failed requests and console errors shortly before a failure.
func related(t *trace.Trace, f *trace.Failure, before time.Duration) []string {
	from, to := f.Time.Add(-before), f.Time
	if f.Action != nil {
		from = min(from, f.Action.Start.Add(-before))
	}
	var list []string
	ago := func(at trace.Time) string { return fmt.Sprintf("%+.2f s", at.Sub(f.Time).Seconds()) }
	for _, r := range t.Network {
		if failedRequest(r.Entry) && r.End >= from && r.End <= to {
			what := fmt.Sprintf("answered %d", r.Response.Status)
			if r.Failed() {
				what = "failed: " + firstOf(r.Response.FailureText, "no answer")
			}
			list = append(list, fmt.Sprintf("%s  %s %s %s", ago(r.End), r.Request.Method, shortURL(r.Request.URL), what))
		}
	}
	for _, m := range t.Console {
		if levelOf(m.Kind) == "error" && m.Time >= from && m.Time <= to {
			list = append(list, fmt.Sprintf("%s  console: %s", ago(m.Time), firstLine(m.Text)))
		}
	}
	for _, e := range t.Errors {
		if e != f && e.Kind == trace.FailedPage && e.Time >= from && e.Time <= to {
			list = append(list, fmt.Sprintf("%s  page error: %s", ago(e.Time), firstLine(failureText(e))))
		}
	}
	return list
}

func (r failureRecord) print(env *env) {
	head := map[trace.FailureKind]string{trace.FailedAction: r.Title, trace.FailedTest: "the test", trace.FailedPage: "uncaught in the page"}[r.Kind]
	fmt.Fprintf(env.out, "%s  %s\n", env.paint(red, "✗ "+printable(head)), env.paint(dim, offset(time.Duration(r.Time*1e6))+" s"))
	text := r.Message
	if r.Name != "" && !strings.HasPrefix(text, r.Name) {
		text = r.Name + ": " + text
	}
	for _, line := range strings.Split(strings.TrimSpace(printableLines(text)), "\n") {
		fmt.Fprintln(env.out, "  "+line)
	}
	if r.Source != "" {
		fmt.Fprintln(env.out, "  at "+env.paint(dim, printable(r.Source)))
	}
	section(env, "log", r.Log)
	section(env, "shortly before", r.Related)
}

func section(env *env, head string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintln(env.out, "  "+env.paint(bold, head))
	for _, l := range lines {
		fmt.Fprintln(env.out, "    "+printable(l))
	}
}
