package visual

import (
	"math/rand/v2"
	"testing"
)

func TestAlignmentMatchesOnlyEqualRowsInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for round := range 3000 {
		kinds := uint64(2 + r.IntN(40))
		a, b := make([]uint64, r.IntN(60)), make([]uint64, r.IntN(60))
		for i := range a {
			a[i] = r.Uint64N(kinds)
		}
		for i := range b {
			b[i] = r.Uint64N(kinds)
		}
		if len(a) > 0 && r.IntN(2) == 0 {
			k := r.IntN(len(a))
			b = append(append(append([]uint64{}, a[:k]...), 99, 98, 97), a[k:]...)
		}
		x, y := 0, 0
		for _, m := range align(a, b) {
			if m.n < 1 || m.a < x || m.b < y || m.a+m.n > len(a) || m.b+m.n > len(b) {
				t.Fatalf("round %d: %v out of order", round, m)
			}
			for i := range m.n {
				if a[m.a+i] != b[m.b+i] {
					t.Fatalf("round %d: %v matches rows that differ", round, m)
				}
			}
			x, y = m.a+m.n, m.b+m.n
		}
	}
}

func TestAlignmentFindsABlockAmongUniqueRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for round := range 500 {
		a := make([]uint64, 20+r.IntN(400))
		for i := range a {
			a[i] = uint64(i) + 1000
		}
		at, n := 5+r.IntN(len(a)-10), 1+r.IntN(80)
		b := append([]uint64{}, a[:at]...)
		for i := range n {
			b = append(b, uint64(i)+1)
		}
		b = append(b, a[at:]...)
		for _, swap := range []bool{false, true} {
			p, q, want := a, b, run{at, at + n, len(a) - at}
			if swap {
				p, q, want = b, a, run{at + n, at, len(a) - at}
			}
			got := align(p, q)
			if len(got) != 2 || got[0] != (run{0, 0, at}) || got[1] != want {
				t.Fatalf("round %d: %d rows at %d: %v", round, n, at, got)
			}
		}
	}
}

// No two opaque colours have the same brightness, which the integer test for anti-aliasing rests on.
func TestColoursOfEqualBrightnessAreEqual(t *testing.T) {
	for dr := int64(-255); dr <= 255; dr++ {
		for dg := int64(-255); dg <= 255; dg++ {
			n := 29889531*dr + 58662247*dg
			if n%11448223 == 0 && max(n/11448223, -n/11448223) <= 255 && (dr != 0 || dg != 0) {
				t.Fatal(dr, dg, -n/11448223)
			}
		}
	}
}
