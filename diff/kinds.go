package diff

import (
	"sort"
	"strconv"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// occurrence is something that happened: a failure, or a message.
type occurrence struct {
	kind   string // what makes two the same, masked
	what   string // "console error"
	text   string // as it was
	at     trace.Time
	pair   int
	path   string // of the page
	bad    bool
	always bool // it speaks for the session, whatever was done on the other side
}

// kind is what is the same in several occurrences. How often it came never
// decides: polling and timing change that.
type kind struct {
	occurrence // the first, by text where moments are alike
	count      [2]int
	first      [2]*occurrence
}

// kinds groups what happened in both traces.
func kinds(sides [2][]occurrence) []*kind {
	all := map[string]*kind{}
	for side, list := range sides {
		for i := range list {
			o := &list[i]
			k := all[o.kind]
			if k == nil {
				k = &kind{occurrence: *o}
				all[o.kind] = k
			}
			k.count[side]++
			if f := k.first[side]; f == nil || o.at < f.at || o.at == f.at && o.text < f.text {
				k.first[side] = o
			}
		}
	}
	list := make([]*kind, 0, len(all))
	for _, name := range sortedKeys(all) {
		list = append(list, all[name])
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].when() < list[j].when() })
	return list
}

// when is where the kind is told: in the order of the pairs.
func (k *kind) when() int {
	if k.first[1] != nil {
		return k.first[1].pair
	}
	return k.first[0].pair
}

// compareKinds says which kinds are new, gone, or came much more often.
func (c *Comparer) compareKinds(scope Scope, sides [2][]occurrence) []Change {
	var changes []Change
	for _, k := range kinds(sides) {
		a, b := k.first[0], k.first[1]
		switch {
		case a != nil && b != nil:
			c.hid.hid(c.masks, scope, "", a.text, b.text)
			if k.count[0] != k.count[1] && k.bad {
				ch := Change{Kind: ChangeValue, Effect: told, What: k.what, A: clip(a.text, maxShown), B: clip(b.text, maxShown), CountA: k.count[0], CountB: k.count[1], Note: "it came more or less often"}
				if c.o.StrictCounts {
					ch.Effect = strictly(k.count[0], k.count[1])
				}
				changes = append(changes, c.at(c.joint(a.pair, b.pair), ch))
			}
		case b != nil:
			changes = append(changes, c.oneSided(1, k, b))
		default:
			changes = append(changes, c.oneSided(0, k, a))
		}
	}
	return changes
}

func strictly(a, b int) verdict.Outcome {
	switch {
	case b >= 2*a:
		return worse
	case a >= 2*b:
		return better
	}
	return told
}

// oneSided is a kind that only one trace has. It counts where the other one
// did what led to it.
func (c *Comparer) oneSided(side int, k *kind, o *occurrence) Change {
	ch := Change{Kind: Added, Effect: neutral, What: k.what, B: clip(o.text, maxShown), CountB: k.count[1]}
	if side == 0 {
		ch = Change{Kind: Removed, Effect: neutral, What: k.what, A: clip(o.text, maxShown), CountA: k.count[0]}
	}
	if k.bad {
		ch.Effect = worse
		if side == 0 {
			ch.Effect = better
		}
		if !o.always && !c.done(side, o.pair, o.path) {
			ch.Effect, ch.Note = unclear, "not exercised: "+otherSide(side)+" has neither the step nor the page"
		}
	}
	return c.at(o.pair, ch)
}

func otherSide(side int) string {
	if side == 0 {
		return "B"
	}
	return "A"
}

// maxJoined is how many changes are looked at for what replaced what.
const maxJoined = 2000

// joinReplaced makes one change of a message that is gone and one that is new
// where they are of one sort and alike: "hello Ada" is now "hello Grace".
func joinReplaced(list []Change) []Change {
	if len(list) > maxJoined {
		return list
	}
	gone := map[string][]int{}
	for i, c := range list {
		if c.Kind == Removed && c.Effect == neutral {
			gone[c.group()] = append(gone[c.group()], i)
		}
	}
	drop := map[int]bool{}
	for i, c := range list {
		if c.Kind != Added || c.Effect != neutral {
			continue
		}
		for _, k := range gone[c.group()] {
			if old := list[k]; !drop[k] && overlap(words(old.A), words(c.B)) >= replaced {
				drop[k] = true
				list[i].Kind, list[i].A, list[i].CountA = ChangeValue, old.A, old.CountA
				break
			}
		}
	}
	kept := list[:0:0]
	for i, c := range list {
		if !drop[i] {
			kept = append(kept, c)
		}
	}
	return kept
}

// replaced is the share of words that a message has in common with the one
// that it replaced, in thousandths.
const replaced = 300

// group is what two changes have in common of which one may be the other's
// replacement.
func (c *Change) group() string {
	if c.Pair == nil {
		return c.What
	}
	return c.What + " " + strconv.Itoa(*c.Pair)
}
