package determinism

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// shared counts what pages say to shared workers, and hear of them: such messages
// take a way of their own, and are waited for.
type shared struct {
	mu    sync.Mutex
	known map[string]bool // address and name of those that run
	said  int             // by pages
	got   int             // by pages
	// What was not heard when it was waited for, and is not waited for again.
	lostThere, lostHere int
}

// connect notes that a page connects to a shared worker, which begins unless it
// runs.
func (w *workers) connect(key string) {
	w.shared.mu.Lock()
	known := w.shared.known[key]
	if w.shared.known == nil {
		w.shared.known = map[string]bool{}
	}
	w.shared.known[key] = true
	w.shared.mu.Unlock()
	if !known {
		w.expect(true)
	}
}

func (h *shared) gone(url string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key := range h.known {
		if strings.HasPrefix(key, url+" ") {
			delete(h.known, key)
		}
	}
}

// told counts what a page has said, or heard.
func (h *shared) told(said bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if said {
		h.said++
	} else {
		h.got++
	}
}

func (h *shared) counts() (said, got int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.said, h.got
}

// heard waits until shared workers have heard what pages have said.
func (h *shared) heard(ctx context.Context, s *Session, list []*worker) {
	h.wait(ctx, s, list, &h.lostThere, func() int { said, _ := h.counts(); return said - h.total(ctx, s, list, "come") })
}

// answered waits until pages have heard what shared workers have said.
func (h *shared) answered(ctx context.Context, s *Session, list []*worker) {
	h.wait(ctx, s, list, &h.lostHere, func() int {
		gone := h.total(ctx, s, list, "gone")
		if _, got := h.counts(); gone-got > h.lostHere {
			s.net.barrier(ctx)
		}
		_, got := h.counts()
		return gone - got
	})
}

// wait waits until no more messages are on their way than are lost, and takes
// those for lost that do not come.
func (h *shared) wait(ctx context.Context, s *Session, list []*worker, lost *int, open func() int) {
	any := false
	for _, x := range list {
		any = any || x.kind == "shared_worker"
	}
	if !any {
		return
	}
	for began := time.Now(); ; {
		n := open()
		if n <= *lost || time.Since(began) > s.pace.of(lonely) {
			*lost = n
			return
		}
		if sleep(ctx, 2*time.Millisecond) != nil {
			return
		}
	}
}

// total is how many messages have come to all shared workers, or gone.
func (h *shared) total(ctx context.Context, s *Session, list []*worker, which string) (n int) {
	for _, x := range list {
		if x.kind == "shared_worker" {
			n += s.working.turn(ctx, s, x, fmt.Sprintf("globalThis.__tracedeck?.count?.%s ?? 0", which))
		}
	}
	return n
}
