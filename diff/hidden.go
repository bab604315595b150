package diff

import (
	"slices"
	"strings"
	"sync"
)

// Hidden is a rule with what it hid: differences that nothing else tells of.
type Hidden struct {
	Rule  string `json:"rule"`
	Count int    `json:"count"`
	// Samples are a few of the differences.
	Samples []HiddenSample `json:"samples"`
}

// HiddenSample is one difference that a rule hid.
type HiddenSample struct {
	Scope Scope  `json:"scope"`
	Field string `json:"field,omitempty"`
	A     string `json:"a"`
	B     string `json:"b"`
}

// maxSamples is how many differences are kept of a rule, maxSample how many
// bytes of each.
const (
	maxSamples = 3
	maxSample  = 120
)

// ledger collects what rules hid.
type ledger struct {
	mu    sync.Mutex
	rules map[*rule]*Hidden
}

// hid takes note of two texts that are the same once they are masked.
func (l *ledger) hid(m *Masks, s Scope, field, a, b string) {
	if a == b || l == nil {
		return
	}
	in, out := m.findings(s, field, a), m.findings(s, field, b)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range m.rules {
		x, y := in[r], out[r]
		if slices.Equal(x, y) {
			continue
		}
		if l.rules == nil {
			l.rules = map[*rule]*Hidden{}
		}
		h := l.rules[r]
		if h == nil {
			h = &Hidden{Rule: r.Name}
			l.rules[r] = h
		}
		h.Count++
		sample := HiddenSample{s, field, clip(firstUnlike(x, y), maxSample), clip(firstUnlike(y, x), maxSample)}
		if len(h.Samples) < maxSamples && !slices.Contains(h.Samples, sample) {
			h.Samples = append(h.Samples, sample)
		}
	}
}

func (m *Masks) findings(s Scope, field, text string) map[*rule][]string {
	found := map[*rule][]string{}
	m.mask(s, field, text, func(r *rule, text string) { found[r] = append(found[r], text) })
	return found
}

func firstUnlike(list, other []string) string {
	for i, x := range list {
		if i >= len(other) || other[i] != x {
			return x
		}
	}
	return ""
}

// list returns what was hidden, in the order of the rules.
func (l *ledger) list(m *Masks) []Hidden {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := []Hidden{}
	for _, r := range m.rules {
		if h := l.rules[r]; h != nil {
			list = append(list, *h)
		}
	}
	return list
}

// clip cuts a text at a character's beginning.
func clip(text string, max int) string {
	if len(text) <= max {
		return text
	}
	return strings.ToValidUTF8(text[:max], "") + "…"
}
