package diff

import (
	"context"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/locator"
)

// PairKind says how the sides of a pair relate.
type PairKind string

// How the sides of a pair relate.
const (
	SameStep    PairKind = "same"
	ChangedStep PairKind = "changed"
	OnlyA       PairKind = "only-a"
	OnlyB       PairKind = "only-b"
)

// Sign returns the sign of a list of steps: = ~ − +.
func (k PairKind) Sign() string {
	switch k {
	case SameStep:
		return "="
	case ChangedStep:
		return "~"
	case OnlyA:
		return "−"
	case OnlyB:
		return "+"
	}
	return "?"
}

// Pair is a step of both traces, or of one where the other has none.
type Pair struct {
	Kind PairKind `json:"kind"`
	A    *Step    `json:"a,omitempty"`
	B    *Step    `json:"b,omitempty"`
	// Changes say how the calls differ: in their parameters, and in whether
	// they failed.
	Changes []Change `json:"changes,omitempty"`
}

// Both reports whether both traces have the step.
func (p *Pair) Both() bool { return p.A != nil && p.B != nil }

// Step returns the step of B, or of A where B has none.
func (p *Pair) Step() *Step {
	if p.B != nil {
		return p.B
	}
	return p.A
}

// side returns the step of A for 0 and of B for 1; nil where there is none.
func (p *Pair) side(n int) *Step {
	if n == 0 {
		return p.A
	}
	return p.B
}

// Depth returns how many groups and steps are around it.
func (p *Pair) Depth() int { return p.Step().depth }

// Alignment is the steps of two traces side by side.
type Alignment struct {
	Pairs []Pair `json:"pairs"` // in the order of the steps; of steps in one trace only, those of A first
	// FirstDivergence is the number of the first pair that is not the same, or
	// -1.
	FirstDivergence int `json:"firstDivergence"`

	masks *Masks
}

// Align pairs the steps of two traces. An error says which rule of the options
// is wrong, or that ctx ended.
func Align(ctx context.Context, a, b *trace.Trace, o Options) (*Alignment, error) {
	m, err := NewMasks(o.Rules)
	if err != nil {
		return nil, err
	}
	return align(ctx, m, a, b, &o, nil)
}

func align(ctx context.Context, m *Masks, a, b *trace.Trace, o *Options, l *ledger) (*Alignment, error) {
	x, y := m.steps(a, o), m.steps(b, o)
	matched, err := match(ctx, x, y)
	if err != nil {
		return nil, err
	}
	al := &Alignment{Pairs: make([]Pair, 0, max(len(x), len(y))), FirstDivergence: -1, masks: m}
	i, j := 0, 0
	for _, p := range append(matched, [2]int{len(x), len(y)}) {
		for ; i < p[0]; i++ {
			al.Pairs = append(al.Pairs, Pair{Kind: OnlyA, A: x[i]})
		}
		for ; j < p[1]; j++ {
			al.Pairs = append(al.Pairs, Pair{Kind: OnlyB, B: y[j]})
		}
		if i < len(x) {
			al.Pairs = append(al.Pairs, m.pair(x[i], y[j], l))
			i, j = i+1, j+1
		}
	}
	for n := range al.Pairs {
		if al.Pairs[n].Kind != SameStep {
			al.FirstDivergence = n
			break
		}
	}
	return al, nil
}

// pair compares two steps by their calls.
func (m *Masks) pair(a, b *Step, l *ledger) Pair {
	p := Pair{Kind: SameStep, A: a, B: b}
	if a.exact != b.exact {
		p.Changes = m.calls(a, b)
	}
	for k, v := range a.raw {
		if w, ok := b.raw[k]; ok && v != w && a.params[k] == b.params[k] {
			l.hid(m, InStep, k, v, w)
		}
	}
	switch {
	case a.Failed && !b.Failed:
		p.Changes = append(p.Changes, Change{Kind: ChangeValue, Effect: better, What: "outcome", A: "failed", B: "passed"})
	case b.Failed && !a.Failed:
		p.Changes = append(p.Changes, Change{Kind: ChangeValue, Effect: worse, What: "outcome", A: "passed", B: "failed"})
	case a.action.Unfinished != b.action.Unfinished:
		p.Changes = append(p.Changes, Change{Kind: ChangeValue, Effect: neutral, What: "outcome", A: ended(a), B: ended(b)})
	}
	if len(p.Changes) > 0 {
		p.Kind = ChangedStep
	}
	return p
}

func ended(s *Step) string {
	if s.action.Unfinished {
		return "not finished"
	}
	return "finished"
}

// calls lists how the calls of two steps differ.
func (m *Masks) calls(a, b *Step) []Change {
	var list []Change
	if a.method != b.method {
		list = append(list, Change{Kind: ChangeValue, Effect: neutral, What: "method", A: a.method, B: b.method})
	}
	if a.target != b.target {
		list = append(list, Change{Kind: ChangeValue, Effect: neutral, What: "target", A: shownTarget(a), B: shownTarget(b)})
	}
	for _, k := range sortedKeys(union(a.params, b.params)) {
		v, inA := a.params[k]
		w, inB := b.params[k]
		if v == w && inA == inB || k == "expression" || k == "timeout" && inA != inB && across(a, b) {
			continue
		}
		list = append(list, Change{Kind: kindOf(inA, inB), Effect: neutral, What: k, A: clip(a.raw[k], maxShown), B: clip(b.raw[k], maxShown)})
	}
	if len(list) == 0 && a.key == b.key && across(a, b) {
		return nil
	}
	if len(list) == 0 && m.Text(InMessage, a.Title) != m.Text(InMessage, b.Title) {
		list = append(list, Change{Kind: ChangeValue, Effect: neutral, What: "title", A: a.Title, B: b.Title})
	}
	if len(list) == 0 && strings.Join(a.Path, "\x00") != strings.Join(b.Path, "\x00") {
		list = append(list, Change{Kind: ChangeValue, Effect: neutral, What: "group", A: strings.Join(a.Path, " › "), B: strings.Join(b.Path, " › ")})
	}
	return list
}

// titled is the version of the format from which on calls have titles for people, and timeouts that nobody asked for.
const titled = 8

// across reports whether only one of two calls was recorded in a version that has those.
func across(a, b *Step) bool {
	return a.action.Kind == trace.KindCall && b.action.Kind == trace.KindCall &&
		(a.action.Context.Version < titled) != (b.action.Context.Version < titled)
}

// maxShown is how many bytes of a value a change shows.
const maxShown = 300

func shownTarget(s *Step) string {
	p := paramsOf(s.action.Before.Params)
	if v := p["selector"]; v != "" {
		return clip(locator.Format(v, locator.Language(s.action.Context.SDKLanguage)), maxShown)
	}
	for _, k := range []string{"locator", "url", "expression"} {
		if v := p[k]; v != "" {
			return clip(v, maxShown)
		}
	}
	return clip(s.target, maxShown)
}

func union[V any](a, b map[string]V) map[string]bool {
	all := make(map[string]bool, len(a)+len(b))
	for k := range a {
		all[k] = true
	}
	for k := range b {
		all[k] = true
	}
	return all
}
