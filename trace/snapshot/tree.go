package snapshot

import (
	"bytes"
	"errors"
	"unsafe"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
	"github.com/tracedeck/tracedeck/trace/nodearray"
)

// tree is a parsed snapshot. It is not changed once it is made.
type tree struct{ nodearray.Tree }

type node = nodearray.Node

// size is about how many bytes the tree takes.
func (t *tree) size() int64 {
	return int64(cap(t.JSON) + int(unsafe.Sizeof(node{}))*cap(t.Nodes) + 4*cap(t.Order) + 200)
}

// name returns the element's name as it was recorded.
func (t *tree) name(n *node) []byte {
	raw := t.Raw(n.Text)
	if bytes.IndexByte(raw, '\\') < 0 && len(raw) >= 2 {
		return raw[1 : len(raw)-1]
	}
	return []byte(t.String(n.Text))
}

func (t *tree) text(n *node) string { return t.String(n.Text) }

var errNotNodes = errors.New("the html is not a node")

// parseTree takes a snapshot's html apart. What follows a syntax error is
// lost, what comes before it is kept.
func parseTree(json []byte) (*tree, error) {
	t := &tree{nodearray.Parse(json)}
	if len(t.Nodes) == 0 {
		return t, errNotNodes
	}
	return t, nil
}

// attribute is one attribute of an element, as recorded.
type attribute struct{ name, value string }

// attributes appends the element's attributes to list. Values that are no
// strings are taken as their JSON text.
func (t *tree) attributes(list []attribute, n *node) []attribute {
	if n.Attrs.From == n.Attrs.To {
		return list
	}
	obj, err := rawjson.Parse(t.Raw(n.Attrs))
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
