// Diffbench measures the comparison of large traces that it makes: the first
// divergence of two sessions of 5,000 steps, and tracedeck diff as a whole
// process on two traces of 50 MB.
//
//	diffbench -tracedeck bin/tracedeck
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/diff/internal/peak"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

// rounds is how often each is measured; the median is printed.
const rounds = 5

func main() {
	log.SetFlags(0)
	program := flag.String("tracedeck", "bin/tracedeck", "the program that is measured")
	flag.Parse()
	dir, err := os.MkdirTemp("", "diffbench")
	if err == nil {
		defer os.RemoveAll(dir)
		err = measure(*program, dir)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// shape is how a session is made.
type shape struct {
	steps, body int // body: bytes of each answer that do not pack
	divergence  int // the step that is another one in B
}

func measure(program, dir string) error {
	long, large := shape{steps: 5000, divergence: 4000}, shape{steps: 2500, body: 20_000, divergence: 2000}
	a, b, err := long.pair(dir, "long")
	if err != nil {
		return err
	}
	took, number, err := firstDivergence(a, b)
	if err != nil {
		return err
	}
	fmt.Printf("two traces of %d steps: first divergence, at step %d, in %v (bar 500 ms: %s), read from the zips\n", long.steps, number+1, took.Round(time.Millisecond), held(took.Seconds(), 0.5))
	if a, b, err = large.pair(dir, "large"); err != nil {
		return err
	}
	info, err := os.Stat(a)
	if err != nil {
		return err
	}
	wall, cpu, peak, err := whole(program, a, b)
	if err != nil {
		return err
	}
	fmt.Printf("two traces of %d MB: tracedeck diff %v wall (bar 3 s: %s), %v user and system, %.0f MiB at most (bar 300: %s)\n",
		info.Size()/1e6, wall.Round(time.Millisecond), held(wall.Seconds(), 3), cpu.Round(time.Millisecond), peak, held(peak, 300))
	return nil
}

// pair makes two sessions that differ in one step.
func (s shape) pair(dir, name string) (a, b string, err error) {
	a, b = filepath.Join(dir, name+"-a.zip"), filepath.Join(dir, name+"-b.zip")
	if err = s.write(a, -1); err == nil {
		err = s.write(b, s.divergence)
	}
	return a, b, err
}

func (s shape) write(path string, other int) error {
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	if err != nil {
		return err
	}
	defer w.Discard()
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", WallTime: 1.7e12})
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range s.steps {
		if err := s.step(w, c, i, i == other, random); err != nil {
			return err
		}
	}
	return w.Close()
}

func (s shape) step(w *trace.Writer, c *trace.Chunk, i int, other bool, random *rand.Rand) error {
	id, at := fmt.Sprintf("call@%d", i+1), trace.Milliseconds(float64(i*20+10))
	selector := fmt.Sprintf("#button-%d", i%700)
	if other {
		selector = "#something-else"
	}
	params, err := json.Marshal(map[string]string{"selector": selector})
	if err != nil {
		return err
	}
	lines := []trace.Body{
		&trace.Before{CallID: id, StartTime: at, Class: "Frame", Method: "click", Params: params, PageID: "page@1"},
		&trace.After{CallID: id, EndTime: at.Add(10 * time.Millisecond)},
		&trace.FrameSnapshot{CallID: id, Phase: trace.PhaseAfter, PageID: "page@1", FrameID: "frame@1", IsMainFrame: true, FrameURL: "http://app.test/", Doctype: "html",
			HTML: page(i), Viewport: &trace.Size{Width: 1280, Height: 720}, Timestamp: at.Add(10 * time.Millisecond)},
	}
	for _, l := range lines {
		if err := c.Write(l); err != nil {
			return err
		}
	}
	if s.body == 0 {
		return nil
	}
	body := make([]byte, s.body)
	for j := range body {
		body[j] = byte(random.Uint32())
	}
	file, err := w.AddResource(body, ".bin")
	if err != nil {
		return err
	}
	return c.Write(&trace.ResourceSnapshot{Entry: har.Entry{PageRef: "page@1", StartedDateTime: "2026-01-01T00:00:00.000Z", Time: 5, MonotonicTime: float64(i*20 + 12), HasMonotonicTime: true,
		Request:  har.Request{Method: "GET", URL: fmt.Sprintf("http://app.test/items/%d", i), HTTPVersion: "HTTP/1.1"},
		Response: har.Response{Status: 200, StatusText: "OK", HTTPVersion: "HTTP/1.1", Content: har.Content{Size: s.body, MimeType: "application/octet-stream", File: file}}}})
}

// page is a list that grows and shrinks.
func page(i int) json.RawMessage {
	var b strings.Builder
	b.WriteString(`["HTML",{},["BODY",{},["UL",{"id":"list"}`)
	for j := range 20 + i%30 {
		fmt.Fprintf(&b, `,["LI",{"class":"item"},"item %d of step %d"]`, j, i)
	}
	b.WriteString(`]]]`)
	return json.RawMessage(b.String())
}

// firstDivergence opens, joins and aligns two traces.
func firstDivergence(a, b string) (time.Duration, int, error) {
	var all []time.Duration
	number := -1
	for range rounds {
		began := time.Now()
		traces, err := loadBoth(a, b)
		if err != nil {
			return 0, 0, err
		}
		alignment, err := diff.Align(context.Background(), traces[0], traces[1], diff.Options{})
		if err != nil {
			return 0, 0, err
		}
		all, number = append(all, time.Since(began)), alignment.FirstDivergence
	}
	slices.Sort(all)
	return all[rounds/2], number, nil
}

// loadBoth opens and joins two traces at once, as the program does.
func loadBoth(paths ...string) (traces [2]*trace.Trace, err error) {
	var errs [2]error
	var loading sync.WaitGroup
	for i, path := range paths {
		loading.Go(func() {
			archive, err := trace.Open(context.Background(), path, trace.Options{})
			if err != nil {
				errs[i] = err
				return
			}
			defer archive.Close()
			traces[i], errs[i] = trace.Load(context.Background(), archive, trace.LoadOptions{NoLogs: true})
		})
	}
	loading.Wait()
	return traces, errors.Join(errs[:]...)
}

// held says whether a figure keeps its bar.
func held(is, bar float64) string {
	if is <= bar {
		return "held"
	}
	return "missed"
}

// whole runs the program on two traces: medians of wall and processor time, and
// the largest memory.
func whole(program, a, b string) (wall, cpu time.Duration, most float64, err error) {
	var walls, cpus []time.Duration
	for range rounds {
		c := exec.Command(program, "diff", "--json", "-q", a, b)
		began := time.Now()
		out, err := c.CombinedOutput()
		if code := c.ProcessState.ExitCode(); code != 0 && code != 1 {
			return 0, 0, 0, fmt.Errorf("%s: exit code %d: %w\n%s", program, code, err, out)
		}
		walls = append(walls, time.Since(began))
		cpus = append(cpus, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
		most = max(most, peak.Memory(c.ProcessState))
	}
	slices.Sort(walls)
	slices.Sort(cpus)
	return walls[rounds/2], cpus[rounds/2], most, nil
}
