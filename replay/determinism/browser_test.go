package determinism

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
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

// page serves the document at / and nothing else.
func page(t *testing.T, document string) *httptest.Server {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, document)
	}))
	t.Cleanup(site.Close)
	return site
}

// visit is a session of its own that has gone to an address.
func visit(t *testing.T, b *Browser, address string) (*Session, *Page) {
	t.Helper()
	s, err := b.NewSession(t.Context(), DefaultSession())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.Page().Navigate(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	return s, s.Page()
}

// click is what a mouse does at a place.
func click(t *testing.T, p *Page, x, y float64) {
	t.Helper()
	for _, act := range []func(context.Context, Mouse) error{p.Move, p.Press, p.Release} {
		if err := act(t.Context(), Mouse{X: x, Y: y, Button: Left, Clicks: 1}); err != nil {
			t.Fatal(err)
		}
	}
}

// after lets time pass and returns what an expression of the page is then.
func after[T any](t *testing.T, s *Session, pass time.Duration, expression string) (value T) {
	t.Helper()
	if err := s.Advance(t.Context(), pass); err != nil {
		t.Fatal(err)
	}
	v, err := s.Page().Evaluate(t.Context(), expression)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(v, &value); err != nil {
		t.Fatalf("%s: %v", v, err)
	}
	return value
}

// runs is what a page noted when it was visited last.
type runs []string

// same complains about what is not as it was before.
func (r *runs) same(t *testing.T, log []string) {
	t.Helper()
	if *r != nil && !slices.Equal(log, *r) {
		t.Errorf("once %q\nthen %q", *r, log)
	}
	*r = log
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
