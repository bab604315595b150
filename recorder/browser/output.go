package browser

import (
	"io"
	"sync"
)

// tail keeps the end of what a browser writes, and passes all of it on.
type tail struct {
	mu   sync.Mutex
	to   io.Writer
	kept []byte
}

const tailSize = 16 << 10 // bytes; a crash writes a stack of a few kilobytes

// Write never goes wrong: a browser must not stall because of its words.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if len(t.kept) > 2*tailSize {
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-tailSize:]...)
	}
	if t.to != nil {
		if _, err := t.to.Write(p); err != nil {
			t.to = nil
		}
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
