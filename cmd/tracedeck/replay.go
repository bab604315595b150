package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/replay"
	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/replay/heal"
	"github.com/tracedeck/tracedeck/replay/mock"
	"github.com/tracedeck/tracedeck/trace/code"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

type replayFlags struct {
	o           replay.Options
	start       determinism.Options
	dir         string
	origins     []string
	viewport    string
	context     string
	strategy    string
	regime      string
	epoch       string
	shard       string
	values      []string
	files       []string
	headed      bool
	verbose     bool
	concurrency int
	mode        string
	onMiss      string
	policies    []string
	overlay     string
	heals       *heal.Overlay
}

func replayCommand() *command {
	return &command{name: "replay", args: "TRACE…", short: "perform recorded sessions again in Chromium, into new traces",
		long: `The actions of each trace are carried out again by real input, against the app at
--url, and what happens is recorded as a new trace with a picture of each step.
Clock, random numbers and frames are given to the page, so that each replay of
the same app gives the same pictures, to the last pixel.

Traces of tracedeck, Playwright and Vibium can be replayed. Assertions are
checks. What cannot be carried out is said before it starts. The exit code is 1
if a step failed that did not fail when it was recorded.`,
		examples: []example{
			{"tracedeck replay --url http://localhost:3000 -o again shop.zip", "the session again, into again/shop.zip"},
			{"tracedeck replay --concurrency 2 --url http://localhost:3000 -o again sessions/*.zip", "many sessions, two at a time"},
			{"tracedeck replay --headed --slow 500ms --url http://localhost:3000 shop.zip", "watch it"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			f := &replayFlags{o: replay.DefaultOptions("")}
			f.bind(fs)
			return func(ctx context.Context, env *env, args []string) (int, error) { return runReplay(ctx, env, f, args) }
		}}
}

func (f *replayFlags) bind(fs *pflag.FlagSet) {
	s, l := &f.o.Session, &f.o.Limits
	fs.StringVar(&f.o.URL, "url", "", "where the app is now, or its file; its origin takes the place of the recorded one")
	fs.StringVarP(&f.dir, "output", "o", "replay", "folder for the new traces, or a file that ends with .zip for a single one")
	fs.StringArrayVar(&f.origins, "origin", nil, "another origin that moved, as RECORDED=NOW; may be repeated")
	fs.StringVar(&f.mode, "mode", string(mock.Mock), "mock answers the requests of scripts from the recording, live lets the app's server answer")
	fs.StringVar(&f.onMiss, "on-miss", string(mock.Pass), "requests that the recording has no answer for: pass (the server answers), warn or error (they fail)")
	fs.BoolVar(&f.o.Network.Offline, "offline", false, "documents, scripts, styles, pictures and fonts from the recording too")
	fs.StringArrayVar(&f.o.Network.Allow, "allow", nil, "origin that may be reached though the recording did not; may be repeated")
	fs.StringArrayVar(&f.policies, "policy", nil, "how one origin is dealt with, as ORIGIN=mock, ORIGIN=live or ORIGIN=blocked; may be repeated")
	fs.StringArrayVar(&f.o.Network.IgnoreParams, "ignore-param", nil, "parameter of addresses that differs from run to run, or its beginning as sess_*; may be repeated")
	fs.StringArrayVar(&f.o.Network.Templates, "path-template", nil, "paths of which one may be answered with another's answer, as /users/:id; may be repeated")
	fs.BoolVar(&f.o.Heal, "heal", true, "look for elements whose selector finds none by what else is known of them")
	fs.Float64Var(&f.o.Floor, "heal-floor", 0, "confidence that is enough, 0 to 1; the usual one if not given")
	fs.StringVar(&f.overlay, "heals", "", "`file` of accepted heals, which is read, and gets what is healed now; heals.json in the project's folder unless given")
	fs.StringVar(&f.regime, "regime", "", "frames, timers, clock or real; the best that is to be had if not given")
	fs.StringVar(&s.Seed, "seed", "", "of random numbers")
	fs.StringVar(&f.epoch, "epoch", "", "date at which sessions begin, such as 2026-01-01T00:00:00Z; as recorded if not given")
	fs.StringVar(&f.viewport, "viewport", "", "size of pages, such as 1280x720; as recorded if not given")
	fs.StringVar(&f.context, "context", "", "file of what the trace does not say of the browser context, as Playwright's use has it: locale, timezoneId, storageState…")
	fs.StringVar(&f.strategy, "strategy", string(replay.Tiered), "pictures: tiered, every or manual")
	fs.StringVar(&f.o.Until, "until", "", "call id of the last action that is carried out")
	fs.IntVar(&f.concurrency, "concurrency", 1, "sessions at a time, each in a browser of its own")
	fs.StringVar(&f.shard, "shard", "", "only this part of the traces, as 1/4")
	fs.BoolVar(&f.headed, "headed", false, "in a window")
	fs.DurationVar(&f.o.Slow, "slow", 0, "wait before each step")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "say every decision")
	fs.BoolVar(&f.o.Coverage, "coverage", false, "put which code ran into the new traces")
	fs.StringArrayVar(&f.values, "value", nil, "what to write where the recording masked it, as CALL-ID=TEXT, LOCATOR=TEXT or SELECTOR=TEXT; may be repeated")
	fs.StringArrayVar(&f.files, "file", nil, "file to upload, as NAME=PATH; may be repeated")
	fs.StringVar(&f.start.Path, "browser", "", "the Chromium to start")
	fs.BoolVar(&f.start.NoSandbox, "no-sandbox", false, "turn Chromium's sandbox off")
	fs.BoolVar(&f.o.Secrets, "keep-secrets", false, "keep the values of cookies and tokens in the new traces")
	fs.DurationVar(&l.Step, "limit-step", 20*time.Second, "how long a step may take")
	fs.DurationVar(&l.Navigation, "limit-navigation", 30*time.Second, "how long a navigation may take")
	fs.DurationVar(&l.Session, "limit-session", 120*time.Second, "how long a session may take")
	fs.DurationVar(&l.Patience, "patience", 5*time.Second, "how long, by the page's clock, an element is waited for")
}

