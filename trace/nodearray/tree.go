// Package nodearray takes DOM snapshots in the node-array form apart, as
// Playwright writes them: a text is a string, an element ["NAME", {attributes},
// child …], and [[age, index]] stands for a node of an earlier snapshot.
package nodearray

import (
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// Kind is what a node is.
type Kind uint8

const (
	Text Kind = iota
	Element
	Reference
)

// Node is one node of a snapshot. What it says stays in the tree's JSON.
type Node struct {
	Kind   Kind
	Next   uint32 // the node behind this one and all inside it
	Number uint32 // by which references mean it; they have none themselves
	Text   Extent // of a text: the JSON string; of an element: its name
	Attrs  Extent // the JSON object
}

// Refers says what a reference means: a node's number in the snapshot of the
// same frame that is so many before this one.
func (n *Node) Refers() (age, number uint32) { return n.Attrs.From, n.Attrs.To }

// Extent is a stretch of a tree's JSON.
type Extent struct{ From, To uint32 }

// Tree is a snapshot: its nodes in document order, and where each number is.
type Tree struct {
	JSON  []byte
	Nodes []Node
	Order []uint32 // node by its number
	Bad   int      // values that are no nodes
}

// maxJSON is the longest snapshot that is taken apart, in bytes.
const maxJSON = 1<<32 - 1

// Parse takes a snapshot apart. What follows a syntax error is lost, what comes
// before it is kept; a snapshot without any node is an empty tree. The tree
// keeps the JSON, which must not be changed.
func Parse(json []byte) Tree {
	p := parser{tree: Tree{JSON: json}}
	if len(json) <= maxJSON {
		p.parse()
	}
	return p.tree
}

// Raw is the JSON at an extent.
func (t *Tree) Raw(e Extent) []byte { return t.JSON[e.From:e.To] }

// String is the JSON string at an extent, decoded; "" if it is none.
func (t *Tree) String(e Extent) string {
	s, _ := rawjson.Unquote(t.Raw(e))
	return s
}
