package codegen

import (
	"context"
	"slices"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

// Compare looks at another recording of the same session: elements whose text is
// another one there are masked in pictures, and their texts are not asserted. It
// returns how many steps the two have in common. Both archives must still be open.
func (s *Scenario) Compare(ctx context.Context, other *Scenario) (common int) {
	mine := &domReader{s: s, store: snapshot.FromTrace(s.archive, s.trace), cache: map[trace.Position]*dom{}}
	theirs := &domReader{s: other, store: snapshot.FromTrace(other.archive, other.trace), cache: map[trace.Position]*dom{}}
	masks := map[string][]Element{} // by page address
	for i, j := range s.alike(other) {
		common++
		if j > maxLooked || ctx.Err() != nil {
			break
		}
		step := s.Steps[i]
		shot, twin := s.settled(i), other.settled(j)
		a, b := mine.read(ctx, shot), theirs.read(ctx, twin)
		if a == nil || b == nil {
			continue
		}
		differ := a.differing(b)
		address := path(shot.FrameURL)
		masks[address] = merged(append(masks[address], differ...))
		step.Effects = slices.DeleteFunc(step.Effects, func(e Effect) bool {
			return slices.ContainsFunc(differ, func(d Element) bool { return d.Selector == e.Target.Selector }) || b.lacks(e)
		})
	}
	for i, step := range s.Steps {
		if shot := s.settled(i); shot != nil {
			step.Masks = merged(append(slices.Clip(step.Masks), masks[path(shot.FrameURL)]...))
		}
	}
	return common
}

// alike yields the steps that both sessions took, in their order: those that do
// the same to the same element.
func (s *Scenario) alike(other *Scenario) func(yield func(i, j int) bool) {
	return func(yield func(i, j int) bool) {
		from := 0
		for i, step := range s.Steps {
			for j := from; j < len(other.Steps); j++ {
				twin := other.Steps[j]
				if step.Action == nil || twin.Verb != step.Verb || twin.Target.Selector != step.Target.Selector || twin.Page != step.Page {
					continue
				}
				if !yield(i, j) {
					return
				}
				from = j + 1
				break
			}
		}
	}
}

// differing are the innermost elements that both pages have with another text.
func (d *dom) differing(b *dom) (list []Element) {
	outer := map[int]bool{}
	for i := len(d.named) - 1; i >= 0; i-- {
		n := d.named[i]
		j, ok := b.byKey[n.key]
		if outer[i] || d.dropped(n.key) || !ok || b.named[j].text == n.text {
			continue
		}
		for _, p := range n.parents {
			outer[p] = true
		}
		list = append(list, Element{Selector: n.key})
	}
	slices.Reverse(list)
	return list
}

// lacks reports whether a text that stands for itself is not on the page.
func (d *dom) lacks(e Effect) bool {
	if _, named := d.byKey[e.Target.Selector]; named || e.Text != "" {
		return false
	}
	for text := range d.leaves {
		if textSelector(text) == e.Target.Selector {
			return false
		}
	}
	for _, n := range d.named {
		if n.key == e.Target.Selector {
			return false
		}
	}
	return true
}
