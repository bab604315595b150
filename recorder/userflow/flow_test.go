package userflow

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadTakesChainsAndSingleSelectors(t *testing.T) {
	f, err := Read(strings.NewReader(`{"title": "t", "steps": [{"type": "click", "selectors": [["x-card", "button"], "#id"], "frame": [1]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Selectors{{"x-card", "button"}, {"#id"}}, f.Steps[0].Selectors); d != "" {
		t.Error(d)
	}
}

func TestReadSaysWhichStepIsWrong(t *testing.T) {
	for flow, want := range map[string]string{
		`[]`:              "not a user flow",
		`{"steps": []}`:   "no steps",
		`{"steps": [{}]}`: `step 1: there is no type ""`,
		`{"steps": [{"type": "close"}, {"type": "click"}]}`:  "step 2 (click): no selectors",
		`{"steps": [{"type": "click", "selectors": [[]]}]}`:  "an empty chain",
		`{"steps": [{"type": "click", "selectors": [[1]]}]}`: "selectors",
	} {
		if _, err := Read(strings.NewReader(flow)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", flow, err, want)
		}
	}
}

func TestLocatorsAreThoseOfTraces(t *testing.T) {
	for _, c := range []struct {
		frame []int
		chain []string
		want  string
	}{
		{nil, []string{"#id > a"}, "#id > a"},
		{nil, []string{`aria/Pay "now"[role="button"]`}, `internal:role=button[name="Pay \"now\""i]`},
		{nil, []string{"aria/First name"}, `internal:label="First name"i`},
		{nil, []string{"aria/List [old][role=\"list\"]"}, `internal:role=list[name="List [old]"i]`},
		{nil, []string{`aria/[name="A"][role="link"]`}, `internal:role=link[name="A"i]`},
		{nil, []string{"xpath///*[@id=\"a\"]"}, `xpath=//*[@id="a"]`},
		{nil, []string{"text/Sign in"}, `internal:text="Sign in"i`},
		{[]int{2}, []string{"x-card", "pierce/button"}, "iframe >> nth=2 >> internal:control=enter-frame >> x-card >> button"},
	} {
		if got := Locator(c.frame, c.chain); got != c.want {
			t.Errorf("%q: %s, want %s", c.chain, got, c.want)
		}
	}
}

// A flow that can be read can be written and read again, and is the same.
func FuzzRead(f *testing.F) {
	f.Add(`{"title": "t", "steps": [{"type": "click", "selectors": [["a", "b"], "c"], "offsetX": 1}, {"type": "scroll", "x": 1, "y": 2}]}`)
	f.Add(`{"steps": [{"type": "waitForElement", "selectors": ["a"], "count": 0, "properties": {"a": 1}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		flow, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		data, err := json.Marshal(flow)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(strings.NewReader(string(data)))
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if second, err := json.Marshal(again); err != nil || string(second) != string(data) {
			t.Errorf("%s became %s", data, second)
		}
		for _, s := range flow.Steps {
			for _, chain := range s.Selectors {
				Locator(s.Frame, chain)
			}
		}
	})
}
