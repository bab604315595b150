package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/recorder/browser"
	"github.com/tracedeck/tracedeck/replay"
	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/replay/heal"
	"github.com/tracedeck/tracedeck/replay/mock"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// replays takes the pictures of sessions by replaying them.
type replays struct {
	c       *ciRun
	options replay.Options
	heals   string // the file of what was healed

	mu      sync.Mutex
	idle    []*determinism.Browser
	started []*determinism.Browser

	starting sync.Mutex
	like     *determinism.Browser // the first
}

// ciReplayFlags are the flags of ci that are for the replays.
type ciReplayFlags struct {
	concurrency int
	seed        string
	browser     string
	noSandbox   bool
	verbose     bool
}

func (o *ciReplayFlags) bind(fs *pflag.FlagSet) {
	fs.IntVar(&o.concurrency, "concurrency", 0, "how many sessions are replayed at once, each in a browser of its own; 0 for one less than there are cores")
	fs.StringVar(&o.seed, "seed", "", "of random numbers")
	fs.StringVar(&o.browser, "browser", "", "the Chromium to start")
	fs.BoolVar(&o.noSandbox, "no-sandbox", false, "turn Chromium's sandbox off")
	fs.BoolVarP(&o.verbose, "verbose", "v", false, "say every decision of the replays")
}

func newReplays(c *ciRun) (*replays, error) {
	cfg := c.p.Config.Replay
	o := replay.DefaultOptions("")
	o.URL, o.Origins = c.target(), cfg.OriginMap
	if cfg.Strategy != "" {
		o.Strategy = replay.Strategy(cfg.Strategy)
	}
	n := &o.Network
	if n.Allow, n.Policies, n.IgnoreParams, n.Templates = cfg.AllowedOrigins, policiesOf(cfg.OriginPolicies), cfg.IgnoreParams, cfg.PathTemplates; cfg.Mode != "" {
		n.Mode = mock.Mode(cfg.Mode)
	}
	if cfg.Misses != "" {
		n.OnMiss = mock.OnMiss(cfg.Misses)
	}
	if cfg.Context != "" {
		var err error
		if o.Context, err = contextOptions(filepath.Join(filepath.Dir(c.p.Dir), cfg.Context)); err != nil {
			return nil, fmt.Errorf("replay.context: %w", err)
		}
	}
	var err error
	if o.Values, err = fromEnvironment("replay.values", cfg.Values); err != nil {
		return nil, err
	}
	for name, path := range cfg.Files {
		if o.Files == nil {
			o.Files = map[string]string{}
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(c.p.Dir), path)
		}
		o.Files[name] = path
	}
	for _, m := range c.p.Config.Diff.Masks {
		if m.Selector != "" && !slices.Contains(o.Boxes, m.Selector) {
			o.Boxes = append(o.Boxes, m.Selector)
		}
	}
	o.Session.Seed = cfg.Seed
	if c.o.replay.seed != "" {
		o.Session.Seed = c.o.replay.seed
	}
	if cfg.Viewport != "" {
		if n, err := fmt.Sscanf(cfg.Viewport, "%dx%d", &o.Session.Width, &o.Session.Height); n != 2 || err != nil {
			return nil, fmt.Errorf("replay.viewport %q: a size such as 1280x720 is expected", cfg.Viewport)
		}
	}
	o.Limits.Session = time.Duration(cfg.SessionTimeoutMs) * time.Millisecond
	o.Limits.Navigation = time.Duration(cfg.NavigationTimeoutMs) * time.Millisecond
	o.Start.Path, o.Start.NoSandbox, o.Start.Prefer = c.o.replay.browser, c.o.replay.noSandbox, usualRegime(c.comparer.Manifest)
	if c.o.replay.verbose {
		o.Log = func(format string, args ...any) { fmt.Fprintf(c.env.err, format+"\n", args...) }
		o.Start.Log = o.Log
	}
	heals := filepath.Join(c.p.Dir, healsFile)
	if o.Overlay, err = heal.ReadOverlay(heals); err != nil {
		return nil, err
	}
	o.Run = time.Now().UTC().Format(time.RFC3339Nano)
	return &replays{c: c, options: o, heals: heals}, os.MkdirAll(filepath.Join(c.dir, "traces"), 0o777)
}

