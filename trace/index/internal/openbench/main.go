// Openbench prints how fast traces are indexed, beside how fast the same
// entries are merely inflated, and how fast they open a second time:
//
//	go run ./trace/index/internal/openbench [--rounds N] TRACE.zip…
//
// Rounds are taken in turn, so that a busy machine is unfair to all alike; the
// best of each counts.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/klauspost/compress/zip"
	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

func main() {
	rounds := pflag.Int("rounds", 3, "how often to measure")
	pflag.Parse()
	if pflag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: openbench [--rounds N] TRACE.zip…")
		os.Exit(2)
	}
	for _, path := range pflag.Args() {
		if err := measure(path, *rounds); err != nil {
			fmt.Fprintln(os.Stderr, "openbench:", err)
			os.Exit(2)
		}
	}
}

// figures are the best times of all rounds.
type figures struct {
	inflate, index, first, cached, again, jump time.Duration
	text                                       int64
	heap                                       uint64
	rows                                       int
	tables, side                               int64 // bytes on disk
}

func measure(path string, rounds int) error {
	var f figures
	for range rounds {
		if err := f.round(path); err != nil {
			return err
		}
	}
	mb := float64(f.text) / 1e6
	fmt.Printf("%s: %.0f MB of text, %d rows\n", path, mb, f.rows)
	fmt.Printf("  inflate      %8s  %4.0f MB/s\n", f.inflate.Round(time.Millisecond), mb/f.inflate.Seconds())
	fmt.Printf("  index        %8s  %4.0f MB/s  ratio %.2f  first rows after %v  heap %d MB\n", f.index.Round(time.Millisecond), mb/f.index.Seconds(),
		f.inflate.Seconds()/f.index.Seconds(), f.first.Round(100*time.Microsecond), f.heap>>20)
	fmt.Printf("  kept on disk %8s  ratio %.2f  opens again in %v  a line in the middle takes %v  on disk %.1f MB of tables, %.1f MB of text\n", f.cached.Round(time.Millisecond),
		f.inflate.Seconds()/f.cached.Seconds(), f.again.Round(100*time.Microsecond), f.jump.Round(time.Microsecond),
		float64(f.tables)/1e6, float64(f.side)/1e6)
	return nil
}

func (f *figures) round(path string) error {
	debug.FreeOSMemory()
	d, n, err := inflate(path)
	if err != nil {
		return err
	}
	f.inflate, f.text = best(f.inflate, d), n
	if err := f.build(path); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "openbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return f.keep(path, dir)
}

func best(a, b time.Duration) time.Duration {
	if a == 0 || b < a {
		return b
	}
	return a
}

// inflate reads the entries that hold lines, and does nothing with them.
func inflate(path string) (time.Duration, int64, error) {
	begun := time.Now()
	z, err := zip.OpenReader(path)
	if err != nil {
		return 0, 0, err
	}
	defer z.Close()
	total := int64(0)
	buf := make([]byte, 256<<10)
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, ".trace") && !strings.HasSuffix(f.Name, ".network") {
			continue
		}
		rc, err := f.Open()
		if err != nil {
			return 0, 0, err
		}
		n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{rc}, buf)
		if err != nil {
			return 0, 0, err
		}
		total += n
		rc.Close()
	}
	return time.Since(begun), total, nil
}

// build makes the index and keeps nothing.
func (f *figures) build(path string) error {
	begun := time.Now()
	ctx := context.Background()
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		return err
	}
	defer a.Close()
	first := time.Duration(0)
	x, err := index.Build(ctx, a, index.Options{OnBatch: func(index.Batch) {
		if first == 0 {
			first = time.Since(begun)
		}
	}})
	if err != nil {
		return err
	}
	f.index, f.first = best(f.index, time.Since(begun)), best(f.first, first)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f.heap, f.rows = m.HeapAlloc, 0
	for t := range index.Table(index.Tables) {
		f.rows += x.Len(t)
	}
	return nil
}

// keep opens the trace with an empty cache, and again with a full one.
func (f *figures) keep(path, dir string) error {
	d, _, err := open(path, dir)
	if err != nil {
		return err
	}
	f.cached = best(f.cached, d)
	again, jump, err := open(path, dir)
	f.again, f.jump = best(f.again, again), best(f.jump, jump)
	f.tables, f.side = kept(dir, "*.tdx"), kept(dir, "*.tds")
	return err
}

// kept returns how many bytes such files have.
func kept(dir, pattern string) (n int64) {
	paths, _ := filepath.Glob(filepath.Join(dir, pattern))
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			n += info.Size()
		}
	}
	return n
}

// open returns how long it took until all rows were there, and how long it
// takes to read the line of a snapshot.
func open(path, dir string) (all, jump time.Duration, err error) {
	begun := time.Now()
	ctx := context.Background()
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		return 0, 0, err
	}
	defer a.Close()
	x, err := index.Open(ctx, a, index.Options{CacheDir: dir, OnBatch: func(b index.Batch) {
		if b.Done {
			all = time.Since(begun)
		}
	}})
	if err != nil {
		return 0, 0, err
	}
	defer x.Close()
	const jumps = 20
	begun = time.Now()
	for i := range jumps {
		n := x.Len(index.Snapshots)
		if n == 0 {
			return all, 0, nil
		}
		if _, err := x.Line(ctx, x.Snapshot(index.Row((i*7919+n/2)%n)).Position); err != nil {
			return 0, 0, err
		}
	}
	return all, time.Since(begun) / jumps, nil
}
