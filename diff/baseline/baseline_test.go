package baseline_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/visual"
)

var (
	ci     = baseline.Renderer{Browser: "chromium 141.0.7390.54", Regime: "begin-frame", Platform: "linux", Width: 1280, Height: 720, Scale: 1, Flags: "sha256:aa"}
	laptop = baseline.Renderer{Browser: "chromium 141.0.7390.54", Regime: "begin-frame", Platform: "darwin", Width: 1280, Height: 720, Scale: 1}
	phone  = baseline.Renderer{Browser: "chromium 141.0.7390.54", Regime: "begin-frame", Platform: "linux", Width: 390, Height: 844, Scale: 3}
)

func picture(text string) baseline.Baseline {
	return baseline.Baseline{Digest: blob.Of([]byte(text)), Width: 1280, Height: 720}
}

func sample() *baseline.Manifest {
	m := baseline.New()
	masked := picture("m")
	masked.Boxes = map[string][]visual.Rect{"#clock > b": {{X: 1, Y: 2, Width: 30, Height: 4}}}
	m.Approve("masked", "final", ci, masked)
	m.Approve("login", "nav@e0", ci, picture("a"))
	m.Approve("login", "nav@e0", laptop, picture("b"))
	m.Approve("login", "final", ci, picture("c"))
	m.Approve("pay \"now\" <b>", "cap@e10", ci, picture("d"))
	m.Approve("pay \"now\" <b>", "cap@e9", phone, picture("e"))
	return m
}

var alike = cmpopts.IgnoreUnexported(baseline.Manifest{})

func TestSaveAndLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deck", "baselines.json")
	for _, m := range []*baseline.Manifest{baseline.New(), sample()} {
		os.Remove(path)
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		got, err := baseline.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(m, got, alike); d != "" {
			t.Error(d)
		}
		if again := got.Format(); string(again) != string(m.Format()) {
			t.Errorf("written again it is\n%s", again)
		}
	}
}

func TestOnePictureALine(t *testing.T) {
	text := string(sample().Format())
	for e := range sample().All() {
		if n := strings.Count(text, e.Digest.String()); n != 1 {
			t.Errorf("%s: %d times", e.Key, n)
		}
	}
	if n := strings.Count(text, `"digest"`); n != 6 || strings.Count(text, "\n") < 15 {
		t.Errorf("%d pictures in\n%s", n, text)
	}
	if strings.Index(text, "cap@e9") > strings.Index(text, "cap@e10") {
		t.Error("step 10 stands before step 9")
	}
}

func TestFind(t *testing.T) {
	m := sample()
	other := ci
	other.Browser = "chromium 142.0.1.2"
	screenshot := ci
	screenshot.Regime = "screenshot"
	for _, c := range []struct {
		name         string
		session, key string
		r            baseline.Renderer
		want         baseline.Match
		text         string
	}{
		{"the same renderer", "login", "nav@e0", laptop, baseline.Exact, "b"},
		{"another build", "login", "final", other, baseline.Near, "c"},
		{"another regime", "login", "final", screenshot, baseline.Other, "c"},
		{"another viewport", "login", "final", phone, baseline.Other, "c"},
		{"no such key", "login", "cap@e1", ci, baseline.None, ""},
		{"no such session", "nobody", "final", ci, baseline.None, ""},
	} {
		b, _, got := m.Find(c.session, c.key, c.r)
		if got != c.want || got != baseline.None && !b.Equal(picture(c.text)) {
			t.Errorf("%s: %v %v", c.name, got, b)
		}
	}
}

func TestRemoveForgetsRenderersThatNobodyNames(t *testing.T) {
	m := sample()
	m.Remove(`pay "now" <b>`, "cap@e9", phone.ID())
	if _, ok := m.Renderers[phone.ID()]; ok || len(m.Renderers) != 2 {
		t.Errorf("renderers: %v", m.Renderers)
	}
	m.Remove("login", "nav@e0", "")
	m.Remove("login", "final", ci.ID())
	if _, ok := m.Baselines["login"]; ok {
		t.Error("a session without pictures is kept")
	}
}