// variable is a value that is not written into the configuration.
var variable = lazyregexp.New(`^\$(?:(\w+)|\{(\w+)\})$`)

// fromEnvironment puts variables of the environment in the place of their names.
func fromEnvironment(what string, values map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(values))
	for key, value := range values {
		if m := variable.FindStringSubmatch(value); m != nil {
			name := m[1] + m[2]
			set, ok := os.LookupEnv(name)
			if !ok {
				return nil, withHint(fmt.Errorf("%s: %s is to be $%s, which is not set", what, key, name), "set it in the environment, in CI from a secret")
			}
			value = set
		}
		out[key] = value
	}
	return out, nil
}

// atOnce is how many sessions are replayed at the same time.
func (r *replays) atOnce() int {
	n := r.c.o.replay.concurrency
	if n == 0 {
		n = r.c.p.Config.Replay.Concurrency
	}
	if n == 0 {
		n = runtime.NumCPU() - 1
	}
	return max(n, 1)
}

// browser is one that is idle, or a new one.
func (r *replays) browser(ctx context.Context) (*determinism.Browser, error) {
	r.mu.Lock()
	for len(r.idle) > 0 {
		b := r.idle[len(r.idle)-1]
		r.idle = r.idle[:len(r.idle)-1]
		select {
		case <-b.Done(): // it ended; the next session gets another
		default:
			r.mu.Unlock()
			return b, nil
		}
	}
	r.mu.Unlock()
	b, err := r.start(ctx)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started = append(r.started, b)
	return b, nil
}

// start starts the first browser in the best regime there is, and all others
// like it: a run has one regime.
func (r *replays) start(ctx context.Context) (*determinism.Browser, error) {
	r.starting.Lock()
	defer r.starting.Unlock()
	if r.like != nil {
		return r.like.Same(ctx)
	}
	b, err := determinism.Start(ctx, r.options.Start)
	if err != nil {
		if _, plain := browser.Find(r.options.Start.Path); plain != nil {
			err = plain
		}
		return nil, &noBrowser{err}
	}
	r.like = b
	return b, nil
}

// noBrowser says that not even one browser could be had.
type noBrowser struct{ err error }

func (e *noBrowser) Error() string { return e.err.Error() }

// usualRegime is that of most approved pictures.
func usualRegime(m *baseline.Manifest) determinism.Regime {
	counts, usual := map[string]int{}, ""
	for e := range m.All() {
		regime := m.Renderers[e.Renderer].Regime
		if counts[regime]++; counts[regime] > counts[usual] {
			usual = regime
		}
	}
	return determinism.Regime(usual)
}

func (r *replays) release(b *determinism.Browser) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, b)
}

// Take is part of taker.
func (r *replays) Take(ctx context.Context, s project.Session, attempt int) (*takenSession, error) {
	a, err := r.c.env.openTrace(ctx, s.Path)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	o := r.options
	o.Output = filepath.Join(r.c.dir, "traces", s.ID+".zip")
	if attempt > 0 {
		o.Output = filepath.Join(r.c.dir, "traces", fmt.Sprintf("%s.again%d.zip", s.ID, attempt))
	}
	if o.Browser, err = r.browser(ctx); err != nil {
		return nil, err
	}
	report, err := replay.Run(ctx, a, o)
	r.release(o.Browser)
	if err != nil {
		return nil, err
	}
	k := &takenSession{Trace: o.Output, Duration: report.Duration}
	k.Errors, k.Warnings = remarksOf(report)
	if err := r.keepHeals(); err != nil {
		k.Warnings = append(k.Warnings, run.Remark{Code: "W_REPLAY", Message: "what was healed is not kept: " + err.Error()})
	}
	if k.Taken, _, err = r.c.env.takenIn(ctx, o.Output); err != nil {
		return nil, err
	}
	return k, nil
}

