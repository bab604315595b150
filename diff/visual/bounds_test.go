package visual

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestBoundsSayWhatTheMetricSays(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, threshold := range []float64{0, 1e-4, 0.003, 0.02, 0.1, 0.25, 0.6, 1} {
		most := yiqMax * threshold * threshold
		b := boundsOf(most)
		for range 200_000 {
			p := random.Uint32() | opaque
			q := random.Uint32() | opaque
			if random.IntN(2) == 0 { // about as far apart as the threshold is
				reach := int(math.Ceil(threshold*255)) + 3
				q = near(random, p, reach)
			}
			want := delta7(p, q, 0, true)
			if math.Abs(want) <= most {
				want = 0
			}
			got := b.delta(p, q, most)
			if math.Signbit(got) != math.Signbit(want) || (got == 0) != (want == 0) {
				t.Fatalf("threshold %v: %06x and %06x are %v apart, the metric says %v", threshold, p, q, got, want)
			}
		}
	}
}

// near is a colour of which no channel is further than reach from p's.
func near(random *rand.Rand, p pixel, reach int) pixel {
	q := opaque
	for shift := 0; shift < 24; shift += 8 {
		v := int(p>>shift&255) + random.IntN(2*reach+1) - reach
		q |= pixel(min(max(v, 0), 255)) << shift
	}
	return q
}
