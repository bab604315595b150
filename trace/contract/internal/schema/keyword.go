package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
)

// shape is what a keyword's value must be.
type shape int

const (
	one     shape = iota // a schema
	list                 // a list of schemas
	named                // an object of schemas
	number               // a number
	count                // a whole number from 0
	text                 // a string
	pattern              // a regular expression
	flag                 // true or false
	names                // a list of strings
	values               // a list
	object               // an object of lists of strings
	types                // the name of a type, or a list of such
)

var shapes = map[string]shape{
	"not": one, "if": one, "then": one, "else": one, "items": one, "contains": one, "additionalProperties": one,
	"propertyNames": one, "unevaluatedProperties": one, "unevaluatedItems": one,
	"allOf": list, "anyOf": list, "oneOf": list, "prefixItems": list,
	"properties": named, "patternProperties": named, "dependentSchemas": named,
	"minimum": number, "maximum": number, "exclusiveMinimum": number, "exclusiveMaximum": number, "multipleOf": number,
	"minLength": count, "maxLength": count, "minItems": count, "maxItems": count, "minProperties": count, "maxProperties": count,
	"minContains": count, "maxContains": count,
	"$ref": text, "$dynamicRef": text, "pattern": pattern, "uniqueItems": flag, "required": names, "enum": values,
	"dependentRequired": object, "type": types,
}

var typeNames = map[string]bool{"null": true, "boolean": true, "object": true, "array": true, "number": true, "string": true, "integer": true}

// inspect says whether a schema and all that it refers to can be used.
func (d *Document) inspect(v any, seen map[uintptr]bool, depth int) error {
	s, ok := v.(map[string]any)
	if _, isBool := v.(bool); isBool {
		return nil
	}
	if !ok || depth > maxDepth {
		return fmt.Errorf("%w: it is no schema, or too deep", ErrUnusable)
	}
	if seen[identity(s)] {
		return nil
	}
	seen[identity(s)] = true
	for keyword, value := range s {
		if err := d.inspectKeyword(s, keyword, value, seen, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (d *Document) inspectKeyword(s map[string]any, keyword string, value any, seen map[uintptr]bool, depth int) error {
	kind, known := shapes[keyword]
	if !known {
		return nil
	}
	ok := false
	switch kind {
	case one:
		return d.inspect(value, seen, depth)
	case list:
		items, isList := value.([]any)
		if ok = isList && len(items) > 0; ok {
			for _, item := range items {
				if err := d.inspect(item, seen, depth); err != nil {
					return err
				}
			}
		}
	case named:
		var members map[string]any
		if members, ok = value.(map[string]any); ok {
			for name, member := range members {
				if keyword == "patternProperties" {
					if _, err := d.pattern(name); err != nil {
						return err
					}
				}
				if err := d.inspect(member, seen, depth); err != nil {
					return err
				}
			}
		}
	case text:
		var ref string
		if ref, ok = value.(string); ok {
			target, err := d.refer(d.bases[identity(s)], ref)
			if err != nil {
				return err
			}
			return d.inspect(target, seen, depth)
		}
	case pattern:
		var expr string
		if expr, ok = value.(string); ok {
			_, err := d.pattern(expr)
			return err
		}
	default:
		ok = plain(kind, keyword, value)
	}
	if !ok {
		return fmt.Errorf("%w: %s has no such value", ErrUnusable, keyword)
	}
	return nil
}

// plain reports whether a value without schemas in it is of its kind.
func plain(kind shape, keyword string, value any) bool {
	switch kind {
	case number:
		r := rat(value)
		return r != nil && (keyword != "multipleOf" || r.Sign() > 0)
	case count:
		r := rat(value)
		return r != nil && r.IsInt() && r.Sign() >= 0
	case flag:
		_, ok := value.(bool)
		return ok
	case names:
		return words(value) != nil
	case values:
		_, ok := value.([]any)
		return ok
	case object:
		members, ok := value.(map[string]any)
		for _, member := range members {
			ok = ok && words(member) != nil
		}
		return ok
	case types:
		list := typesOf(value)
		for _, name := range list {
			if !typeNames[name] {
				return false
			}
		}
		return len(list) > 0
	}
	return false
}

// words is a list of strings, not nil, or nil.
func words(v any) []string {
	list, ok := v.([]any)
	if !ok {
		return nil
	}
	out := make([]string, 0, len(list))
	for _, item := range list {
		s, ok := item.(string)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}

func typesOf(v any) []string {
	if name, ok := v.(string); ok {
		return []string{name}
	}
	return words(v)
}

// maxDigits bounds numbers: what is written with an exponent can be as long as that says.
const maxDigits = 1 << 10

// rat is a number, or nil.
func rat(v any) *big.Rat {
	n, ok := v.(json.Number)
	if !ok || len(n) > maxDigits {
		return nil
	}
	if f, err := n.Float64(); err != nil || f == 0 && len(n) > 32 {
		return nil // out of any range that a service means
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return nil
	}
	return r
}
