package nodearray

import (
	"strconv"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// parser does not recurse: nesting is only limited by the line's length.
type parser struct {
	tree Tree
	i    int
	open []uint32
}

func (p *parser) parse() {
	for p.blanks(); p.i < len(p.tree.JSON); p.blanks() {
		switch p.tree.JSON[p.i] {
		case ',':
			p.i++
		case ']':
			p.i++
			p.close()
		case '"':
			p.add(Node{Kind: Text, Text: p.string()})
			p.number(uint32(len(p.tree.Nodes) - 1))
		case '[':
			p.array()
		default:
			p.tree.Bad++
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

func (p *parser) blanks() {
	b := p.tree.JSON
	for p.i < len(b) && (b[p.i] == ' ' || b[p.i] == '\t' || b[p.i] == '\n' || b[p.i] == '\r') {
		p.i++
	}
}

func (p *parser) peek() byte {
	if p.blanks(); p.i < len(p.tree.JSON) {
		return p.tree.JSON[p.i]
	}
	return 0
}

// string steps over the JSON string at the current place.
func (p *parser) string() Extent {
	b, from := p.tree.JSON, p.i
	for p.i++; p.i < len(b) && b[p.i] != '"'; p.i++ {
		if b[p.i] == '\\' {
			p.i++
		}
	}
	p.i = min(p.i+1, len(b))
	return Extent{uint32(from), uint32(p.i)}
}

// skip steps over any value.
func (p *parser) skip() Extent {
	from := p.i
	for depth := 0; p.i < len(p.tree.JSON); {
		switch c := p.tree.JSON[p.i]; {
		case c == '"':
			p.string()
		case c == '[' || c == '{':
			depth++
			p.i++
		case c == ']' || c == '}':
			if depth--; depth < 0 {
				p.i = max(p.i, from+1) // never stand still
				return Extent{uint32(from), uint32(p.i)}
			}
			p.i++
		case c == ',' && depth == 0 && p.i > from:
			return Extent{uint32(from), uint32(p.i)}
		default:
			p.i++
			continue // a number or a word ends at what follows it
		}
		if depth == 0 {
			break
		}
	}
	return Extent{uint32(from), uint32(p.i)}
}

func (p *parser) add(n Node) {
	n.Next = uint32(len(p.tree.Nodes) + 1)
	p.tree.Nodes = append(p.tree.Nodes, n)
}

func (p *parser) close() {
	if len(p.open) == 0 {
		return
	}
	i := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	p.tree.Nodes[i].Next = uint32(len(p.tree.Nodes))
	p.number(i)
}

// number gives a node the next number by which references mean it.
func (p *parser) number(i uint32) {
	p.tree.Nodes[i].Number = uint32(len(p.tree.Order))
	p.tree.Order = append(p.tree.Order, i)
}

func (p *parser) array() {
	start := p.i
	p.i++
	switch p.peek() {
	case '[':
		p.reference(start)
	case '"':
		p.element()
	default:
		p.tree.Bad++
		p.i = start
		p.skip()
	}
}

func (p *parser) element() {
	n := Node{Kind: Element, Text: p.string()}
	if p.peek() == ',' {
		p.i++
		switch p.peek() {
		case '{':
			n.Attrs = p.skip()
		case ']', 0:
		default: // the second place is never a child
			p.tree.Bad++
			p.skip()
		}
	}
	p.open = append(p.open, uint32(len(p.tree.Nodes)))
	p.add(n)
}

// reference reads [[age,index]]. References are not counted.
func (p *parser) reference(start int) {
	inner := p.skip()
	pair, err := rawjson.Elements(p.tree.Raw(inner))
	if p.peek() != ']' {
		p.i = start
		p.skip()
	} else {
		p.i++
	}
	if err != nil || len(pair) != 2 {
		p.tree.Bad++
		return
	}
	age, err1 := strconv.ParseUint(string(pair[0]), 10, 32)
	index, err2 := strconv.ParseUint(string(pair[1]), 10, 32)
	if err1 != nil || err2 != nil {
		p.tree.Bad++
		return
	}
	p.add(Node{Kind: Reference, Attrs: Extent{uint32(age), uint32(index)}})
}