// settle checks the flags and turns words into options.
func (f *replayFlags) settle(env *env) error {
	f.o.URL = pageAddress(".", f.o.URL)
	switch f.o.Strategy = replay.Strategy(f.strategy); f.o.Strategy {
	case replay.Tiered, replay.Every, replay.Manual:
	default:
		return usageError("--strategy %q: there is tiered, every and manual", f.strategy)
	}
	switch f.start.Regime = determinism.Regime(f.regime); f.start.Regime {
	case "", determinism.Frames, determinism.Timers, determinism.Clock, determinism.Real:
	default:
		return usageError("--regime %q: there is frames, timers, clock and real", f.regime)
	}
	if f.headed && (f.start.Regime == determinism.Frames || f.start.Regime == determinism.Timers) {
		return usageError("--regime %s has no window: leave one of it and --headed out", f.regime)
	}
	f.start.Headed = f.headed
	switch f.o.Network.Mode, f.o.Network.OnMiss = mock.Mode(f.mode), mock.OnMiss(f.onMiss); {
	case f.mode != string(mock.Mock) && f.mode != string(mock.Live):
		return usageError("--mode %q: there is mock and live", f.mode)
	case f.onMiss != string(mock.Pass) && f.onMiss != string(mock.Warn) && f.onMiss != string(mock.Error):
		return usageError("--on-miss %q: there is pass, warn and error", f.onMiss)
	}
	policies := map[string]string{}
	if err := pairs("--policy", f.policies, &policies); err != nil {
		return err
	}
	if f.o.Network.Policies = policiesOf(policies); len(f.policies) > 0 {
		for origin, m := range policies {
			if m != string(mock.Mock) && m != string(mock.Live) && m != string(mock.Blocked) {
				return usageError("--policy %s=%s: there is mock, live and blocked", origin, m)
			}
		}
	}
	if p, err := project.Find("."); f.overlay == "" && f.o.Heal && err == nil {
		f.overlay = filepath.Join(p.Dir, healsFile)
	}
	if f.overlay != "" {
		var err error
		if f.heals, err = heal.ReadOverlay(f.overlay); err != nil {
			return err
		}
		f.o.Overlay = f.heals
	}
	if f.context != "" {
		var err error
		if f.o.Context, err = contextOptions(f.context); err != nil {
			return err
		}
	}
	if f.viewport != "" {
		if n, err := fmt.Sscanf(f.viewport, "%dx%d", &f.o.Session.Width, &f.o.Session.Height); n != 2 || err != nil || f.o.Session.Width < 1 || f.o.Session.Height < 1 {
			return usageError("--viewport %q: a size such as 1280x720 is expected", f.viewport)
		}
	}
	if f.epoch != "" {
		at, err := time.Parse(time.RFC3339, f.epoch)
		if err != nil {
			return usageError("--epoch %q: a date such as 2026-01-01T00:00:00Z is expected", f.epoch)
		}
		f.o.Session.Epoch = at
	}
	if f.verbose {
		f.o.Log = func(format string, args ...any) { fmt.Fprintf(env.err, format+"\n", args...) }
		f.start.Log = f.o.Log
	}
	for _, p := range []struct {
		flag string
		from []string
		to   *map[string]string
	}{{"--origin", f.origins, &f.o.Origins}, {"--value", f.values, &f.o.Values}, {"--file", f.files, &f.o.Files}} {
		if err := pairs(p.flag, p.from, p.to); err != nil {
			return err
		}
	}
	for name, path := range f.o.Files {
		if _, err := os.Stat(path); err != nil {
			return withHint(err, "--file "+name+"=PATH names a file of this machine")
		}
	}
	return nil
}

