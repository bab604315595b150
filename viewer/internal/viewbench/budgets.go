package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// budget is one line of the table: what was measured, and the most it may be.
type budget struct {
	what string
	most float64
	unit string
	got  float64
	peer string
	err  error
}

func (b budget) String() string {
	verdict, got := "held", fmt.Sprintf("%.1f %s", b.got, b.unit)
	switch {
	case b.err != nil:
		verdict, got = "not measured", b.err.Error()
	case b.got > b.most:
		verdict = "missed"
	}
	return fmt.Sprintf("%-52s %12s %14s %-12s %s", b.what, fmt.Sprintf("%.0f %s", b.most, b.unit), got, verdict, b.peer)
}

// bench measures the viewer alone, in traces it makes.
type bench struct {
	program, peer, work, traces string
	ctx                         context.Context
}

// part is a run of its own, which measures some lines of the table.
type part struct {
	name    string
	measure func(b *bench) []budget
}

var parts = []part{
	{"weight", (*bench).weight}, {"start", (*bench).start}, {"dense", (*bench).dense}, {"steps", (*bench).million}, {"again", (*bench).again},
	{"page", (*bench).pages}, {"search", (*bench).search}, {"live", (*bench).live}, {"compare", (*bench).compared}, {"tabs", (*bench).tabs},
}

func partNames() (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// budgets prints what the viewer may cost, and what it costs here. It reports
// whether every budget is kept.
func budgets(ctx context.Context, program, peer, only, keep string) (kept bool, err error) {
	work, err := os.MkdirTemp("", "viewbench-work-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	b := &bench{program, peer, work, keep, ctx}
	if keep == "" {
		b.traces = work
	}
	if err := b.makeTraces(); err != nil {
		return false, err
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Printf("load of this machine before: %s; times by the clock grow with it, times of frames do not\n", strings.Fields(string(load))[0])
	}
	fmt.Printf("%-52s %12s %14s %-12s %s\n", "what", "at most", "here", "", "Playwright's viewer")
	kept = true
	for _, p := range parts {
		if !strings.Contains(p.name, only) {
			continue
		}
		for _, line := range p.measure(b) {
			fmt.Println(line)
			kept = kept && line.err == nil && line.got <= line.most
		}
	}
	return kept, nil
}

// Names of the traces that are made.
const (
	denseTrace, stepsTrace = "dense.zip", "steps.zip"
	oneTrace, anotherOfOne = "a.zip", "b.zip"
)

func (b *bench) makeTraces() error {
	for name, write := range map[string]func(path string) error{
		denseTrace:   func(path string) error { return million(path, true) },
		stepsTrace:   func(path string) error { return million(path, false) },
		oneTrace:     func(path string) error { return steps(path, 5000, -1) },
		anotherOfOne: func(path string) error { return steps(path, 5000, 2500) },
	} {
		path := filepath.Join(b.traces, name)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := write(path); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) trace(name string) string { return filepath.Join(b.traces, name) }

func (b *bench) path(name string) string { return filepath.Join(b.work, name) }

// weight is what the first screen loads.
func (b *bench) weight() []budget {
	size := func(patterns ...string) (float64, error) {
		total := 0
		for _, pattern := range patterns {
			files, err := filepath.Glob(pattern)
			if err != nil {
				return 0, err
			}
			for _, f := range files {
				n, err := packed(f)
				if err != nil {
					return 0, err
				}
				total += n
			}
		}
		return float64(total) / 1000, nil
	}
	theirs, _ := size(filepath.Join(b.peer, "lib/vite/traceViewer/*.js"))
	more, _ := size(filepath.Join(b.peer, "lib/vite/traceViewer/assets/*.js"))
	script, err := size("web/dist/boot.js", "web/dist/viewer.js")
	style, styleErr := size("web/dist/viewer.css")
	return []budget{{"script of the page, gzip", 90, "kB", script, fmt.Sprintf("%.0f kB with all that it may load", theirs+more), err}, {"style of the page, gzip", 15, "kB", style, "", styleErr}}
}

// packed is how large a file is after gzip.
func packed(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	var small bytes.Buffer
	z := gzip.NewWriter(&small)
	_, _ = z.Write(text) // into memory
	err = z.Close()
	return small.Len(), err
}

// start is from the start of the program to the page.
func (b *bench) start() []budget {
	var took []float64
	var failed error
	for range 5 {
		began := time.Now()
		s, err := b.view("testdata/corpus/playwright/basic.zip")
		if err != nil {
			failed = err
			break
		}
		address, _, _ := strings.Cut(s.url, "#")
		r, err := http.Get(address) //nolint:gosec // our own server
		if err == nil {
			r.Body.Close()
		}
		took = append(took, millis(time.Since(began)))
		s.stop()
	}
	return []budget{{"program started to page served, median of 5", 150, "ms", at(took, 0.5), "", failed}}
}

func (b *bench) view(args ...string) (*served, error) {
	return serveArgs(b.ctx, b.program, filepath.Join(b.work, "cache"), args...)
}

// tab starts a browser of its own, lets it come to rest, and then starts the
// server, so that reading the trace and loading the page go on together, as
// they do when somebody opens a trace in the browser they have open.
func (b *bench) tab(args ...string) (*chromium, *served, *rod.Page, error) {
	c, err := startChromium()
	if err != nil {
		return nil, nil, nil, err
	}
	p, err := c.browser.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err == nil {
		err = p.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 1440, Height: 900, DeviceScaleFactor: 1})
	}
	if err != nil {
		c.stop()
		return nil, nil, nil, err
	}
	c.rest()
	s, err := b.view(args...)
	if err != nil {
		c.stop()
		return nil, nil, nil, err
	}
	return c, s, p, nil
}

// rest waits until the browser has done with its own start.
func (c *chromium) rest() {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); {
		before := cpuOf(c.pid)
		time.Sleep(250 * time.Millisecond)
		if cpuOf(c.pid)-before <= 1 {
			return
		}
	}
}

