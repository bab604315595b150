package diff

import (
	"context"
	"slices"
	"sync"

	"github.com/tracedeck/tracedeck/diff/dom"
	"github.com/tracedeck/tracedeck/diff/visual"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// Comparer compares two traces as far as it is asked. It is safe for
// concurrent use.
type Comparer struct {
	sides  [2]Side
	o      Options
	masks  *Masks
	align  *Alignment
	lines  [2]*timeline
	stamps [2]string // by what pictures of replays were taken
	hid    ledger

	pagesMu [2]sync.Mutex
	pages   [2]*dom.Pages
	domOnce sync.Once
	dom     *dom.Comparer

	heardMu sync.Mutex
	heard   map[[2]uint64][]Change // outlines of two pages

	eventsMu sync.Mutex
	events   []Section                        // of the whole traces, without pages and pictures
	byPair   map[int]map[SectionName][]Change // what of it belongs to a pair; nil until then

	visualMu sync.Mutex
	visual   visual.Comparer
}

// New aligns two traces and returns what compares them further.
func New(ctx context.Context, a, b Side, o Options) (*Comparer, error) {
	m, err := NewMasks(o.Rules)
	if err != nil {
		return nil, err
	}
	c := &Comparer{sides: [2]Side{a, b}, o: o, masks: m}
	if c.align, err = align(ctx, m, a.Trace, b.Trace, &c.o, &c.hid); err != nil {
		return nil, err
	}
	for side := range c.lines {
		c.stamps[side] = stamp(c.sides[side].Trace)
		c.lines[side] = m.timeline(c.sides[side].Trace, c.align, side)
	}
	return c, nil
}

// Alignment returns the steps side by side.
func (c *Comparer) Alignment() *Alignment { return c.align }

// Rules returns the rules that hold, in their order.
func (c *Comparer) Rules() []Rule {
	list := make([]Rule, len(c.masks.rules))
	for i, r := range c.masks.rules {
		list[i] = r.Rule
	}
	return list
}

// Hidden returns what rules have hidden in what was compared so far.
func (c *Comparer) Hidden() []Hidden { return c.hid.list(c.masks) }

func (c *Comparer) wants(s SectionName) bool { return !slices.Contains(c.o.Skip, s) }

// PairResult is how one step differs.
type PairResult struct {
	Number  int             `json:"number"` // of the pair, from 0
	Verdict verdict.Outcome `json:"verdict"`
	Pair
	// Sections are those in which something differs or cannot be told.
	Sections []Section `json:"sections,omitempty"`
}

// Pair compares pair n with all that belongs to it.
func (c *Comparer) Pair(ctx context.Context, n int) (*PairResult, error) {
	if err := c.compareEvents(ctx); err != nil {
		return nil, err
	}
	p := c.align.Pairs[n]
	r := &PairResult{Number: n, Pair: p}
	list := []Section{section(Steps, callChanges(p))}
	for _, name := range []SectionName{Errors, Console, Network, WebSocket, Storage} {
		list = append(list, section(name, c.byPair[n][name]))
	}
	if p.Both() {
		pages, err := c.pairPages(ctx, p)
		if err != nil {
			return nil, err
		}
		list = append(list, pages...)
		picture, err := c.pairPicture(ctx, p)
		if err != nil {
			return nil, err
		}
		list = append(list, picture, c.pairTimes(p))
	}
	r.conclude(list, c.o.maxChanges())
	return r, nil
}

// conclude takes the sections that say something. Times of one step are told,
// but one slow step makes no step different.
func (r *PairResult) conclude(list []Section, max int) {
	var parts []verdict.Outcome
	for _, s := range list {
		if len(s.Changes) == 0 && s.Verdict == verdict.Same || !s.RecordedA && !s.RecordedB {
			continue
		}
		s.Changes = slices.Clone(s.Changes) // it may be remembered for other steps
		s.limit(max)
		r.Sections = append(r.Sections, s)
		if s.Name != Performance {
			parts = append(parts, s.Verdict)
		}
	}
	r.Verdict = verdict.Combine(parts...)
	if r.Kind == SameStep && r.Verdict != verdict.Same && r.Verdict != verdict.Inconclusive {
		r.Kind = ChangedStep
	}
}

// callChanges are those of the call; a step of one trace only is a change.
func callChanges(p Pair) []Change {
	switch p.Kind {
	case OnlyA:
		return []Change{{Kind: Removed, Effect: neutral, What: "step", A: p.A.Title}}
	case OnlyB:
		return []Change{{Kind: Added, Effect: neutral, What: "step", B: p.B.Title}}
	}
	// Whether it failed is told by the errors.
	list := slices.Clone(p.Changes)
	for i := range list {
		if list[i].What == "outcome" {
			list[i].Effect = neutral
		}
	}
	return list
}
