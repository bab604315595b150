package determinism

import (
	"context"
	"testing"
	"time"
)

func start(t *testing.T, r Regime) *Browser {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	b, err := Start(ctx, Options{Regime: r, Log: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func TestBestRegimePassesItsTest(t *testing.T) {
	ctx := context.Background()
	b, err := Start(ctx, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if b.Regime != Frames {
		t.Errorf("the regime is %q", b.Regime)
	}
}

func TestEachRegimeRepeats(t *testing.T) {
	for _, r := range []Regime{Frames, Timers, Clock} {
		t.Run(string(r), func(t *testing.T) {
			b := start(t, r)
			err := b.Test(context.Background())
			for n := 1; err != nil && n < tries; n++ { // as it is when one is chosen
				err = b.Test(context.Background())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSeedDecidesAboutRandomNumbers(t *testing.T) {
	b := start(t, Frames)
	random := func(seed string) string {
		o := DefaultSession()
		o.Seed = seed
		s, err := b.NewSession(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		v, err := s.Page().Evaluate(context.Background(), "[Math.random(), crypto.getRandomValues(new Uint16Array(4)).join(), new Date().toISOString()].join()")
		if err != nil {
			t.Fatal(err)
		}
		return string(v)
	}
	one, again, other := random("a"), random("a"), random("b")
	if one != again || one == other {
		t.Errorf("seed a: %s and %s; seed b: %s", one, again, other)
	}
}
