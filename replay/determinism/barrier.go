package determinism

import (
	"context"
	"fmt"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// barrier waits until the page has come to its next task and all events that it
// sent before are dealt with. inspect is of the command line of developer
// tools: its only effect is an event.
//
// limit is how long that may take: a page that waits for an answer in the middle
// of a script does not answer.
func (p *Page) barrier(ctx context.Context, limit time.Duration) {
	p.mu.Lock()
	p.asked++
	n, reached := p.asked, make(chan struct{})
	if p.barriers == nil {
		p.barriers = map[int]chan struct{}{}
	}
	p.barriers[n] = reached
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.barriers, n)
		p.mu.Unlock()
	}()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if p.call(ctx, "Runtime.evaluate", object{"expression": fmt.Sprintf("inspect(%d)", n), "includeCommandLineAPI": true, "silent": true}, nil) != nil {
		return
	}
	select {
	case <-reached:
	case <-ctx.Done():
	case <-p.left:
	case <-p.s.done:
	}
}

// reached deals with the event of a barrier.
func (p *Page) reached(m *rod.Message) {
	var e proto.RuntimeInspectRequested
	if !m.Load(&e) || e.Object == nil {
		return
	}
	n := e.Object.Value.Int()
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.barriers[n]; c != nil {
		delete(p.barriers, n)
		close(c)
	}
}
