package schema

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"
)

// whole is a bound as an int; what is larger than any list is 1<<30.
func whole(r *big.Rat) int {
	const most = 1 << 30
	if r.Cmp(big.NewRat(most, 1)) > 0 {
		return most
	}
	return int(r.Num().Int64() / r.Denom().Int64())
}

func (r *run) atLeast(keyword string, n int) {
	if bound := rat(r.s[keyword]); bound != nil && n < whole(bound) {
		r.fault(keyword)
	}
}

func (r *run) atMost(keyword string, n int) {
	if bound := rat(r.s[keyword]); bound != nil && n > whole(bound) {
		r.fault(keyword)
	}
}

func (r *run) number(v json.Number) {
	n := rat(v)
	if n == nil {
		return
	}
	for _, k := range []struct {
		keyword string
		broken  func(bound *big.Rat) bool
	}{
		{"minimum", func(b *big.Rat) bool { return n.Cmp(b) < 0 }},
		{"maximum", func(b *big.Rat) bool { return n.Cmp(b) > 0 }},
		{"exclusiveMinimum", func(b *big.Rat) bool { return n.Cmp(b) <= 0 }},
		{"exclusiveMaximum", func(b *big.Rat) bool { return n.Cmp(b) >= 0 }},
		{"multipleOf", func(b *big.Rat) bool { return !new(big.Rat).Quo(n, b).IsInt() }},
	} {
		if bound := rat(r.s[k.keyword]); bound != nil && k.broken(bound) {
			r.fault(k.keyword)
		}
	}
}

// combined looks at the keywords that apply other schemas to the same value.
func (r *run) combined(v any) {
	if s, ok := r.s["not"]; ok {
		if faults, _ := r.schema(s, v, r.at, r.frame); len(faults) == 0 {
			r.fault("not")
		}
	}
	all, _ := r.s["allOf"].([]any)
	for _, s := range all {
		r.add(r.self(s, v))
	}
	r.any(v)
	r.one(v)
	if s, ok := r.s["if"]; ok {
		next := "then"
		if len(r.self(s, v)) > 0 {
			next = "else"
		}
		if s, ok := r.s[next]; ok {
			r.add(r.self(s, v))
		}
	}
}

func (r *run) any(v any) {
	list, _ := r.s["anyOf"].([]any)
	var faults []Fault
	matched := len(list) == 0
	for _, s := range list {
		bad := r.self(s, v)
		matched = matched || len(bad) == 0
		faults = append(faults, bad...)
	}
	if !matched {
		r.add(faults)
	}
}

func (r *run) one(v any) {
	list, _ := r.s["oneOf"].([]any)
	var faults []Fault
	matched := 0
	for _, s := range list {
		bad := r.self(s, v)
		if len(bad) == 0 {
			matched++
		}
		faults = append(faults, bad...)
	}
	switch {
	case matched > 1:
		r.fault("oneOf")
	case matched == 0 && len(list) > 0:
		r.add(faults)
	}
}

// rest applies the keywords for what no other has looked at.
func (r *run) rest(v any) {
	switch v := v.(type) {
	case map[string]any:
		s, ok := r.s["unevaluatedProperties"]
		if !ok {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !r.seen.names[name] {
				r.add(r.part(s, v[name], name))
				r.seen.name(name)
			}
		}
	case []any:
		s, ok := r.s["unevaluatedItems"]
		if !ok {
			return
		}
		for i, item := range v {
			if !r.seen.items[i] {
				r.add(r.part(s, item, strconv.Itoa(i)))
				r.seen.item(i)
			}
		}
	}
}
