package diff

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/diff/dom"
	"github.com/tracedeck/tracedeck/trace"
)

// domMask masks pages by the rules for them.
type domMask struct{ m *Masks }

func (d domMask) Text(text string) string { return d.m.Text(InDOM, text) }

func (d domMask) Attribute(field, value string) string { return d.m.Field(InDOM, field, value) }

// snapshots returns the pages of one trace, which are read once.
func (c *Comparer) snapshots(ctx context.Context, side int) (*dom.Pages, error) {
	c.pagesMu[side].Lock()
	defer c.pagesMu[side].Unlock()
	if c.pages[side] == nil {
		p, err := dom.Read(ctx, c.sides[side].Archive, domMask{c.masks}, 0)
		if err != nil {
			return nil, err
		}
		c.pages[side] = p
	}
	return c.pages[side], nil
}

// domComparer returns what compares pages, which remembers what it found.
func (c *Comparer) domComparer(pa, pb *dom.Pages) *dom.Comparer {
	c.domOnce.Do(func() { c.dom = dom.NewComparer(pa, pb) })
	return c.dom
}

// holds reports whether a step of a trace has what a section of single steps is
// made of.
func (c *Comparer) holds(name SectionName, side int) bool {
	for i := range c.align.Pairs {
		if s := c.align.Pairs[i].side(side); s != nil && c.has(name, side, s) {
			return true
		}
	}
	return false
}

// has reports whether a step has what a section of single steps is made of.
func (c *Comparer) has(name SectionName, side int, s *Step) bool {
	list := after(s)
	if len(list) > 0 {
		p, err := c.snapshots(context.Background(), side)
		if err != nil || p.Picture(list[0].Position) == (name == Screenshots) {
			return true
		}
	}
	switch name {
	case Screenshots:
		return pictured(s)
	case Accessibility:
		return slices.ContainsFunc(s.action.Aria, func(a *trace.AriaSnapshot) bool { return a.Phase == trace.PhaseAfter })
	}
	return false
}

// after returns the snapshots of the moment after a step: the main frame's
// first, then those of other frames in the order of their addresses.
func after(s *Step) []*trace.Snapshot {
	var list []*trace.Snapshot
	for _, snap := range s.action.Snapshots {
		if snap.Phase == trace.PhaseAfter {
			list = append(list, snap)
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		if list[i].IsMainFrame != list[j].IsMainFrame {
			return list[i].IsMainFrame
		}
		return list[i].FrameURL < list[j].FrameURL
	})
	return list
}

// pairPages compares the pages after a step: their DOM, and what a person who
// cannot see them is told.
func (c *Comparer) pairPages(ctx context.Context, p Pair) ([]Section, error) {
	a, b := after(p.A), after(p.B)
	if len(a) == 0 || len(b) == 0 || !c.wants(DOM) && !c.wants(Accessibility) {
		list := []Section{unrecorded(DOM, len(a) > 0, len(b) > 0)}
		return append(list, c.trees(ctx, p, nil)), nil
	}
	pa, err := c.snapshots(ctx, 0)
	if err != nil {
		return nil, err
	}
	pb, err := c.snapshots(ctx, 1)
	if err != nil {
		return nil, err
	}
	if pa.Picture(a[0].Position) || pb.Picture(b[0].Position) {
		list := []Section{unrecorded(DOM, !pa.Picture(a[0].Position), !pb.Picture(b[0].Position))}
		return append(list, c.trees(ctx, p, nil)), nil
	}
	s, lines, err := c.frames(ctx, pa, pb, a, b)
	if err != nil {
		return nil, err
	}
	return []Section{s, c.trees(ctx, p, lines)}, nil
}

