package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace/watch"
)

type watchFlags struct {
	o          watch.Options
	categories []string
	severity   string
	all        bool
	sse        string
	length     time.Duration
	throttle   time.Duration
}

func watchCommand() *command {
	return &command{name: "watch", args: "FOLDER|TRACE", short: "tell of errors and other trouble while a session is recorded",
		long: `FOLDER is what "record" records into, or a live folder of Playwright's. Told are
new errors, unhandled rejections, requests that fail or stop working, slow
loads, long tasks, repeated and dead clicks, forms without an answer, and
secrets in addresses: a few at a time, the same only once in a while, and with
a count of what is left out. It ends when the recording does, or with Ctrl-C.

--sse serves the same as server-sent events to programs of this machine; who
comes back with Last-Event-ID gets what it missed. Of a trace that is finished
everything is told at once. The exit code is 1 if an error was told.`,
		examples: []example{
			{"tracedeck watch trace.zip.recording", "beside tracedeck record"},
			{"tracedeck watch --sse 127.0.0.1:7710 trace.zip.recording", "for programs: http://127.0.0.1:7710/events"},
			{"tracedeck watch --json trace.zip", "what would have been told of a finished session"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			f := watchFlags{o: watch.DefaultOptions()}
			fs.StringSliceVar(&f.categories, "category", nil, "only these: errors, network_errors, performance, user_frustration, security")
			fs.StringVar(&f.severity, "severity", "", "at least this grave: critical, error, warning or info")
			fs.StringVar(&f.o.URL, "url", "", "only addresses that hold this text")
			fs.DurationVar(&f.throttle, "throttle", f.o.Throttle, "least time between two notices, up to 1m")
			fs.BoolVar(&f.all, "all", false, "of a folder, also what was there before")
			fs.StringVar(&f.sse, "sse", "", "serve server-sent events at this address of this machine instead of printing")
			fs.DurationVar(&f.length, "for", 0, "how long to watch, such as 10m; 0 is until the recording ends")
			return func(ctx context.Context, env *env, args []string) (int, error) { return runWatch(ctx, env, &f, args) }
		}}
}

func (f *watchFlags) settle() error {
	for _, c := range f.categories {
		if !slices.Contains(watch.Categories(), watch.Category(c)) {
			return usageError("--category %q: there is %v", c, watch.Categories())
		}
		f.o.Categories = append(f.o.Categories, watch.Category(c))
	}
	f.o.Least = watch.Severity(f.severity)
	if f.severity != "" && !slices.Contains([]watch.Severity{watch.Critical, watch.Error, watch.Warning, watch.Info}, f.o.Least) {
		return usageError("--severity %q: there is critical, error, warning and info", f.severity)
	}
	if f.throttle < 0 || f.throttle > time.Minute {
		return usageError("--throttle %s: 0 to 1m", f.throttle)
	}
	if f.o.Throttle = f.throttle; f.throttle == 0 {
		f.o.Throttle = -1
	}
	return nil
}

func runWatch(ctx context.Context, env *env, f *watchFlags, args []string) (int, error) {
	if len(args) != 1 {
		return 0, usageError("watch what? one folder or trace is expected")
	}
	if err := f.settle(); err != nil {
		return 0, err
	}
	if f.length > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.length)
		defer cancel()
	}
	if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
		return f.follow(ctx, env, args[0])
	}
	return f.scan(ctx, env, args[0])
}

// scan tells all of a finished trace at once.
func (f *watchFlags) scan(ctx context.Context, env *env, name string) (int, error) {
	if f.sse != "" {
		return 0, usageError("--sse serves what is recorded into a folder; %s is finished", name)
	}
	a, err := env.openTrace(ctx, name)
	if err != nil {
		return 0, err
	}
	defer a.Close()
	list, err := watch.Scan(ctx, a, watch.NewDetector(nil))
	if err != nil {
		return 0, err
	}
	list = slices.DeleteFunc(list, func(w watch.Finding) bool { return !f.o.Passes(w) })
	if len(list) == 0 && !env.json {
		env.report("nothing worth telling")
		return exitOK, nil
	}
	if list == nil {
		list = []watch.Finding{}
	}
	return told(env, watch.Notice{Findings: list})
}

