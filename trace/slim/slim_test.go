package slim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/slim"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func run(t testing.TB, in string, o slim.Options) (out string, r *slim.Report, err error) {
	t.Helper()
	out, err = tracetest.Rewrite(t, in, func(ctx context.Context, w *trace.Writer, src *trace.Archive) (err error) {
		r, err = slim.Run(ctx, w, src, o)
		return err
	})
	return out, r, err
}

// expanded returns for each snapshot, by call, phase and frame, its HTML with
// all references followed and its overrides with their files. It knows
// nothing of how package slim does that.
func expanded(t testing.TB, path string) map[string]string {
	t.Helper()
	a, tr := tracetest.OpenLoad(t, path)
	frames := map[string][]*frameSnapshot{}
	out := map[string]string{}
	for _, s := range tr.Snapshots {
		b, err := a.SnapshotAt(context.Background(), s.Position)
		if err != nil {
			t.Fatal(err)
		}
		f := &frameSnapshot{overrides: map[string]string{}}
		if err := json.Unmarshal(b.HTML, &f.html); err != nil {
			t.Fatal(err)
		}
		f.number(f.html)
		key := s.Position.File + s.FrameID
		history := append(frames[key], f)
		frames[key] = history
		for _, o := range b.ResourceOverrides {
			f.overrides[o.URL] = o.File
			if o.Ref != nil {
				f.overrides[o.URL] = history[len(history)-1-*o.Ref].overrides[o.URL]
			}
		}
		text, err := json.Marshal([]any{follow(history, len(history)-1, f.html, 0), f.overrides})
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprint(s.CallID, " ", s.Phase, " ", s.FrameID, " ", s.Position.File)
		for out[name] != "" {
			name += "+"
		}
		out[name] = string(text)
	}
	return out
}

type frameSnapshot struct {
	html      any
	numbered  []any
	overrides map[string]string
}

// number lists texts and elements, children first.
func (f *frameSnapshot) number(n any) {
	list, ok := n.([]any)
	if !ok {
		f.numbered = append(f.numbered, n)
		return
	}
	if _, reference := list[0].([]any); reference {
		return
	}
	for _, c := range list[1:] {
		if _, attributes := c.(map[string]any); !attributes {
			f.number(c)
		}
	}
	f.numbered = append(f.numbered, n)
}

func follow(history []*frameSnapshot, at int, n any, depth int) any {
	list, ok := n.([]any)
	if !ok || depth > 500 {
		return n
	}
	if r, reference := list[0].([]any); reference {
		to := at - int(r[0].(float64))
		return follow(history, to, history[to].numbered[int(r[1].(float64))], depth+1)
	}
	out := []any{list[0]}
	for _, c := range list[1:] {
		out = append(out, follow(history, at, c, depth+1))
	}
	return out
}

// Wherever a trace is cut, the snapshots that are left show what they showed.
func TestSnapshotsShowWhatTheyShowed(t *testing.T) {
	checked, inlined := 0, 0
	for _, path := range append(append(tracetest.Corpus(t, "playwright/*.zip"), tracetest.Corpus(t, "playwright/old/v[38]*.zip")...), tracetest.Corpus(t, "vibium/v26.8.21-s*.zip")...) {
		_, tr := tracetest.OpenLoad(t, path)
		if len(tr.Snapshots) == 0 {
			continue
		}
		want := expanded(t, path)
		for _, part := range []struct{ from, to time.Duration }{{2, 3}, {3, 4}} {
			o := slim.Options{From: tr.Duration * part.from / 4, To: tr.Duration * part.to / 4}
			out, r, err := run(t, path, o)
			if err != nil {
				t.Fatal(err)
			}
			got := expanded(t, out)
			if len(got) != r.Kept.Snapshots {
				t.Errorf("%s: %d snapshots, %d reported", path, len(got), r.Kept.Snapshots)
			}
			for name, html := range got {
				checked++
				if html != want[name] {
					t.Errorf("%s %v: %s shows\n%.300s\nshowed\n%.300s", path, part, name, html, want[name])
				}
			}
			inlined += r.Inlined
			sound(t, path, out)
		}
	}
	if checked < 200 || inlined < 10 {
		t.Errorf("%d snapshots looked at, %d nodes written out", checked, inlined)
	}
}

// sound checks that nothing is wrong with out that was right in in.
func sound(t testing.TB, in, out string) {
	t.Helper()
	was, is := tracetest.Problems(t, in), tracetest.Problems(t, out)
	for code, n := range is {
		if n > was[code] && code != "W_SNAPSHOT_MISSING" {
			t.Errorf("%s: %s %d times, was %d", in, code, n, was[code])
		}
	}
}

func TestOnlyTheWindowIsLeft(t *testing.T) {
	path := filepath.Join("..", "..", "testdata", "corpus", "playwright", "basic.zip")
	_, was := tracetest.OpenLoad(t, path)
	from, to := was.Duration/3, was.Duration*2/3
	out, r, err := run(t, path, slim.Options{From: from, To: to})
	if err != nil {
		t.Fatal(err)
	}
	a, is := tracetest.OpenLoad(t, out)
	want := map[string]bool{}
	for _, act := range was.Actions {
		if act.Start <= trace.Time(to) && act.End >= trace.Time(from) {
			want[act.ID()] = true
		}
	}
	got := map[string]bool{}
	for _, act := range is.Actions {
		got[act.ID()] = true
		if want[act.ID()] && len(act.Snapshots) == 0 && len(find(was, act.ID()).Snapshots) > 0 {
			t.Errorf("%s lost its snapshots", act.ID())
		}
	}
	if !reflect.DeepEqual(got, want) || len(want) == 0 || len(want) == len(was.Actions) {
		t.Errorf("actions %v, want %v", got, want)
	}
	if len(got) != r.Kept.Actions || r.Dropped.Actions != len(was.Actions)-len(got) {
		t.Errorf("report: %+v", r)
	}
	for _, f := range is.Frames {
		if _, ok := a.Resolve(f.File); !ok {
			t.Errorf("%s is not there", f.File)
		}
	}
	if len(is.Frames) != r.Kept.Frames || len(is.Frames) >= len(was.Frames) {
		t.Errorf("%d frames of %d, reported %d", len(is.Frames), len(was.Frames), r.Kept.Frames)
	}
	if r.Dropped.Bytes == 0 || r.Kept.Bytes == 0 {
		t.Errorf("report: %+v", r)
	}
}

