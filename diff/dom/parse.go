package dom

import (
	"encoding/json"
	"strconv"
	"strings"
)

type nodeKind uint8

const (
	textNode nodeKind = iota
	elementNode
	referenceNode
)

// node is one node of a snapshot. Its text stays in the JSON.
type node struct {
	kind  nodeKind
	next  uint32 // the node behind this one and all inside it
	post  uint32 // number by which references mean it
	text  extent // of a text its JSON string, of an element its name
	attrs extent // the JSON object; of a reference its age and index
}

// extent is a stretch of JSON.
type extent struct{ from, to uint32 }

// maxJSON is the longest snapshot that is taken apart, in bytes.
const maxJSON = 1 << 30

// parser takes a snapshot apart. It does not recurse, and what follows a
// mistake is lost while what comes before is kept.
type parser struct {
	json  []byte
	i     int
	nodes []node
	order []uint32 // node by number of reference
	open  []uint32
}

func parse(text []byte) ([]node, []uint32) {
	p := &parser{json: text}
	if len(text) > maxJSON {
		return nil, nil
	}
	for p.blanks(); p.i < len(p.json); p.blanks() {
		switch p.json[p.i] {
		case ',':
			p.i++
		case ']':
			p.i++
			p.close()
		case '"':
			p.add(node{kind: textNode, text: p.string()})
			p.number(uint32(len(p.nodes) - 1))
		case '[':
			p.array()
		default:
			p.skip()
		}
		if len(p.open) == 0 {
			break
		}
	}
	for len(p.open) > 0 {
		p.close()
	}
	return p.nodes, p.order
}

func (p *parser) add(n node) {
	n.next = uint32(len(p.nodes) + 1)
	p.nodes = append(p.nodes, n)
}

func (p *parser) number(i uint32) {
	p.nodes[i].post = uint32(len(p.order))
	p.order = append(p.order, i)
}

func (p *parser) close() {
	if len(p.open) == 0 {
		return
	}
	i := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	p.nodes[i].next = uint32(len(p.nodes))
	p.number(i)
}

func (p *parser) blanks() {
	for p.i < len(p.json) && (p.json[p.i] == ' ' || p.json[p.i] == '\t' || p.json[p.i] == '\n' || p.json[p.i] == '\r') {
		p.i++
	}
}

func (p *parser) peek() byte {
	if p.blanks(); p.i < len(p.json) {
		return p.json[p.i]
	}
	return 0
}

func (p *parser) string() extent {
	from := p.i
	for p.i++; p.i < len(p.json) && p.json[p.i] != '"'; p.i++ {
		if p.json[p.i] == '\\' {
			p.i++
		}
	}
	p.i = min(p.i+1, len(p.json))
	return extent{uint32(from), uint32(p.i)}
}

// skip steps over any value.
func (p *parser) skip() extent {
	from, depth := p.i, 0
	for p.i < len(p.json) {
		switch c := p.json[p.i]; {
		case c == '"':
			p.string()
		case c == '[' || c == '{':
			depth++
			p.i++
		case c == ']' || c == '}':
			if depth--; depth < 0 {
				p.i = max(p.i, from+1)
				return extent{uint32(from), uint32(p.i)}
			}
			p.i++
		case c == ',' && depth == 0 && p.i > from:
			return extent{uint32(from), uint32(p.i)}
		default:
			p.i++
			continue
		}
		if depth == 0 {
			break
		}
	}
	return extent{uint32(from), uint32(p.i)}
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
		p.i = start
		p.skip()
	}
}

func (p *parser) element() {
	n := node{kind: elementNode, text: p.string()}
	if p.peek() == ',' {
		p.i++
		if c := p.peek(); c == '{' {
			n.attrs = p.skip()
		} else if c != ']' && c != 0 {
			p.skip() // the second place is never a child
		}
	}
	p.open = append(p.open, uint32(len(p.nodes)))
	p.add(n)
}

// reference reads [[age,index]]. References are not numbered themselves.
func (p *parser) reference(start int) {
	inner := p.skip()
	if p.peek() != ']' {
		p.i = start
		p.skip()
		return
	}
	p.i++
	text := string(p.json[inner.from:inner.to])
	age, index, ok := strings.Cut(strings.Trim(text, "[] \t\r\n"), ",")
	a, err1 := strconv.ParseUint(strings.TrimSpace(age), 10, 32)
	b, err2 := strconv.ParseUint(strings.TrimSpace(index), 10, 32)
	if ok && err1 == nil && err2 == nil {
		p.add(node{kind: referenceNode, attrs: extent{uint32(a), uint32(b)}})
	}
}

// unquote returns the text of a JSON string.
func unquote(raw []byte) string {
	if len(raw) >= 2 && raw[0] == '"' && raw[len(raw)-1] == '"' && strings.IndexByte(string(raw), '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}
