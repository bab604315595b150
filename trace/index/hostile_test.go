package index_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// Times that no clock ever had must not break anything.
func TestImpossibleTimes(t *testing.T) {
	for _, moment := range []string{"1e300", "-1e300", "9223372036854", "-9223372036854.775", "1e18", "null", `"x"`, "0"} {
		for _, zero := range []string{"0", "1e300", "-1e300", "1700000000000"} {
			text := `{"version":10,"type":"context-options","origin":"library","wallTime":` + zero + `,"monotonicTime":` + zero + `,"options":{}}
{"type":"before","callId":"a","startTime":1,"class":"Frame","method":"click","params":{}}
{"type":"after","callId":"a","endTime":` + moment + `}
{"type":"before","callId":"b","startTime":` + moment + `,"class":"Frame","method":"click","params":{}}
{"type":"log","callId":"b","time":` + moment + `,"message":"m"}
{"type":"resource-snapshot","snapshot":{"time":` + moment + `,"_monotonicTime":` + moment + `,"request":{},"response":{"status":` + moment + `,"content":{"size":` + moment + `}}}}
`
			x := build(t, writeFolder(t, map[string]string{"trace.trace": text}))
			for l := range index.Lane(index.Lanes) {
				x.View(l, -time.Hour, time.Hour, 100)
				x.View(l, -1<<62, 1<<62, 100)
				x.View(l, 0, x.Clock().End, 100)
			}
			everything(x)
		}
	}
}

// Whatever is broken in a trace, what is good is there and the rest is told.
func TestBadLinesAreTold(t *testing.T) {
	text := `{"version":10,"type":"context-options","origin":"library","wallTime":1700000000000,"monotonicTime":1,"options":{}}
{"type":"before","callId":"a","startTime":1,"class":"Frame","method":"click","params":{}}
not json
{"type":"after","callId":"a","endT

{"type":"after","callId":"nobody","endTime":3}
{"type":"log","callId":"nobody either","time":3,"message":"m"}
{"type":"of tomorrow","callId":"a"}
{"type":"after","callId":"a","endTime":3}`
	x := build(t, writeFolder(t, map[string]string{"trace.trace": text}))
	bad, n := x.BadLines()
	if n != 2 || bad[0].Position.Line != 3 || bad[1].Position.Line != 4 || bad[1].Position.Offset != int64(strings.Index(text, `{"type":"after","callId":"a","endT`)) {
		t.Errorf("bad lines: %+v", bad)
	}
	if a := x.Action(0); x.Len(index.Actions) != 1 || a.Flags&index.Unfinished != 0 || a.After.Line != 9 {
		t.Errorf("action: %+v", a)
	}
	orphans := 0
	for _, w := range x.Warnings() {
		if w.Code == "W_ORPHAN" {
			orphans++
		}
	}
	if orphans != 2 {
		t.Errorf("warnings: %+v", x.Warnings())
	}
	for n := 1; n <= x.Lines("trace.trace"); n++ {
		p, ok := x.LinePosition("trace.trace", n)
		if want := strings.Split(text, "\n")[n-1]; !ok || text[p.Offset:p.Offset+int64(p.Length)] != want {
			t.Errorf("line %d is at %+v", n, p)
		}
	}
}

// Lines come back as they are in the file, whatever ends them.
func TestLineComesBack(t *testing.T) {
	for _, path := range tracetest.Traces(t)[:20] {
		x := build(t, path)
		for r := range min(x.Len(index.Snapshots), 5) {
			s := x.Snapshot(index.Row(r))
			line, err := x.Line(t.Context(), s.Position)
			if err != nil || len(line) != s.Position.Length || line[0] != '{' || line[len(line)-1] != '}' || !strings.Contains(string(line), "frame-snapshot") {
				t.Fatalf("%s: %v: %.100q", path, err, line)
			}
		}
	}
	text := "\xef\xbb\xbf{\"version\":10,\"type\":\"context-options\",\"origin\":\"library\"}\r\n{\"type\":\"log\",\"callId\":\"x\",\"time\":1,\"message\":\"m\"}\r\n\r\n{\"type\":\"log\",\"callId\":\"y\",\"time\":1,\"message\":\"m\"}"
	x := build(t, writeFolder(t, map[string]string{"trace.trace": text}))
	for r, want := range []string{`{"type":"log","callId":"x","time":1,"message":"m"}`, `{"type":"log","callId":"y","time":1,"message":"m"}`} {
		line, err := x.Line(t.Context(), x.Log(index.Row(r)).Position)
		if err != nil || string(line) != want {
			t.Errorf("%q, %v", line, err)
		}
	}
}

