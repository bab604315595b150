package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/recorder/userflow"
	"github.com/tracedeck/tracedeck/trace"
)

type recordFlags struct {
	url        string
	out        string
	attach     string
	port       int
	headless   bool
	browser    string
	script     string
	length     time.Duration
	chunkEvery time.Duration
	chunks     int // that are saved
	noBodies   bool
	snapshots  string
	pictures   string
	har        string
	noOverlay  bool
	scriptOut  string
	size       string
	o          recorder.Options
}

func recordCommand() *command {
	return &command{name: "record", args: "[URL]", short: "record a session in Chromium as a trace",
		long: `A browser opens, and what is done in it is recorded until the window is closed,
until Ctrl-C, or for as long as --for says. With --attach or --port a running
browser is recorded, whoever drives it, and goes on afterwards. With --script
the steps of a user flow (exported from the recorder of Chrome's developer
tools) are carried out.

While it is recorded a trace is a folder, which "tracedeck view" can watch. If
the recorder dies, "tracedeck pack" makes a zip of the folder.`,
		examples: []example{
			{"tracedeck record -o shop.zip https://shop.example", "click through a shop; Ctrl-C ends it"},
			{"tracedeck record --headless --script steps.json -o run.zip", "carry out a recorded user flow without a display"},
			{"tracedeck record --port 9222 --for 30s -o half-minute.zip", "what happens in a running browser"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			f := recordFlags{o: recorder.Options{NoStacks: true, Browser: cdp.DefaultOptions()}}
			f.bind(fs)
			return func(ctx context.Context, env *env, args []string) (int, error) { return runRecord(ctx, env, &f, args) }
		}}
}

func (f *recordFlags) bind(fs *pflag.FlagSet) {
	b := &f.o.Browser
	fs.StringVar(&f.url, "url", "", "where to begin; the same as the argument, and of no account to a flow that begins with an address of its own")
	fs.StringVarP(&f.out, "output", "o", "trace.zip", "zip to write; with --chunk-every a number is put before its end")
	fs.StringVar(&f.attach, "attach", "", "record the browser at this ws:// or http:// address")
	fs.IntVar(&f.port, "port", 0, "record the browser that listens on this port of this machine")
	fs.BoolVar(&f.headless, "headless", false, "without a window")
	fs.StringVar(&f.browser, "browser", "", "the Chromium to start")
	fs.StringVar(&f.script, "script", "", "user flow (JSON) to carry out; the recording ends with it")
	fs.DurationVar(&f.length, "for", 0, "how long to record, such as 30s; 0 is until it is stopped")
	fs.DurationVar(&f.chunkEvery, "chunk-every", 0, "begin a new zip each time this has passed")
	fs.StringVar(&f.o.Title, "title", "", "what viewers call the session")
	fs.StringVar(&f.size, "viewport", "", "size of pages, such as 1280x720")
	fs.BoolVar(&f.noBodies, "no-bodies", false, "leave out bodies of requests and answers")
	fs.Int64Var(&b.MaxBody, "max-body", b.MaxBody, "leave out bodies of more bytes")
	fs.StringVar(&f.pictures, "screenshots", string(b.Pictures), "pictures of pages: jpeg, png or off")
	fs.IntVar(&b.Quality, "quality", b.Quality, "of jpeg pictures, 1 to 100")
	fs.StringVar(&f.snapshots, "snapshots", "on", "DOM snapshots around actions: on or off")
	fs.BoolVar(&f.o.Protocol, "protocol", false, "record each command given to the browser, with --script")
	fs.StringArrayVar(&b.Mask, "mask", nil, "CSS selector of elements whose text is left out; may be repeated")
	fs.StringVar(&b.TestID, "test-id", "data-testid", "attribute by which tests name elements")
	fs.BoolVar(&b.Secrets, "keep-secrets", false, "keep the values of cookies, Authorization headers and stored tokens")
	fs.BoolVar(&f.noOverlay, "no-overlay", false, "no stop button and no count in the recorded pages")
	fs.StringArrayVar(&f.o.Groups, "group", nil, "name of a group that Alt+Shift+1 begins and ends, the next Alt+Shift+2; may be repeated")
	fs.StringVar(&f.scriptOut, "script-out", "", "write what was done also as a user flow to this file")
	fs.StringVar(&f.har, "har", "", "write the requests also as HAR to this file")
}

// settle checks the flags and turns words into options.
func (f *recordFlags) settle(args []string) error {
	b := &f.o.Browser
	if len(args) > 1 || len(args) == 1 && f.url != "" {
		return usageError("one address to begin at is expected")
	}
	if len(args) == 1 {
		f.url = args[0]
	}
	if f.url = pageAddress(".", f.url); f.url != "" && !strings.Contains(f.url, ":") {
		f.url = "https://" + f.url
	}
	if f.port != 0 {
		if f.attach != "" {
			return usageError("--attach and --port: one of them")
		}
		f.attach = fmt.Sprint(f.port)
	}
	switch b.Pictures = cdp.Pictures(f.pictures); b.Pictures {
	case cdp.JPEG, cdp.PNG, cdp.NoPictures:
	default:
		return usageError("--screenshots %q: there is jpeg, png and off", f.pictures)
	}
	switch f.snapshots {
	case "on", "off":
		b.Snapshots = f.snapshots == "on"
	default:
		return usageError("--snapshots %q: there is on and off", f.snapshots)
	}
	if b.Quality < 1 || b.Quality > 100 {
		return usageError("--quality %d: 1 to 100", b.Quality)
	}
	b.Bodies = !f.noBodies
	if f.chunkEvery > 0 {
		f.o.Dir = f.out + ".recording"
	} else {
		f.o.Output = f.out
	}
	return f.settleBrowser()
}

func (f *recordFlags) settleBrowser() error {
	switch {
	case f.attach != "" && (f.script != "" || f.url != "" || f.headless || f.browser != ""):
		return usageError("--url, --script, --headless and --browser are about a browser that is started, --attach and --port about one that runs")
	case f.attach == "" && f.url == "" && f.script == "":
		return usageError("record what? an address, --script, --attach or --port")
	case f.script == "":
		return nil
	}
	if _, err := os.Stat(f.script); err != nil {
		return withHint(err, "check the path; a user flow is a JSON file, exported from the recorder of Chrome's developer tools or written by --script-out")
	}
	return nil
}

func runRecord(ctx context.Context, env *env, f *recordFlags, args []string) (int, error) {
	if err := f.settle(args); err != nil {
		return 0, err
	}
	if info, err := os.Stat(f.out); err == nil && info.IsDir() {
		return 0, withHint(fmt.Errorf("%s is a folder", f.out), "name the file, such as: -o "+filepath.Join(f.out, "trace.zip"))
	}
	if err := writable(filepath.Dir(f.out)); err != nil {
		return 0, withHint(err, "choose with -o a place that can be written")
	}
	seldomCollect()
	if f.attach != "" {
		yield()
		s, err := recorder.Attach(ctx, f.attach, f.o)
		if err != nil {
			return 0, withHint(err, "start the browser with --remote-debugging-port=9222 and give --port 9222")
		}
		return f.follow(ctx, env, s, nil)
	}
	return f.launch(ctx, env)
}

// seldomCollect has garbage collected less often: a recording holds little, and
// the browser wants the processor. Beyond the limit it is collected as usual.
func seldomCollect() {
	const limit = 256 << 20 // bytes
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(min(limit, debug.SetMemoryLimit(-1)))
}

// halfTheProcessors has goroutines run on no more than that until the function
// that it returns is called. The browser sends many small messages, and to wake
// another processor for each costs more than to deal with it.
func halfTheProcessors() (all func()) {
	before := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(max(1, before/2))
	return func() { runtime.GOMAXPROCS(before) }
}

// writable makes sure, before a browser starts, that files can be made in dir.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".tracedeck-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// follow waits until the recording is over, and saves it.
func (f *recordFlags) follow(ctx context.Context, env *env, s *recorder.Session, drive func(context.Context) error) (int, error) {
	if !env.quiet {
		fmt.Fprintf(env.err, "recording into %s; Ctrl-C ends it\n", s.Dir())
	}
	done := make(chan error, 1)
	driving, stop := context.WithCancel(ctx)
	defer stop()
	if drive != nil {
		go func() { done <- drive(driving) }()
	}
	all := halfTheProcessors()
	failed := f.wait(ctx, env, s, done)
	all()
	stop()
	saving := context.WithoutCancel(ctx)
	if err := f.save(saving, s); err != nil {
		return 0, errors.Join(failed, err)
	}
	for _, w := range s.Warnings() {
		env.warn("%s", w)
	}
	if err := f.report(saving, env); err != nil || failed != nil {
		return 0, errors.Join(failed, err)
	}
	return exitOK, nil
}

// wait returns when the recording is to end, and why the script went wrong.
func (f *recordFlags) wait(ctx context.Context, env *env, s *recorder.Session, done <-chan error) error {
	var limit, chunk <-chan time.Time
	if f.length > 0 {
		limit = time.After(f.length)
	}
	if f.chunkEvery > 0 {
		t := time.NewTicker(f.chunkEvery)
		defer t.Stop()
		chunk = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-limit:
			return nil
		case <-s.Done():
			return nil
		case <-s.Asked():
			return nil
		case err := <-done:
			return err
		case <-chunk:
			f.chunks++
			if err := s.StopChunk(ctx, f.chunkName(f.chunks)); err != nil {
				return err
			}
			fmt.Fprintln(env.out, f.chunkName(f.chunks))
			if err := s.StartChunk(f.o.Title); err != nil {
				return err
			}
		}
	}
}

