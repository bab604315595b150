package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

// However a folder grows, in the end its index is that of the whole.
func TestGrowingFolder(t *testing.T) {
	src := corpus + "/playwright/live-dir"
	whole := build(t, src)
	dir := t.TempDir()
	var texts [][2][]byte
	names := []string{"session.trace", "session.network"}
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(src, name))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, [2][]byte{b})
	}
	grow := func(part, of int) {
		for i, name := range names {
			b := texts[i][0]
			if err := os.WriteFile(filepath.Join(dir, name), b[:len(b)*part/of], 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	const steps = 37
	grow(4, steps)
	rows, patched := [index.Tables]int{}, 0
	b := index.NewBuilder(open(t, dir), index.Options{OnBatch: func(batch index.Batch) {
		for i, n := range batch.Rows {
			if n < rows[i] {
				t.Errorf("%s shrank from %d to %d rows", index.Table(i), rows[i], n)
			}
		}
		if batch.Patched < patched {
			t.Error("patches shrank")
		}
		rows, patched = batch.Rows, batch.Patched
	}})
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := b.Index().Len(index.Actions); n == 0 || n == whole.Len(index.Actions) {
		t.Fatalf("%d actions at first", n)
	}
	for part := 5; part <= steps; part++ {
		grow(part, steps)
		if grown, err := b.Resume(t.Context()); err != nil || !grown {
			t.Fatalf("step %d: %v, %v", part, grown, err)
		}
	}
	if grown, err := b.Resume(t.Context()); err != nil || grown {
		t.Fatalf("without growth: %v, %v", grown, err)
	}
	grow(1, 2)
	if _, err := b.Resume(t.Context()); !errors.Is(err, trace.ErrTruncated) {
		t.Errorf("after truncation: %v", err)
	}
	b.Finish()
	if _, err := b.Resume(t.Context()); err == nil {
		t.Error("it went on after its end")
	}
	got, want := everything(b.Index()), everything(whole)
	for _, all := range []map[string]any{got, want} {
		c := all["counts"].(index.Counts)
		c.Resources = 0 // they were counted when the folder held none
		all["counts"] = c
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-whole +grown):\n%s", diff)
	}
	if patched == 0 || rows[index.Actions] != whole.Len(index.Actions) {
		t.Errorf("%d patches, %d actions", patched, rows[index.Actions])
	}
}

func TestResumeRefusesZip(t *testing.T) {
	b := index.NewBuilder(open(t, corpus+"/playwright/basic.zip"), index.Options{NoCache: true})
	if _, err := b.Resume(t.Context()); err == nil {
		t.Error("a zip cannot grow")
	}
}

// A second context that starts while the first is recorded is put on its clock.
func TestGrowingFolderTakesNewFiles(t *testing.T) {
	const first = `{"version":10,"type":"context-options","origin":"library","wallTime":1700000001000,"monotonicTime":1000,"options":{}}
{"type":"before","callId":"a@1","startTime":1010,"class":"Frame","method":"click","params":{}}
`
	const second = `{"version":10,"type":"context-options","origin":"library","wallTime":1700000003000,"monotonicTime":500,"options":{}}
{"type":"before","callId":"b@1","startTime":520,"class":"Frame","method":"click","params":{}}
`
	dir := writeFolder(t, map[string]string{"1.trace": first})
	b := index.NewBuilder(open(t, dir), index.Options{})
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "0.trace"), second)
	if _, err := b.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	x := b.Index()
	if x.Len(index.Actions) != 2 || x.Action(0).Start.Milliseconds() != 10 || x.Action(1).Start.Milliseconds() != 2020 {
		t.Errorf("%d actions: %+v", x.Len(index.Actions), everything(x)["actions"])
	}
}

// The last line of a folder that does not grow may lack its end.
func TestLastLineWithoutEnd(t *testing.T) {
	const head = `{"version":10,"type":"context-options","origin":"library","wallTime":1700000001000,"monotonicTime":1000,"options":{}}
{"type":"before","callId":"a@1","startTime":1010,"class":"Frame","method":"click","params":{}}`
	dir := writeFolder(t, map[string]string{"1.trace": head})
	b := index.NewBuilder(open(t, dir), index.Options{})
	x := b.Index()
	resume := func(wantGrown bool, wantActions int) {
		t.Helper()
		if grown, err := b.Resume(t.Context()); err != nil || grown != wantGrown || x.Len(index.Actions) != wantActions {
			t.Fatalf("grown %v, %d actions, %v", grown, x.Len(index.Actions), err)
		}
	}
	resume(true, 0)
	resume(true, 1)
	resume(false, 1)
	next := "\n" + strings.ReplaceAll(strings.Split(head, "\n")[1], "a@1", "a@2")
	writeFile(t, filepath.Join(dir, "1.trace"), head+next[:40])
	resume(true, 1)
	resume(false, 1)
	writeFile(t, filepath.Join(dir, "1.trace"), head+next+"\n")
	resume(true, 2)
	for r := range 2 {
		line, err := x.Line(t.Context(), x.Action(index.Row(r)).Before)
		if err != nil || !strings.Contains(string(line), x.Action(index.Row(r)).CallID) || line[0] != '{' {
			t.Errorf("%q, %v", line, err)
		}
	}
	if bad, n := x.BadLines(); n != 0 {
		t.Errorf("bad lines: %+v", bad)
	}
}

// An action that is announced has a row at once, which its before line completes.
func TestAnnouncedActionIsARow(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "0-trace.trace")
	add := func(lines ...string) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	add(`{"type":"context-options","version":8,"origin":"library","browserName":"chromium","wallTime":1000,"monotonicTime":1}`,
		`{"type":"begun","callId":"call@1","startTime":3,"class":"Frame","method":"click","params":{"selector":"#a"}}`)
	b := index.NewBuilder(open(t, dir), index.Options{})
	grow := func() {
		t.Helper()
		if grown, err := b.Resume(t.Context()); err != nil || !grown {
			t.Fatal(grown, err)
		}
	}
	grow()
	x := b.Index()
	if n := x.Len(index.Actions); n != 1 || x.Action(0).Method != "click" || x.Action(0).Flags&index.Unfinished == 0 {
		t.Fatalf("%d rows: %+v", n, x.Action(0))
	}
	add(`{"type":"begun","callId":"call@1","startTime":3,"class":"Frame","method":"dblclick","params":{"selector":"#a"}}`)
	grow()
	add(`{"type":"before","callId":"call@1","startTime":3,"class":"Frame","method":"dblclick","params":{"selector":"#b"}}`,
		`{"type":"begun","callId":"call@1","startTime":3,"class":"Frame","method":"late","params":{}}`,
		`{"type":"after","callId":"call@1","endTime":9}`,
		`{"type":"begun","callId":"call@2","startTime":10,"class":"Frame","method":"press","params":{"key":"a"}}`)
	grow()
	first, second := x.Action(0), x.Action(1)
	if x.Len(index.Actions) != 2 || first.Method != "dblclick" || !strings.Contains(first.Detail+first.Title, "#b") || first.Flags&index.Unfinished != 0 || first.Before.Line != 4 {
		t.Errorf("%d rows: %+v", x.Len(index.Actions), first)
	}
	if second.Method != "press" || second.Flags&index.Unfinished == 0 {
		t.Errorf("the second: %+v", second)
	}
	if x.Counts().Actions != 2 {
		t.Errorf("counted %d", x.Counts().Actions)
	}
}