// frames compares the frames of two pages in their order.
func (c *Comparer) frames(ctx context.Context, pa, pb *dom.Pages, a, b []*trace.Snapshot) (Section, []Change, error) {
	var changes []Change
	lines := []Change{}
	s := Section{}
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			changes = append(changes, Change{Kind: Added, Effect: neutral, What: "frame", B: clip(b[i].FrameURL, maxShown)})
			continue
		case i >= len(b):
			changes = append(changes, Change{Kind: Removed, Effect: neutral, What: "frame", A: clip(a[i].FrameURL, maxShown)})
			continue
		}
		masked, strict := dom.Equal(pa, a[i].Position, pb, b[i].Position)
		if masked && strict {
			continue
		}
		d, err := c.domComparer(pa, pb).Compare(ctx, a[i].Position, b[i].Position)
		if err != nil {
			if ctx.Err() != nil {
				return s, nil, err
			}
			s.Note = err.Error()
			changes = append(changes, Change{Kind: ChangeValue, Effect: neutral, What: "page", Note: "the pages differ; one of them cannot be read again"})
			continue
		}
		for _, h := range d.Hidden {
			c.hid.hid(c.masks, InDOM, h.Field, h.A, h.B)
		}
		if d.CutOff {
			s.Note = "a page is too large to be compared in every detail"
		}
		changes = append(changes, treeChanges(d.Tree)...)
		if d.Tree != nil && s.Tree == nil {
			s.Tree = d.Tree
		} else if d.Tree != nil {
			s.Tree = &dom.Node{Kind: dom.Same, Name: "frames", Children: []*dom.Node{s.Tree, d.Tree}}
		}
		if !masked {
			more, err := c.outlines(ctx, pa, pb, a[i], b[i])
			if err != nil {
				return s, nil, err
			}
			lines = append(lines, more...)
		}
	}
	out := section(DOM, changes)
	out.Tree, out.Note = s.Tree, s.Note
	return out, lines, nil
}

// treeChanges lists what differs in a tree of a page, by where it is.
func treeChanges(root *dom.Node) []Change {
	var list []Change
	var walk func(n *dom.Node, path string)
	walk = func(n *dom.Node, path string) {
		at := path
		if n.Name != "#text" {
			at = strings.TrimPrefix(path+" > "+n.Name, " > ")
		}
		switch {
		case n.Name == "#text" && n.Kind == dom.Changed:
			list = append(list, Change{Kind: ChangeValue, Effect: neutral, What: "text", Path: at, A: n.A, B: n.B})
		case n.Kind == dom.Added, n.Kind == dom.Removed, n.Kind == dom.Moved:
			list = append(list, Change{Kind: ChangeKind(n.Kind), Effect: neutral, What: element(n), Path: at, A: n.A, B: n.B})
		case n.A != "" || n.B != "":
			list = append(list, Change{Kind: ChangeValue, Effect: neutral, What: "element", Path: at, A: n.A, B: n.B})
		case n.Kind == dom.Changed && len(n.Attributes) == 0 && len(n.Children) == 0:
			list = append(list, Change{Kind: ChangeValue, Effect: neutral, What: "element", Path: at})
		}
		for _, a := range n.Attributes {
			list = append(list, Change{Kind: ChangeKind(a.Kind), Effect: neutral, What: "attribute " + a.Name, Path: at, A: a.A, B: a.B})
		}
		for _, child := range n.Children {
			walk(child, at)
		}
	}
	if root != nil {
		walk(root, "")
	}
	return list
}

func element(n *dom.Node) string {
	if n.Name == "#text" {
		return "text"
	}
	return "element"
}

// outlines compares what a person who cannot see two pages is told of them.
func (c *Comparer) outlines(ctx context.Context, pa, pb *dom.Pages, a, b *trace.Snapshot) ([]Change, error) {
	key := [2]uint64{pa.Digest(a.Position), pb.Digest(b.Position)}
	c.heardMu.Lock()
	list, ok := c.heard[key]
	c.heardMu.Unlock()
	if ok {
		return list, nil
	}
	x, err := pa.Outline(ctx, a.Position)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	y, err := pb.Outline(ctx, b.Position)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	list = c.outlineChanges(x, y)
	c.heardMu.Lock()
	defer c.heardMu.Unlock()
	if c.heard == nil || len(c.heard) >= maxHeard {
		c.heard = map[[2]uint64][]Change{}
	}
	c.heard[key] = list
	return list, nil
}

