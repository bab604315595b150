package index_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// manyActions is a trace of n actions that overlap, some of them failed.
func manyActions(t testing.TB, n int) *index.Index {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"version":10,"type":"context-options","origin":"library","browserName":"chromium","wallTime":1700000000000,"monotonicTime":0,"options":{}}` + "\n")
	for i := range n {
		fmt.Fprintf(&b, `{"type":"before","callId":"c@%d","startTime":%d.5,"class":"Frame","method":"click","params":{}}`+"\n", i, i*10)
		errorText := ""
		if i%100 == 7 {
			errorText = fmt.Sprintf(`,"error":{"message":"no %d"}`, i)
		}
		fmt.Fprintf(&b, `{"type":"after","callId":"c@%d","endTime":%d%s}`+"\n", i, i*10+15+i%40, errorText)
	}
	return build(t, writeFolder(t, map[string]string{"trace.trace": b.String()}))
}

func TestViewCountsEveryRowOnce(t *testing.T) {
	const n = 20_000
	x := manyActions(t, n)
	whole := x.View(index.ActionLane, 0, x.Clock().End+1, 1000)
	if whole.Rows != nil || whole.Total != n {
		t.Fatalf("%d rows, total %d", len(whole.Rows), whole.Total)
	}
	count, failed, covered := 0, 0, 0.0
	for _, b := range whole.Buckets {
		count += int(b.Count)
		if index.ActionFlags(b.Flags)&index.Failed != 0 {
			failed++
		}
		covered += float64(b.Cover) / 256 * float64(whole.Width)
	}
	if count != n || failed < 150 || len(whole.Buckets) < 1000 || len(whole.Buckets) > 2100 {
		t.Errorf("%d rows in %d buckets, %d with a failure", count, len(whole.Buckets), failed)
	}
	want := 0.0
	for r := range x.Len(index.Actions) {
		a := x.Action(index.Row(r))
		want += float64(a.End - a.Start)
	}
	if covered < 0.98*want || covered > 1.02*want {
		t.Errorf("covered %v, want %v", time.Duration(covered), time.Duration(want))
	}
}

func TestViewShowsRowsWhenZoomedIn(t *testing.T) {
	x := manyActions(t, 20_000)
	from, to := 50*time.Second, 50*time.Second+200*time.Millisecond
	v := x.View(index.ActionLane, from, to, 1000)
	want := map[index.Row]bool{}
	for r := range x.Len(index.Actions) {
		if a := x.Action(index.Row(r)); a.Start < to && a.End > from {
			want[index.Row(r)] = true
		}
	}
	for _, r := range v.Rows {
		if !want[r] {
			t.Errorf("row %d is not in the window", r)
		}
		delete(want, r)
	}
	if len(want) > 0 || len(v.Rows) == 0 {
		t.Errorf("%d rows, missing %v", len(v.Rows), want)
	}
	// So narrow on so few pixels that the pyramid is too coarse.
	v = x.View(index.ActionLane, from, from+10*time.Millisecond, 1)
	if len(v.Buckets) != 1 || v.Buckets[0].Count != 1 || v.Total < 3 || v.Width != 10*time.Millisecond {
		t.Errorf("%+v", v)
	}
}

func TestViewKeepsUnfinishedRows(t *testing.T) {
	x := build(t, writeFolder(t, map[string]string{"trace.trace": `{"version":10,"type":"context-options","origin":"library","monotonicTime":0,"wallTime":1,"options":{}}
{"type":"before","callId":"a","startTime":1,"class":"Frame","method":"click","params":{}}
{"type":"before","callId":"b","startTime":5000,"class":"Frame","method":"click","params":{}}
{"type":"after","callId":"b","endTime":6000}`}))
	if v := x.View(index.ActionLane, 3*time.Second, 4*time.Second, 100); len(v.Rows) != 1 || v.Rows[0] != 0 {
		t.Errorf("%+v", v)
	}
}

func TestEveryLaneOfTheCorpusAddsUp(t *testing.T) {
	for _, path := range tracetest.Traces(t) {
		x := build(t, path)
		for l := range index.Lane(index.Lanes) {
			v := x.View(l, -time.Hour, time.Hour, 1<<20)
			if v.Total != len(v.Rows) || v.Total > x.Len(l.Table()) {
				t.Errorf("%s: lane %d: %d rows of %d", filepath.Base(path), l, len(v.Rows), x.Len(l.Table()))
			}
		}
	}
}

// writeFolder makes a trace folder and returns its path.
func writeFolder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text)
	}
	return dir
}

func BenchmarkPyramid(b *testing.B) {
	x := manyActions(b, 200_000)
	for b.Loop() {
		x.ForgetLanes()
		x.View(index.ActionLane, 0, x.Clock().End, 1400)
	}
}

func BenchmarkView(b *testing.B) {
	x := manyActions(b, 200_000)
	for b.Loop() {
		x.View(index.ActionLane, 0, x.Clock().End/10, 1400)
	}
}
