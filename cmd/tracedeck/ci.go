package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/run"
)

type ciFlags struct {
	url     string
	from    []string
	shard   string
	confirm bool
	out     string
	replay  ciReplayFlags
}

func ciCommand() *command {
	return &command{name: "ci", args: "[SESSION…]", short: "replay the sessions, compare the pictures with the approved ones, report",
		long: `Sessions are the traces in .tracedeck/sessions, or those that are named. A picture
that is new or differs is taken twice more: a difference counts when two of three
have it. With --from the pictures are taken from traces that are there already,
one folder for each time that they were taken, and nothing is replayed.

The run is kept in .tracedeck/runs: summary.json, report.html, report.md,
junit.xml and the new traces. The exit code is 0 when everything is as approved
or new, 1 when a picture differs, 2 when a session could not be replayed or a
picture not compared.`,
		examples: []example{
			{"tracedeck ci --url http://localhost:3000", "what CI runs"},
			{"tracedeck ci --url http://localhost:3000 --shard 2/4", "a quarter of the sessions; tracedeck merge puts the runs together"},
			{"tracedeck ci --from traces", "compare the pictures that a test run attached to its traces"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o ciFlags
			fs.StringVar(&o.url, "url", "", "where the app under test is served, or its file; otherwise targetUrl of the configuration, or where it was recorded")
			fs.StringArrayVar(&o.from, "from", nil, "take the pictures from the traces in this folder instead of replaying; again for further times")
			fs.StringVar(&o.shard, "shard", "", "only this part of the sessions: i/n, balanced by their duration")
			fs.BoolVar(&o.confirm, "confirm", true, "replay what is new or differs twice more")
			fs.StringVarP(&o.out, "output", "o", "", "folder of the run instead of one in .tracedeck/runs")
			o.replay.bind(fs)
			return func(ctx context.Context, env *env, args []string) (int, error) {
				p, err := openProject()
				if err != nil {
					return 0, err
				}
				c := &ciRun{env: env, p: p, o: o, only: args}
				return c.run(ctx)
			}
		}}
}

// ciRun is one run of the command.
type ciRun struct {
	env  *env
	p    *project.Project
	o    ciFlags
	only []string

	comparer *run.Comparer
	summary  *run.Summary
	history  run.History
	dir      string
	source   taker
	takers   sync.WaitGroup
}

// taker takes the pictures of a session, for the first time or again.
type taker interface {
	// Take returns the pictures and the path of the trace that has them, or nothing if there is no further time.
	// It may be called by as many goroutines at once as atOnce says.
	Take(ctx context.Context, s project.Session, attempt int) (*takenSession, error)
	atOnce() int
	Close() error
}

// takenSession is what a taker gives.
type takenSession struct {
	*run.Taken
	Trace    string
	Duration time.Duration
	Errors   []run.Remark
	Warnings []run.Remark
}

func (c *ciRun) run(ctx context.Context) (int, error) {
	sessions, shard, err := c.plan(ctx)
	if err != nil {
		return 0, err
	}
	if err := c.begin(shard); err != nil {
		return 0, err
	}
	if err := c.open(); err != nil {
		return 0, err
	}
	defer c.source.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer c.takers.Wait()
	defer cancel()
	for i, first := range c.takeAll(ctx, sessions) {
		c.env.progress.update(fmt.Sprintf("session %d of %d: %s", i+1, len(sessions), sessions[i].ID), float64(i)/float64(len(sessions)))
		if err := c.session(ctx, sessions[i], <-first); err != nil {
			return 0, err
		}
	}
	return c.finish(ctx)
}

// first is what came of taking the pictures of a session for the first time.
type first struct {
	taken *takenSession
	err   error
	took  time.Duration
}

// takeAll begins to take the pictures of all sessions, several at once.
func (c *ciRun) takeAll(ctx context.Context, sessions []project.Session) []chan first {
	all, free := make([]chan first, len(sessions)), make(chan struct{}, c.source.atOnce())
	for i := range sessions {
		all[i] = make(chan first, 1)
	}
	c.takers.Go(func() {
		for i, s := range sessions {
			free <- struct{}{}
			c.takers.Go(func() {
				defer func() { <-free }()
				began := time.Now()
				k, err := c.source.Take(ctx, s, 0)
				all[i] <- first{k, err, time.Since(began)}
			})
		}
	})
	return all
}

// plan says which sessions are run.
func (c *ciRun) plan(ctx context.Context) ([]project.Session, *run.Shard, error) {
	all, err := c.available()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range c.only {
		if !slices.ContainsFunc(all, func(s project.Session) bool { return s.ID == name }) {
			return nil, nil, withHint(fmt.Errorf("there is no session %q", name), "tracedeck status lists them")
		}
	}
	if len(c.only) > 0 {
		all = slices.DeleteFunc(all, func(s project.Session) bool { return !slices.Contains(c.only, s.ID) })
	}
	if len(all) == 0 {
		return nil, nil, withHint(errors.New("there are no sessions"), "tracedeck record --url URL -o "+shown(c.p.Recordings())+"/NAME.zip records one")
	}
	if c.o.shard == "" {
		return all, nil, nil
	}
	costs := make([]run.Cost, len(all))
	for i, s := range all {
		costs[i] = costOf(ctx, s)
	}
	mine, shard, err := divide(c.o.shard, costs)
	if err != nil {
		return nil, nil, err
	}
	return slices.DeleteFunc(all, func(s project.Session) bool { return !slices.Contains(mine, s.ID) }), &shard, nil
}

func (c *ciRun) available() ([]project.Session, error) {
	if len(c.o.from) == 0 {
		return c.p.Sessions()
	}
	list, err := project.SessionsIn(c.o.from[0])
	if err == nil && len(list) == 0 {
		err = withHint(fmt.Errorf("%s: there are no traces", c.o.from[0]), "it is a folder of zips, or of folders with traces in them")
	}
	return list, err
}

// begin reads what was approved and makes the folder of the run.
func (c *ciRun) begin(shard *run.Shard) error {
	var err error
	if c.comparer, err = comparerOf(c.p); err != nil {
		return err
	}
	if c.history, err = run.LoadHistory(c.p.History()); err != nil {
		return err
	}
	now := time.Now()
	c.summary = &run.Summary{Timestamp: now.UTC().Truncate(time.Second), Program: buildVersion(), Target: c.target(), Shard: shard}
	if c.o.out != "" {
		c.dir, c.summary.RunID = c.o.out, filepath.Base(filepath.Clean(c.o.out))
		return os.MkdirAll(c.dir, 0o777)
	}
	c.summary.RunID, c.dir, err = c.p.NewRun(now)
	return err
}

// comparerOf compares with what a project has approved.
func comparerOf(p *project.Project) (*run.Comparer, error) {
	m, err := baseline.Load(p.Baselines())
	if err != nil {
		return nil, err
	}
	remote, err := p.Remote()
	if err != nil {
		return nil, err
	}
	return &run.Comparer{Manifest: m, Blobs: p.Blobs(), Remote: remote, Options: p.Config.CompareOptions()}, nil
}

func (c *ciRun) target() string {
	if len(c.o.from) > 0 {
		return ""
	}
	if c.o.url != "" {
		return pageAddress(".", c.o.url)
	}
	return pageAddress(filepath.Dir(c.p.Dir), c.p.Config.TargetURL)
}

func (c *ciRun) open() error {
	if len(c.o.from) > 0 {
		c.source = &givenTraces{c.env, c.o.from}
		return nil
	}
	to, err := url.Parse(c.target())
	if c.target() != "" && (err != nil || to.Scheme != "file" && (to.Host == "" || to.Scheme != "http" && to.Scheme != "https")) {
		return withHint(fmt.Errorf("%q is no address of an app", c.target()), "such as http://localhost:3000, as --url or as targetUrl in "+shown(filepath.Join(c.p.Dir, "config.json")))
	}
	if c.target() == "" {
		c.env.report("the app is looked for where it was recorded; --url, or targetUrl in %s, says where else it is", shown(filepath.Join(c.p.Dir, "config.json")))
	}
	r, err := newReplays(c)
	if err == nil {
		c.source = r
	}
	return err
}

// session takes the pictures of one session, compares them, and takes what is
// not as approved again.
func (c *ciRun) session(ctx context.Context, s project.Session, f first) error {
	began := time.Now().Add(-f.took)
	k := f.taken
	if f.err != nil {
		var nothing *noBrowser
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(f.err, &nothing): // no other session would have one
			return nothing.err
		}
		c.summary.Add(&run.Session{ID: s.ID, DurationMs: f.took.Milliseconds(), Errors: []run.Remark{remarkOf(f.err)}}, baseline.Renderer{})
		return nil
	}
	result, err := c.comparer.Session(ctx, s.ID, k.Taken)
	if err != nil {
		return err
	}
	result.Errors, result.Warnings = append(result.Errors, k.Errors...), append(result.Warnings, k.Warnings...)
	if rel, err := filepath.Rel(c.dir, k.Trace); err == nil {
		result.Trace = filepath.ToSlash(rel)
	}
	if c.o.confirm && result.NeedsConfirming() && len(k.Errors) == 0 {
		if err := c.again(ctx, s, result); err != nil {
			return err
		}
	}
	result.DurationMs = time.Since(began).Milliseconds()
	result.Settle()
	if len(c.o.from) == 0 { // traces of others stay as they are
		if err := c.comparer.Illustrate(ctx, k.Trace, result); err != nil {
			return err
		}
	}
	c.summary.Add(result, k.Renderer)
	return nil
}

