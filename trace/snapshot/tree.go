package snapshot

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

type nodeKind uint8

const (
	textNode nodeKind = iota
	elementNode
	referenceNode
)

// node is one node of a snapshot. Its text stays in the tree's JSON.
type node struct {
	kind  nodeKind
	next  uint32 // the node behind this one and all inside it
	text  extent // of a text: the JSON string; of an element: its name
	attrs extent // the JSON object; of a reference: age and index
}

// extent is a stretch of the tree's JSON.
type extent struct{ from, to uint32 }

// tree is a parsed snapshot: its nodes in document order, and the order in
// which references count them. It is not changed once it is made.
type tree struct {
	json  []byte
	nodes []node
	post  []uint32 // node number by reference index
	bad   int      // values that are no nodes
}

// size is about how many bytes the tree takes.
func (t *tree) size() int64 { return int64(cap(t.json) + 24*cap(t.nodes) + 4*cap(t.post) + 200) }

func (t *tree) raw(e extent) []byte { return t.json[e.from:e.to] }

// name returns the element's name as it was recorded.
func (t *tree) name(n *node) []byte {
	raw := t.raw(n.text)
	if bytes.IndexByte(raw, '\\') < 0 && len(raw) >= 2 {
		return raw[1 : len(raw)-1]
	}
	s, _ := rawjson.Unquote(raw)
	return []byte(s)
}

func (t *tree) text(n *node) string {
	s, _ := rawjson.Unquote(t.raw(n.text))
	return s
}

var errNotNodes = errors.New("the html is not a node")

// parseTree takes a snapshot's html apart. What follows a syntax error is
// lost, what comes before it is kept.
func parseTree(json []byte) (*tree, error) {
	p := treeParser{t: &tree{json: json}}
	if len(json) >= 1<<32 {
		return p.t, errNotNodes
	}
	p.parse()
	if len(p.t.nodes) == 0 {
		return p.t, errNotNodes
	}
	return p.t, nil
}

// treeParser does not recurse: nesting is only limited by the line's length.
type treeParser struct {
	t    *tree
	i    int
	open []uint32
}

func (p *treeParser) parse() {
	for p.blanks(); p.i < len(p.t.json); p.blanks() {
		switch p.t.json[p.i] {
		case ',':
			p.i++
		case ']':
			p.i++
			p.close()
		case '"':
			e := p.string()
			p.add(node{kind: textNode, text: e})
			p.t.post = append(p.t.post, uint32(len(p.t.nodes)-1))
		case '[':
			p.array()
		default:
			p.t.bad++
			p.skip()
		}
		if len(p.open) == 0 {
			break // one node is the whole snapshot
		}
	}
	for len(p.open) > 0 {
		p.close()
	}
}

func (p *treeParser) blanks() {
	b := p.t.json
	for p.i < len(b) && (b[p.i] == ' ' || b[p.i] == '\t' || b[p.i] == '\n' || b[p.i] == '\r') {
		p.i++
	}
}

func (p *treeParser) peek() byte {
	if p.blanks(); p.i < len(p.t.json) {
		return p.t.json[p.i]
	}
	return 0
}

// string steps over the JSON string at the current place.
func (p *treeParser) string() extent {
	b, from := p.t.json, p.i
	for p.i++; p.i < len(b) && b[p.i] != '"'; p.i++ {
		if b[p.i] == '\\' {
			p.i++
		}
	}
	p.i = min(p.i+1, len(b))
	return extent{uint32(from), uint32(p.i)}
}

// skip steps over any value.
func (p *treeParser) skip() extent {
	from := p.i
	for depth := 0; p.i < len(p.t.json); {
		switch c := p.t.json[p.i]; {
		case c == '"':
			p.string()
		case c == '[' || c == '{':
			depth++
			p.i++
		case c == ']' || c == '}':
			if depth--; depth < 0 {
				p.i = max(p.i, from+1) // never stand still
				return extent{uint32(from), uint32(p.i)}
			}
			p.i++
		case c == ',' && depth == 0 && p.i > from:
			return extent{uint32(from), uint32(p.i)}
		default:
			p.i++
			continue // a number or a word ends at what follows it
		}
		if depth == 0 {
			break
		}
	}
	return extent{uint32(from), uint32(p.i)}
}

func (p *treeParser) add(n node) {
	n.next = uint32(len(p.t.nodes) + 1)
	p.t.nodes = append(p.t.nodes, n)
}

func (p *treeParser) close() {
	if len(p.open) == 0 {
		return
	}
	i := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	p.t.nodes[i].next = uint32(len(p.t.nodes))
	p.t.post = append(p.t.post, i)
}

func (p *treeParser) array() {
	start := p.i
	p.i++
	switch p.peek() {
	case '[':
		p.reference(start)
	case '"':
		p.element()
	default:
		p.t.bad++
		p.i = start
		p.skip()
	}
}

func (p *treeParser) element() {
	n := node{kind: elementNode, text: p.string()}
	if p.peek() == ',' {
		p.i++
		switch p.peek() {
		case '{':
			n.attrs = p.skip()
		case ']', 0:
		default: // the second place is never a child
			p.t.bad++
			p.skip()
		}
	}
	p.open = append(p.open, uint32(len(p.t.nodes)))
	p.add(n)
}

// reference reads [[age,index]]. References are not counted.
func (p *treeParser) reference(start int) {
	inner := p.skip()
	pair, err := rawjson.Elements(p.t.raw(inner))
	if p.peek() != ']' {
		p.i = start
		p.skip()
	} else {
		p.i++
	}
	if err != nil || len(pair) != 2 {
		p.t.bad++
		return
	}
	age, err1 := strconv.ParseUint(string(pair[0]), 10, 32)
	index, err2 := strconv.ParseUint(string(pair[1]), 10, 32)
	if err1 != nil || err2 != nil {
		p.t.bad++
		return
	}
	p.add(node{kind: referenceNode, attrs: extent{uint32(age), uint32(index)}})
}

// attribute is one attribute of an element, as recorded.
type attribute struct{ name, value string }

// attributes appends the element's attributes to list. Values that are no
// strings are taken as their JSON text.
func (t *tree) attributes(list []attribute, n *node) []attribute {
	if n.attrs.from == n.attrs.to {
		return list
	}
	obj, err := rawjson.Parse(t.raw(n.attrs))
	if err != nil {
		return list
	}
	for _, m := range obj {
		v, ok := rawjson.Unquote(m.Value)
		if !ok && len(m.Value) > 0 && m.Value[0] != '{' && m.Value[0] != '[' {
			v = string(m.Value)
		}
		list = append(list, attribute{m.Key, v})
	}
	return list
}
