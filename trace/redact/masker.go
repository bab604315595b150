package redact

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tracedeck/tracedeck/trace"
)

// Masker takes secrets out of texts that are about to be shown: those whose
// place or form gives them away, and those it has met before. It is safe for
// concurrent use.
type Masker struct {
	mu    sync.Mutex
	r     *redactor
	found int // secrets that the finder knows
}

// NewMasker returns a Masker that has met nothing yet.
func NewMasker(o Options) *Masker {
	r := newRedactor(o)
	r.learned()
	return &Masker{r: r, found: len(r.vault.values)}
}

// Learn lets the Masker meet all secrets of traces, so that a value that one
// place gives away is masked wherever else it stands. It reads the whole
// traces, all at once; what is damaged is passed over.
func (m *Masker) Learn(ctx context.Context, traces ...*trace.Archive) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.settle()
	students, errs := make([]*redactor, len(traces)), make([]error, len(traces))
	var wg sync.WaitGroup
	for i, a := range traces {
		students[i] = newRedactor(m.r.o)
		wg.Go(func() {
			x := &run{ctx: ctx, src: a, r: students[i], done: map[string]bool{}}
			if err := x.learn(); err != nil {
				errs[i] = fmt.Errorf("%s: %w", a.Name(), err)
			}
		})
	}
	wg.Wait()
	for _, s := range students {
		for _, value := range s.vault.values {
			m.r.vault.marker(value, s.vault.strong[value])
		}
	}
	return errors.Join(errs...)
}

// LearnLine lets the Masker meet the secrets of one line of a trace that is
// still growing.
func (m *Masker) LearnLine(line []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	x := &run{r: m.r}
	x.line("", 0, line)
}

// Text returns a message, an address or a body without its secrets. Text that
// is JSON stays JSON.
func (m *Masker) Text(s string) string {
	if s == "" {
		return s
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refresh()
	return m.r.text(s, prose, 0)
}

// JSON returns a JSON text without the secrets in it, names of members
// included. A text that is no JSON is masked as a message.
func (m *Masker) JSON(text []byte) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refresh()
	if out, ok := m.r.json(text, 0); ok {
		return []byte(m.r.known(string(out)))
	}
	return []byte(m.r.text(string(text), prose, 0))
}

// Body returns an entry's bytes without its secrets. The name's ending tells
// how they are read.
func (m *Masker) Body(data []byte, name string) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refresh()
	return m.r.body(data, name)
}

// refresh makes the finder anew where secrets were met since.
func (m *Masker) refresh() {
	if m.r.finder == nil || m.found != len(m.r.vault.values) {
		m.settle()
	}
}

func (m *Masker) settle() {
	m.r.learned()
	m.r.call, m.r.typing, m.r.page, m.r.place = "", false, false, ""
	clear(m.r.typed)
	m.found = len(m.r.vault.values)
}
