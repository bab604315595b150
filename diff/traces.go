package diff

import (
	"context"
	"errors"
	"sync"

	"github.com/tracedeck/tracedeck/trace/verdict"
)

// Result is how two traces differ.
type Result struct {
	A       string          `json:"a"` // the names of the sides
	B       string          `json:"b"`
	Verdict verdict.Outcome `json:"verdict"`
	// FirstDivergence is the number of the first step that is not the same in
	// both, or -1. Steps that only took another time are the same.
	FirstDivergence int    `json:"firstDivergence"`
	Steps           Counts `json:"steps"`
	// Sections are all that were compared, in the order of [Sections].
	Sections []Section    `json:"sections"`
	Pairs    []PairResult `json:"pairs"`
	// Rules is the version of the default rules, Hidden what rules hid.
	Rules  string   `json:"rules"`
	Hidden []Hidden `json:"hidden"`
}

// Counts are how many pairs of steps there are of each kind.
type Counts struct {
	Same    int `json:"same"`
	Changed int `json:"changed"`
	OnlyA   int `json:"onlyA"`
	OnlyB   int `json:"onlyB"`
}

// Section returns the section of that name, and nil if it was not compared.
func (r *Result) Section(name SectionName) *Section {
	for i := range r.Sections {
		if r.Sections[i].Name == name {
			return &r.Sections[i]
		}
	}
	return nil
}

// Traces compares two traces. Parts of an archive that cannot be read are
// noted in the section they belong to; an error says that the options are
// wrong or that ctx ended.
func Traces(ctx context.Context, a, b Side, o Options) (*Result, error) {
	c, err := New(ctx, a, b, o)
	if err != nil {
		return nil, err
	}
	return c.Result(ctx)
}

// Result compares everything.
func (c *Comparer) Result(ctx context.Context) (*Result, error) {
	r := &Result{A: c.sides[0].Name, B: c.sides[1].Name, FirstDivergence: -1, Rules: RulesVersion, Pairs: make([]PairResult, 0, len(c.align.Pairs))}
	if err := c.prepare(ctx); err != nil {
		return nil, err
	}
	for n := range c.align.Pairs {
		p, err := c.Pair(ctx, n)
		if err != nil {
			return nil, err
		}
		r.Pairs = append(r.Pairs, *p)
		r.Steps.add(p.Kind)
		if r.FirstDivergence < 0 && p.Kind != SameStep {
			r.FirstDivergence = n
		}
	}
	r.Sections = c.sections(r.Pairs)
	var parts []verdict.Outcome
	for i := range r.Sections {
		if s := &r.Sections[i]; s.counts() {
			parts = append(parts, s.Verdict)
		}
	}
	r.Verdict = verdict.Combine(parts...)
	r.Hidden = c.Hidden()
	return r, nil
}

// prepare reads the pages of both traces and compares the rest, at once.
func (c *Comparer) prepare(ctx context.Context) error {
	var wg sync.WaitGroup
	var errs [3]error
	for side := range c.sides {
		if len(c.sides[side].Trace.Snapshots) > 0 && (c.wants(DOM) || c.wants(Accessibility)) {
			wg.Go(func() { _, errs[side] = c.snapshots(ctx, side) })
		}
	}
	wg.Go(func() { errs[2] = c.compareEvents(ctx) })
	wg.Wait()
	return errors.Join(errs[:]...)
}

func (n *Counts) add(k PairKind) {
	switch k {
	case SameStep:
		n.Same++
	case ChangedStep:
		n.Changed++
	case OnlyA:
		n.OnlyA++
	case OnlyB:
		n.OnlyB++
	}
}

// compareEvents compares what is not of single steps, once.
func (c *Comparer) compareEvents(ctx context.Context) error {
	c.eventsMu.Lock()
	defer c.eventsMu.Unlock()
	if c.byPair != nil {
		return ctx.Err()
	}
	var events []Section
	for _, part := range []struct {
		name SectionName
		do   func() Section
	}{
		{Errors, c.errors},
		{Console, c.console},
		{Network, func() Section { return c.network(ctx) }},
		{WebSocket, func() Section { return c.sockets(ctx) }},
		{Storage, c.storage},
		{Performance, c.performance},
		{Environment, c.environment},
	} {
		if c.wants(part.name) {
			events = append(events, part.do())
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.events, c.byPair = events, pairsOf(events)
	return nil
}

func pairsOf(events []Section) map[int]map[SectionName][]Change {
	all := map[int]map[SectionName][]Change{}
	for _, s := range events {
		for _, ch := range s.Changes {
			if ch.Pair == nil {
				continue
			}
			if all[*ch.Pair] == nil {
				all[*ch.Pair] = map[SectionName][]Change{}
			}
			all[*ch.Pair][s.Name] = append(all[*ch.Pair][s.Name], ch)
		}
	}
	return all
}

// sections are those of the whole traces, with what the pairs add up to.
func (c *Comparer) sections(pairs []PairResult) []Section {
	byName := map[SectionName]Section{}
	for _, s := range c.events {
		byName[s.Name] = s
	}
	byName[Steps] = c.gathered(Steps, pairs)
	for _, name := range []SectionName{DOM, Accessibility, Screenshots} {
		byName[name] = c.gathered(name, pairs)
	}
	var list []Section
	for _, name := range Sections() {
		if s, ok := byName[name]; ok && c.wants(name) {
			s.limit(c.o.maxChanges())
			list = append(list, s)
		}
	}
	return list
}

// gathered makes one section of those of the pairs. It is inconclusive where
// no pair has it in both traces.
func (c *Comparer) gathered(name SectionName, pairs []PairResult) Section {
	var parts []verdict.Outcome
	s := Section{Name: name, Changes: []Change{}}
	for i := range pairs {
		for _, part := range pairs[i].Sections {
			if part.Name != name {
				continue
			}
			parts = append(parts, part.Verdict)
			s.More += part.More
			for _, ch := range part.Changes {
				if len(s.Changes) >= c.o.maxChanges() {
					s.More++
					continue
				}
				s.Changes = append(s.Changes, c.at(i, ch))
			}
			if s.Note == "" && part.Note != "" {
				s.Note = part.Note
				if !part.RecordedA || !part.RecordedB {
					s.Note = "at some steps " + part.Note
				}
			}
		}
	}
	s.RecordedA, s.RecordedB = name == Steps || c.holds(name, 0), name == Steps || c.holds(name, 1)
	switch {
	case s.RecordedA && s.RecordedB && name != Steps && len(parts) == 0 && !c.met(name):
		s.Verdict, s.Note = verdict.Inconclusive, "recorded at no step that both traces have"
	case s.RecordedA && s.RecordedB:
		s.Verdict = verdict.Combine(parts...)
	default:
		return unrecorded(name, s.RecordedA, s.RecordedB)
	}
	return s
}

// met reports whether any step of both traces has what a section is made of.
func (c *Comparer) met(name SectionName) bool {
	for i := range c.align.Pairs {
		if p := &c.align.Pairs[i]; p.Both() && c.has(name, 0, p.A) && c.has(name, 1, p.B) {
			return true
		}
	}
	return false
}
