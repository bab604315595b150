// Viewbench opens the same traces in tracedeck's viewer and in Playwright's,
// in turn and in the same Chromium, and prints how long each takes to show the
// first rows and how much memory server and browser take at their peak:
//
//	go run ./viewer/internal/viewbench -tracedeck bin/tracedeck -playwright node_modules/playwright-core TRACE.zip…
//
// It runs on Linux, where the memory of processes is told in /proc.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

func main() {
	program := flag.String("tracedeck", "bin/tracedeck", "the program to measure")
	peer := flag.String("playwright", "", "folder of the npm package playwright-core")
	runs := flag.Int("runs", 3, "runs of each; medians are printed")
	limit := flag.Duration("timeout", 4*time.Minute, "limit of one run")
	alone := flag.Bool("budgets", false, "measure what the viewer may cost instead, in traces that are made for it")
	only := flag.String("only", "", "with -budgets: measure only lines of the table whose part has this in its name: "+strings.Join(partNames(), ", "))
	keep := flag.String("traces", "", "with -budgets: a folder in which the traces it makes stay, to be used again")
	flag.Parse()
	if *alone {
		kept, err := budgets(context.Background(), *program, *peer, *only, *keep)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		if !kept {
			os.Exit(1)
		}
		return
	}
	if *peer == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	fmt.Printf("%-24s %8s | %-32s | %-32s | %s\n", "trace", "MB", "tracedeck: rows, peak", "Playwright: rows, peak", "rows sooner, memory")
	for _, path := range flag.Args() {
		if err := compare(*program, *peer, path, *runs, *limit); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// result is one run.
type result struct {
	rows   time.Duration // from navigation to the first action's row
	peak   int64         // bytes of memory of server and browser, above those of the browser with the empty viewer
	server int64         // bytes of these that are the server's
	trust  bool          // whether rows showed at all
}

func compare(program, peer, path string, runs int, limit time.Duration) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	var ours, theirs []result
	for range runs {
		r, err := runOurs(program, path, limit)
		if err != nil {
			return fmt.Errorf("tracedeck: %s: %w", path, err)
		}
		ours = append(ours, r)
		if r, err = runPeer(peer, path, limit); err != nil {
			return fmt.Errorf("playwright: %s: %w", path, err)
		}
		theirs = append(theirs, r)
	}
	a, b := median(ours), median(theirs)
	peerText, ratio := "shows nothing", "shows nothing"
	if b.trust {
		peerText = fmt.Sprintf("%v, %d MB", b.rows.Round(time.Millisecond), b.peak>>20)
		ratio = fmt.Sprintf("%.1f×, %.2f", float64(b.rows)/float64(a.rows), float64(a.peak)/float64(b.peak))
	} else {
		peerText += fmt.Sprintf(", %d MB", b.peak>>20)
	}
	fmt.Printf("%-24s %8d | %-32s | %-32s | %s\n", filepath.Base(path), st.Size()>>20,
		fmt.Sprintf("%v, %d MB (server %d)", a.rows.Round(time.Millisecond), a.peak>>20, a.server>>20), peerText, ratio)
	return nil
}

func median(list []result) result {
	sort.Slice(list, func(i, j int) bool { return list[i].rows < list[j].rows })
	m := list[len(list)/2]
	sort.Slice(list, func(i, j int) bool { return list[i].peak < list[j].peak })
	m.peak = list[len(list)/2].peak
	return m
}

// chromium is a browser of its own for one run.
type chromium struct {
	browser *rod.Browser
	pid     int
	stop    func()
}

func startChromium() (*chromium, error) {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	profile, err := os.MkdirTemp("", "viewbench-")
	if err != nil {
		return nil, err
	}
	l := launcher.New().Bin(path).Leakless(false).UserDataDir(profile).Headless(false).NoSandbox(os.Geteuid() == 0).Set("headless", "new")
	for _, f := range []string{"disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"} {
		l.Set(launcherFlag(f))
	}
	url, err := l.Launch()
	if err != nil {
		return nil, err
	}
	b := rod.New().ControlURL(url)
	if err := b.Connect(); err != nil {
		return nil, err
	}
	return &chromium{b, l.PID(), func() {
		_ = b.Close()
		l.Kill()
		os.RemoveAll(profile)
	}}, nil
}

// runOurs measures tracedeck view, with a cache that is empty.
func runOurs(program, path string, limit time.Duration) (result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cache, err := os.MkdirTemp("", "viewbench-cache-")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(cache)
	c, err := startChromium()
	if err != nil {
		return result{}, err
	}
	defer c.stop()
	none, err := serve(ctx, program, cache, emptyTrace)
	if err != nil {
		return result{}, err
	}
	defer none.stop()
	s, err := serve(ctx, program, cache, path)
	if err != nil {
		return result{}, err
	}
	defer s.stop()
	return measure(ctx, c, none.url, s.url, `document.querySelector('[role=treeitem]')`, ``, s.pid)
}

// emptyTrace is what the viewer shows before memory is counted.
const emptyTrace = "testdata/corpus/playwright/empty.zip"

// served is a running tracedeck view.
type served struct {
	url  string
	pid  int
	stop func()
}

func serve(ctx context.Context, program, cache, path string) (*served, error) {
	return serveArgs(ctx, program, cache, path)
}

func serveArgs(ctx context.Context, program, cache string, args ...string) (*served, error) {
	cmd := exec.CommandContext(ctx, program, append([]string{"view", "--quiet", "--no-open"}, args...)...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return nil, err
	}
	return &served{strings.TrimSpace(line), cmd.Process.Pid, stop}, nil
}

// runPeer measures Playwright's own viewer, which is a static page.
func runPeer(core, path string, limit time.Duration) (result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return result{}, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/trace.zip", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) })
	mux.Handle("/trace/", http.StripPrefix("/trace/", http.FileServer(http.Dir(filepath.Join(core, "lib", "vite", "traceViewer")))))
	server := &http.Server{Handler: mux}
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	c, err := startChromium()
	if err != nil {
		return result{}, err
	}
	defer c.stop()
	origin := "http://localhost:" + fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
	return measure(ctx, c, origin+"/trace/index.html", origin+"/trace/index.html?trace="+origin+"/trace.zip",
		`document.querySelector('[data-testid="actions-tree"] [role="treeitem"]')`,
		`document.querySelector('.processing-error')`, 0)
}

// settle is how long memory is watched after the first rows: an index or a
// model may still be growing.
const settle = 8 * time.Second

// measure lets the browser load the empty viewer, then navigates to url and
// waits for what first selects.
func measure(ctx context.Context, c *chromium, empty, url, first, failed string, server int) (result, error) {
	page, err := c.browser.Page(proto.TargetCreateTarget{URL: empty})
	if err != nil {
		return result{}, err
	}
	if err := page.WaitLoad(); err != nil {
		return result{}, err
	}
	time.Sleep(2 * time.Second)
	base := memoryOf(c.pid)
	peak := base
	begin := time.Now()
	if err := page.Navigate(url); err != nil {
		return result{}, err
	}
	var r result
	var until time.Time
	for ; until.IsZero() || time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		mine := memoryOf(server)
		r.server = max(r.server, mine)
		peak = max(peak, memoryOf(c.pid)+mine)
		if !until.IsZero() {
			continue
		}
		switch {
		case yes(page, first):
			r.rows, r.trust = time.Since(begin), true
			until = time.Now().Add(settle)
		case ctx.Err() != nil, failed != "" && yes(page, failed), time.Since(begin) > 60*time.Second && idle(c.pid):
			r.rows = time.Since(begin)
			until = time.Now()
		}
	}
	r.peak = peak - base
	return r, nil
}

func yes(page *rod.Page, expression string) bool {
	res, err := page.Eval("() => !!(" + expression + ")")
	return err == nil && res.Value.Bool()
}
