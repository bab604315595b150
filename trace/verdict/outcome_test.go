package verdict

import (
	"slices"
	"testing"
)

var outcomes = []Outcome{Same, Improved, Regressed, Mixed, Changed, Inconclusive}

func TestCombineIsOrderFreeAndMirrors(t *testing.T) {
	for _, a := range outcomes {
		if Combine(a) != a || Combine(a, a) != a || a.Mirror().Mirror() != a {
			t.Errorf("%s does not stay itself", a)
		}
		for _, b := range outcomes {
			for _, c := range outcomes {
				if x, y := Combine(Combine(a, b), c), Combine(a, Combine(c, b)); x != y {
					t.Errorf("%s, %s, %s: %s one way, %s the other", a, b, c, x, y)
				}
				if x, y := Combine(a, b, c).Mirror(), Combine(a.Mirror(), b.Mirror(), c.Mirror()); x != y {
					t.Errorf("%s, %s, %s: mirrored %s, of the mirrored %s", a, b, c, x, y)
				}
			}
		}
	}
}

func TestCombineTakesTheStronger(t *testing.T) {
	for want, parts := range map[Outcome][]Outcome{
		Same:         {},
		Mixed:        {Improved, Same, Regressed},
		Regressed:    {Changed, Regressed, Inconclusive},
		Improved:     {Changed, Improved},
		Changed:      {Inconclusive, Changed, Same},
		Inconclusive: {Same, Inconclusive},
	} {
		slices.Reverse(parts)
		if got := Combine(parts...); got != want {
			t.Errorf("%v: %s, not %s", parts, got, want)
		}
	}
}
