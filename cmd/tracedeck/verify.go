package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/verify"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har/template"
)

// stateFlags say what of a trace is taken and where states are kept.
type stateFlags struct {
	url, store, label   string
	span, before, after string
	ttl                 time.Duration
	strict, all         bool
}

func (f *stateFlags) bind(fs *pflag.FlagSet) {
	fs.StringVar(&f.url, "url", "", "only addresses that hold this, or match glob:… or re:…; errors go by their script and page")
	fs.StringVar(&f.span, "span", "", "only a part of the recording, such as 2s..5s; either side may be left out")
	fs.StringVar(&f.store, "store", "", "folder to keep states in; otherwise .tracedeck/cache/verify of the project, or the user's cache")
	fs.DurationVar(&f.ttl, "ttl", 0, "how long it is kept, up to 168h; 0 is 30m for a verification and 2h for a snapshot")
}

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

// deskEnv is what the verbs of verify and snapshot work with.
type deskEnv struct {
	*env
	f    *stateFlags
	desk *verify.Desk
}

// desk is the project's, or the user's where there is no project.
func (f *stateFlags) desk() *verify.Desk {
	dir := f.store
	if dir == "" {
		if p, err := project.Find("."); err == nil {
			dir = filepath.Join(p.Dir, "cache", "verify")
		} else if cache, err := os.UserCacheDir(); err == nil {
			dir = filepath.Join(cache, "tracedeck", "verify")
		} else {
			dir = filepath.Join(os.TempDir(), "tracedeck-verify")
		}
	}
	return &verify.Desk{Shelf: verify.Folder{Dir: dir}}
}

// capture sums up a trace.
func (e *deskEnv) capture(ctx context.Context, place, filter string, span verify.Span) (*verify.State, error) {
	url, err := template.ParseFilter(filter)
	if err != nil {
		return nil, withHint(err, "a filter is a part of the address, glob: with a pattern, or re: with a regular expression")
	}
	a, t, err := e.loadTrace(ctx, []string{place})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	e.progress.update("looking at "+place, -1)
	if abs, err := filepath.Abs(place); err == nil && !trace.IsAddress(place) && place != "-" {
		place = abs
	}
	return verify.Capture(ctx, a, t, verify.Options{Span: span, URL: url, URLText: filter, Now: time.Now(), Name: place})
}

func parseSpan(text string) (verify.Span, error) {
	s, err := verify.ParseSpan(text)
	if err != nil {
		err = withHint(err, "times are counted from the beginning of the recording, as tracedeck actions shows them")
	}
	return s, err
}

// stateSummary sums a state up for people and programs.
type stateSummary struct {
	CapturedAt time.Time `json:"captured_at"`
	Source     string    `json:"source"`
	From       float64   `json:"from"` // milliseconds since the recording began
	To         float64   `json:"to"`
	PageURL    string    `json:"page_url,omitempty"`
	verify.Counts
	ConsoleWarnings int            `json:"console_warnings"`
	Requests        int            `json:"network_requests"`
	Sockets         int            `json:"websocket_connections"`
	Endpoints       int            `json:"unique_endpoints"`
	Details         []verify.Issue `json:"error_details"`
	NotRecorded     []string       `json:"not_recorded"`
	LeftOut         []string       `json:"left_out,omitempty"`
}

func summaryOf(s *verify.State) stateSummary {
	sum := stateSummary{CapturedAt: s.CapturedAt, Source: s.Source, From: s.From, To: s.To, PageURL: s.PageURL, Counts: s.Counts(), Endpoints: len(s.Endpoints),
		Details: []verify.Issue{}, NotRecorded: s.NotRecorded(), LeftOut: s.LeftOut}
	for _, w := range s.Warnings {
		sum.ConsoleWarnings += w.Count
	}
	for _, e := range s.Endpoints {
		sum.Requests += e.Calls
	}
	for _, c := range s.Sockets {
		sum.Sockets += c.Connections
	}
	for _, i := range s.Issues {
		if i.Message != "" {
			sum.Details = append(sum.Details, i)
		}
	}
	return sum
}

func (e *deskEnv) printState(s *verify.State) {
	c := s.Counts()
	fmt.Fprintf(e.out, "%s in %s: %d of the console and of pages, %d of requests, %d of actions and the test\n", plural(c.TotalIssues, "error"), plural(c.Kinds, "kind"), c.ConsoleErrors, c.NetworkErrors, c.TestErrors)
	for _, i := range s.Issues {
		if i.Message != "" {
			fmt.Fprintf(e.out, "  %-8s %s\n", i.Category, printable(i.Message)+times(i.Count))
		}
	}
	for _, what := range s.LeftOut {
		fmt.Fprintf(e.out, "  %s\n", e.paint(dim, "and "+what))
	}
	if list := s.NotRecorded(); len(list) > 0 {
		fmt.Fprintf(e.out, "  %s\n", e.paint(dim, "not recorded: "+strings.Join(list, ", ")))
	}
}