const (
	rowsShown = `document.querySelector("#steps .row")`
	// The server has read it; rows may still be on their way.
	readWhole = `document.querySelector("footer")?.textContent.includes("read in")`
)

// How many steps the traces have.
const denseSteps, stepsSteps = "33,333", "1,000,000"

// listed holds once all steps are here and in the list.
func listed(steps string) string {
	return readWhole + ` && document.querySelector("#steps .foot")?.textContent.startsWith("` + steps + ` steps")`
}

// until waits for an expression and returns how long that took.
func until(p *rod.Page, expression string, began time.Time) (float64, error) {
	script := `(limit) => new Promise((done) => { const end = performance.now() + limit, look = () => { let ok = false; try { ok = !!(` + expression + `); } catch {} if (ok) done(""); else if (performance.now() > end) done("never"); else requestAnimationFrame(look); }; look(); })`
	r, err := p.Eval(script, 120_000)
	if err != nil {
		return 0, err
	}
	if r.Value.Str() != "" {
		return 0, fmt.Errorf("waited in vain for %.60s", expression)
	}
	return millis(time.Since(began)), nil
}

// pages is from a key to the recorded page of the next step.
func (b *bench) pages() []budget {
	c, s, p, err := b.tab("testdata/corpus/playwright/forms.zip")
	if err != nil {
		return []budget{{"from step to page", 100, "ms", 0, "", err}}
	}
	defer s.stop()
	defer c.stop()
	err = p.Navigate(s.url)
	_, err2 := until(p, readWhole, time.Now())
	time.Sleep(time.Second)
	_ = p.Keyboard.Type(input.Home)
	time.Sleep(time.Second)
	var took []float64
	for range 20 {
		r, err := p.Eval(`() => new Promise((done) => { const t0 = performance.now(); dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
			const look = () => { const f = document.querySelector("#stage iframe.shown"); if (!f || f.dataset.loaded === "true" || performance.now() - t0 > 5000) done(performance.now() - t0); else requestAnimationFrame(look); }; requestAnimationFrame(() => requestAnimationFrame(look)); })`)
		if err != nil {
			return []budget{{"from step to page", 100, "ms", 0, "", err}}
		}
		took = append(took, r.Value.Num())
		time.Sleep(300 * time.Millisecond)
	}
	err = firstError(err, err2)
	return []budget{{"from step to page drawn, median", 100, "ms", at(took, 0.5), "", err}, {"from step to page drawn, 95 %", 250, "ms", at(took, 0.95), "", err}}
}

