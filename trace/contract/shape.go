// Package contract learns what the answers of an API look like from traces, and
// says where another answer breaks with it: a field that is missing or of another
// type, a list of something else, errors where there were answers. It keeps shapes
// and counts, never values.
package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace/har/template"
)

// DefaultDepth is how many levels of objects and lists are looked into.
const DefaultDepth = 3

// MaxDepth is the most that can be asked for.
const MaxDepth = 8

const (
	maxItems  = 50  // of a list that are looked at
	maxFields = 500 // of an object
)

// Kinds of JSON values, as they stand in shapes.
const (
	Object  = "object"
	Array   = "array"
	String  = "string"
	Number  = "number"
	Boolean = "boolean"
	Null    = "null"
)

// Shape is what the values at one place of many answers look like.
type Shape struct {
	Kinds  map[string]int    `json:"kinds"`            // how many values were of each kind
	Fields map[string]*Field `json:"fields,omitempty"` // of objects
	Items  *Shape            `json:"items,omitempty"`  // of all elements of lists; nil while only empty ones were seen
	// Opaque says that the objects or lists were not looked into, because they
	// lie too deep.
	Opaque bool `json:"opaque,omitempty"`
}

// Field is a member of objects. One that is an id, of which any may be there,
// has the name ":id".
type Field struct {
	Present int    `json:"present"` // in how many of the objects
	Shape   *Shape `json:"shape"`
}

// Required reports whether a field was in all objects.
func (s *Shape) Required(name string) bool {
	f := s.Fields[name]
	return f != nil && name != template.ID && f.Present >= s.Kinds[Object]
}

// names returns the fields in alphabetical order.
func (s *Shape) names() []string {
	list := make([]string, 0, len(s.Fields))
	for name := range s.Fields {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}

// kinds returns the kinds that were seen, in alphabetical order.
func (s *Shape) kinds() []string {
	var list []string
	for kind, n := range s.Kinds {
		if n > 0 {
			list = append(list, kind)
		}
	}
	sort.Strings(list)
	return list
}

// known reports whether anything but null was seen.
func (s *Shape) known() bool {
	return s != nil && len(s.Kinds) > 0 && !(len(s.Kinds) == 1 && s.Kinds[Null] > 0)
}

// String returns the shape in short: {"id": number, "tags?": [string]}.
func (s *Shape) String() string {
	if s == nil {
		return "any"
	}
	var parts []string
	for _, kind := range s.kinds() {
		switch {
		case s.Opaque && (kind == Object || kind == Array):
			parts = append(parts, kind)
		case kind == Object:
			var fields []string
			for _, name := range s.names() {
				mark := "?"
				if s.Required(name) {
					mark = ""
				}
				fields = append(fields, strconv.Quote(name+mark)+": "+s.Fields[name].Shape.String())
			}
			parts = append(parts, "{"+strings.Join(fields, ", ")+"}")
		case kind == Array:
			parts = append(parts, "["+s.Items.String()+"]")
		default:
			parts = append(parts, kind)
		}
	}
	return strings.Join(parts, " | ")
}

var errNotJSON = errors.New("it is no JSON")

// Of returns the shape of one JSON text, looked into as deep as depth says. It
// goes wrong where the text is no JSON.
func Of(text []byte, depth int) (*Shape, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	s := &Shape{}
	if err := s.read(d, depth, 0); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotJSON
	}
	return s, nil
}

// maxNesting is how deep a text may be nested at all.
const maxNesting = 500

// read adds the next value of the decoder.
func (s *Shape) read(d *json.Decoder, depth, nested int) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	if nested > maxNesting {
		return errNotJSON
	}
	switch v := t.(type) {
	case json.Delim:
		if v == '{' {
			return s.readObject(d, depth, nested)
		}
		return s.readArray(d, depth, nested)
	case string:
		s.count(String)
	case json.Number:
		s.count(Number)
	case bool:
		s.count(Boolean)
	default:
		s.count(Null)
	}
	return nil
}

func (s *Shape) count(kind string) {
	if s.Kinds == nil {
		s.Kinds = map[string]int{}
	}
	s.Kinds[kind]++
}

func (s *Shape) readObject(d *json.Decoder, depth, nested int) error {
	s.count(Object)
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := t.(string)
		into := &Shape{}
		if depth > 0 {
			into = s.field(name, seen)
		}
		if err := into.read(d, depth-1, nested+1); err != nil {
			return err
		}
	}
	s.Opaque = s.Opaque || depth <= 0
	_, err := d.Token()
	return err
}

// field returns the shape of a member's values, and counts it once an object.
func (s *Shape) field(name string, seen map[string]bool) *Shape {
	if template.Variable(name) || len(name) > 200 {
		name = template.ID
	}
	if s.Fields == nil {
		s.Fields = map[string]*Field{}
	}
	f := s.Fields[name]
	if f == nil {
		if len(s.Fields) >= maxFields {
			return &Shape{}
		}
		f = &Field{Shape: &Shape{}}
		s.Fields[name] = f
	}
	if !seen[name] {
		seen[name] = true
		f.Present++
	}
	return f.Shape
}

func (s *Shape) readArray(d *json.Decoder, depth, nested int) error {
	s.count(Array)
	for i := 0; d.More(); i++ {
		into := &Shape{}
		if depth > 0 && i < maxItems {
			if s.Items == nil {
				s.Items = &Shape{}
			}
			into = s.Items
		}
		if err := into.read(d, depth-1, nested+1); err != nil {
			return err
		}
	}
	s.Opaque = s.Opaque || depth <= 0
	_, err := d.Token()
	return err
}

// Merge adds all that other was made of.
func (s *Shape) Merge(other *Shape) {
	if other == nil {
		return
	}
	if s.Kinds == nil {
		s.Kinds = map[string]int{}
	}
	for kind, n := range other.Kinds {
		s.Kinds[kind] += n
	}
	s.Opaque = s.Opaque || other.Opaque
	for name, f := range other.Fields {
		if s.Fields == nil {
			s.Fields = map[string]*Field{}
		}
		if s.Fields[name] == nil {
			if len(s.Fields) >= maxFields {
				continue
			}
			s.Fields[name] = &Field{Shape: &Shape{}}
		}
		s.Fields[name].Present += f.Present
		s.Fields[name].Shape.Merge(f.Shape)
	}
	if other.Items != nil {
		if s.Items == nil {
			s.Items = &Shape{}
		}
		s.Items.Merge(other.Items)
	}
}