func times(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" (x%d)", n)
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

// verifyCompared is the answer of "verify compare --json".
type verifyCompared struct {
	ID     string         `json:"session_id,omitempty"`
	Status verify.Status  `json:"status"`
	Label  string         `json:"label,omitempty"`
	Result *verify.Result `json:"result"`
}

func compareVerify(ctx context.Context, e *deskEnv, args []string) (int, error) {
	o := verify.VerifyOptions{StrictCounts: e.f.strict}
	if len(args) == 2 && !e.known(args[0]) {
		r, err := e.compareTwo(ctx, args, o)
		if err != nil {
			return 0, err
		}
		return e.printVerdict(verifyCompared{Status: verify.Compared, Result: r})
	}
	var s *verify.Session
	var path string
	var span verify.Span
	var err error
	if len(args) == 2 {
		path = args[1]
		s, err = e.desk.WatchedAt(args[0], path)
	} else if s, err = e.desk.Watched(args[0]); err == nil {
		path, span, err = s.Watch.Find()
	}
	if err == nil && e.f.span != "" {
		span, err = parseSpan(e.f.span)
	}
	if err != nil {
		return 0, err
	}
	after, err := e.capture(ctx, path, s.URLFilter, span)
	if err != nil {
		return 0, err
	}
	s, r, err := e.desk.Compare(s.ID, after, o)
	if err != nil {
		return 0, err
	}
	return e.printVerdict(verifyCompared{s.ID, s.Status, s.Label, r})
}

// known reports whether an argument names a verification.
func (e *deskEnv) known(name string) bool {
	_, err := e.desk.Session(name)
	if err != nil {
		_, missing := os.Stat(name)
		return strings.HasPrefix(name, "verify-") && missing != nil
	}
	return true
}

func (e *deskEnv) compareTwo(ctx context.Context, args []string, o verify.VerifyOptions) (*verify.Result, error) {
	var states [2]*verify.State
	for i, text := range []string{e.f.before, e.f.after} {
		span, err := parseSpan(text)
		if err != nil {
			return nil, err
		}
		if states[i], err = e.capture(ctx, args[i], e.f.url, span); err != nil {
			return nil, err
		}
	}
	return verify.Verify(states[0], states[1], o), nil
}

// good are the verdicts after which nothing needs doing.
var good = []verify.Verdict{verify.Fixed, verify.Improved, verify.NoIssues}

func (e *deskEnv) printVerdict(c verifyCompared) (int, error) {
	code := exitOK
	if !slices.Contains(good, c.Result.Verdict) {
		code = exitFound
	}
	if e.json {
		return code, e.printJSON(c)
	}
	color := map[int]string{exitOK: green, exitFound: red}[code]
	if c.Result.Verdict == verify.Inconclusive {
		color = yellow
	}
	r := c.Result
	fmt.Fprintln(e.out, e.paint(color, string(r.Verdict)))
	fmt.Fprintf(e.out, "  before  %s in %s\n  after   %s in %s\n", plural(r.Before.TotalIssues, "error"), plural(r.Before.Kinds, "kind"), plural(r.After.TotalIssues, "error"), plural(r.After.Kinds, "kind"))
	colors := map[string]string{"resolved": green, "new": red, "not_exercised": yellow}
	for _, ch := range append(slices.Clone(r.NewIssues), r.Changes...) {
		text := ch.Before
		switch ch.Type {
		case "new":
			text = ch.After
		case "changed":
			text += "  ⇒  " + ch.After
		case "resolved":
			if ch.Category == verify.Network {
				text += "  ⇒  " + ch.After
			}
		}
		fmt.Fprintf(e.out, "  %s %-8s %s\n", e.paint(colors[ch.Type], fmt.Sprintf("%-13s", strings.ReplaceAll(ch.Type, "_", " "))), ch.Category, printable(text))
	}
	for _, p := range r.Performance {
		if p.Effect == "regressed" || p.Effect == "improved" {
			fmt.Fprintf(e.out, "  %-13s %s: %.4g before, %.4g after\n", p.Effect, p.Name, *p.Before, *p.After)
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(e.out, "  %s\n", e.paint(dim, printable(n)))
	}
	return code, nil
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

var errNoCurrent = errors.New(`"current" needs a snapshot beside it, whose trace is looked at again`)
