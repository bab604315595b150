package container_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/klauspost/compress/zip"

	"github.com/tracedeck/tracedeck/trace/internal/container"
)

// BenchmarkSequential reads a large entry, and so does klauspost's zip reader.
func BenchmarkSequential(b *testing.B) {
	data := build(b, "trace.trace", text(64<<20))
	b.Run("container", func(b *testing.B) {
		c := open(b, data)
		b.SetBytes(64 << 20)
		b.ReportAllocs()
		for b.Loop() {
			rc, _ := c.Open(context.Background(), "trace.trace")
			n, err := io.Copy(io.Discard, rc)
			if n != 64<<20 || err != nil {
				b.Fatal(n, err)
			}
			rc.Close()
		}
	})
	b.Run("klauspost", func(b *testing.B) {
		z, _ := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		b.SetBytes(64 << 20)
		b.ReportAllocs()
		for b.Loop() {
			rc, _ := z.Open("trace.trace")
			if n, err := io.Copy(io.Discard, rc); n != 64<<20 || err != nil {
				b.Fatal(n, err)
			}
			rc.Close()
		}
	})
}

// BenchmarkOpen reads the directory of a trace with many resources.
func BenchmarkOpen(b *testing.B) {
	var entries []any
	for i := range 50_000 {
		entries = append(entries, fmt.Sprintf("resources/%040x.jpeg=", i), []byte("x"))
	}
	data := build(b, entries...)
	b.Run("container", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := container.OpenReaderAt(context.Background(), bytes.NewReader(data), int64(len(data)), "a.zip", container.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("klauspost", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSmallEntries opens and reads many small entries.
func BenchmarkSmallEntries(b *testing.B) {
	var entries []any
	for i := range 1000 {
		entries = append(entries, fmt.Sprint(i), text(2000))
	}
	c := open(b, build(b, entries...))
	b.ReportAllocs()
	for b.Loop() {
		if _, errs := drain(c); errs != nil {
			b.Fatal(errs)
		}
	}
}
