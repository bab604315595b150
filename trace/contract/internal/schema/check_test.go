package schema_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/contract/internal/schema"
)

func parse(t testing.TB, s string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// The example of JSON Schema 2020-12, section 8.2.3.2: a strict tree extends a tree whose children are what extends it.
const trees = `{"$id":"https://example.com/strict-tree","$dynamicAnchor":"node","$ref":"tree","unevaluatedProperties":false,
"$defs":{"tree":{"$id":"https://example.com/tree","$dynamicAnchor":"node","type":"object",
"properties":{"data":true,"children":{"type":"array","items":{"$dynamicRef":"#node"}}}}}}`

func TestReferences(t *testing.T) {
	for _, c := range []struct{ doc, pointer, value, faults string }{
		{trees, "", `{"children":[{"data":1}]}`, ""},
		{trees, "", `{"children":[{"daat":1}]}`, "children ;children/0/daat "},
		{trees, "/$defs/tree", `{"children":[{"daat":1}]}`, ""},
		{`{"a":{"$ref":"#/a"}}`, "/a", `1`, " "},
		{`{"a":{"anyOf":[{"type":"null"},{"type":"object","properties":{"next":{"$ref":"#/a"}}}]}}`, "/a", `{"next":{"next":{"next":null}}}`, ""},
		{`{"x y":{"a/b":{"type":"string"}}}`, "/x%20y/a~1b", `1`, " type"},
	} {
		s, err := schema.Parse(parse(t, c.doc)).At(c.pointer)
		if err != nil {
			t.Fatal(err)
		}
		faults, ok := s.Check(parse(t, c.value))
		if got := strings.Join(places(faults), ";"); !ok || got != c.faults {
			t.Errorf("%s of %s: %q, want %q", c.value, c.doc, got, c.faults)
		}
	}
}

func TestSchemasThatCannotBeUsed(t *testing.T) {
	for _, doc := range []string{`{"$ref":"#/nowhere"}`, `{"$ref":"other.json"}`, `{"$ref":"#x"}`, `{"pattern":"("}`, `{"type":"file"}`, `{"minLength":-1}`,
		`{"allOf":[]}`, `{"properties":{"a":7}}`, `{"required":"a"}`, `{"multipleOf":0}`, `7`, `{"items":{"items":{"$ref":"#/nowhere"}}}`} {
		if _, err := schema.Parse(parse(t, doc)).At(""); !errors.Is(err, schema.ErrUnusable) {
			t.Errorf("%s: %v", doc, err)
		}
	}
}

func TestWorkIsBounded(t *testing.T) {
	// Every level asks twice for the one below.
	doc := map[string]any{}
	for level := range 40 {
		next := map[string]any{"$ref": "#/" + strings.Repeat("x", level+1)}
		doc[strings.Repeat("x", level)] = map[string]any{"allOf": []any{next, next}}
	}
	doc[strings.Repeat("x", 40)] = true
	s, err := schema.Parse(doc).At("/x")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Check("v"); ok {
		t.Error("2 to the 39 checks were made")
	}
	if r, ok := s.Check(json.Number("1e999999999")); ok && len(r) > 0 {
		t.Error(r)
	}
}

// FuzzCheck: whatever a document and a value are, checking ends, and a value fits the schema that is true.
func FuzzCheck(f *testing.F) {
	f.Add(trees, `{"children":[{"daat":1}]}`)
	f.Add(`{"$ref":"#","items":{"$dynamicRef":"#"},"uniqueItems":true}`, `[1,1.0,[2],1e400]`)
	f.Fuzz(func(t *testing.T, doc, value string) {
		var d, v any
		for text, into := range map[string]*any{doc: &d, value: &v} {
			dec := json.NewDecoder(strings.NewReader(text))
			dec.UseNumber()
			if dec.Decode(into) != nil {
				return
			}
		}
		if s, err := schema.Parse(d).At(""); err == nil {
			s.Check(v)
		} else if !errors.Is(err, schema.ErrUnusable) {
			t.Error(err)
		}
		s, err := schema.Parse(map[string]any{"both": []any{d, true}}).At("/both/1")
		if err != nil {
			t.Fatal(err)
		}
		if faults, ok := s.Check(v); !ok || len(faults) > 0 {
			t.Errorf("%v does not fit true: %v", v, faults)
		}
	})
}
