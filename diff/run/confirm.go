package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
)

// Confirmations is how often a session is taken again when one of its pictures
// is new or differs.
const Confirmations = 2

// NeedsConfirming is whether some picture of the session is new or differs, so
// that it has to be taken again to know that it does so every time.
func (s *Session) NeedsConfirming() bool {
	return slices.ContainsFunc(s.Pictures, unconfirmed)
}

func unconfirmed(p Picture) bool {
	return p.Status == Diff || p.Status == New && p.Actual != nil || p.Status == Missing ||
		p.Status == Error && p.Result != nil
}

// Confirm takes what was found when the same session was taken again. A
// difference counts if most of the pictures differ by more than is allowed;
// one that does not is flaky.
func (c *Comparer) Confirm(ctx context.Context, s *Session, again []*Taken) error {
	for i := range s.Pictures {
		p := &s.Pictures[i]
		if !unconfirmed(*p) {
			continue
		}
		if err := c.vote(ctx, s.ID, p, again); err != nil {
			return err
		}
	}
	s.Settle()
	return nil
}

// vote compares one more picture under the same key for each time the session
// was taken again, and counts.
func (c *Comparer) vote(ctx context.Context, session string, p *Picture, again []*Taken) error {
	votes := []*Picture{p}
	for _, t := range again {
		i := slices.IndexFunc(t.Shots, func(s Shot) bool { return s.Key == p.Key })
		if i < 0 {
			votes = append(votes, &Picture{Key: p.Key, Status: Missing})
			continue
		}
		v, err := c.picture(ctx, session, t.Renderer, t.Shots[i])
		if err != nil {
			return err
		}
		votes = append(votes, v)
	}
	p.count(votes)
	return nil
}

// count settles what most of the votes say.
func (p *Picture) count(votes []*Picture) {
	n := map[Status]int{}
	var seen []blob.Ref
	first := p
	for _, v := range votes {
		n[v.Status]++
		if v.Actual != nil {
			seen = append(seen, v.Actual.Digest)
		}
		if p.Actual == nil && v.Actual != nil {
			first = v
		}
	}
	most, needed := p.Status, len(votes)/2+1
	p.Seen, p.Exceeded = seen, n[Diff]
	p.Agreed = p.Status == Missing || p.agree(votes)
	if p.Status == New || n[most] >= needed {
		p.explain(len(votes))
		return
	}
	p.Status = Flaky
	if p.Actual == nil {
		p.Actual, p.Renderer = first.Actual, first.Renderer
	}
	p.Errors = nil
	p.warn("W_FLAKY", fmt.Sprintf("%d of %d replays differ from the baseline, which is not most of them", len(votes)-n[Pass], len(votes)))
}

// agree is whether two of the pictures are the very same, and makes that one
// the picture to approve.
func (p *Picture) agree(votes []*Picture) bool {
	times := map[blob.Ref][]*baseline.Baseline{}
	for _, v := range votes {
		if v.Actual != nil {
			times[v.Actual.Digest] = append(times[v.Actual.Digest], v.Actual)
		}
	}
	for _, v := range votes {
		if v.Actual != nil && len(times[v.Actual.Digest]) > 1 {
			p.Actual = v.Actual
			if v.Result != nil {
				p.Result = v.Result
			}
			return true
		}
	}
	return false
}

func (p *Picture) explain(votes int) {
	if !p.Agreed && p.Status != Missing {
		p.warn("W_UNSTABLE", fmt.Sprintf("no two of %d replays gave the same picture", votes))
	}
}
