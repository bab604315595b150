// Command repeat replays sessions several times and prints which of their
// pictures were always the same. Without arguments the sessions are those of
// the pages in apps, which hold what usually differs between two runs.
//
//	repeat [-n 10] [-load 2] [-app NAME] [-url ADDRESS] [TRACE…]
//	repeat -speed [-n 3]
//
// With -speed it measures how long they take instead.
package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/tracedeck/tracedeck/replay"
	"github.com/tracedeck/tracedeck/replay/determinism"
)

//go:embed apps
var apps embed.FS

func main() {
	n := flag.Int("n", 10, "how often")
	load := flag.Int("load", 0, "how many loops keep the machine busy meanwhile")
	url := flag.String("url", "", "where the app of the traces is")
	app := flag.String("app", "", "only this one of the pages in apps")
	regime := flag.String("regime", "", "regime; the best there is if not given")
	keep := flag.String("keep", "", "folder in which the new traces are kept")
	verbose := flag.Bool("v", false, "say every decision")
	fast := flag.Bool("speed", false, "measure how long sessions of a minute take")
	spin := flag.Bool("spin", false, "do nothing but work, for -load")
	flag.Parse()
	if parent := os.Getppid(); *spin {
		for os.Getppid() == parent { // nothing but work
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	same, err := repeat(ctx, flag.Args(), *app, *url, *regime, *keep, *n, *load, *verbose, *fast)
	if err != nil {
		fmt.Fprintln(os.Stderr, "repeat:", err)
		os.Exit(2)
	}
	if !same {
		os.Exit(1)
	}
}

func repeat(ctx context.Context, traces []string, app, url, regime, keep string, n, load int, verbose, fast bool) (same bool, err error) {
	dir := keep
	if keep == "" {
		if dir, err = os.MkdirTemp("", "tracedeck-repeat-"); err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
	} else if err = os.MkdirAll(dir, 0o755); err != nil {
		return false, err
	}
	if len(traces) == 0 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return false, err
		}
		server := &http.Server{Handler: handler(), ReadHeaderTimeout: time.Minute}
		go func() { _ = server.Serve(l) }()
		defer server.Close()
		url = "http://" + l.Addr().String()
		if traces, err = recordings(dir, url, app); err != nil {
			return false, err
		}
	}
	if fast {
		return speed(ctx, traces, dir, url, n)
	}
	idle, err := keepBusy(load)
	if err != nil {
		return false, err
	}
	defer idle()
	t := &table{keep: keep != "", seen: map[string]map[string]map[string]bool{}, wall: map[string][]float64{}, failed: map[string]int{}}
	var list []replay.Session
	for _, name := range traces {
		for i := range n {
			list = append(list, replay.Session{Trace: name, Output: filepath.Join(dir, fmt.Sprintf("%d-%d.zip", len(list), i))})
		}
	}
	log := &decisions{w: io.Discard}
	options := func(s replay.Session) replay.Options {
		o := replay.DefaultOptions("")
		o.URL = url
		o.Log = log.say
		if keep != "" {
			log.into(strings.TrimSuffix(s.Output, ".zip") + ".log")
		}
		return o
	}
	if verbose {
		log.w = os.Stderr
	}
	if err := replay.Many(ctx, list, 1, determinism.Options{Regime: determinism.Regime(regime), Log: log.say}, options, t.add); err != nil {
		return false, err
	}
	return t.print(), nil
}

// decisions is where the log goes: with the new traces, a file for each.
type decisions struct {
	mu   sync.Mutex
	w    io.Writer
	file *os.File
}

func (d *decisions) into(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.file.Close() // a log that is cut off is no reason to end
	if f, err := os.Create(name); err == nil {
		d.file, d.w = f, f
	}
}

func (d *decisions) say(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintf(d.w, format+"\n", args...)
}

// keepBusy starts processes that do nothing but work, until idle is called. They
// are not threads of this one, whose own would have to wait for them.
func keepBusy(n int) (idle func(), err error) {
	var list []*exec.Cmd
	idle = func() {
		for _, c := range list {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}
	self, err := os.Executable()
	for range n {
		if err != nil {
			break
		}
		c := exec.Command(self, "-spin")
		if err = c.Start(); err == nil {
			list = append(list, c)
		}
	}
	if err != nil {
		idle()
		return nil, err
	}
	return idle, nil
}

// table gathers what became of the sessions.
type table struct {
	order  []string
	seen   map[string]map[string]map[string]bool // trace, key, hashes
	wall   map[string][]float64
	failed map[string]int
	regime string
	keep   bool
}

func (t *table) add(r replay.Result) {
	if t.seen[r.Trace] == nil {
		t.seen[r.Trace] = map[string]map[string]bool{}
		t.order = append(t.order, r.Trace)
	}
	if !t.keep {
		_ = os.Remove(r.Output) // the pictures' hashes are enough
	}
	if r.Err != nil || !r.Report.OK() {
		t.failed[r.Trace]++
		fmt.Fprintf(os.Stderr, "%s: %v\n", r.Output, why(r))
	}
	if r.Report == nil {
		return
	}
	t.regime = r.Report.Regime + " " + r.Report.Browser
	t.wall[r.Trace] = append(t.wall[r.Trace], r.Report.Wall)
	for _, p := range r.Report.Pictures {
		if t.seen[r.Trace][p.Key] == nil {
			t.seen[r.Trace][p.Key] = map[string]bool{}
		}
		t.seen[r.Trace][p.Key][p.SHA256] = true
	}
}

func why(r replay.Result) string {
	if r.Err != nil {
		return r.Err.Error()
	}
	text := r.Report.Code + " " + r.Report.Error
	if n := r.Report.Network; n != nil && n.Failed() {
		for _, m := range n.Misses {
			text += "; " + m.String()
		}
	}
	for _, s := range r.Report.Steps {
		if s.Error != "" {
			text += "; " + s.Title + ": " + s.Error
		}
	}
	return text
}

// print shows the table and reports whether all pictures were always the same.
func (t *table) print() bool {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\nsession\truns\tfailed\tpictures\talways the same\tseconds (median)\n", t.regime)
	all := true
	for _, name := range t.order {
		same := 0
		var differing []string
		for key, hashes := range t.seen[name] {
			if len(hashes) == 1 {
				same++
			} else {
				differing = append(differing, fmt.Sprintf("%s (%d)", key, len(hashes)))
			}
		}
		sort.Strings(differing)
		wall := t.wall[name]
		sort.Float64s(wall)
		median := 0.0
		if len(wall) > 0 {
			median = wall[len(wall)/2] / 1000
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.1f\t%s\n", strings.TrimSuffix(filepath.Base(name), ".zip"), len(wall), t.failed[name], len(t.seen[name]), same, median, strings.Join(differing, " "))
		all = all && same == len(t.seen[name]) && t.failed[name] == 0 && same > 0
	}
	_ = w.Flush()
	return all
}
