package index_test

import (
	"os"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

func BenchmarkTemp(b *testing.B) {
	path := os.Getenv("TRACE")
	for b.Loop() {
		a, err := trace.Open(b.Context(), path, trace.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := index.Build(b.Context(), a, index.Options{}); err != nil {
			b.Fatal(err)
		}
		a.Close()
	}
}
