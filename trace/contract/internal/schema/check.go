package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Fault is one thing in which a value breaks its schema.
type Fault struct {
	At      []string // names and indexes from the value's root
	Keyword string   // that is broken; empty where the schema is false
	Missing []string // of required: the properties that are not there
	Got     string   // of type: what it is
	Want    []string // of type: what it may be
	Extra   int      // of additionalProperties: how many are not allowed
}

// Schema is one that can be used.
type Schema struct {
	d    *Document
	root any
}

// At returns the schema at a JSON Pointer that is written as in a fragment. The error is ErrUnusable.
func (d *Document) At(pointer string) (*Schema, error) {
	s, err := follow(d.root, pointer)
	if err == nil {
		err = d.inspect(s, map[uintptr]bool{}, 0)
	}
	if err != nil {
		return nil, err
	}
	return &Schema{d, s}, nil
}

// maxSteps bounds the work for one value: schemas that branch can ask for any amount.
const maxSteps = 1 << 19

// Check returns what v, whose numbers are json.Number, breaks. ok is false where that takes too much work to say.
func (s *Schema) Check(v any) (faults []Fault, ok bool) {
	c := &check{d: s.d}
	faults, _ = c.schema(s.root, v, nil, nil)
	return faults, c.steps <= maxSteps
}

type check struct {
	d     *Document
	steps int
}

// frame is one schema that is being applied.
type frame struct {
	schema map[string]any
	value  int // how many names and indexes lead to the value
	parent *frame
}

// covered are the members and items of a value that a schema has looked at.
type covered struct {
	names map[string]bool
	items map[int]bool
}

func (c *covered) add(o covered) {
	for name := range o.names {
		c.name(name)
	}
	for i := range o.items {
		c.item(i)
	}
}

func (c *covered) name(s string) {
	if c.names == nil {
		c.names = map[string]bool{}
	}
	c.names[s] = true
}

func (c *covered) item(i int) {
	if c.items == nil {
		c.items = map[int]bool{}
	}
	c.items[i] = true
}

// run is one schema applied to one value.
type run struct {
	*check
	s      map[string]any
	at     []string
	frame  *frame
	faults []Fault
	seen   covered
}

func (c *check) schema(schema, v any, at []string, parent *frame) ([]Fault, covered) {
	if c.steps++; c.steps > maxSteps {
		return nil, covered{}
	}
	if allowed, isBool := schema.(bool); isBool {
		if allowed {
			return nil, covered{}
		}
		return []Fault{{At: slices.Clone(at)}}, covered{}
	}
	s, _ := schema.(map[string]any)
	f := &frame{s, len(at), parent}
	depth := 0
	for p := parent; p != nil; p = p.parent {
		depth++
		if p.value == f.value && identity(p.schema) == identity(s) || depth > 4*maxDepth {
			return []Fault{{At: slices.Clone(at)}}, covered{} // a schema that refers to itself
		}
	}
	r := &run{check: c, s: s, at: at, frame: f}
	r.all(v)
	return r.faults, r.seen
}

func (r *run) all(v any) {
	if !r.matches(v) {
		return
	}
	r.references(v)
	switch v := v.(type) {
	case map[string]any:
		r.object(v)
	case []any:
		r.array(v)
	case string:
		r.text(v)
	case json.Number:
		r.number(v)
	}
	r.combined(v)
	r.rest(v)
}

func (r *run) fault(keyword string) *Fault {
	r.faults = append(r.faults, Fault{At: slices.Clone(r.at), Keyword: keyword})
	return &r.faults[len(r.faults)-1]
}

// matches looks at the keywords after whose break nothing else matters.
func (r *run) matches(v any) bool {
	if want, ok := r.s["type"]; ok {
		list := typesOf(want)
		if !slices.ContainsFunc(list, func(name string) bool { return is(v, name) }) {
			f := r.fault("type")
			f.Got, f.Want = typeOf(v), list
			return false
		}
	}
	if want, ok := r.s["const"]; ok && !equal(v, want) {
		r.fault("const")
		return false
	}
	if list, ok := r.s["enum"].([]any); ok && !slices.ContainsFunc(list, func(want any) bool { return equal(v, want) }) {
		r.fault("enum")
		return false
	}
	return true
}

// self applies another schema to the same value; its faults are returned, and what it looked at counts if there are none.
func (r *run) self(schema, v any) []Fault {
	faults, seen := r.schema(schema, v, r.at, r.frame)
	if len(faults) == 0 {
		r.seen.add(seen)
	}
	return faults
}

