package dom

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/tracedeck/tracedeck/trace"
)

// Kind says what became of a node.
type Kind string

// What can become of a node.
const (
	Same    Kind = "same" // it differs only inside
	Changed Kind = "changed"
	Added   Kind = "added"
	Removed Kind = "removed"
	Moved   Kind = "moved" // to another place below the same element
)

// Node is a part of a page that differs, or that has such parts inside. Parts
// that are equal are left out.
type Node struct {
	Kind Kind `json:"kind"`
	// Name is the element as a selector would name it, "li.done"; "#text" is
	// a text.
	Name       string            `json:"name"`
	Attributes []AttributeChange `json:"attributes,omitempty"`
	A          string            `json:"a,omitempty"` // the text in A
	B          string            `json:"b,omitempty"`
	Children   []*Node           `json:"children,omitempty"`
}

// AttributeChange is an attribute that differs.
type AttributeChange struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	A    string `json:"a,omitempty"`
	B    string `json:"b,omitempty"`
}

// Hidden is a difference that masks hid.
type Hidden struct {
	Field string // the attribute's, "" for a text
	A, B  string
}

// Diff is how two pages differ.
type Diff struct {
	Tree *Node // nil where they are the same
	// Changes is how many texts, attributes and elements differ.
	Changes int
	Hidden  []Hidden
	// CutOff says that the pages are too large to be compared whole.
	CutOff bool
}

// Comparer compares snapshots of two traces, and remembers what it found of
// parts that many snapshots have. It is safe for concurrent use.
type Comparer struct {
	a, b *Pages

	mu    sync.Mutex
	found map[[2]hashes]part
}

// part is how two nodes differ, with all below them.
type part struct {
	node    *Node
	changes int
	hidden  []Hidden
}

// maxParts is how many parts a Comparer remembers.
const maxParts = 1 << 15

// NewComparer returns a Comparer of two traces.
func NewComparer(a, b *Pages) *Comparer { return &Comparer{a: a, b: b, found: map[[2]hashes]part{}} }

func (r *Comparer) get(x, y *ref) (part, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok := r.found[[2]hashes{x.h, y.h}]
	return p, ok
}

func (r *Comparer) put(x, y *ref, p part) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.found) >= maxParts {
		clear(r.found)
	}
	r.found[[2]hashes{x.h, y.h}] = p
}

// Compare says how two snapshots differ.
func Compare(ctx context.Context, a *Pages, atA trace.Position, b *Pages, atB trace.Position) (*Diff, error) {
	return NewComparer(a, b).Compare(ctx, atA, atB)
}

// Compare says how two snapshots differ.
func (r *Comparer) Compare(ctx context.Context, atA, atB trace.Position) (*Diff, error) {
	visits := 0
	c := &comparison{a: visitor{ctx, r.a, &visits}, b: visitor{ctx, r.b, &visits}, diff: &Diff{}, known: r}
	x, err := c.a.root(atA)
	if err != nil {
		return nil, err
	}
	y, err := c.b.root(atB)
	if err != nil {
		return nil, err
	}
	if x == nil || y == nil {
		return c.diff, nil
	}
	tree, err := c.nodes(x, y, 0)
	if errors.Is(err, errTooLarge) {
		c.diff.CutOff = true
		err = nil
		if tree == nil && x.h.masked != y.h.masked {
			tree = &Node{Kind: Changed, Name: x.name()}
		}
	}
	c.diff.Tree = tree
	return c.diff, err
}

type comparison struct {
	a, b  visitor
	diff  *Diff
	known *Comparer
}

// maxChanges is how many changes of a page are told.
const maxChanges = 1 << 14

// maxHidden is how many hidden differences are looked for in a page.
const maxHidden = 200