func TestLoadRefusesWhatSaveWouldNotWrite(t *testing.T) {
	good := string(sample().Format())
	digest := blob.Of([]byte("a")).String()
	for _, c := range []struct{ name, text, code, says string }{
		{"cut off", good[:len(good)/2], baseline.CodeManifest, "is not JSON"},
		{"empty", "", baseline.CodeManifest, "is not JSON"},
		{"a list", "[]", baseline.CodeManifest, "not an object"},
		{"merge conflict", strings.Replace(good, `        "chromium141-darwin`, "<<<<<<< HEAD\n        \"chromium141-darwin", 1), baseline.CodeConflict, "merge conflict"},
		{"short digest", strings.Replace(good, digest, digest[:20], 1), baseline.CodeManifest, "64 lower-case"},
		{"upper case", strings.Replace(good, digest, strings.ToUpper(digest), 1), baseline.CodeManifest, "begins with"},
		{"no digest", strings.Replace(good, `"digest":"`+digest+`",`, "", 1), baseline.CodeManifest, "a picture has a digest"},
		{"unknown member", strings.Replace(good, `"width"`, `"wide"`, 1), baseline.CodeManifest, "wide"},
		{"no width", strings.Replace(good, `"width":1280,"height":720}`, `"width":0,"height":720}`, 1), baseline.CodeManifest, "width"},
		{"newer", strings.Replace(good, `"version": 1`, `"version": 2`, 1), baseline.CodeManifest, "version 2"},
		{"session twice", strings.Replace(good, `"baselines": {`, `"baselines": {"login": {},`, 1), baseline.CodeManifest, "twice"},
		{"unknown renderer", strings.ReplaceAll(good, `        "`+laptop.ID(), `        "other`), baseline.CodeManifest, "is not described"},
		{"altered renderer", strings.Replace(good, "141.0.7390.54", "142.0.7390.54", 1), baseline.CodeManifest, "belong to"},
		{"something after", good + "{}", baseline.CodeManifest, "follows the end"},
	} {
		if c.text == good {
			t.Fatalf("%s: nothing was changed", c.name)
		}
		path := filepath.Join(t.TempDir(), "baselines.json")
		os.WriteFile(path, []byte(c.text), 0o644)
		_, err := baseline.Load(path)
		var fault *baseline.FileError
		if !errors.As(err, &fault) || fault.Code() != c.code || !strings.Contains(err.Error(), c.says) || fault.Hint() == "" {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestSaveDoesNotOverwriteWhatSomebodyElseWrote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baselines.json")
	if err := sample().Save(path); err != nil {
		t.Fatal(err)
	}
	mine, _ := baseline.Load(path)
	theirs, _ := baseline.Load(path)
	theirs.Approve("new", "final", ci, picture("x"))
	if err := theirs.Save(path); err != nil {
		t.Fatal(err)
	}
	mine.Approve("other", "final", ci, picture("y"))
	var fault *baseline.FileError
	if err := mine.Save(path); !errors.As(err, &fault) || fault.Code() != baseline.CodeChanged {
		t.Errorf("saved over it: %v", err)
	}
	if err := baseline.New().Save(path); err == nil {
		t.Error("a new manifest replaced one that was there")
	}
}

// Branches that approve pictures of different sessions merge without help.
func TestBranchesMerge(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	base, ours, theirs := sample(), sample(), sample()
	ours.Approve("login", "nav@e0", ci, picture("ours"))
	theirs.Approve(`pay "now" <b>`, "cap@e10", ci, picture("theirs"))
	for name, m := range map[string]*baseline.Manifest{"base": base, "ours": ours, "theirs": theirs} {
		os.WriteFile(path(name), m.Format(), 0o644)
	}
	out, err := exec.Command("git", "merge-file", "-p", path("ours"), path("base"), path("theirs")).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	m, err := baseline.Parse("merged", out)
	if err != nil {
		t.Fatal(err)
	}
	a, _, _ := m.Find("login", "nav@e0", ci)
	b, _, _ := m.Find(`pay "now" <b>`, "cap@e10", ci)
	if !a.Equal(picture("ours")) || !b.Equal(picture("theirs")) {
		t.Errorf("merged: %v %v", a, b)
	}
}

func TestCompareKeys(t *testing.T) {
	want := []string{"initial", "nav@e0", "cap@e1", "cap@e9", "nav@e10", "cap@e100", "Header", "checkout page", "step 2", "step 10", "step 10 b", "final"}
	got := slices.Clone(want)
	rand.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
	slices.SortFunc(got, baseline.CompareKeys)
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample().Format())
	f.Add([]byte(`{"version":1,"renderers":{},"baselines":{}}`))
	f.Add([]byte("<<<<<<< a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := baseline.Parse("manifest", data)
		if err != nil {
			return
		}
		again, err := baseline.Parse("again", m.Format())
		if err != nil {
			t.Fatalf("%v\n%s", err, m.Format())
		}
		a, b := fmt.Sprint(slices.Collect(m.All())), fmt.Sprint(slices.Collect(again.All()))
		if a != b {
			t.Errorf("%s became %s", a, b)
		}
	})
}

func TestRenamedSessionKeepsItsPictures(t *testing.T) {
	m := baseline.New()
	r := baseline.Renderer{Browser: "chromium 1", Width: 10, Height: 10}
	one := baseline.Baseline{Digest: blob.Of([]byte("one")), Width: 1, Height: 1}
	m.Approve("old", "final", r, one)
	m.Approve("other", "final", r, one)
	if _, ok := m.Rename("old", "other"); ok || len(m.Keys("old")) != 1 {
		t.Error("took the name of another session")
	}
	if n, ok := m.Rename("old", "new"); !ok || n != 1 {
		t.Errorf("%d renamed, %v", n, ok)
	}
	if b, _, match := m.Find("new", "final", r); match != baseline.Exact || !b.Equal(one) || len(m.Keys("old")) != 0 {
		t.Errorf("found %v, %v; under the old name %v", b, match, m.Keys("old"))
	}
}