// part applies a schema to a member or an item.
func (r *run) part(schema, v any, name string) []Fault {
	faults, _ := r.schema(schema, v, append(r.at, name), r.frame)
	return faults
}

func (r *run) add(faults []Fault) { r.faults = append(r.faults, faults...) }

func (r *run) references(v any) {
	if target, ok := r.d.target(r.s, "$ref"); ok {
		r.add(r.self(target, v))
	}
	target, ok := r.d.target(r.s, "$dynamicRef")
	if !ok {
		return
	}
	ref, _ := r.s["$dynamicRef"].(string)
	if m, ok := target.(map[string]any); ok {
		if name, ok := m["$dynamicAnchor"].(string); ok && len(ref) > len(name) && ref[len(ref)-len(name)-1:] == "#"+name {
			for f := r.frame; f != nil; f = f.parent {
				if outer, ok := r.d.dynamic[r.d.bases[identity(f.schema)]+"#"+name]; ok {
					target = outer
				}
			}
		}
	}
	r.add(r.self(target, v))
}

func (r *run) object(v map[string]any) {
	r.atLeast("minProperties", len(v))
	r.atMost("maxProperties", len(v))
	r.required("required", words(r.s["required"]), v)
	properties, _ := r.s["properties"].(map[string]any)
	patterns, _ := r.s["patternProperties"].(map[string]any)
	others, hasOthers := r.s["additionalProperties"]
	extra := 0
	for _, name := range slices.Sorted(maps.Keys(v)) {
		looked := false
		if s, ok := properties[name]; ok {
			looked = true
			r.add(r.part(s, v[name], name))
		}
		for _, expr := range slices.Sorted(maps.Keys(patterns)) {
			if re, err := r.d.pattern(expr); err == nil && re.MatchString(name) {
				looked = true
				r.add(r.part(patterns[expr], v[name], name))
			}
		}
		if !looked && hasOthers {
			looked = true
			if others == false {
				extra++
			} else {
				r.add(r.part(others, v[name], name))
			}
		}
		if looked {
			r.seen.name(name)
		}
	}
	if extra > 0 {
		r.fault("additionalProperties").Extra = extra
	}
	r.dependent(v)
}

func (r *run) dependent(v map[string]any) {
	if s, ok := r.s["propertyNames"]; ok {
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if faults, _ := r.schema(s, name, nil, nil); len(faults) > 0 {
				r.fault("propertyNames")
			}
		}
	}
	schemas, _ := r.s["dependentSchemas"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		if _, ok := v[name]; ok {
			r.add(r.self(schemas[name], v))
		}
	}
	lists, _ := r.s["dependentRequired"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		if _, ok := v[name]; ok {
			r.required("dependentRequired", words(lists[name]), v)
		}
	}
}

func (r *run) required(keyword string, names []string, v map[string]any) {
	var missing []string
	for _, name := range names {
		if _, ok := v[name]; !ok {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		r.fault(keyword).Missing = missing
	}
}

func (r *run) array(v []any) {
	r.atLeast("minItems", len(v))
	r.atMost("maxItems", len(v))
	if r.s["uniqueItems"] == true && repeated(v) {
		r.fault("uniqueItems")
	}
	first, _ := r.s["prefixItems"].([]any)
	items, hasItems := r.s["items"]
	for i, item := range v {
		switch {
		case i < len(first):
			r.add(r.part(first[i], item, strconv.Itoa(i)))
		case hasItems:
			r.add(r.part(items, item, strconv.Itoa(i)))
		default:
			continue
		}
		r.seen.item(i)
	}
	r.contains(v)
}

func (r *run) contains(v []any) {
	s, ok := r.s["contains"]
	if !ok {
		return
	}
	var faults []Fault
	n := 0
	for i, item := range v {
		if bad := r.part(s, item, strconv.Itoa(i)); len(bad) > 0 {
			faults = append(faults, bad...)
			continue
		}
		n++
		r.seen.item(i)
	}
	keyword, least := "contains", 1
	if m := rat(r.s["minContains"]); m != nil {
		keyword, least = "minContains", whole(m)
	}
	if n < least {
		if r.add(faults); len(faults) == 0 {
			r.fault(keyword)
		}
	}
	r.atMost("maxContains", n)
}

func (r *run) text(v string) {
	if r.s["minLength"] != nil || r.s["maxLength"] != nil {
		n := utf8.RuneCountInString(v)
		r.atLeast("minLength", n)
		r.atMost("maxLength", n)
	}
	if expr, ok := r.s["pattern"].(string); ok {
		if re, err := r.d.pattern(expr); err == nil && !re.MatchString(v) {
			r.fault("pattern")
		}
	}
}
