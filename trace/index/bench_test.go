package index

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
)

// BenchmarkScan is the work for each byte of a trace that is not inflating.
func BenchmarkScan(b *testing.B) {
	lines, size := corpusLines(b)[10], 0
	for _, line := range lines {
		size += len(line)
	}
	b.SetBytes(int64(size))
	var r record
	for b.Loop() {
		for _, line := range lines {
			scan(line, &r)
		}
	}
}

// busyTrace is a zip of n actions with ten log lines each.
func busyTrace(b *testing.B, n int) []byte {
	b.Helper()
	var text, out bytes.Buffer
	text.WriteString(`{"version":10,"type":"context-options","origin":"library","monotonicTime":1,"wallTime":1}` + "\n")
	for i := range n {
		fmt.Fprintf(&text, `{"type":"before","callId":"c@%d","startTime":%d,"class":"Frame","method":"click","params":{"selector":"internal:role=button[name=\"Pay\"i]","timeout":1000}}`+"\n", i, i)
		for k := range 10 {
			fmt.Fprintf(&text, `{"type":"log","callId":"c@%d","time":%d.%03d,"message":"  locator resolved to <button id=\"b%d\">Pay</button>"}`+"\n", i, i, k, i*k)
		}
		fmt.Fprintf(&text, `{"type":"after","callId":"c@%d","endTime":%d.5}`+"\n", i, i)
	}
	z := zip.NewWriter(&out)
	w, err := z.Create("trace.trace")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := w.Write(text.Bytes()); err != nil {
		b.Fatal(err)
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	return out.Bytes()
}

// BenchmarkBuild and BenchmarkInflate are to be compared: how much longer it
// takes to index a trace of many short lines than to inflate it.
func BenchmarkBuild(b *testing.B) {
	data := busyTrace(b, 20_000)
	for b.Loop() {
		a, err := trace.OpenReaderAt(b.Context(), bytes.NewReader(data), int64(len(data)), "busy.zip", trace.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Build(b.Context(), a, Options{}); err != nil {
			b.Fatal(err)
		}
		a.Close()
	}
}

func BenchmarkInflate(b *testing.B) {
	data := busyTrace(b, 20_000)
	for b.Loop() {
		a, err := trace.OpenReaderAt(b.Context(), bytes.NewReader(data), int64(len(data)), "busy.zip", trace.Options{})
		if err != nil {
			b.Fatal(err)
		}
		rc, err := a.Resource(b.Context(), "trace.trace")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, rc); err != nil {
			b.Fatal(err)
		}
		rc.Close()
		a.Close()
	}
}

func BenchmarkDecodeIndex(b *testing.B) {
	data := busyTrace(b, 20_000)
	a, err := trace.OpenReaderAt(b.Context(), bytes.NewReader(data), int64(len(data)), "busy.zip", trace.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	x, err := Build(b.Context(), a, Options{})
	if err != nil {
		b.Fatal(err)
	}
	var kept bytes.Buffer
	if err := writeIndex(&kept, x); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(kept.Len()))
	for b.Loop() {
		if _, err := decodeIndex(bytes.NewReader(kept.Bytes()), int64(kept.Len())); err != nil {
			b.Fatal(err)
		}
	}
}