func (f *recordFlags) chunkName(n int) string {
	ext := filepath.Ext(f.out)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(f.out, ext), n, ext)
}

func (f *recordFlags) save(ctx context.Context, s *recorder.Session) error {
	if f.chunkEvery <= 0 {
		return s.Stop(ctx)
	}
	last := f.chunkName(f.chunks + 1)
	err := s.StopChunk(ctx, last)
	if errors.Is(err, recorder.ErrNoChunk) {
		err = nil
	}
	if err = errors.Join(err, s.Stop(ctx)); err != nil {
		return err
	}
	f.out = last
	return os.RemoveAll(s.Dir())
}

// report says what is in the trace, on standard output.
func (f *recordFlags) report(ctx context.Context, env *env) error {
	a, t, err := env.loadTrace(ctx, []string{f.out})
	if err != nil {
		return err
	}
	defer a.Close()
	if f.har != "" {
		if err := f.writeHAR(ctx, env, a); err != nil {
			return err
		}
	}
	if f.scriptOut != "" {
		if err := writeOutput(env, f.scriptOut, userflow.From(t).Write); err != nil {
			return err
		}
	}
	if env.json {
		return env.printJSON(recordedOf(f.out, t))
	}
	r := recordedOf(f.out, t)
	fmt.Fprintf(env.out, "%s: %s, %s, %s, %s, %s\n", r.Trace, plural(r.Actions, "action"), plural(r.Requests, "request"),
		plural(r.Messages, "message"), plural(r.Errors, "error"), plural(r.Pictures, "picture"))
	return nil
}

// recorded is the answer of record.
type recorded struct {
	Trace    string  `json:"trace"`
	Actions  int     `json:"actions"`
	Requests int     `json:"requests"`
	Messages int     `json:"messages"`
	Errors   int     `json:"errors"`
	Pictures int     `json:"pictures"`
	Duration float64 `json:"durationMs"`
}

func recordedOf(name string, t *trace.Trace) recorded {
	return recorded{name, len(t.Actions), len(t.Network), len(t.Console), len(t.Errors), len(t.Frames), float64(t.Duration.Microseconds()) / 1000}
}
