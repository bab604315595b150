package redact_test

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/redact"
)

func BenchmarkRun(b *testing.B) {
	for _, name := range []string{"playwright/big-dom.zip", "playwright/forms.zip", "vibium/v26.8.21-basic.zip"} {
		b.Run(name, func(b *testing.B) {
			ctx := context.Background()
			src, err := trace.Open(ctx, filepath.Join("..", "..", "testdata", "corpus", name), trace.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer src.Close()
			size := int64(0)
			for _, e := range src.Entries() {
				size += e.Size
			}
			b.SetBytes(size)
			for b.Loop() {
				w, err := trace.NewWriter(io.Discard, trace.WriterOptions{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := redact.Run(ctx, w, src, redact.Options{}); err != nil {
					b.Fatal(err)
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
