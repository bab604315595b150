package snapshot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/nodearray"
)

// Limits of one walk over a snapshot. References make it possible for a few
// kilobytes to describe a page without end.
const (
	maxNodes = 2 << 20   // nodes of one page
	maxRead  = 512 << 20 // bytes of parsed snapshots that one page refers to
)

// ErrTooLarge is the cause of an error or warning for a page that was cut off
// because it is larger than a page can be.
var ErrTooLarge = errors.New("the page is larger than the limit")

// visitor is told of a page's nodes in document order.
type visitor interface {
	// open returns whether to go on inside the element; close is called then.
	open(t *tree, n *node) bool
	close(t *tree, n *node)
	text(t *tree, n *node)
	// full reports whether what follows is of no use any more.
	full() bool
}

// walker goes over a snapshot with all references followed.
type walker struct {
	ctx      context.Context
	store    *Store
	used     map[int]*parsed
	read     int64
	nodes    int
	stack    []span
	warnings warnings
}

// span is a stretch of sibling nodes that is being gone over.
type span struct {
	t         *tree
	n         int // the snapshot that t is of
	next, end uint32
	element   int // whose children these are; -1 if nothing is to be closed
}

func (s *Store) walker(ctx context.Context) *walker {
	return &walker{ctx: ctx, store: s, used: map[int]*parsed{}}
}

// tree returns a snapshot and keeps it until the walk is done.
func (w *walker) tree(n int) (*parsed, error) {
	if t := w.used[n]; t != nil {
		return t, nil
	}
	t, err := w.store.parsed(w.ctx, n)
	if err != nil {
		return nil, err
	}
	if w.read += t.size(); w.read > maxRead {
		return nil, ErrTooLarge
	}
	w.used[n] = t
	return t, nil
}

// walk tells v of all nodes of snapshot n. Elements that are open when it has
// to stop are closed.
func (w *walker) walk(n int, v visitor) error {
	t, err := w.tree(n)
	if err != nil {
		return err
	}
	w.stack = append(w.stack[:0], span{t.tree, n, 0, t.Nodes[0].Next, -1})
	for len(w.stack) > 0 && err == nil {
		err = w.step(v)
	}
	for len(w.stack) > 0 {
		w.pop(v)
	}
	return err
}

func (w *walker) pop(v visitor) {
	top := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	if top.element >= 0 {
		v.close(top.t, &top.t.Nodes[top.element])
	}
}

func (w *walker) step(v visitor) error {
	top := &w.stack[len(w.stack)-1]
	if top.next >= top.end {
		w.pop(v)
		return nil
	}
	if w.nodes++; w.nodes > w.store.maxNodes {
		return ErrTooLarge
	}
	if w.nodes%1024 == 0 {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if v.full() {
			return ErrTooLarge
		}
	}
	t, i := top.t, top.next
	n := &t.Nodes[i]
	top.next = n.Next
	switch n.Kind {
	case nodearray.Text:
		v.text(t, n)
	case nodearray.Element:
		if v.open(t, n) {
			w.stack = append(w.stack, span{t, top.n, i + 1, n.Next, int(i)})
		}
	case nodearray.Reference:
		return w.follow(top.n, t, i)
	}
	return nil
}

// follow goes on at the node that a reference means. References only lead
// backwards, so there are no rings.
func (w *walker) follow(n int, from *tree, i uint32) error {
	back, index := from.Nodes[i].Refers()
	age := int(back)
	target, ok := w.store.earlier(n, age)
	if !ok {
		w.warnings.add("W_BAD_REFERENCE", n, w.store, fmt.Sprintf("a reference to %d snapshots earlier, which there is not", age))
		return nil
	}
	t, err := w.tree(target)
	if errors.Is(err, ErrTooLarge) || err != nil && w.ctx.Err() != nil {
		return err
	}
	if err != nil {
		w.warnings.add("W_BAD_REFERENCE", n, w.store, err.Error())
		return nil
	}
	if int64(index) >= int64(len(t.Order)) || age == 0 && t.Nodes[t.Order[index]].Next > i {
		w.warnings.add("W_BAD_REFERENCE", n, w.store, fmt.Sprintf("a reference to node %d of %d", index, len(t.Order)))
		return nil
	}
	at := t.Order[index]
	w.stack = append(w.stack, span{t.tree, target, at, t.Nodes[at].Next, -1})
	return nil
}

// warnings collects a few and counts the rest.
type warnings struct {
	list []trace.Warning
	more int
}

func (w *warnings) add(code string, n int, s *Store, text string) {
	if len(w.list) >= 20 {
		w.more++
		return
	}
	p, _ := s.Place(n)
	w.list = append(w.list, trace.Warning{Code: code, Place: fmt.Sprintf("%s:%d", p.Position.File, p.Position.Line), Text: text})
}
