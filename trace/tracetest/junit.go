package tracetest

import (
	"bytes"
	_ "embed" // the schema
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// junitSchema is Jenkins' schema of JUnit XML, which its licence in it lets
// anybody copy.
//
//go:embed junit.xsd
var junitSchema []byte

// schemaElement is an element as the schema declares it.
type schemaElement struct {
	Name     string `xml:"name,attr"`
	Type     string `xml:"type,attr"`
	Children []struct {
		Ref string `xml:"ref,attr"`
		Min string `xml:"minOccurs,attr"`
		Max string `xml:"maxOccurs,attr"`
	} `xml:"complexType>sequence>element"`
	Attributes []struct {
		Name string `xml:"name,attr"`
		Use  string `xml:"use,attr"`
	} `xml:"complexType>attribute"`
}

// node is an element of a document.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Nodes   []node     `xml:",any"`
	Text    string     `xml:",chardata"`
}

// JUnit fails the test if a document is not valid by the schema of JUnit XML:
// elements that are not declared, out of order, too many or missing, and
// attributes that are not declared or missing.
func JUnit(t testing.TB, document []byte) {
	t.Helper()
	var schema struct {
		Elements []schemaElement `xml:"element"`
	}
	if err := xml.Unmarshal(junitSchema, &schema); err != nil {
		t.Fatal(err)
	}
	var root node
	d := xml.NewDecoder(bytes.NewReader(document))
	err := d.Decode(&root)
	if _, end := d.Token(); err == nil && !errors.Is(end, io.EOF) && end != nil {
		err = end
	}
	if err != nil {
		t.Fatalf("%v in\n%s", err, document)
	}
	if err := valid(schema.Elements, &root); err != nil {
		t.Errorf("%v in\n%.3000s", err, document)
	}
}

func valid(schema []schemaElement, n *node) error {
	name := n.XMLName.Local
	i := slices.IndexFunc(schema, func(e schemaElement) bool { return e.Name == name })
	if i < 0 {
		return fmt.Errorf("there is no element %s", name)
	}
	e := &schema[i]
	for _, a := range n.Attrs {
		if !slices.ContainsFunc(e.Attributes, func(s struct {
			Name string `xml:"name,attr"`
			Use  string `xml:"use,attr"`
		}) bool {
			return s.Name == a.Name.Local
		}) {
			return fmt.Errorf("%s has no attribute %s", name, a.Name.Local)
		}
	}
	for _, s := range e.Attributes {
		if s.Use == "required" && !slices.ContainsFunc(n.Attrs, func(a xml.Attr) bool { return a.Name.Local == s.Name }) {
			return fmt.Errorf("%s needs the attribute %s", name, s.Name)
		}
	}
	if len(e.Children) > 0 && strings.TrimSpace(n.Text) != "" {
		return fmt.Errorf("%s holds text", name)
	}
	return e.sequence(schema, n)
}

// sequence holds the children against those declared, in their order.
func (e *schemaElement) sequence(schema []schemaElement, n *node) error {
	rest := n.Nodes
	for _, c := range e.Children {
		count := 0
		for ; len(rest) > 0 && rest[0].XMLName.Local == c.Ref; rest, count = rest[1:], count+1 {
			if err := valid(schema, &rest[0]); err != nil {
				return err
			}
		}
		if count == 0 && c.Min != "0" || count > 1 && c.Max != "unbounded" {
			return fmt.Errorf("%s holds %d %s", e.Name, count, c.Ref)
		}
	}
	if len(rest) > 0 {
		return fmt.Errorf("%s holds %s, or holds it out of order", e.Name, rest[0].XMLName.Local)
	}
	return nil
}
