package schema

import "encoding/json"

// typeOf is the name of a value's type; whole numbers are numbers.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return ""
}

// is reports whether v is of the named type.
func is(v any, name string) bool {
	if name == "integer" {
		r := rat(v)
		return r != nil && r.IsInt()
	}
	return typeOf(v) == name
}

// equal compares values; numbers by what they mean.
func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		p, q := rat(a), rat(b)
		return a == b || p != nil && q != nil && p.Cmp(q) == 0
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			if other, ok := b[name]; !ok || !equal(value, other) {
				return false
			}
		}
		return true
	}
	return typeOf(a) == typeOf(b) && a == b
}

// repeated reports whether two values of a list are equal.
func repeated(list []any) bool {
	seen := map[string]bool{}
	for i, v := range list {
		switch v := v.(type) {
		case string:
			if seen[v] {
				return true
			}
			seen[v] = true
		default:
			for _, other := range list[:i] {
				if equal(v, other) {
					return true
				}
			}
		}
	}
	return false
}
