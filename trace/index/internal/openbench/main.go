// Openbench prints how fast traces are indexed, beside how fast the same
// entries are merely inflated:
//
//	go run ./trace/index/internal/openbench TRACE.zip…
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/klauspost/compress/zip"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

func main() {
	for _, path := range os.Args[1:] {
		if err := measure(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// rounds are taken in turn, so that a busy machine is unfair to both alike;
// the best of each counts.
const rounds = 3

func measure(path string) error {
	var plain, indexed, first time.Duration
	var text int64
	var x *index.Index
	var heap uint64
	for range rounds {
		x = nil
		debug.FreeOSMemory()
		d, n, err := inflate(path)
		if err != nil {
			return err
		}
		plain, text = best(plain, d), n
		var f time.Duration
		if x, d, f, err = build(path); err != nil {
			return err
		}
		indexed, first = best(indexed, d), best(first, f)
		heap = live()
	}
	rows := 0
	for t := range index.Table(index.Tables) {
		rows += x.Len(t)
	}
	mb := float64(text) / 1e6
	fmt.Printf("%s: %.0f MB of text, %d rows\n", path, mb, rows)
	fmt.Printf("  inflate %v (%.0f MB/s), index %v (%.0f MB/s), ratio %.2f\n", plain.Round(time.Millisecond), mb/plain.Seconds(),
		indexed.Round(time.Millisecond), mb/indexed.Seconds(), plain.Seconds()/indexed.Seconds())
	fmt.Printf("  first rows after %v, heap with the index %d MB, taken from the system %d MB\n", first.Round(100*time.Microsecond), heap>>20, taken()>>20)
	runtime.KeepAlive(x)
	return nil
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

func build(path string) (x *index.Index, all, first time.Duration, err error) {
	begun := time.Now()
	ctx := context.Background()
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		return nil, 0, 0, err
	}
	defer a.Close()
	x, err = index.Build(ctx, a, index.Options{OnBatch: func(index.Batch) {
		if first == 0 {
			first = time.Since(begun)
		}
	}})
	return x, time.Since(begun), first, err
}

func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func taken() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}
