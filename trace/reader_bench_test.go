package trace_test

import (
	"io"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
)

// BenchmarkReaderLogs reads short lines, of which chatty traces have millions.
func BenchmarkReaderLogs(b *testing.B) {
	const n = 10_000
	text := opening + action + strings.Repeat(`{"type":"log","callId":"a@1","time":2.125,"message":"waiting for element to be visible, enabled and stable"}`+"\n", n)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := trace.NewReader(strings.NewReader(text), "t.trace")
		for {
			if _, err := r.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}