// A zip that breaks off gives what is there, and says so.
func TestCutOffZip(t *testing.T) {
	whole, err := os.ReadFile(corpus + "/playwright/basic.zip")
	if err != nil {
		t.Fatal(err)
	}
	opened, told := 0, 0
	for cut := 1; cut < 60; cut++ {
		path := filepath.Join(t.TempDir(), "cut.zip")
		if err := os.WriteFile(path, whole[:len(whole)*cut/60], 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := trace.Open(t.Context(), path, trace.Options{})
		if err != nil {
			continue
		}
		x, err := index.Build(t.Context(), a, index.Options{})
		if err != nil {
			t.Fatalf("cut %d: %v", cut, err)
		}
		opened++
		if len(x.Warnings()) > 0 {
			told++
		}
		everything(x)
		a.Close()
	}
	if opened == 0 || told != opened {
		t.Errorf("%d opened, %d with a warning", opened, told)
	}
}

// A cancelled build leaves nothing behind.
func TestBuildStopsWhenTold(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"version":10,"type":"context-options","origin":"library","monotonicTime":1,"wallTime":1,"options":{}}` + "\n")
	for i := range 60_000 {
		fmt.Fprintf(&b, `{"type":"log","callId":"c","time":%d,"message":"some text %d"}`+"\n", i, i)
	}
	dir := writeFolder(t, map[string]string{"trace.trace": b.String()})
	ctx, cancel := contextWithCancel(t)
	batches := 0
	x, err := index.Build(ctx, open(t, dir), index.Options{OnBatch: func(index.Batch) {
		if batches++; batches == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, ctx.Err()) || err == nil || x != nil || batches > 10 {
		t.Errorf("%v after %d batches", err, batches)
	}
}

// A line says the same when it is read by itself, whatever the version.
func TestEventsOfOneLine(t *testing.T) {
	for _, path := range tracetest.Traces(t) {
		x := build(t, path)
		for r := range min(x.Len(index.Snapshots), 3) {
			s := x.Snapshot(index.Row(r))
			events, err := x.Events(t.Context(), s.Position)
			if err != nil || len(events) != 1 {
				t.Fatalf("%s: %d events, %v", path, len(events), err)
			}
			b, ok := events[0].Body.(*trace.FrameSnapshot)
			if !ok || b.FrameID != s.Frame || b.Phase != s.Phase.Trace() || b.IsMainFrame != (s.Flags&index.MainFrame != 0) || len(b.HTML) == 0 {
				t.Errorf("%s: %+v is not %+v", path, events[0].Body, s)
			}
		}
		for r := range min(x.Len(index.Network), 3) {
			q := x.Request(index.Row(r))
			events, err := x.Events(t.Context(), q.Position)
			if err != nil || len(events) != 1 {
				t.Fatalf("%s: %d events, %v", path, len(events), err)
			}
			b, ok := events[0].Body.(*trace.ResourceSnapshot)
			if !ok || b.Entry.Request.Method != q.Method || b.Entry.Response.Content.File != q.Body {
				t.Errorf("%s: %+v is not %+v", path, events[0].Body, q)
			}
		}
		for _, c := range x.Contexts() {
			if p, ok := x.LinePosition(c.File, 1); ok {
				events, err := x.Events(t.Context(), p)
				if err != nil || len(events) == 0 {
					t.Fatalf("%s: %v", path, err)
				}
				if o, ok := events[0].Body.(*trace.ContextOptions); !ok || o.Version != c.Options.Version {
					t.Errorf("%s: %+v", path, events[0].Body)
				}
			}
		}
	}
}

func TestNewerVersionIsReadWithWarning(t *testing.T) {
	x := build(t, zipOf(t, map[string]string{"trace.trace": `{"version":11,"type":"context-options","origin":"library","monotonicTime":1,"wallTime":1}
{"type":"before","callId":"c","startTime":1,"class":"Frame","method":"click","params":{},"new":[1]}`}))
	if w := x.Warnings(); x.Len(index.Actions) != 1 || len(w) != 1 || w[0].Code != "W_NEWER_VERSION" {
		t.Errorf("%d actions, %+v", x.Len(index.Actions), w)
	}
}

// A flipped bit costs what it hits, and no more than that.
func TestFlippedBits(t *testing.T) {
	for _, name := range []string{"playwright/runner-failing-assertion.zip", "playwright/console.zip", "vibium/v26.8.21-groups.zip", "playwright/old/v5-pw-1.38.1.zip"} {
		whole, err := os.ReadFile(filepath.Join(corpus, name))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "flipped.zip")
		rows := 0
		for n := range 60 {
			bad := append([]byte(nil), whole...)
			bad[(len(bad)-1)*n/59] ^= 1 << (n % 8)
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			a, err := trace.Open(t.Context(), path, trace.Options{})
			if err != nil {
				continue
			}
			x, err := index.Build(t.Context(), a, index.Options{})
			if err != nil {
				t.Fatalf("%s, place %d: %v", name, n, err)
			}
			rows += x.Len(index.Actions)
			everything(x)
			search(t, x, "e")
			a.Close()
		}
		if rows == 0 {
			t.Errorf("%s: nothing was left", name)
		}
	}
}

// What is deep or long beyond measure takes time in proportion, and no more.
func TestDeepAndLongLines(t *testing.T) {
	deep := func(open, shut string, n int) string { return strings.Repeat(open, n) + strings.Repeat(shut, n) }
	head := `{"version":10,"type":"context-options","origin":"library","monotonicTime":1,"wallTime":1}` + "\n"
	long := strings.Repeat("x\\\"", 2<<20)
	for name, line := range map[string]string{
		"arrays":   `{"type":"before","callId":"c","startTime":1,"class":"Frame","method":"click","params":{"a":` + deep("[", "]", 200_000) + `}}`,
		"errors":   `{"type":"after","callId":"c","endTime":1,"error":` + strings.Repeat(`{"error":`, 200_000) + `1` + strings.Repeat("}", 200_000) + `}`,
		"html":     `{"type":"frame-snapshot","snapshot":{"callId":"c","html":` + deep(`["A",{},`, `]`, 200_000) + `,"timestamp":1}}`,
		"page":     `{"type":"event","method":"pageError","params":{"error":` + strings.Repeat(`{"error":`, 200_000) + `1` + strings.Repeat("}", 200_000) + `}}`,
		"long":     `{"type":"before","callId":"` + long + `","startTime":1,"class":"` + long + `","method":"` + long + `","params":{"selector":"` + long + `"}}`,
		"console":  `{"type":"console","text":"` + long + `","location":{"url":"` + long + `"},"time":1}`,
		"protocol": `{"type":"event","method":"log.entryAdded","time":1,"params":{"text":"` + long + `","level":"info","args":` + deep("[", "]", 5_000) + `}}`,
	} {
		x := build(t, writeFolder(t, map[string]string{"trace.trace": head + line + "\n" + `{"type":"before","callId":"last","startTime":2,"class":"Frame","method":"click","params":{}}` + "\n"}))
		if n := x.Len(index.Actions); n == 0 || x.Action(index.Row(n-1)).CallID != "last" {
			t.Errorf("%s: %d actions", name, n)
		}
		search(t, x, "nothing of this")
	}
}

// An after line without an id ends nothing, and least of all the last call.
func TestAfterWithoutAnIDEndsNothing(t *testing.T) {
	path := zipOf(t, map[string]string{"trace.trace": `{"version":10,"type":"context-options","origin":"library","monotonicTime":1,"wallTime":1}
{"type":"after","endTime":5}
{"type":"before","callId":"c@1","startTime":2,"class":"Page","method":"goto"}
{"type":"after","endTime":6}
`})
	a, err := trace.Open(t.Context(), path, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	x, err := index.Build(t.Context(), a, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if end := x.Action(0).End; end != index.NoTime {
		t.Errorf("the call ended at %v", end)
	}
}
