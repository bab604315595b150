package diff

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
)

// sequence makes steps of bytes: the low bits are the locator, the high ones
// the value.
func sequence(b []byte) []*Step {
	list := make([]*Step, 0, len(b))
	for _, c := range b {
		s := &Step{method: "click", target: fmt.Sprintf("#a%d b", c&7), action: &trace.Action{}}
		s.key = s.target
		s.exact = fmt.Sprintf("%s %d", s.key, c>>5)
		list = append(list, s)
	}
	return list
}

// Whatever two sessions did, each step is paired once at most, in order, what is
// the same at both ends is paired, and swapping them swaps the pairs.
func FuzzMatch(f *testing.F) {
	f.Add([]byte("abcabba"), []byte("cbabac"))
	f.Add([]byte{}, []byte{1})
	f.Add([]byte{1, 33, 65}, []byte{33, 65, 97})
	f.Fuzz(func(t *testing.T, x, y []byte) {
		if len(x) > 3000 || len(y) > 3000 {
			return
		}
		a, b := sequence(x), sequence(y)
		pairs, err := match(context.Background(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		i, j := -1, -1
		for _, p := range pairs {
			if p[0] <= i || p[1] <= j || p[0] >= len(a) || p[1] >= len(b) {
				t.Fatalf("%v is out of order", pairs)
			}
			i, j = p[0], p[1]
		}
		back, _ := match(context.Background(), b, a)
		if len(back) != len(pairs) {
			t.Fatalf("%v, and swapped %v", pairs, back)
		}
		for n, p := range pairs {
			if back[n] != [2]int{p[1], p[0]} {
				t.Fatalf("%v, and swapped %v", pairs, back)
			}
		}
		for n := 0; n < len(a) && n < len(b) && a[n].exact == b[n].exact; n++ {
			if n >= len(pairs) || pairs[n] != [2]int{n, n} {
				t.Fatalf("step %d is the same in both, and not paired", n)
			}
		}
	})
}

// Whatever two bodies hold, each is the same as itself, and they differ both ways
// or neither.
func FuzzBodies(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"id":"x"}]}`, `[{"id":1},{"id":2}]`, "a=1&b=2", "text\nof lines", "\xff\x00", `{"a":{"a":{"a":null}}}`, "{", `[[[[]]]]`} {
		f.Add([]byte(s), []byte(`{"a":[2,{"id":"y"}]}`), "application/json")
	}
	m, err := NewMasks(nil)
	if err != nil {
		f.Fatal(err)
	}
	c := &Comparer{masks: m}
	f.Fuzz(func(t *testing.T, a, b []byte, mime string) {
		if list := c.bodies("body", mime, a, mime, a); len(list) > 0 {
			t.Errorf("%q differs from itself: %v", a, list)
		}
		there, back := c.bodies("body", mime, a, mime, b), c.bodies("body", mime, b, mime, a)
		if (len(there) == 0) != (len(back) == 0) {
			t.Errorf("%q and %q: %v, and swapped %v", a, b, there, back)
		}
	})
}

func FuzzReadRules(f *testing.F) {
	f.Add([]byte(`{"rules": [{"name": "x", "pattern": "a+", "replacement": "[a]"}]}`), "caaat")
	f.Add([]byte(`[{"name": "x", "field": "^f$", "replacement": "$1"}]`), "y")
	f.Fuzz(func(t *testing.T, text []byte, value string) {
		rules, err := ReadRules(bytes.NewReader(text))
		if err != nil || len(rules) > 20 || len(text) > 2000 {
			return
		}
		m, err := NewMasks(rules)
		if err != nil {
			t.Fatalf("rules that were read are refused: %v", err)
		}
		if out := m.Field(InDOM, "f", value); len(out) > 1<<22+len(value)*len(text) {
			t.Errorf("%d bytes became %d", len(value), len(out))
		}
	})
}
