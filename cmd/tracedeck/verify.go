package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/diff/verify"
	"github.com/tracedeck/tracedeck/trace"
)

func verifyCommand() *command {
	return &command{name: "verify", args: "start|watch|compare|status|cancel …", short: "say whether a change to the code fixed what went wrong",
		long: `start TRACE keeps what goes wrong in a trace, or in a session that is still recorded.
watch ID [PLACE] says where the session after the change comes from: a folder that is
recorded into (what comes from now on counts), a trace, or a folder into which traces
are put; without PLACE it is where the first came from. compare ID [TRACE] gives the
verdict, as often as you like. status [ID] and cancel ID speak for themselves; ID is
what start prints, or the label. compare BEFORE AFTER compares two traces at once.

The verdict is fixed, improved, unchanged, different_issue, regressed,
no_issues_detected, or inconclusive, where what went wrong was not tried again. It
goes by kinds: how often something happened decides nothing, but with
--strict-counts. Three verifications are kept, for 30 minutes each. The exit code is
0 for fixed, improved and no_issues_detected, and 1 for any other verdict.`,
		examples: []example{
			{"tracedeck verify start trace.zip --label login", "what is wrong now"},
			{"tracedeck verify watch login trace.zip.recording", "then mend it, and do it again"},
			{"tracedeck verify compare login", "did it help?"},
			{"tracedeck verify compare before.zip after.zip", "of two traces, without keeping anything"},
			{"tracedeck verify compare --before ..8s --after 8s.. trace.zip trace.zip", "of two parts of one session"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var f stateFlags
			f.bind(fs)
			fs.StringVar(&f.label, "label", "", "start: a name for the verification")
			fs.StringVar(&f.before, "before", "", "compare BEFORE AFTER: the part of the first trace, as --span")
			fs.StringVar(&f.after, "after", "", "compare BEFORE AFTER: the part of the second trace")
			fs.BoolVar(&f.strict, "strict-counts", false, "compare: what came at least twice as often is a regression")
			fs.BoolVar(&f.all, "all", false, "watch: of a folder that is recorded into, also what is there already")
			return func(ctx context.Context, env *env, args []string) (int, error) { return runVerify(ctx, env, &f, args) }
		}}
}

func runVerify(ctx context.Context, env *env, f *stateFlags, args []string) (int, error) {
	if len(args) == 0 {
		return 0, usageError("start, watch, compare, status or cancel?")
	}
	verbs := map[string]struct {
		do          func(context.Context, *deskEnv, []string) (int, error)
		least, most int
	}{
		"start": {startVerify, 1, 1}, "watch": {watchVerify, 1, 2}, "compare": {compareVerify, 1, 2},
		"status": {statusVerify, 0, 1}, "cancel": {cancelVerify, 1, 1},
	}
	v, ok := verbs[args[0]]
	if !ok {
		return 0, usageError("there is no verify %q: start, watch, compare, status or cancel?", args[0])
	}
	if n := len(args) - 1; n < v.least || n > v.most {
		return 0, usageError("verify %s takes %d to %d arguments, not %d", args[0], v.least, v.most, n)
	}
	return v.do(ctx, &deskEnv{env, f, f.desk()}, args[1:])
}

// verifyStarted is the answer of "verify start --json".
type verifyStarted struct {
	ID        string        `json:"session_id"`
	Status    verify.Status `json:"status"`
	Label     string        `json:"label,omitempty"`
	ExpiresAt time.Time     `json:"expires_at"`
	Evicted   string        `json:"evicted,omitempty"` // a verification for which there was no room any more
	Baseline  stateSummary  `json:"baseline"`
}

func startVerify(ctx context.Context, e *deskEnv, args []string) (int, error) {
	span, err := parseSpan(e.f.span)
	if err != nil {
		return 0, err
	}
	state, err := e.capture(ctx, args[0], e.f.url, span)
	if err != nil {
		return 0, err
	}
	s, evicted, err := e.desk.Start(state, e.f.label, e.f.ttl)
	if err != nil {
		return 0, err
	}
	if e.json {
		return exitOK, e.printJSON(verifyStarted{s.ID, s.Status, s.Label, s.ExpiresAt, evicted, summaryOf(state)})
	}
	if evicted != "" {
		e.warn("%s was let go: %d verifications are kept", evicted, verify.MostSessions)
	}
	fmt.Fprintln(e.out, s.ID)
	e.printState(state)
	e.report("next: tracedeck verify watch %s", s.ID)
	return exitOK, nil
}

// verifyWatching is the answer of "verify watch --json".
type verifyWatching struct {
	ID      string        `json:"session_id"`
	Status  verify.Status `json:"status"`
	Message string        `json:"message"`
	Watch   verify.Bound  `json:"watch"`
}

func watchVerify(ctx context.Context, e *deskEnv, args []string) (int, error) {
	s, err := e.desk.Session(args[0])
	if err != nil {
		return 0, err
	}
	place, fresh := "", false
	switch {
	case len(args) == 2:
		place = args[1]
	case s.Baseline != nil:
		place, fresh = s.Baseline.Source, true
	}
	header, err := e.header()
	if err != nil {
		return 0, err
	}
	where, err := verify.Bind(ctx, place, fresh, time.Now(), trace.Options{Header: header})
	if err != nil {
		return 0, err
	}
	if e.f.all {
		where.From = 0
	}
	if s, err = e.desk.Watch(args[0], where); err != nil {
		return 0, err
	}
	message := "watching " + where.Place + ": do again what went wrong, then compare"
	if e.json {
		return exitOK, e.printJSON(verifyWatching{s.ID, s.Status, message, where})
	}
	fmt.Fprintln(e.out, printable(message))
	e.report("next: tracedeck verify compare %s", s.ID)
	return exitOK, nil
}

// verifyStatus is one verification in the answer of "verify status --json".
type verifyStatus struct {
	ID          string         `json:"session_id"`
	Label       string         `json:"label,omitempty"`
	Status      verify.Status  `json:"status"`
	CreatedAt   time.Time      `json:"created_at"`
	ExpiresAt   time.Time      `json:"expires_at"`
	URLFilter   string         `json:"url_filter,omitempty"`
	Watching    string         `json:"watching,omitempty"` // the place
	Comparisons int            `json:"comparisons"`
	Verdict     verify.Verdict `json:"verdict,omitempty"` // of the last comparison
	Baseline    *stateSummary  `json:"baseline,omitempty"`
}

func verificationOf(s *verify.Session) verifyStatus {
	v := verifyStatus{ID: s.ID, Label: s.Label, Status: s.Status, CreatedAt: s.CreatedAt, ExpiresAt: s.ExpiresAt, URLFilter: s.URLFilter, Comparisons: s.Comparisons, Verdict: s.Verdict}
	if s.Watch != nil {
		v.Watching = s.Watch.Place
	}
	if s.Baseline != nil {
		sum := summaryOf(s.Baseline)
		v.Baseline = &sum
	}
	return v
}

func statusVerify(_ context.Context, e *deskEnv, args []string) (int, error) {
	list, err := e.desk.Sessions()
	if err != nil {
		return 0, err
	}
	if len(args) == 1 {
		s, err := e.desk.Session(args[0])
		if err != nil {
			return 0, err
		}
		list = []*verify.Session{s}
	}
	all := []verifyStatus{}
	for _, s := range list {
		all = append(all, verificationOf(s))
	}
	if e.json {
		return exitOK, e.printJSON(all)
	}
	if len(all) == 0 {
		e.report("no verification; tracedeck verify start begins one")
		return exitOK, nil
	}
	tb := table{head: []string{"verification", "label", "status", "verdict", "until", "watching"}, flex: 5}
	for _, v := range all {
		tb.add(plain(v.ID), plain(v.Label), plain(string(v.Status)), plain(string(v.Verdict)), plain(v.ExpiresAt.Local().Format("15:04:05")), plain(v.Watching))
	}
	return exitOK, tb.print(e.env)
}

// verifyCancelled is the answer of "verify cancel --json".
type verifyCancelled struct {
	ID     string        `json:"session_id"`
	Status verify.Status `json:"status"`
}

func cancelVerify(_ context.Context, e *deskEnv, args []string) (int, error) {
	s, err := e.desk.Cancel(args[0])
	if err != nil {
		return 0, err
	}
	if e.json {
		return exitOK, e.printJSON(verifyCancelled{s.ID, s.Status})
	}
	_, err = fmt.Fprintf(e.out, "%s is cancelled\n", s.ID)
	return exitOK, err
}

func init() {
	answers["verify"] = anyOf{verifyStarted{}, verifyWatching{}, verifyCompared{}, []verifyStatus{}, verifyCancelled{}}
}