// maxHeard is how many pairs of pages are remembered with what became of their
// outlines: many steps leave a page as it is.
const maxHeard = 256

func (c *Comparer) outlineChanges(x, y []string) []Change {
	known := map[string]int{}
	number := func(list []string) []int {
		ids := make([]int, len(list))
		for i, line := range list {
			m := c.masks.Text(InDOM, line)
			if _, ok := known[m]; !ok {
				known[m] = len(known)
			}
			ids[i] = known[m]
		}
		return ids
	}
	s := &matcher{ctx: context.Background()}
	idsX, idsY := number(x), number(y)
	var list []Change
	i, j := 0, 0
	for _, p := range append(s.common(span{0, len(x), 0, len(y)}, idsX, idsY), [2]int{len(x), len(y)}) {
		for i < p[0] || j < p[1] {
			ch := Change{Effect: neutral, What: "accessible element"}
			takeA, takeB := i < p[0], j < p[1]
			if takeA && takeB && role(x[i]) != role(y[j]) {
				takeB = false
			}
			ch.Kind = kindOf(takeA, takeB)
			if takeA {
				ch.A, ch.What = x[i], role(x[i])
				i++
			}
			if takeB {
				ch.B, ch.What = y[j], role(y[j])
				j++
			}
			list = append(list, ch)
		}
		i, j = p[0]+1, p[1]+1
	}
	return list
}

func role(line string) string {
	r, _, _ := strings.Cut(line, " ")
	return r
}

// trees compares accessibility trees where both traces recorded them, and takes
// what the pages say otherwise; nil lines mean that they say nothing.
func (c *Comparer) trees(ctx context.Context, p Pair, lines []Change) Section {
	a, inA := c.aria(ctx, 0, p.A)
	b, inB := c.aria(ctx, 1, p.B)
	switch {
	case inA && inB:
		return section(Accessibility, c.outlineChanges(a, b))
	case lines != nil:
		return section(Accessibility, lines)
	}
	return unrecorded(Accessibility, inA, inB)
}

// ariaNode is a node of a recorded accessibility tree.
type ariaNode struct {
	Role     string          `json:"role"`
	Name     string          `json:"name"`
	Text     string          `json:"text"`
	Level    int             `json:"level"`
	Children json.RawMessage `json:"children"`
}

func (c *Comparer) aria(ctx context.Context, side int, s *Step) ([]string, bool) {
	for _, snap := range s.action.Aria {
		if snap.Phase != trace.PhaseAfter {
			continue
		}
		body := c.resource(ctx, side, snap.File)
		if body == nil {
			continue
		}
		lines, err := ariaLines(body, nil, 0)
		return lines, err == nil
	}
	return nil, false
}

var errTooDeep = errors.New("the tree is too deep")

func ariaLines(body []byte, lines []string, deep int) ([]string, error) {
	if deep > 500 {
		return lines, errTooDeep
	}
	var nodes []json.RawMessage
	if err := json.Unmarshal(body, &nodes); err != nil {
		return lines, err
	}
	for _, raw := range nodes {
		var n ariaNode
		if json.Unmarshal(raw, &n) != nil {
			continue
		}
		line := n.Role
		if n.Name != "" {
			line += fmt.Sprintf(" %q", n.Name)
		}
		if n.Text != "" && n.Text != n.Name {
			line += ": " + n.Text
		}
		if n.Level > 0 {
			line += fmt.Sprintf(" [level=%d]", n.Level)
		}
		lines = append(lines, strings.TrimSpace(line))
		if len(n.Children) > 0 {
			var err error
			if lines, err = ariaLines(n.Children, lines, deep+1); err != nil {
				return lines, err
			}
		}
	}
	return lines, nil
}
