package determinism

import (
	"context"
	"strings"
	"time"
)

// windowed notes the address of a window that a page is about to open.
func (s *Session) windowed(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.windows = append(s.windows, url)
}

// window is the address that the page was opened with, if that was told. Windows
// are told in the order in which they are opened.
func (p *Page) window() (url string, told bool) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if p.given == nil && len(p.s.windows) > 0 {
		p.given, p.s.windows = &p.s.windows[0], p.s.windows[1:]
	}
	if p.given == nil {
		return "", false
	}
	return *p.given, true
}

// unasked is how long a document is waited for where the address of a window is not
// told, or none is asked for.
const unasked = 3 * time.Second

// asks waits until a page that another one has opened asks for its document. The
// browser opens it at its leisure, and time is not to pass before.
func (p *Page) asks(ctx context.Context) {
	for began := time.Now(); time.Since(began) < p.s.pace.of(unasked); {
		if url, told := p.window(); told && blank(url) || p.Loads() > 0 || p.s.net.asked(p.target) || p.closed() {
			return
		}
		if sleep(ctx, 2*time.Millisecond) != nil {
			return
		}
	}
	p.s.log("page %s has not asked for a document", p.target)
}

// blank reports whether a window with an address stays empty until its opener
// fills it.
func blank(url string) bool {
	return url == "" || strings.HasPrefix(url, "about:") || strings.HasPrefix(strings.ToLower(url), "javascript:")
}
