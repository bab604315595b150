package slim

import (
	"errors"
	"strconv"
)

// node is one node of a snapshot's HTML: a text, an element, a reference to a
// node of another snapshot, or something else that is kept as it is.
type node struct {
	kind       nodeKind
	start, end int // its text, in the snapshot's
	head       int // where an element's children begin
	children   []int32
	age, index int // of a reference
}

type nodeKind uint8

const (
	textNode nodeKind = iota
	elementNode
	referenceNode
	otherNode
)

// tree is a snapshot's HTML taken apart. counted lists the nodes that a
// reference can mean, by their number: children before their parent.
type tree struct {
	text    []byte
	nodes   []node
	counted []int32
	root    int32
}

var errNotHTML = errors.New("not the HTML of a snapshot")

// maxDepth is how deeply nodes may be nested; browsers stop at 512.
const maxDepth = 10_000

func parseTree(text []byte) (*tree, error) {
	p := &treeParser{tree: tree{text: text}}
	root, err := p.node(0)
	if err != nil {
		return nil, err
	}
	p.blanks()
	if p.i != len(text) {
		return nil, errNotHTML
	}
	p.tree.root = root
	return &p.tree, nil
}

type treeParser struct {
	tree
	i int
}

func (p *treeParser) blanks() {
	for p.i < len(p.text) {
		switch p.text[p.i] {
		case ' ', '\t', '\r', '\n':
			p.i++
		default:
			return
		}
	}
}

func (p *treeParser) peek() byte {
	p.blanks()
	if p.i >= len(p.text) {
		return 0
	}
	return p.text[p.i]
}

func (p *treeParser) take(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.i++
	return true
}

func (p *treeParser) add(n node) int32 {
	p.nodes = append(p.nodes, n)
	id := int32(len(p.nodes) - 1)
	if n.kind == textNode || n.kind == elementNode {
		p.counted = append(p.counted, id)
	}
	return id
}

func (p *treeParser) node(depth int) (int32, error) {
	if depth > maxDepth {
		return 0, errNotHTML
	}
	first := p.peek()
	start := p.i
	switch first {
	case '"':
		err := p.skip(0)
		return p.add(node{kind: textNode, start: start, end: p.i}), err
	case '[':
		p.i++
		switch p.peek() {
		case '"':
			return p.element(start, depth)
		case '[':
			if age, index, ok := p.reference(); ok {
				return p.add(node{kind: referenceNode, start: start, end: p.i, age: age, index: index}), nil
			}
		}
		p.i = start
	}
	err := p.skip(depth)
	return p.add(node{kind: otherNode, start: start, end: p.i}), err
}

func (p *treeParser) element(start, depth int) (int32, error) {
	if err := p.skip(0); err != nil {
		return 0, err
	}
	n := node{kind: elementNode, start: start, head: p.i}
	for first := true; p.take(','); first = false {
		if first && p.peek() == '{' {
			if err := p.skip(depth); err != nil {
				return 0, err
			}
			n.head = p.i
			continue
		}
		child, err := p.node(depth + 1)
		if err != nil {
			return 0, err
		}
		n.children = append(n.children, child)
	}
	if !p.take(']') {
		return 0, errNotHTML
	}
	n.end = p.i
	return p.add(n), nil
}

// reference reads "[age,index]]", of which the first bracket is behind.
func (p *treeParser) reference() (age, index int, ok bool) {
	if !p.take('[') {
		return 0, 0, false
	}
	age, ok = p.number()
	if !ok || !p.take(',') {
		return 0, 0, false
	}
	index, ok = p.number()
	return age, index, ok && p.take(']') && p.take(']')
}

func (p *treeParser) number() (int, bool) {
	p.blanks()
	start := p.i
	for p.i < len(p.text) && p.text[p.i] >= '0' && p.text[p.i] <= '9' {
		p.i++
	}
	n, err := strconv.Atoi(string(p.text[start:p.i]))
	return n, err == nil
}

// skip steps over any value.
func (p *treeParser) skip(depth int) error {
	switch c := p.peek(); c {
	case 0:
		return errNotHTML
	case '"':
		return p.skipString()
	case '{', '[':
		return p.skipNested(depth)
	default:
		for p.i < len(p.text) {
			switch p.text[p.i] {
			case ',', ']', '}', ' ', '\n', '\t', '\r':
				return nil
			}
			p.i++
		}
		return nil
	}
}

func (p *treeParser) skipString() error {
	for p.i++; p.i < len(p.text); p.i++ {
		switch p.text[p.i] {
		case '\\':
			p.i++
		case '"':
			p.i++
			return nil
		}
	}
	return errNotHTML
}

func (p *treeParser) skipNested(int) error {
	open := 0
	for p.i < len(p.text) {
		switch p.text[p.i] {
		case '"':
			if err := p.skipString(); err != nil {
				return err
			}
			continue
		case '{', '[':
			open++
		case '}', ']':
			open--
		}
		p.i++
		if open == 0 {
			return nil
		}
	}
	return errNotHTML
}