// keepHeals writes down what was healed so far, if there is anything to say.
func (r *replays) keepHeals() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := os.Stat(r.heals)
	if len(r.options.Overlay.Heals()) == 0 && err != nil {
		return nil
	}
	return r.options.Overlay.Write(r.heals)
}

// remarksOf says what a replay could not do.
func remarksOf(report *replay.Report) (faults, warnings []run.Remark) {
	if report.Code != "" {
		fault := run.Remark{Code: report.Code, Message: report.Error, Details: map[string]string{}}
		if d := report.Last; d != nil {
			fault.Details["url"] = d.URL
			for i, line := range d.Pending {
				fault.Details[fmt.Sprintf("pending request %d", i+1)] = line
			}
			for i, line := range d.Console {
				fault.Details[fmt.Sprintf("console %d", i+1)] = line
			}
		}
		faults = append(faults, fault)
	}
	for _, s := range report.Steps {
		switch s.Status {
		case replay.Failed:
			faults = append(faults, run.Remark{Code: s.Code, Message: fmt.Sprintf("%s: %s", s.Title, s.Error), Details: map[string]string{"step": s.Recorded}})
		case replay.Changed:
			warnings = append(warnings, run.Remark{Code: "W_STEP_CHANGED", Message: s.Title + ": failed when it was recorded, and passes now"})
		}
	}
	if n := report.Count(replay.Skipped); n > 0 {
		warnings = append(warnings, run.Remark{Code: "W_STEPS_SKIPPED", Message: "steps that depend on a failed one were skipped", Count: n})
	}
	for _, f := range report.Refused {
		warnings = append(warnings, run.Remark{Code: "W_NOT_REPLAYED", Message: f.Title + ": " + f.Reason, Details: map[string]string{"step": f.Recorded}})
	}
	for _, w := range report.Warnings {
		code, message, ok := strings.Cut(w, ": ")
		if !ok || !strings.HasPrefix(code, "W_") {
			code, message = "W_REPLAY", w
		}
		warnings = append(warnings, run.Remark{Code: code, Message: message})
	}
	for _, s := range report.Steps {
		if s.Heal != nil {
			warnings = append(warnings, run.Remark{Code: heal.CodeUsed, Message: fmt.Sprintf("%s: its element was found by %s with confidence %.2f", s.Title, s.Heal.Strategy, s.Heal.Confidence), Details: map[string]string{"step": s.Recorded, "now": s.Heal.Selector}})
		}
	}
	missed, noted := missesOf(report.Network)
	return append(faults, missed...), append(warnings, noted...)
}

// mostMisses is how many requests that the recording did not answer are told
// of one by one, of each code.
const mostMisses = 20

// missesOf says which requests the recording did not answer as it should.
func missesOf(n *mock.Report) (faults, warnings []run.Remark) {
	if n == nil {
		return nil, nil
	}
	told := map[string]int{}
	for _, m := range n.Misses {
		list := &warnings
		if strings.HasPrefix(m.Code, "E_") {
			list = &faults
		}
		if told[m.Code]++; told[m.Code] > mostMisses {
			continue
		}
		details := map[string]string{"url": m.URL}
		if m.Nearest != "" {
			details["nearest"] = m.Nearest
		}
		*list = append(*list, run.Remark{Code: m.Code, Message: m.Method + " " + m.URL + ": " + m.Reason, Count: m.Count, Details: details})
	}
	for code, count := range told {
		if count > mostMisses {
			warnings = append(warnings, run.Remark{Code: code, Message: fmt.Sprintf("and %d more requests", count-mostMisses), Count: count - mostMisses})
		}
	}
	return faults, warnings
}

// Close is part of taker.
func (r *replays) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var faults []error
	for _, b := range r.started {
		faults = append(faults, b.Close())
	}
	return errors.Join(faults...)
}