func (c *ciRun) again(ctx context.Context, s project.Session, result *run.Session) error {
	var more []*run.Taken
	for attempt := 1; attempt <= run.Confirmations; attempt++ {
		k, err := c.source.Take(ctx, s, attempt)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			result.Warnings = append(result.Warnings, run.Remark{Code: "W_NOT_CONFIRMED", Message: fmt.Sprintf("taking it again: %v", err)})
			continue
		}
		if k != nil {
			more = append(more, k.Taken)
		}
	}
	if len(more) == 0 {
		return nil
	}
	return c.comparer.Confirm(ctx, result, more)
}

func remarkOf(err error) run.Remark {
	return run.Remark{Code: cmp.Or(codeNamed(err), "E_REPLAY"), Message: err.Error()}
}

// finish writes what came out of it and says so.
func (c *ciRun) finish(ctx context.Context) (int, error) {
	c.history.Remind(c.summary)
	c.notice()
	c.summary.Settle()
	c.history.Add(c.summary)
	err := errors.Join(c.summary.Save(c.dir), c.history.Save(c.p.History()))
	if err == nil && c.o.out == "" {
		err = c.p.SetLatest(c.summary.RunID)
	}
	if err != nil {
		return 0, err
	}
	page, err := writeReports(ctx, c.dir, c.summary, c.comparer, c.p.Config.Report.InlineLimit)
	if err != nil {
		return 0, err
	}
	if c.env.json {
		return c.summary.ExitCode, c.env.printJSON(c.summary)
	}
	printRun(c.env, c.summary)
	c.env.report("report: %s", shown(page))
	c.env.advise(c.summary)
	return c.summary.ExitCode, nil
}

// notice warns of sessions that were approved once and are not there any more:
// they would pass for ever.
func (c *ciRun) notice() {
	if len(c.only) > 0 || c.summary.Shard != nil {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(c.comparer.Manifest.Baselines)) {
		if c.summary.Find(id) == nil {
			c.summary.Warnings = append(c.summary.Warnings, run.Remark{Code: "W_SESSION_GONE",
				Message: fmt.Sprintf("session %s has approved pictures but was not run: there is no recording of it; if that is so, tracedeck baseline remove --session %s; if it has another name now, tracedeck baseline rename %s NEW", id, id, id)})
		}
	}
}
