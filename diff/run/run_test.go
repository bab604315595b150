package run_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/diff/visual"
	"github.com/tracedeck/tracedeck/trace"
)

var renderer = baseline.Renderer{Browser: "chromium 141.0.0.1", Regime: "begin-frame", Width: 40, Height: 30, Scale: 1}

// shot is a picture with a box of a colour in it.
func shot(t *testing.T, key string, w, h int, box image.Rectangle, c color.Color) run.Shot {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			m.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	s, err := run.NewShot(key, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var (
	button = image.Rect(10, 10, 20, 16)
	blue   = color.RGBA{0, 0, 200, 255}
	red    = color.RGBA{200, 0, 0, 255}
	green  = color.RGBA{0, 200, 0, 255}
)

func taken(shots ...run.Shot) *run.Taken {
	return &run.Taken{Title: "a session", Renderer: renderer, Shots: shots}
}

func comparer(t *testing.T, approved ...run.Shot) *run.Comparer {
	t.Helper()
	c := &run.Comparer{Manifest: baseline.New(), Blobs: blob.NewDir(t.TempDir()), Options: run.Options{Visual: visual.DefaultOptions()}}
	for _, s := range approved {
		if _, err := blob.PutBytes(t.Context(), c.Blobs, s.Data); err != nil {
			t.Fatal(err)
		}
		c.Manifest.Approve("s", s.Key, renderer, s.Baseline)
	}
	return c
}

func session(t *testing.T, c *run.Comparer, k *run.Taken) *run.Session {
	t.Helper()
	s, err := c.Session(t.Context(), "s", k)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func codes(p run.Picture) string {
	var list []string
	for _, r := range append(slices.Clone(p.Errors), p.Warnings...) {
		list = append(list, r.Code)
	}
	return strings.Join(list, " ")
}

func TestSession(t *testing.T) {
	was, same, changed := shot(t, "final", 40, 30, button, blue), shot(t, "final", 40, 30, button, blue), shot(t, "final", 40, 30, button, red)
	wider := shot(t, "final", 41, 30, button, blue)
	other, near := renderer, renderer
	other.Regime, near.Browser = "screenshot", "chromium 142.0.0.1"
	for _, c := range []struct {
		name         string
		now          run.Shot
		renderer     baseline.Renderer
		edit         func(*run.Comparer)
		status       run.Status
		codes        string
		session      run.Status
		exit, differ int
	}{
		{name: "the same", now: same, status: run.Pass, session: run.Pass},
		{name: "another colour", now: changed, status: run.Diff, session: run.Diff, exit: 1, differ: 60},
		{name: "allowed", now: changed, edit: func(c *run.Comparer) { c.Visual.MaxPixels = 60 }, status: run.Pass, session: run.Pass, differ: 60},
		{name: "masked", now: changed, edit: func(c *run.Comparer) {
			c.Masks = []run.Mask{{Key: "fin*", Rect: &visual.Rect{X: 10, Y: 10, Width: 10, Height: 6}}}
		}, status: run.Pass, session: run.Pass},
		{name: "masked elsewhere", now: changed, edit: func(c *run.Comparer) {
			c.Masks = []run.Mask{{Session: "other", Rect: &visual.Rect{X: 10, Y: 10, Width: 10, Height: 6}}}
		}, status: run.Diff, session: run.Diff, exit: 1, differ: 60},
		{name: "another size", now: wider, status: run.Error, codes: "E_DIMENSION_MISMATCH", session: run.Error, exit: 2},
		{name: "another size allowed", now: wider, edit: func(c *run.Comparer) { c.Visual.Sizes = visual.SizesDiffer }, status: run.Diff, session: run.Diff, exit: 1, differ: 30},
		{name: "another build", now: same, renderer: near, status: run.Pass, codes: "W_RENDERER_MISMATCH", session: run.Pass},
		{name: "another build refused", now: same, renderer: near, edit: func(c *run.Comparer) { c.OtherRenderer = run.Fail }, status: run.Error, codes: "E_RENDERER_MISMATCH", session: run.Error, exit: 2},
		{name: "another regime", now: changed, renderer: other, status: run.New, codes: "W_RENDERER_MISMATCH", session: run.New},
		{name: "no bytes", now: changed, edit: func(c *run.Comparer) { c.Blobs.Delete(t.Context(), was.Digest) }, status: run.New, codes: "W_BASELINE_MISSING", session: run.New},
		{name: "no bytes refused", now: changed, edit: func(c *run.Comparer) {
			c.Blobs.Delete(t.Context(), was.Digest)
			c.MissingBaseline = run.Fail
		}, status: run.Error, codes: "E_BASELINE_MISSING", session: run.Error, exit: 2},
		{name: "altered bytes", now: changed, edit: func(c *run.Comparer) {
			os.WriteFile(c.Blobs.(*blob.Dir).Path(was.Digest), []byte("?"), 0o644)
		}, status: run.Error, codes: "E_BLOB_ALTERED", session: run.Error, exit: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmpr := comparer(t, was)
			if c.edit != nil {
				c.edit(cmpr)
			}
			k := taken(c.now)
			if c.renderer.Browser != "" {
				k.Renderer = c.renderer
			}
			s := session(t, cmpr, k)
			sum := run.Summary{Sessions: []run.Session{*s}}
			sum.Settle()
			p := s.Pictures[0]
			if p.Status != c.status || codes(p) != c.codes || s.Status != c.session || sum.ExitCode != c.exit {
				t.Errorf("%s %q, session %s, exit %d: %+v", p.Status, codes(p), s.Status, sum.ExitCode, p)
			}
			if c.differ > 0 && p.Result.DiffPixels != c.differ {
				t.Errorf("%d pixels differ", p.Result.DiffPixels)
			}
		})
	}
}

func TestMissingBytesAreFetched(t *testing.T) {
	was := shot(t, "final", 40, 30, button, blue)
	c := comparer(t, was)
	c.Remote, c.Blobs = c.Blobs, blob.NewDir(t.TempDir())
	if s := session(t, c, taken(shot(t, "final", 40, 30, button, red))); s.Status != run.Diff {
		t.Errorf("%+v", s)
	}
	if ok, _ := c.Blobs.Has(t.Context(), was.Digest); !ok {
		t.Error("the fetched picture was not kept")
	}
}

func TestNewAndMissingPictures(t *testing.T) {
	c := comparer(t, shot(t, "cap@e1", 40, 30, button, blue))
	s := session(t, c, taken(shot(t, "nav@e0", 40, 30, button, blue)))
	if len(s.Pictures) != 2 || s.Pictures[0].Status != run.New || s.Pictures[1].Status != run.Missing || s.DiffCount != 1 || s.Screenshots != 1 {
		t.Errorf("%+v", s)
	}
}

func TestMasksFollowTheirElement(t *testing.T) {
	was, now := shot(t, "final", 40, 30, button, blue), shot(t, "final", 40, 30, button.Add(image.Pt(5, 5)), red)
	was.Boxes = map[string][]visual.Rect{"button": {{X: 10, Y: 10, Width: 10, Height: 6}}}
	now.Boxes = map[string][]visual.Rect{"button": {{X: 15, Y: 15, Width: 10, Height: 6}}}
	c := comparer(t, was)
	c.Masks = []run.Mask{{Selector: "button"}}
	if s := session(t, c, taken(now)); s.Status != run.Pass {
		t.Errorf("%+v", s.Pictures)
	}
}

func TestConfirm(t *testing.T) {
	ok, bad, worse := shot(t, "final", 40, 30, button, blue), shot(t, "final", 40, 30, button, red), shot(t, "final", 40, 30, button, green)
	for _, c := range []struct {
		name        string
		first       run.Shot
		again       []run.Shot
		status      run.Status
		agreed      bool
		exceeded    int
		approvable  bool
		actualIsBad bool
	}{
		{"every time", bad, []run.Shot{bad, bad}, run.Diff, true, 3, true, true},
		{"two of three", bad, []run.Shot{ok, bad}, run.Diff, true, 2, true, true},
		{"once", bad, []run.Shot{ok, ok}, run.Flaky, true, 1, false, false},
		{"never alike", bad, []run.Shot{worse, ok}, run.Diff, false, 2, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := comparer(t, ok)
			s := session(t, m, taken(c.first))
			if !s.NeedsConfirming() {
				t.Fatal("needs no confirming")
			}
			if err := m.Confirm(t.Context(), s, []*run.Taken{taken(c.again[0]), taken(c.again[1])}); err != nil {
				t.Fatal(err)
			}
			p := s.Pictures[0]
			if p.Status != c.status || p.Agreed != c.agreed || p.Exceeded != c.exceeded || len(p.Seen) != 3 {
				t.Errorf("%+v", p)
			}
			sum := run.Summary{Renderers: map[string]baseline.Renderer{renderer.ID(): renderer}, Sessions: []run.Session{*s}}
			list := run.Approve(m.Manifest, &sum, run.Choice{}, false)
			if len(list) != 1 || (list[0].What == "changed") != c.approvable {
				t.Errorf("approved %+v", list)
			}
			if b, _, _ := m.Manifest.Find("s", "final", renderer); c.approvable != (b.Digest == bad.Digest) {
				t.Errorf("the baseline is %v", b)
			}
		})
	}
}

func TestNewPicturesMustBeStableToBeApproved(t *testing.T) {
	a, b, c := shot(t, "final", 40, 30, button, blue), shot(t, "final", 40, 30, button, red), shot(t, "final", 40, 30, button, green)
	m := comparer(t)
	s := session(t, m, taken(a))
	if err := m.Confirm(t.Context(), s, []*run.Taken{taken(b), taken(c)}); err != nil {
		t.Fatal(err)
	}
	if p := s.Pictures[0]; p.Status != run.New || p.Agreed || !strings.Contains(codes(p), "W_UNSTABLE") {
		t.Errorf("%+v", p)
	}
	sum := run.Summary{Renderers: map[string]baseline.Renderer{renderer.ID(): renderer}, Sessions: []run.Session{*s}}
	if list := run.Approve(m.Manifest, &sum, run.Choice{}, false); len(list) != 1 || list[0].Refused == "" {
		t.Errorf("%+v", list)
	}
	if list := run.Approve(m.Manifest, &sum, run.Choice{Session: "other"}, true); len(list) != 0 {
		t.Errorf("another session: %+v", list)
	}
	if list := run.Approve(m.Manifest, &sum, run.Choice{Session: "s", Key: "f*"}, true); len(list) != 1 || list[0].What != "new" {
		t.Errorf("forced: %+v", list)
	}
}

func TestPicturesOfASessionThatWentWrongAreRefused(t *testing.T) {
	m := comparer(t)
	s := session(t, m, taken(shot(t, "final", 40, 30, button, blue)))
	s.Errors = []run.Remark{{Code: "E_NAVIGATION", Message: "the server did not answer"}}
	s.Pictures = append(s.Pictures, run.Picture{Key: "cap@e9", Status: run.Missing})
	sum := run.Summary{Renderers: map[string]baseline.Renderer{renderer.ID(): renderer}, Sessions: []run.Session{*s}}
	list := run.Approve(m.Manifest, &sum, run.Choice{}, false)
	if len(list) != 2 || list[0].What+list[1].What != "" || !strings.Contains(list[0].Refused, "did not answer") {
		t.Errorf("%+v", list)
	}
	if list := run.Approve(m.Manifest, &sum, run.Choice{}, true); len(list) != 2 || list[0].What != "new" || list[1].What != "removed" {
		t.Errorf("forced: %+v", list)
	}
}

func TestShotsOfATrace(t *testing.T) {
	a := shot(t, "x", 40, 30, button, blue)
	path := filepath.Join(t.TempDir(), "t.zip")
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := w.AddResource(a.Data, ".png")
	if err != nil {
		t.Fatal(err)
	}
	head := &trace.ContextOptions{Origin: "library", BrowserName: "chromium", Title: "pays", MonotonicTime: 1}
	head.Set("renderer", []byte(`{"browser":"chromium 141.0.0.1","regime":"begin-frame","width":40,"height":30,"scale":1}`))
	attach := func(names ...string) (list []trace.Attachment) {
		for _, n := range names {
			list = append(list, trace.Attachment{Name: n, ContentType: "image/png", File: file})
		}
		return list
	}
	after := &trace.After{CallID: "call@1", EndTime: 3, Attachments: append(attach("cap@e10", "nav@e2", "home-expected.png", "home-actual.png", "home-diff.png", "home"),
		trace.Attachment{Name: "cap@e10.boxes", ContentType: "application/json", Base64: "eyIjYSI6W3sieCI6MSwieSI6Miwid2lkdGgiOjMsImhlaWdodCI6NH1dfQ=="},
		trace.Attachment{Name: "broken", ContentType: "image/png", Base64: "eA=="}, trace.Attachment{Name: "log.txt", ContentType: "text/plain", Base64: "eA=="})}
	chunk, err := w.StartChunk(head)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []trace.Body{&trace.Before{CallID: "call@1", StartTime: 2, Class: "Page", Method: "click"}, after} {
		if err := chunk.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	arch, err := trace.Open(t.Context(), path, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer arch.Close()
	joined, err := trace.Load(t.Context(), arch, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := run.Shots(t.Context(), arch, joined)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, s := range got.Shots {
		keys = append(keys, s.Key)
		if s.Digest != a.Digest || s.Width != 40 {
			t.Errorf("%s: %+v", s.Key, s.Baseline)
		}
	}
	if want := []string{"nav@e2", "cap@e10", "home", "home#2"}; !slices.Equal(keys, want) {
		t.Errorf("keys %q", keys)
	}
	if d := cmp.Diff(renderer, got.Renderer); d != "" || got.Title != "pays" || len(got.Warnings) != 1 {
		t.Errorf("%q, %v, %s", got.Title, got.Warnings, d)
	}
	if r := got.Shots[1].Boxes["#a"]; len(r) != 1 || r[0] != (visual.Rect{X: 1, Y: 2, Width: 3, Height: 4}) {
		t.Errorf("boxes %v", got.Shots[1].Boxes)
	}
}

func TestDivide(t *testing.T) {
	var all []run.Cost
	for i, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		all = append(all, run.Cost{ID: name, Duration: time.Duration(i*i+1) * time.Second})
	}
	var got []string
	var plan string
	for i := 1; i <= 3; i++ {
		ids, shard, err := run.Divide(all, i, 3)
		if err != nil || len(ids) == 0 {
			t.Fatal(ids, err)
		}
		got, plan = append(got, ids...), shard.Plan
		slices.Reverse(all)
	}
	slices.Sort(got)
	if strings.Join(got, "") != "abcdefg" || plan == "" {
		t.Errorf("%q", got)
	}
	if _, _, err := run.Divide(all, 4, 3); err == nil {
		t.Error("shard 4/3")
	}
}

func TestMerge(t *testing.T) {
	part := func(i, n int, plan string, ids ...string) *run.Summary {
		s := &run.Summary{RunID: ids[0], Shard: &run.Shard{Index: i, Count: n, Plan: plan}}
		for _, id := range ids {
			s.Sessions = append(s.Sessions, run.Session{ID: id})
		}
		s.Settle()
		return s
	}
	a, b, c := part(1, 3, "p", "x", "y"), part(2, 3, "p", "z"), part(3, 3, "p", "w")
	all, err := run.Merge("all", []*run.Summary{c, a, b})
	if err != nil || all.Totals.Sessions != 4 || all.Sessions[0].ID != "w" {
		t.Errorf("%+v, %v", all, err)
	}
	for says, parts := range map[string][]*run.Summary{
		"shard 3/3 is missing":      {a, b},
		"shard 1/3 is there twice":  {a, a, b, c},
		"are not of one run":        {a, b, part(3, 3, "other", "w")},
		"is no shard":               {a, {RunID: "whole"}},
		"no shards are given":       nil,
		"divide different sessions": {a, part(2, 2, "p", "z")},
	} {
		if _, err := run.Merge("all", parts); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.json")
	flaky := &run.Summary{Sessions: []run.Session{{ID: "s", Pictures: []run.Picture{{Key: "final", Status: run.Flaky}}}}}
	good := &run.Summary{Sessions: []run.Session{{ID: "s", Pictures: []run.Picture{{Key: "final", Status: run.Pass}}}}}
	h, err := run.LoadHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	h.Add(flaky)
	for range run.HistoryLength - 1 {
		h.Add(good)
	}
	if err := h.Save(path); err != nil {
		t.Fatal(err)
	}
	h, err = run.LoadHistory(path)
	if n, of := h.Flakiness("s", "final"); n != 1 || of != run.HistoryLength || err != nil {
		t.Errorf("%d of %d, %v", n, of, err)
	}
	h.Remind(good)
	if p := good.Sessions[0].Pictures[0]; codes(p) != "W_FLAKY_BEFORE" {
		t.Errorf("%+v", p)
	}
	h.Add(good)
	if n, _ := h.Flakiness("s", "final"); n != 0 {
		t.Error("an old run is still counted")
	}
}
