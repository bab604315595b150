package determinism

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// chain asks for one thing after the other, leaves an answer unread, and has a
// timer that is due whenever a step ends.
const chain = `<!doctype html><iframe src="/frame"></iframe><pre id="p"></pre><script>
var log = [], say = s => { log.push(performance.now() + ' ' + s); p.textContent = log.join('\n'); };
var ticks = 0, early = []; setInterval(() => { ticks++; if (ticks < 9) say("tick"); }, 1);
const get = n => fetch('/api/' + n).then(r => r.text()).then(v => { say(v + ' ' + ticks); if (n < 6) get(n + 1); });
const go = () => { get(0); fetch('/unread').then(() => say('unread ' + ticks)); for (const n of 'zyx') fetch('/api/' + n).then(r => r.json()).then(v => say(n)); };
setTimeout(go, 203); onclick = () => { say('click ' + ticks); go(); };</script>`

func TestWhatComesOfAnswersRepeats(t *testing.T) {
	var served atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if n := served.Add(1); n%3 == 0 {
			time.Sleep(time.Duration(n%7) * time.Millisecond)
		}
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, chain)
		case "/frame":
			fmt.Fprint(w, `<!doctype html><script>onload = () => { parent.say('frame ' + parent.ticks); setTimeout(() => fetch('/api/9').then(r => r.text()).then(v => parent.say('in ' + v)), 31); }</script>`)
		default:
			fmt.Fprintf(w, "%q", r.URL.Path)
		}
	}))
	defer site.Close()
	b, ctx := start(t, Frames), context.Background()
	run := func() string {
		s, err := b.NewSession(ctx, DefaultSession())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		p := s.Page()
		if err := p.Navigate(ctx, site.URL+"/"); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			for _, act := range []func(context.Context, Mouse) error{p.Move, p.Press, p.Release} {
				if err := act(ctx, Mouse{X: 600, Y: 400, Button: Left, Clicks: 1}); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Advance(ctx, 700*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		v, err := p.Evaluate(ctx, "p.textContent")
		if err != nil {
			t.Fatal(err)
		}
		return string(v)
	}
	first := run()
	for range 5 {
		if again := run(); again != first {
			t.Errorf("first %s\nagain %s", first, again)
		}
	}
	if len(first) < 1000 {
		t.Errorf("the page did little: %s", first)
	}
}