func find(tr *trace.Trace, id string) *trace.Action {
	for _, a := range tr.Actions {
		if a.ID() == id {
			return a
		}
	}
	return nil
}

func TestStepsAroundFailures(t *testing.T) {
	for _, name := range []string{"fail", "runner-failing-assertion"} {
		path := filepath.Join("..", "..", "testdata", "corpus", "playwright", name+".zip")
		_, was := tracetest.OpenLoad(t, path)
		out, _, err := run(t, path, slim.Options{Failures: true, Steps: 1})
		if err != nil {
			t.Fatal(err)
		}
		_, is := tracetest.OpenLoad(t, out)
		if len(is.Errors) == 0 || len(is.Errors) > len(was.Errors) || len(is.Actions) > len(was.Actions) {
			t.Errorf("%s: %d errors, were %d; %d actions, were %d", name, len(is.Errors), len(was.Errors), len(is.Actions), len(was.Actions))
		}
		sound(t, path, out)
	}
	_, _, err := run(t, filepath.Join("..", "..", "testdata", "corpus", "playwright", "basic.zip"), slim.Options{Failures: true})
	if !errors.Is(err, slim.ErrNothingFailed) {
		t.Errorf("nothing failed: %v", err)
	}
}

func TestBodiesAndFramesAreLeftOut(t *testing.T) {
	path := filepath.Join("..", "..", "testdata", "corpus", "playwright", "network.zip")
	out, r, err := run(t, path, slim.Options{BodyTypes: []string{"image/*"}, MaxBody: 500, DuplicateFrames: true, NoLogs: true})
	if err != nil {
		t.Fatal(err)
	}
	a, is := tracetest.OpenLoad(t, out)
	for _, req := range is.Network {
		if file := req.Response.Content.File; file != "" {
			e, _ := a.Resolve(file)
			if strings.HasPrefix(req.Response.Content.MimeType, "image/") || e.Size > 500 {
				t.Errorf("%s: %s of %d bytes is still there", req.Request.URL, req.Response.Content.MimeType, e.Size)
			}
		}
	}
	if r.Dropped.Bodies == 0 || r.Kept.Bodies == 0 {
		t.Errorf("report: %+v", r)
	}
	for _, act := range is.Actions {
		if len(act.Logs) > 0 && act.Error == nil {
			t.Errorf("%s has its log", act.ID())
		}
	}
	_, was := tracetest.OpenLoad(t, path)
	if len(is.Frames) > len(was.Frames) || len(is.Frames)+r.Dropped.Frames != len(was.Frames) {
		t.Errorf("%d frames, %d dropped, were %d", len(is.Frames), r.Dropped.Frames, len(was.Frames))
	}
	out, r, err = run(t, path, slim.Options{NoFrames: true, NoSnapshots: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, is := tracetest.OpenLoad(t, out); len(is.Frames)+len(is.Snapshots) > 0 || r.Dropped.Frames != len(was.Frames) {
		t.Errorf("%d frames, %d snapshots", len(is.Frames), len(is.Snapshots))
	}
}

// References are rewritten without a panic or a hang, whatever the HTML is,
// and what comes out is JSON if all that went in was.
func FuzzRewrite(f *testing.F) {
	f.Add(`["HTML",{},["BODY",{},"a",["P",{},"b"]]]`, `["HTML",{},["BODY",{},[[1,0]],[[1,2]]]]`, `["HTML",{},[[2,2]],[[1,1]],[[0,0]]]`, uint8(2))
	f.Add(`["A",[[0,0]],[[0,1]]]`, `[[1,0]]`, `[[1,0]]`, uint8(1))
	f.Fuzz(func(t *testing.T, a, b, c string, drop uint8) {
		if len(a)+len(b)+len(c) > 10_000 {
			return
		}
		var lines strings.Builder
		lines.WriteString(`{"version":10,"type":"context-options","origin":"library","wallTime":1,"monotonicTime":1}` + "\n")
		valid := true
		for i, html := range []string{a, b, c} {
			var compact bytes.Buffer
			if json.Compact(&compact, []byte(html)) != nil {
				valid = false
				continue
			}
			fmt.Fprintf(&lines, `{"type":"frame-snapshot","snapshot":{"callId":"c%d","phase":"after","frameId":"f","frameUrl":"","timestamp":%d,"html":%s,"isMainFrame":true}}`+"\n", i, 10+10*i, compact.String())
		}
		if !valid {
			return
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "trace.trace"), []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		out, _, err := run(t, dir, slim.Options{From: time.Duration(10*(drop%4)) * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		arch, tr := tracetest.OpenLoad(t, out)
		for _, s := range tr.Snapshots {
			b, err := arch.SnapshotAt(context.Background(), s.Position)
			if err != nil || !json.Valid(b.HTML) {
				t.Errorf("%v: %s", err, b.HTML)
			}
		}
	})
}
