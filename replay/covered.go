package replay

import (
	"bytes"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

// part is an element as far as it tells whether it is the one that lay
// somewhere, in the same state.
type part struct {
	Tag        string            `json:"tag"`
	Attributes map[string]string `json:"attributes"`
}

// coveredThen reports whether what lies over a target lay there when it was
// recorded, too: the click fell on the same place, and a snapshot shows the
// same element, in the same state. Then the recorded click was one on it, as
// those are that fall beside their element.
func (r *run) coveredThen(ctx context.Context, d *doing, t *target, obstacle *determinism.Handle) bool {
	a := d.planned.action
	if a.Error != nil || a.Unfinished || len(a.Inputs) == 0 || a.Inputs[0].Point == nil {
		return false
	}
	const near = 10 // CSS pixels
	if at := a.Inputs[0].Point; math.Abs(at.X-t.x) > near || math.Abs(at.Y-t.y) > near {
		return false
	}
	var chain []part
	if err := t.e.Call(ctx, "function (hit) { return __deckReplay.over(this, hit) }", &chain, obstacle); err != nil {
		return false
	}
	if len(chain) == 0 { // it is what the target is in
		x, y := t.x-t.box.X, t.y-t.box.Y
		return x < 0 || y < 0 || x > t.box.Width || y > t.box.Height
	}
	pages := snapshot.FromTrace(r.a, r.t)
	for _, s := range a.Snapshots {
		n, ok := pages.Lookup(snapshot.Key{File: s.Position.File, CallID: s.CallID, Phase: s.Phase, FrameID: s.FrameID})
		if !ok || s.Phase == trace.PhaseAfter {
			continue
		}
		var page bytes.Buffer
		if _, err := pages.Render(ctx, &page, n, snapshot.Options{NoCanvas: true, NoTarget: true, MaxBytes: largestPage}); err != nil {
			continue
		}
		if root, err := html.Parse(&page); err == nil && holds(root, chain) {
			return true
		}
	}
	return false
}

// largestPage is how many bytes of HTML of a recorded page are looked at.
const largestPage = 32 << 20

// holds reports whether a page has elements one inside of the other, outermost
// first, with others between them or none.
func holds(n *html.Node, chain []part) bool {
	if n.Type == html.ElementNode {
		p := part{Tag: n.Data, Attributes: map[string]string{}}
		for _, a := range n.Attr {
			p.Attributes[a.Key] = a.Val
		}
		if p.same(chain[0]) {
			if chain = chain[1:]; len(chain) == 0 {
				return true
			}
		}
	}
	for c := range n.ChildNodes() {
		if holds(c, chain) {
			return true
		}
	}
	return false
}

// same reports whether two are of one kind, with the same names and states.
func (p part) same(o part) bool {
	return strings.EqualFold(p.Tag, o.Tag) && maps.Equal(p.told(), o.told())
}

// told are the attributes that tell elements and their states apart. Where it
// is and how large says nothing.
func (p part) told() map[string]string {
	told := map[string]string{}
	for name, value := range p.Attributes {
		switch name = strings.ToLower(name); {
		case name == "class":
			words := strings.Fields(value)
			slices.Sort(words)
			told[name] = strings.Join(words, " ")
		case name == "style":
			for rule := range strings.SplitSeq(value, ";") {
				property, of, _ := strings.Cut(rule, ":")
				if property = strings.ToLower(strings.TrimSpace(property)); slices.Contains([]string{"display", "visibility", "opacity", "pointer-events", "position", "z-index"}, property) {
					told[property] = strings.TrimSpace(of)
				}
			}
		case slices.Contains([]string{"id", "role", "hidden", "open", "inert", "aria-hidden", "aria-modal", "aria-expanded", "data-state", "popover"}, name):
			told[name] = value
		}
	}
	return told
}