// told prints a notice, and returns 1 if there is an error in it.
func told(env *env, n watch.Notice) (int, error) {
	code := exitOK
	for _, w := range n.Findings {
		if grave(w) {
			code = exitFound
		}
	}
	if env.json {
		b, err := json.Marshal(n)
		if err == nil {
			_, err = fmt.Fprintf(env.out, "%s\n", b)
		}
		return code, err
	}
	colors := map[watch.Severity]string{watch.Critical: red, watch.Error: red, watch.Warning: yellow, watch.Info: dim}
	for _, w := range n.Findings {
		fmt.Fprintf(env.out, "%9s  %s %s\n", offset(time.Duration(w.Time*1e6)), env.paint(colors[w.Severity], fmt.Sprintf("%-8s", w.Severity)), printable(w.Message))
	}
	if n.More+n.Repeated+n.Dropped > 0 {
		fmt.Fprintf(env.out, "%9s  %s\n", "", env.paint(dim, leftOut(n)))
	}
	return code, nil
}

func leftOut(n watch.Notice) string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{n.More, "more"}, {n.Repeated, "that said the same again"}, {n.Dropped, "for which there was no room"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return "and " + strings.Join(parts, ", ")
}

// follow tells of a folder while it grows.
func (f *watchFlags) follow(ctx context.Context, env *env, dir string) (int, error) {
	if !env.quiet {
		fmt.Fprintf(env.err, "watching %s; Ctrl-C ends it\n", dir)
	}
	if f.sse != "" {
		return f.serve(ctx, env, dir)
	}
	p := &printer{env: env, pacer: watch.NewPacer(f.o)}
	stop := make(chan struct{})
	var pacing sync.WaitGroup
	pacing.Go(func() { p.run(stop) })
	err := watch.Follow(ctx, dir, watch.NewDetector(nil), watch.FollowOptions{All: f.all}, p.add)
	close(stop)
	pacing.Wait()
	if ctx.Err() != nil {
		err = nil // Ctrl-C and --for are how it ends
	}
	return p.end(err)
}

func (f *watchFlags) serve(ctx context.Context, env *env, dir string) (int, error) {
	l, err := listenLoopback(f.sse)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(env.out, "http://%s/events\n", l.Addr())
	ctx, cancel := context.WithCancel(ctx)
	log := watch.NewLog(0)
	done, code := make(chan error, 1), exitOK
	go func() {
		err := watch.Follow(ctx, dir, watch.NewDetector(nil), watch.FollowOptions{All: f.all}, func(w watch.Finding) {
			log.Add(w)
			if f.o.Passes(w) && grave(w) {
				code = exitFound
			}
		})
		done <- err
		cancel()
	}()
	err = serveHTTP(ctx, l, &watch.Stream{Log: log, Options: f.o, All: f.all})
	cancel()
	if following := <-done; !errors.Is(following, context.Canceled) && !errors.Is(following, context.DeadlineExceeded) {
		err = errors.Join(err, following)
	}
	return code, err
}

// grave reports whether a finding makes the exit code 1.
func grave(w watch.Finding) bool { return w.Severity == watch.Error || w.Severity == watch.Critical }

// printer prints notices when they are due.
type printer struct {
	mu    sync.Mutex
	env   *env
	pacer *watch.Pacer
	code  int
	err   error
}

func (p *printer) add(w watch.Finding) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pacer.Add(w, time.Now())
}

func (p *printer) run(stop <-chan struct{}) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			p.mu.Lock()
			if n, ok := p.pacer.Next(now); ok {
				p.print(n)
			}
			p.mu.Unlock()
		}
	}
}

func (p *printer) print(n watch.Notice) {
	code, err := told(p.env, n)
	p.code, p.err = max(p.code, code), errors.Join(p.err, err)
}

// end prints what still waits.
func (p *printer) end(err error) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n, ok := p.pacer.Flush(time.Now()); ok {
		p.print(n)
	}
	return p.code, errors.Join(err, p.err)
}
