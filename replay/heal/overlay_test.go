package heal

import (
	"errors"
	"path/filepath"
	"testing"
)

func target(name string) *Target {
	return &Target{Selector: "#" + name, Tag: "button", Role: "button", Name: name}
}

func match(s Strategy, confidence float64, selector string) *Match {
	return &Match{Strategy: s, Confidence: confidence, Selector: selector}
}

func state(o *Overlay, t *Target) State {
	for _, h := range o.Heals() {
		if h.Key == t.Key() {
			return h.State
		}
	}
	return ""
}

func TestHealIsPromotedAfterThreeCertainRunsInARow(t *testing.T) {
	o, save := NewOverlay(), target("save")
	for i, run := range []string{"1", "1", "2"} {
		o.Note(save, match(RoleName, 0.9, "internal:role=button[name=\"Save\"i]"), run)
		if s := state(o, save); s != Proposed {
			t.Fatalf("after %d: %s", i+1, s)
		}
	}
	o.Note(save, match(RoleName, 0.9, "internal:role=button[name=\"Save\"i]"), "3")
	if s := state(o, save); s != Promoted {
		t.Errorf("after three runs: %s", s)
	}
}

func TestUncertainHealsAndChangingOnesAreNotPromoted(t *testing.T) {
	o, weak, changing := NewOverlay(), target("weak"), target("changing")
	for i, run := range []string{"1", "2", "3", "4", "5"} {
		o.Note(weak, match(TextTag, 0.75, "#a"), run)
		o.Note(changing, match(TestID, 0.95, []string{"#a", "#b"}[i%2]), run)
	}
	for _, x := range []*Target{weak, changing} {
		if s := state(o, x); s != Proposed {
			t.Errorf("%s is %s", x.Name, s)
		}
	}
	o.Note(weak, match(Primary, 1, "#weak"), "6")
	if s := state(o, weak); s != "" {
		t.Errorf("it was found by its own selector again, and is %s", s)
	}
}

func TestDecisionsOfAPersonStay(t *testing.T) {
	o, save, path := NewOverlay(), target("save"), filepath.Join(t.TempDir(), "heals.json")
	m := match(Structure, 0.5, "#other")
	o.Note(save, m, "1")
	if o.accepted(save.Key()) != nil {
		t.Error("a proposal counts as accepted")
	}
	if err := o.Reject(save.Key()); err != nil {
		t.Fatal(err)
	}
	for _, run := range []string{"2", "3", "4"} {
		o.Note(save, match(TestID, 0.95, "#other"), run)
	}
	if s := state(o, save); s != RejectedBy || !o.Rejects(save, m) {
		t.Errorf("after more runs it is %s", s)
	}
	if err := o.Accept(save.Key()); err != nil {
		t.Fatal(err)
	}
	if err := o.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := ReadOverlay(path)
	if err != nil || state(again, save) != Approved || again.accepted(save.Key()).Selector != "#other" {
		t.Errorf("read again: %v %v", again.Heals(), err)
	}
	if err := o.Accept("none"); !errors.Is(err, ErrNoHeal) {
		t.Error(err)
	}
	if o, err := ReadOverlay(filepath.Join(t.TempDir(), "none.json")); err != nil || len(o.Heals()) > 0 {
		t.Error(err)
	}
}

func FuzzOverlay(f *testing.F) {
	f.Add([]byte(`{"version":1,"heals":[{"key":"a","target":"#a","selector":"#b","strategy":"test-id","confidence":0.95,"state":"proposed","runs":2}]}`))
	f.Add([]byte(`{"version":2}`))
	f.Add([]byte(`{"heals":[null]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := parseOverlay(b)
		if err != nil {
			return
		}
		path := filepath.Join(t.TempDir(), "o.json")
		if err := o.Write(path); err != nil {
			t.Fatal(err)
		}
		again, err := ReadOverlay(path)
		if err != nil || len(again.Heals()) != len(o.Heals()) {
			t.Fatalf("%d heals became %d: %v", len(o.Heals()), len(again.Heals()), err)
		}
	})
}
