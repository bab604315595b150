package schema_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tracedeck/tracedeck/trace/contract/internal/schema"
)

// maker makes schemas and values at random, from so few names and values that they meet.
type maker struct{ *rand.Rand }

func (m maker) name() string { return string("abc"[m.IntN(3)]) }

func (m maker) value(depth int) any {
	switch k := m.IntN(8); {
	case k == 0:
		return nil
	case k == 1:
		return m.IntN(2) == 0
	case k == 2:
		return []string{"", "a", "b", "ab", "ä"}[m.IntN(5)]
	case k < 5 || depth > 2:
		return json.Number([]string{"0", "1", "1.0", "2", "2.5", "-1", "1e1"}[m.IntN(7)])
	case k < 6:
		list := make([]any, m.IntN(4))
		for i := range list {
			list[i] = m.value(depth + 1)
		}
		return list
	}
	object := map[string]any{}
	for range m.IntN(4) {
		object[m.name()] = m.value(depth + 1)
	}
	return object
}

func (m maker) schema(depth int) any {
	if depth > 3 || m.IntN(12) == 0 {
		return m.IntN(4) > 0
	}
	s := map[string]any{}
	for range 1 + m.IntN(4) {
		m.keyword(s, depth)
	}
	return s
}

func (m maker) list(depth int) []any {
	list := make([]any, 1+m.IntN(3))
	for i := range list {
		list[i] = m.schema(depth + 1)
	}
	return list
}

func (m maker) named(depth int) map[string]any {
	named := map[string]any{}
	for range 1 + m.IntN(3) {
		named[m.name()] = m.schema(depth + 1)
	}
	return named
}

func (m maker) keyword(s map[string]any, depth int) {
	small := func() json.Number { return json.Number([]string{"0", "1", "2", "3"}[m.IntN(4)]) }
	switch k := m.IntN(20); k {
	case 0, 1:
		s["type"] = []any{"null", "boolean", "object", "array", "number", "string", "integer"}[m.IntN(7)]
	case 2:
		s["type"] = []any{"object", "array", "integer"}[m.IntN(2):]
	case 3:
		s["const"] = m.value(1)
	case 4:
		s["enum"] = []any{m.value(1), m.value(1), m.value(1)}
	case 5:
		s[[]string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}[m.IntN(4)]] = json.Number([]string{"0", "1", "1.5", "10"}[m.IntN(4)])
	case 6:
		s["multipleOf"] = json.Number([]string{"1", "0.5", "2"}[m.IntN(3)])
	case 7:
		s[[]string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}[m.IntN(6)]] = small()
	case 8:
		s["pattern"] = []string{"^a", "b$", "."}[m.IntN(3)]
	case 9:
		s["required"] = []any{m.name(), "d"}[m.IntN(2):]
	case 10, 11:
		s["properties"] = m.named(depth)
	case 12:
		s[[]string{"additionalProperties", "unevaluatedProperties"}[m.IntN(2)]] = m.schema(depth + 1)
	case 13:
		s[[]string{"items", "unevaluatedItems"}[m.IntN(2)]] = m.schema(depth + 1)
	case 14:
		s["prefixItems"] = m.list(depth)
	case 15:
		s["contains"] = m.schema(depth + 1)
		if m.IntN(2) == 0 {
			s[[]string{"minContains", "maxContains"}[m.IntN(2)]] = small()
		}
		s["uniqueItems"] = m.IntN(2) == 0
	case 16:
		s[[]string{"allOf", "anyOf", "oneOf"}[m.IntN(3)]] = m.list(depth)
	case 17:
		s["if"], s["then"], s["else"] = m.schema(depth+1), m.schema(depth+1), m.schema(depth+1)
	case 18:
		s[[]string{"not", "propertyNames"}[m.IntN(2)]] = m.schema(depth + 1)
	case 19:
		switch m.IntN(5) {
		case 0:
			s["patternProperties"] = map[string]any{"^[ab]": m.schema(depth + 1)}
		case 1:
			s["dependentSchemas"] = m.named(depth)
		case 2:
			s["dependentRequired"] = map[string]any{m.name(): []any{m.name()}}
		case 3:
			s["$ref"] = "#/$defs/" + m.name()
		default:
			s["$ref"] = []string{"#named", "#/$defs/b", "inner#/$defs/x", "inner"}[m.IntN(4)]
		}
	}
}

func (m maker) document() map[string]any {
	root, ok := m.schema(0).(map[string]any)
	for !ok {
		root, ok = m.schema(0).(map[string]any)
	}
	named := map[string]any{"$anchor": "named", "type": []any{"object", "string", "number"}}
	inner := map[string]any{"$id": "inner", "properties": map[string]any{"a": map[string]any{"$ref": "#/$defs/x"}}, "$defs": map[string]any{"x": m.schema(2)}}
	root["$defs"] = map[string]any{"a": m.schema(2), "b": named, "c": m.schema(2), "inner": inner}
	return root
}

// TestAnswersAreThePeers compares with an established implementation, on schemas and values made at random: whether a
// value fits, and where which keywords are broken.
func TestAnswersAreThePeers(t *testing.T) {
	const documents, values = 500, 12
	m := maker{rand.New(rand.NewPCG(1, 2))}
	fits, breaks := 0, 0
	for range documents {
		doc := m.document()
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		if err := c.AddResource("test:///doc.json", doc); err != nil {
			t.Fatal(err)
		}
		peer, err := c.Compile("test:///doc.json")
		own, err2 := schema.Parse(doc).At("")
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%s\nusable: %v; the peer: %v", text(doc), err2, err)
		}
		if err != nil {
			continue
		}
		for range values {
			v := m.value(0)
			faults, ok := own.Check(v)
			bad, _ := peer.Validate(v).(*jsonschema.ValidationError)
			want := leaves(bad)
			if !ok || (len(faults) > 0) != (bad != nil) {
				t.Fatalf("%s\n%s: %+v (%v); the peer: %v", text(doc), text(v), faults, ok, want)
			}
			if got := places(faults); !strings.Contains(text(doc), "propertyNames") && !slices.Equal(got, want) {
				t.Fatalf("%s\n%s: %q; the peer: %q", text(doc), text(v), got, want)
			}
			if bad == nil {
				fits++
			} else {
				breaks++
			}
		}
	}
	if fits < 500 || breaks < 500 {
		t.Errorf("%d values fit and %d do not: that compares little", fits, breaks)
	}
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func places(faults []schema.Fault) []string {
	var list []string
	for _, f := range faults {
		list = append(list, fmt.Sprintf("%s %s", strings.Join(f.At, "/"), f.Keyword))
	}
	return set(list)
}

func set(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

func leaves(e *jsonschema.ValidationError) []string {
	if e == nil {
		return nil
	}
	var list []string
	if len(e.Causes) == 0 {
		keyword, _, _ := strings.Cut(strings.Join(e.ErrorKind.KeywordPath(), "/"), "/")
		if fmt.Sprintf("%T", e.ErrorKind) == "*kind.Not" {
			keyword = "not"
		}
		list = append(list, fmt.Sprintf("%s %s", strings.Join(e.InstanceLocation, "/"), keyword))
	}
	for _, cause := range e.Causes {
		list = append(list, leaves(cause)...)
	}
	return set(list)
}