func policiesOf(m map[string]string) map[string]mock.Mode {
	out := map[string]mock.Mode{}
	for origin, mode := range m {
		out[origin] = mock.Mode(mode)
	}
	return out
}

// named is where the name of NAME=VALUE certainly ends: a call id or a file's
// name, or a locator.
var named = lazyregexp.New(`^(?:[\w.@-]+|(?:getBy|locator\().*?\))=`)

// pairs reads NAME=VALUE. A name that is a selector may hold "=" itself, and so
// may a value.
func pairs(flag string, from []string, to *map[string]string) error {
	for _, s := range from {
		i := strings.LastIndex(s, "=")
		if m := named.FindString(s); m != "" {
			i = len(m) - 1
		}
		if i < 1 {
			return usageError("%s %q: NAME=VALUE is expected", flag, s)
		}
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[s[:i]] = s[i+1:]
	}
	return nil
}

// sessions are the traces to replay, and where each goes.
func (f *replayFlags) sessions(ctx context.Context, args []string) ([]replay.Session, error) {
	if len(args) == 0 {
		return nil, usageError("replay what? at least one trace is expected")
	}
	used := map[string]bool{}
	var list []replay.Session
	for _, a := range args {
		base := strings.TrimSuffix(filepath.Base(filepath.Clean(a)), ".zip")
		if base == "" || base == "." || base == "-" || base == string(filepath.Separator) {
			base = "trace"
		}
		name := base
		for i := 2; used[name]; i++ {
			name = fmt.Sprintf("%s-%d", base, i)
		}
		used[name] = true
		list = append(list, replay.Session{Trace: a, Output: filepath.Join(f.dir, name+".zip")})
	}
	if f.shard != "" {
		var err error
		if list, err = part(ctx, f.shard, list); err != nil {
			return nil, err
		}
	}
	if !strings.HasSuffix(f.dir, ".zip") {
		return list, os.MkdirAll(f.dir, 0o755)
	}
	if len(list) > 1 {
		return nil, usageError("-o %s: a folder is expected for more than one trace", f.dir)
	}
	for i := range list {
		list[i].Output = f.dir
	}
	return list, os.MkdirAll(filepath.Dir(f.dir), 0o755)
}

// part is what a shard has of the traces. The names of the new ones are those that
// they have without it, so that the parts can be put together.
func part(ctx context.Context, shard string, all []replay.Session) ([]replay.Session, error) {
	costs := make([]run.Cost, len(all))
	for i, s := range all {
		costs[i] = costOf(ctx, project.Session{ID: s.Output, Path: s.Trace})
	}
	mine, _, err := divide(shard, costs)
	return slices.DeleteFunc(all, func(s replay.Session) bool { return !slices.Contains(mine, s.Output) }), err
}

// replayed is the answer of replay for one trace.
type replayed struct {
	*replay.Report
	OK     bool   `json:"ok"`
	Reason string `json:"reason,omitempty"` // why there is no replay
}

