package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// progress is a line on a terminal that says how far long work has come. It
// shows only what takes longer than a moment, and nothing where to is nil.
type progress struct {
	to    *os.File
	mu    sync.Mutex
	began time.Time
	last  time.Time
	shown bool
}

// update shows what is being done and which part of it is (0 to 1; below 0 if
// that is not known).
func (p *progress) update(what string, part float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.began.IsZero() {
		p.began = now
	}
	if p.to == nil || now.Sub(p.began) < 300*time.Millisecond || now.Sub(p.last) < 80*time.Millisecond {
		return
	}
	p.last, p.shown = now, true
	if part < 0 {
		fmt.Fprintf(p.to, "\r\x1b[K%s", what)
		return
	}
	const width = 24
	full := int(part * width)
	bar := ""
	for i := range width {
		if i < full {
			bar += "█"
		} else {
			bar += "░"
		}
	}
	fmt.Fprintf(p.to, "\r\x1b[K%s %s %3.0f %%", what, bar, part*100)
}

func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.to, "\r\x1b[K")
		p.shown = false
	}
}

// done takes the line away.
func (p *progress) done() { p.clear() }
