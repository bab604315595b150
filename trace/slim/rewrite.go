package slim

import (
	"strconv"

	"github.com/tracedeck/tracedeck/trace"
)

// rewriter gives the snapshots of one frame new references when some of them
// are left out: what a kept snapshot refers to in one that is gone is written
// out in it, once, and referred to from then on.
type rewriter struct {
	read    func(ordinal int) ([]byte, bool) // the HTML of a snapshot, as it was
	trees   map[int]*tree
	recent  []int // trees in the order of their last use
	out     int   // snapshots written so far
	intact  int   // so many were kept from the first on: their numbers are as they were
	gap     bool
	written map[int][]place // for each snapshot where its nodes are now
	inlined int             // nodes that were written out
	buf     []byte
	count   int32 // nodes of the snapshot at hand
}

// place is where a node is in the copy; snapshot is counted from 1.
type place struct{ snapshot, index int32 }

// maxTrees is how many snapshots are kept taken apart.
const maxTrees = 32

func newRewriter(read func(ordinal int) ([]byte, bool)) *rewriter {
	return &rewriter{read: read, trees: map[int]*tree{}, written: map[int][]place{}}
}

// drop tells of a snapshot that is left out.
func (w *rewriter) drop() { w.gap = true }

// keep returns the HTML that the snapshot has in the copy; changed is false
// where it is the same.
func (w *rewriter) keep(ordinal int, html []byte) (text []byte, changed bool) {
	if !w.gap {
		w.out++
		w.intact++
		return html, false
	}
	t, err := parseTree(html)
	w.out++
	if err != nil {
		return html, true
	}
	w.trees[ordinal] = t
	w.touch(ordinal)
	w.buf, w.count = nil, 0
	w.emit(ordinal, t, t.root, 0)
	return w.buf, true
}

// forget lets go of what later snapshots would have referred to.
func (w *rewriter) forget() {
	w.trees, w.recent, w.written, w.buf = map[int]*tree{}, nil, map[int][]place{}, nil
}

// emit writes a node of a snapshot.
func (w *rewriter) emit(ordinal int, t *tree, id int32, depth int) {
	n := &t.nodes[id]
	if depth > maxDepth {
		w.nothing()
		return
	}
	switch n.kind {
	case referenceNode:
		w.refer(ordinal-n.age, n.index, depth)
		return
	case elementNode:
		w.buf = append(w.buf, t.text[n.start:n.head]...)
		for _, child := range n.children {
			w.buf = append(w.buf, ',')
			w.emit(ordinal, t, child, depth+1)
		}
		w.buf = append(w.buf, ']')
	default:
		w.buf = append(w.buf, t.text[n.start:n.end]...)
		if n.kind == otherNode {
			return
		}
	}
	w.at(ordinal, t, id)
}

// at remembers where a node is now.
func (w *rewriter) at(ordinal int, t *tree, id int32) {
	places := w.written[ordinal]
	if places == nil {
		places = make([]place, len(t.counted))
		w.written[ordinal] = places
	}
	if number := t.number(id); number >= 0 {
		places[number] = place{int32(w.out), w.count}
	}
	w.count++
}

// number is the number by which references mean the node. Nodes are parsed
// in the order of their numbers, so it can be searched for.
func (t *tree) number(id int32) int {
	lo, hi := 0, len(t.counted)
	for lo < hi {
		if mid := (lo + hi) / 2; t.counted[mid] < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(t.counted) && t.counted[lo] == id {
		return lo
	}
	return -1
}

// refer writes a reference to a node, or the node where it is in no snapshot
// of the copy yet.
func (w *rewriter) refer(ordinal, index, depth int) {
	if ordinal < w.intact && ordinal >= 0 {
		w.reference(w.out-1-ordinal, index)
		return
	}
	if places := w.written[ordinal]; index < len(places) && places[index].snapshot > 0 {
		w.reference(w.out-int(places[index].snapshot), int(places[index].index))
		return
	}
	t := w.tree(ordinal)
	if t == nil || index >= len(t.counted) {
		w.nothing()
		return
	}
	w.inlined++
	w.emit(ordinal, t, t.counted[index], depth+1)
}

func (w *rewriter) reference(age, index int) {
	w.buf = append(w.buf, '[', '[')
	w.buf = strconv.AppendInt(w.buf, int64(age), 10)
	w.buf = append(w.buf, ',')
	w.buf = strconv.AppendInt(w.buf, int64(index), 10)
	w.buf = append(w.buf, ']', ']')
}

// nothing stands for a reference to what was never there.
func (w *rewriter) nothing() {
	w.buf = append(w.buf, '"', '"')
	w.count++
}

func (w *rewriter) tree(ordinal int) *tree {
	if t := w.trees[ordinal]; t != nil {
		w.touch(ordinal)
		return t
	}
	html, ok := w.read(ordinal)
	if !ok {
		return nil
	}
	t, err := parseTree(html)
	if err != nil {
		return nil
	}
	w.trees[ordinal] = t
	w.touch(ordinal)
	return t
}

func (w *rewriter) touch(ordinal int) {
	for i, o := range w.recent {
		if o == ordinal {
			w.recent = append(append(w.recent[:i:i], w.recent[i+1:]...), ordinal)
			return
		}
	}
	w.recent = append(w.recent, ordinal)
	if len(w.recent) > maxTrees {
		delete(w.trees, w.recent[0])
		w.recent = w.recent[1:]
	}
}

// overrides follows references between overrides: each names its file.
type overrides map[string]string

// resolve returns what the snapshot's overrides are, by address.
func resolve(history []overrides, list []trace.ResourceOverride) overrides {
	if len(list) == 0 {
		return nil
	}
	o := overrides{}
	for _, r := range list {
		switch {
		case r.File != "":
			o[r.URL] = r.File
		case r.Ref != nil && *r.Ref > 0 && *r.Ref <= len(history):
			if file := history[len(history)-*r.Ref][r.URL]; file != "" {
				o[r.URL] = file
			}
		}
	}
	return o
}

// list is the list with files instead of references. What refers to nothing
// is left out.
func (o overrides) list(old []trace.ResourceOverride) []trace.ResourceOverride {
	list := make([]trace.ResourceOverride, 0, len(old))
	for _, r := range old {
		if file := o[r.URL]; file != "" {
			r.File, r.Ref = file, nil
			list = append(list, r)
		}
	}
	return list
}