// nodes compares two nodes that stand for each other.
func (c *comparison) nodes(x, y *ref, deep int) (*Node, error) {
	if x.h == y.h || x.h.masked == y.h.masked && len(c.diff.Hidden) >= maxHidden {
		return nil, nil
	}
	if deep > maxDeep {
		return nil, errTooLarge
	}
	if x.isText() && y.isText() {
		return c.texts(x, y), nil
	}
	if x.isText() != y.isText() || x.name() != y.name() {
		c.diff.Changes++
		return &Node{Kind: Changed, Name: c.label(c.b, y), A: c.shown(c.a, x), B: c.shown(c.b, y)}, nil
	}
	if c.diff.Changes > maxChanges {
		return nil, errTooLarge
	}
	if p, ok := c.known.get(x, y); ok {
		if c.diff.Changes+p.changes > maxChanges {
			return nil, errTooLarge // few nodes can stand for a tree without end
		}
		c.diff.Changes += p.changes
		for _, h := range p.hidden {
			c.hid(h.Field, h.A, h.B)
		}
		return p.node, nil
	}
	changes, hidden := c.diff.Changes, len(c.diff.Hidden)
	n, err := c.element(x, y, deep)
	if err == nil {
		c.known.put(x, y, part{n, c.diff.Changes - changes, slices.Clone(c.diff.Hidden[hidden:])})
	}
	return n, err
}

func (c *comparison) element(x, y *ref, deep int) (*Node, error) {
	n := &Node{Kind: Same}
	n.Attributes = c.attributes(x, y)
	if len(n.Attributes) > 0 {
		n.Kind = Changed
	}
	err := c.inside(n, x, y, deep)
	if n.Kind == Same && len(n.Children) == 0 {
		return nil, err
	}
	n.Name = c.label(c.b, y)
	return n, err
}

func (c *comparison) texts(x, y *ref) *Node {
	if x.h.masked == y.h.masked {
		c.hid("", x.text(), y.text())
		return nil
	}
	c.diff.Changes++
	return &Node{Kind: Changed, Name: "#text", A: clip(x.text()), B: clip(y.text())}
}

func (c *comparison) hid(field, a, b string) {
	if a != b && len(c.diff.Hidden) < maxHidden {
		c.diff.Hidden = append(c.diff.Hidden, Hidden{field, a, b})
	}
}

func (c *comparison) attributes(x, y *ref) (list []AttributeChange) {
	a := c.a.p.attributes(x.name(), x.attrs())
	b := c.b.p.attributes(y.name(), y.attrs())
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Name < b[0].Name:
			list = append(list, AttributeChange{Name: shownName(a[0].Name), Kind: Removed, A: clip(a[0].Value)})
			a = a[1:]
		case len(a) == 0 || b[0].Name < a[0].Name:
			list = append(list, AttributeChange{Name: shownName(b[0].Name), Kind: Added, B: clip(b[0].Value)})
			b = b[1:]
		default:
			if a[0].masked != b[0].masked {
				list = append(list, AttributeChange{Name: shownName(a[0].Name), Kind: Changed, A: clip(a[0].Value), B: clip(b[0].Value)})
			} else {
				c.hid(a[0].Name, a[0].Value, b[0].Value)
			}
			a, b = a[1:], b[1:]
		}
	}
	c.diff.Changes += len(list)
	return list
}

// inside compares what is below two elements.
func (c *comparison) inside(n *Node, x, y *ref, deep int) error {
	xs, err := c.a.children(x)
	if err != nil {
		return err
	}
	ys, err := c.b.children(y)
	if err != nil {
		return err
	}
	for _, p := range c.pairs(xs, ys) {
		var child *Node
		switch {
		case p.x != nil && p.y != nil:
			child, err = c.nodes(p.x, p.y, deep+1)
			if p.moved && err == nil {
				c.diff.Changes++
				child = moved(child, c.label(c.b, p.y))
			}
		case p.y != nil:
			child = &Node{Kind: Added, Name: c.label(c.b, p.y), B: c.shown(c.b, p.y)}
			c.diff.Changes++
		default:
			child = &Node{Kind: Removed, Name: c.label(c.a, p.x), A: c.shown(c.a, p.x)}
			c.diff.Changes++
		}
		if child != nil {
			n.Children = append(n.Children, child)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func moved(n *Node, name string) *Node {
	if n == nil {
		return &Node{Kind: Moved, Name: name}
	}
	again := *n // n may be part of other results
	again.Kind = Moved
	return &again
}
