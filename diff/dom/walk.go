package dom

import (
	"context"
	"errors"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/nodearray"
)

// ref is a node of a page, with references followed.
type ref struct {
	g *page
	b *body
	i uint32
	h hashes
}

func (r *ref) node() *nodearray.Node { return &r.b.Nodes[r.i] }

func (r *ref) isText() bool { return r.node().Kind == nodearray.Text }

// name returns the element's name in lower case.
func (r *ref) name() string {
	n := r.node()
	return strings.ToLower(unquote(r.b.Raw(n.Text)))
}

// attrs returns the element's attributes, a JSON object.
func (r *ref) attrs() []byte { return r.b.Raw(r.node().Attrs) }

// text returns a text with its blanks joined.
func (r *ref) text() string {
	n := r.node()
	return strings.Join(strings.Fields(unquote(r.b.Raw(n.Text))), " ")
}

// Limits of one comparison. References make it possible for a few kilobytes to
// describe a page without end.
const (
	maxVisits = 1 << 18
	maxDeep   = 1500
)

// errTooLarge says that a page is too large to be compared whole.
var errTooLarge = errors.New("the page is too large to be compared in detail")

// visitor goes over the nodes of one trace.
type visitor struct {
	ctx    context.Context
	p      *Pages
	visits *int
}

func (v visitor) spend(n int) error {
	before := *v.visits
	if *v.visits += n; *v.visits > maxVisits {
		return errTooLarge
	}
	if before>>10 != *v.visits>>10 {
		return v.ctx.Err()
	}
	return nil
}

// children returns the nodes right below one. Texts of blanks alone are left
// out.
func (v visitor) children(r *ref) ([]*ref, error) {
	n := r.node()
	if n.Kind != nodearray.Element {
		return nil, nil
	}
	var list []*ref
	for i := r.i + 1; i < n.Next; i = r.b.Nodes[i].Next {
		if err := v.spend(1); err != nil {
			return list, err
		}
		c, err := v.follow(r.g, r.b, i)
		if err != nil {
			return list, err
		}
		if c != nil && c.h != (hashes{}) {
			list = append(list, c)
		}
	}
	return list, nil
}

// follow returns node i, or what it refers to; nil where that is nothing.
func (v visitor) follow(g *page, b *body, i uint32) (*ref, error) {
	n := &b.Nodes[i]
	if n.Kind != nodearray.Reference {
		return &ref{g, b, i, g.hash[n.Number]}, nil
	}
	t, k, ok := v.p.target(g, b, i)
	if !ok {
		return nil, nil
	}
	tb, err := v.p.load(v.ctx, t)
	if err != nil {
		return nil, err
	}
	return &ref{t, tb, tb.Order[k], t.hash[k]}, nil
}

// root returns the root of a snapshot; nil where it has none.
func (v visitor) root(at trace.Position) (*ref, error) {
	g := v.p.byLine[place{at.File, at.Line}]
	if g == nil || g.empty {
		return nil, nil
	}
	b, err := v.p.load(v.ctx, g)
	if err != nil {
		return nil, err
	}
	return v.follow(g, b, 0)
}

// Has reports whether the snapshot at a place was read.
func (p *Pages) Has(at trace.Position) bool {
	g := p.byLine[place{at.File, at.Line}]
	return g != nil && !g.empty
}

// Equal reports whether two snapshots are equal once they are masked, and
// whether they are equal without that too.
func Equal(a *Pages, atA trace.Position, b *Pages, atB trace.Position) (masked, strict bool) {
	x, y := a.digest(atA), b.digest(atB)
	return x.masked == y.masked, x.strict == y.strict
}

// Digest returns a number that two snapshots of one program run share only
// when they are equal.
func (p *Pages) Digest(at trace.Position) uint64 { return p.digest(at).strict }

func (p *Pages) digest(at trace.Position) hashes {
	g := p.byLine[place{at.File, at.Line}]
	if g == nil {
		return hashes{}
	}
	return g.rootHash
}
