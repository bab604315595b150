package nodearray_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/nodearray"
)

// said writes a tree as names, texts and references, children in brackets.
func said(t *nodearray.Tree) string {
	var b strings.Builder
	var ends []uint32
	for i := range t.Nodes {
		for len(ends) > 0 && uint32(i) >= ends[len(ends)-1] {
			b.WriteString(")")
			ends = ends[:len(ends)-1]
		}
		switch n := &t.Nodes[i]; n.Kind {
		case nodearray.Text:
			fmt.Fprintf(&b, " %d'%s'", n.Number, t.String(n.Text))
		case nodearray.Element:
			fmt.Fprintf(&b, " %d%s%s(", n.Number, t.String(n.Text), t.Raw(n.Attrs))
			ends = append(ends, n.Next)
		case nodearray.Reference:
			age, number := n.Refers()
			fmt.Fprintf(&b, " ^%d.%d", age, number)
		}
	}
	return strings.TrimSpace(b.String() + strings.Repeat(")", len(ends)))
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		json, want string
		bad        int
	}{
		{`["HTML",{},["BODY",{"a":"]"},"one",["P",{},"two \"x\""]]]`, `4HTML{}( 3BODY{"a":"]"}( 0'one' 2P{}( 1'two "x"')))`, 0},
		{`["P"]`, "0P()", 0},
		{`["P",{},[[2,7]],"t"]`, "1P{}( ^2.7 0't')", 0},
		{`[[1,0]]`, "^1.0", 0},
		{`"alone"`, "0'alone'", 0},
		{`["P",{},3,null,{"x":[1]},[],[[1]],[["a",2]],"t"]`, "1P{}( 0't')", 6},
		{`["P","no child","t"]`, "1P( 0't')", 1},
		{`["DIV",{},["P",{},"cut`, `2DIV{}( 1P{}( 0''))`, 0},
		{``, "", 0},
	} {
		tree := nodearray.Parse([]byte(c.json))
		if got := said(&tree); got != c.want || tree.Bad != c.bad {
			t.Errorf("%s: %s, %d bad; want %s, %d", c.json, got, tree.Bad, c.want, c.bad)
		}
	}
}

// FuzzParse holds that nodes nest, and that numbers and nodes mean each other.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`["HTML",{},["BODY",{"a":"]"},"one",[[1,2]],["P",{},"two"]]]`))
	f.Add([]byte(`["A",{},["B"],[["x"]],{}`))
	f.Fuzz(func(t *testing.T, json []byte) {
		tree := nodearray.Parse(json)
		count := uint32(len(tree.Nodes))
		numbered := 0
		for i := range tree.Nodes {
			n := &tree.Nodes[i]
			if n.Next <= uint32(i) || n.Next > count {
				t.Fatalf("node %d of %d ends at %d", i, count, n.Next)
			}
			if n.Kind == nodearray.Reference {
				continue
			}
			tree.Raw(n.Text)
			if numbered++; int(n.Number) >= len(tree.Order) || tree.Order[n.Number] != uint32(i) {
				t.Fatalf("node %d has number %d of %d", i, n.Number, len(tree.Order))
			}
			if n.Kind == nodearray.Element {
				tree.Raw(n.Attrs)
			}
		}
		if numbered != len(tree.Order) {
			t.Fatalf("%d numbers for %d nodes", len(tree.Order), numbered)
		}
		said(&tree)
	})
}