// search looks through a million steps.
func (b *bench) search() []budget {
	c, s, p, err := b.tab(b.trace(stepsTrace))
	if err != nil {
		return []budget{{"search", 200, "ms", 0, "", err}}
	}
	defer s.stop()
	defer c.stop()
	err = p.Navigate(s.url)
	_, err2 := until(p, readWhole, time.Now())
	time.Sleep(time.Second)
	_ = p.Keyboard.Type('/')
	_, err3 := until(p, `document.querySelector("dialog input")`, time.Now())
	began := time.Now()
	err4 := p.InsertText("element-77")
	first, err5 := until(p, `document.querySelector("dialog .choice")`, began)
	err7 := p.InsertText("-that-is-nowhere")
	began = time.Now()
	whole, err6 := until(p, `document.querySelector("dialog .foot").textContent.startsWith("0 found")`, began)
	err = firstError(err, err2, err3, err4, err5, err6, err7)
	return []budget{{"search, first hit (90 ms of it waiting for more letters)", 290, "ms", first, "searches titles alone", err}, {"search, all of it", 2000, "ms", whole, "", err}}
}

// live is from a line that is written to its row.
func (b *bench) live() []budget {
	dir := b.path("live")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return []budget{{"live", 300, "ms", 0, "", err}}
	}
	f, err := os.Create(filepath.Join(dir, "trace.trace"))
	if err != nil {
		return []budget{{"live", 300, "ms", 0, "", err}}
	}
	defer f.Close()
	fmt.Fprint(f, header)
	step(f, 0, 1000, 5, nil)
	c, s, p, err := b.tab(dir)
	if err != nil {
		return []budget{{"live", 300, "ms", 0, "", err}}
	}
	defer s.stop()
	defer c.stop()
	err = p.Navigate(s.url)
	_, err2 := until(p, rowsShown, time.Now())
	var took []float64
	for i := 1; i <= 30 && firstError(err, err2) == nil; i++ {
		began := time.Now()
		step(f, i, 1000+10*float64(i), 5, nil)
		ms, failed := until(p, fmt.Sprintf(`[...document.querySelectorAll("#steps .row")].some((e) => e.textContent.includes("#element-%d'"))`, i), began)
		took, err = append(took, ms), failed
		time.Sleep(130 * time.Millisecond)
	}
	return []budget{{"live: from line to row, 95 %", 300, "ms", at(took, 0.95), "asks every 500 ms, from the start", firstError(err, err2)}}
}

// compared is from the link to the first divergence of two traces.
func (b *bench) compared() []budget {
	c, s, p, err := b.tab(b.trace(oneTrace), b.trace(anotherOfOne))
	if err != nil {
		return []budget{{"compare", 500, "ms", 0, "", err}}
	}
	defer s.stop()
	defer c.stop()
	began := time.Now()
	err = p.Navigate(s.url)
	took, err2 := until(p, `document.querySelector(".sides")?.textContent.includes("First divergence: step 2501")`, began)
	return []budget{{"two traces of 5,000 steps: first divergence", 500, "ms", took, "does not compare", firstError(err, err2)}}
}

// tabs opens ten tabs on one server.
func (b *bench) tabs() []budget {
	c, s, p, err := b.tab(b.trace(denseTrace))
	if err != nil {
		return []budget{{"ten tabs", 0, "", 0, "", err}}
	}
	defer s.stop()
	defer c.stop()
	list := []*rod.Page{p}
	for range 9 {
		more, err := c.browser.Page(proto.TargetCreateTarget{URL: "about:blank"})
		if err != nil {
			return []budget{{"ten tabs", 0, "", 0, "", err}}
		}
		list = append(list, more)
	}
	began, before := time.Now(), memoryOf(s.pid)
	for _, t := range list {
		err = firstError(err, t.Navigate(s.url))
	}
	for _, t := range list {
		_, _ = t.Activate()
		_, failed := until(t, readWhole, began)
		err = firstError(err, failed)
	}
	return []budget{{"ten tabs on one server: all complete", 10_000, "ms", millis(time.Since(began)), "", err}, {"ten tabs: what they add to the server", 64, "MB", float64(memoryOf(s.pid)-before) / (1 << 20), "", err}}
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// at returns the value that a share of the list does not exceed.
func at(list []float64, share float64) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Clone(list)
	slices.Sort(list)
	return list[int(share*float64(len(list)-1))]
}

func firstError(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}
