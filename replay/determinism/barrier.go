package determinism

import (
	"context"
	"fmt"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// turn tells a number once the messages that were on their way before are dealt
// with, which may be left behind by commands. next tells it at once, since no
// messages are dealt with while a request stops the clock. Where the driver's script
// is not, both are false, and inspect tells it, which is of the command line of
// developer tools: its only effect is an event. To have it costs more than all the
// rest.
const (
	turn    = "!!globalThis.__tracedeck?.reach && !__tracedeck.reach(%d)"
	next    = "!!globalThis.__tracedeck?.reach && !__tracedeck.reach(%d, true)"
	inspect = "inspect(%d)"
)

// way is that of a page to a barrier, to which it has been sent.
type way struct {
	p       *Page
	how     string
	usual   time.Duration // how long turns are waited for
	n       int
	freed   int  // how many held scripts the page had let go on when it was sent
	held    bool // it was in the middle of a script that was held
	reached chan struct{}
	asked   asked
	began   time.Time
}

// barrier waits until the page has come to its next task and all events that it
// sent before are dealt with.
//
// limit is how long that may take: a page that waits for an answer in the middle
// of a script does not answer.
func (p *Page) barrier(ctx context.Context, limit time.Duration) { p.sent().arrive(ctx, limit) }

// sent is the page on its way to a barrier, behind the commands that it was given.
func (p *Page) sent() *way {
	if usual := p.turning(); usual > 0 && p.s.net.none() {
		w := p.way(turn)
		w.usual = usual
		return w
	}
	return p.way(next)
}

// arrive waits until the page has come to the barrier.
func (w *way) arrive(ctx context.Context, limit time.Duration) {
	p := w.p
	if w.how == turn {
		if w.passed(ctx, min(limit, p.s.pace.of(w.usual))) || ctx.Err() != nil {
			p.turned(true)
			return
		}
		p.turned(!p.s.net.none())
		w = p.way(next)
	}
	w.passed(ctx, limit)
}

// turning is how long the page's turns are waited for, and 0 where they did not
// come at this time of the session: while a finger touches a page the browser
// holds its timers back until time has passed.
func (p *Page) turning() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.still:
		return 500 * time.Millisecond
	case p.stillAt != p.s.time.read():
		return 40 * time.Millisecond
	}
	return 0
}

func (p *Page) turned(came bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.still, p.stillAt = !came, p.s.time.read()
}

func (p *Page) way(how string) *way {
	p.mu.Lock()
	p.asked++
	w := &way{p: p, how: how, n: p.asked, freed: p.freed, reached: make(chan struct{}), began: time.Now()}
	if p.barriers == nil {
		p.barriers = map[int]*way{}
	}
	p.barriers[w.n] = w
	p.mu.Unlock()
	w.asked = p.s.b.ask(p.session, "Runtime.evaluate", object{"expression": fmt.Sprintf(how, w.n), "silent": true})
	return w
}

// left forgets a way that nobody waits for the end of.
func (w *way) left() {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	delete(w.p.barriers, w.n)
}

// passed reports whether the page comes to the barrier in time. A page whose script
// a debugger holds answers in the middle of it, and is sent there again when that
// goes on.
func (w *way) passed(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for w.come(ctx) {
		if !w.held {
			w.p.s.pace.took(time.Since(w.began))
			return true
		}
		if !w.p.goes(ctx) {
			return false
		}
		w = w.p.way(w.how)
	}
	return false
}

// come reports whether the page comes to the barrier before the context ends.
func (w *way) come(ctx context.Context) bool {
	defer w.left()
	p, how := w.p, w.how
	var r struct{ Result struct{ Value bool } }
	if p.answer(ctx, w.asked, &r) != nil {
		return false
	}
	if !r.Result.Value {
		how = inspect
		if p.call(ctx, "Runtime.evaluate", object{"expression": fmt.Sprintf(inspect, w.n), "includeCommandLineAPI": true, "silent": true}, nil) != nil {
			return false
		}
	}
	for {
		select {
		case <-w.reached:
			w.held = w.held && how != turn // which is no part of a script that is held
			return true
		case <-p.s.net.wake:
			if how == turn && !p.s.net.none() { // which waits for an answer first
				return false
			}
		case <-ctx.Done():
			return false
		case <-p.left:
			return false
		case <-p.s.done:
			return false
		}
	}
}

// inspected deals with the event of a barrier.
func (p *Page) inspected(m *rod.Message) {
	var e proto.RuntimeInspectRequested
	if !m.Load(&e) || e.Object == nil {
		return
	}
	p.reached(e.Object.Value.Int())
}

// reached says that a barrier was come to.
func (p *Page) reached(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.barriers[n]; w != nil {
		delete(p.barriers, n)
		w.held = p.halts > w.freed
		close(w.reached)
	}
}
