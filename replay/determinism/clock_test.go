package determinism

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A grant of time must not pass by a timer that was set just before it, however
// busy the machine is.
func TestTimersThatWereSetJustBeforeKeepTime(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><script>const late = {}; let clicks = 0;
onclick = () => { const began = performance.now(); clicks++; setInterval(() => {}, 1000 + clicks);
	setTimeout(() => { const ms = performance.now() - began; if (ms !== 3) late[ms] = (late[ms] || 0) + 1; }, 3); };</script>`)
	}))
	defer site.Close()
	b, ctx := start(t, Frames), context.Background()
	s, err := b.NewSession(ctx, DefaultSession())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := s.Page()
	if err := p.Navigate(ctx, site.URL); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		for _, act := range []func(context.Context, Mouse) error{p.Move, p.Press, p.Release} {
			if err := act(ctx, Mouse{X: float64(50 + i), Y: 50, Button: Left, Clicks: 1}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Advance(ctx, 50*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	v, err := p.Evaluate(ctx, "[clicks, JSON.stringify(late)].join()")
	if err != nil || string(v) != `"40,{}"` {
		t.Errorf("clicks and timers that came late, by how long they took: %s, %v", v, err)
	}
}