func runReplay(ctx context.Context, env *env, f *replayFlags, args []string) (int, error) {
	if err := f.settle(env); err != nil {
		return 0, err
	}
	list, err := f.sessions(ctx, args)
	if err != nil {
		return 0, err
	}
	if len(list) == 0 {
		fmt.Fprintln(env.err, "no trace is in this shard")
		return exitOK, nil
	}
	code, answers, count := exitOK, []replayed{}, 0
	show := func(r replay.Result) {
		count++
		env.progress.update(fmt.Sprintf("replayed %d of %d", count, len(list)), float64(count)/float64(len(list)))
		a := replayed{Report: r.Report}
		if a.Report == nil {
			a.Report = &replay.Report{Trace: r.Trace, Steps: []replay.Step{}, Pictures: []replay.Picture{}, Refused: []replay.Refusal{}}
		}
		a.OK = r.Err == nil && a.Report.OK()
		if r.Err != nil {
			a.Code, a.Reason = replay.CodeOf(r.Err), r.Err.Error()
			code = max(code, exitTrouble)
		} else if !a.OK {
			code = max(code, exitFound)
		}
		answers = append(answers, a)
		if !env.json {
			env.progress.clear()
			printReplayed(env, a, r.Err)
		}
	}
	if err := replay.Many(ctx, list, f.concurrency, f.start, func(replay.Session) replay.Options { return f.o }, show); err != nil {
		return 0, err
	}
	if _, err := os.Stat(f.overlay); f.heals != nil && (err == nil || len(f.heals.Heals()) > 0) {
		if err := f.heals.Write(f.overlay); err != nil {
			return 0, err
		}
	}
	if env.json {
		sort.SliceStable(answers, func(i, j int) bool { return answers[i].Trace < answers[j].Trace })
		return code, env.printJSON(answers)
	}
	return code, nil
}

func printReplayed(env *env, a replayed, err error) {
	if err != nil {
		fmt.Fprintf(env.out, "%s  %s\n  %s: %v\n", env.paint(red, "✗"), printable(a.Trace), replay.CodeOf(err), err)
		if hint := hintOf(err); hint != "" {
			fmt.Fprintf(env.out, "  hint: %s\n", hint)
		}
		return
	}
	mark := env.paint(green, "✓")
	if !a.OK {
		mark = env.paint(red, "✗")
	}
	fmt.Fprintf(env.out, "%s  %s → %s: %s, %s, %.1f s for %.1f s, regime %s\n", mark, printable(a.Trace), printable(a.Output), plural(len(a.Steps), "step"),
		plural(len(a.Pictures), "picture"), a.Wall/1000, a.Clock/1000, a.Regime)
	for _, x := range a.Refused {
		fmt.Fprintf(env.out, "  not carried out: %s (%s): %s\n", printable(x.Title), x.Recorded, printable(x.Reason))
	}
	hinted := map[string]bool{}
	for _, s := range a.Steps {
		switch s.Status {
		case replay.Failed:
			fmt.Fprintf(env.out, "  %s %s (%s): %s %s\n", env.paint(red, "failed"), printable(s.Title), s.Recorded, s.Code, printable(s.Error))
			if c, ok := code.Find(s.Code); ok && !hinted[s.Code] {
				hinted[s.Code] = true
				fmt.Fprintf(env.out, "  hint: %s\n", c.Next)
			}
		case replay.Skipped:
			fmt.Fprintf(env.out, "  skipped %s (%s): %s\n", printable(s.Title), s.Recorded, printable(s.Error))
		case replay.AsBefore:
			fmt.Fprintf(env.out, "  failed as recorded: %s (%s): %s\n", printable(s.Title), s.Recorded, printable(s.Error))
		case replay.Changed:
			fmt.Fprintf(env.out, "  passed, but failed when it was recorded: %s (%s)\n", printable(s.Title), s.Recorded)
		}
	}
	for _, s := range a.Steps {
		if m := s.Heal; m != nil {
			fmt.Fprintf(env.out, "  healed %s (%s): by %s, confidence %.2f: %s\n", printable(s.Title), s.Recorded, m.Strategy, m.Confidence, printable(m.Selector))
		}
	}
	if a.Network != nil {
		for _, m := range a.Network.Misses {
			fmt.Fprintf(env.out, "  %s\n", printable(m.String()))
		}
	}
	if a.Code != "" {
		fmt.Fprintf(env.out, "  ended early: %s %s\n", a.Code, printable(a.Error))
		if d := a.Last; d != nil {
			for _, u := range d.Pending {
				fmt.Fprintf(env.out, "    waiting for %s\n", printable(u))
			}
			for _, l := range d.Console {
				fmt.Fprintf(env.out, "    console: %s\n", printable(l))
			}
		}
	}
	for _, w := range a.Warnings {
		env.warn("%s", w)
	}
}
