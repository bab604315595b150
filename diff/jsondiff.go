package diff

import (
	"encoding/json"
	"fmt"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// jsonDiff lists how two JSON values differ, by path.
type jsonDiff struct {
	c       *Comparer
	what    string
	changes []Change
	steps   int
}

// maxJSONSteps is how many values of a body are compared.
const maxJSONSteps = 1 << 18

func (d *jsonDiff) add(kind ChangeKind, path, a, b string) {
	if len(d.changes) < maxBodyChanges {
		d.changes = append(d.changes, Change{Kind: kind, Effect: neutral, What: d.what, Path: path, A: clip(a, maxShown), B: clip(b, maxShown)})
	}
}

func (d *jsonDiff) full() bool {
	d.steps++
	return d.steps > maxJSONSteps || len(d.changes) >= maxBodyChanges
}

// values compares two values. The field is the name of the member they are of.
func (d *jsonDiff) values(path, field string, a, b any) {
	if d.full() {
		return
	}
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			d.objects(path, x, y)
			return
		}
	case []any:
		if y, ok := b.([]any); ok {
			d.arrays(path, field, x, y)
			return
		}
	}
	d.scalars(path, field, a, b)
}

func (d *jsonDiff) scalars(path, field string, a, b any) {
	x, y := scalar(a), scalar(b)
	if x == y {
		return
	}
	m := d.c.masks
	if m.Field(InBody, field, x) == m.Field(InBody, field, y) && simple(a) && simple(b) {
		d.c.hid.hid(m, InBody, field, x, y)
		return
	}
	d.add(ChangeValue, path, x, y)
}

func simple(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

var plainName = lazyregexp.New(`^[A-Za-z_$][\w$-]*$`)

func member(path, name string) string {
	if plainName.MatchString(name) {
		return path + "." + name
	}
	return fmt.Sprintf("%s[%q]", path, name)
}

func (d *jsonDiff) objects(path string, a, b map[string]any) {
	for _, k := range sortedKeys(a) {
		if w, ok := b[k]; ok {
			d.values(member(path, k), k, a[k], w)
		} else {
			d.add(Removed, member(path, k), scalar(a[k]), "")
		}
	}
	for _, k := range sortedKeys(b) {
		if _, ok := a[k]; !ok {
			d.add(Added, member(path, k), "", scalar(b[k]))
		}
	}
}

// arrays compares elements by their key where all have one of their own, and
// by their place otherwise.
func (d *jsonDiff) arrays(path, field string, a, b []any) {
	for _, key := range []string{"id", "key", "uuid", "slug", "name"} {
		x, okA := elementsBy(a, key)
		y, okB := elementsBy(b, key)
		if okA && okB && shares(x, y) {
			d.keyed(path, key, x, y)
			return
		}
	}
	for i := range max(len(a), len(b)) {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch {
		case i >= len(b):
			d.add(Removed, at, scalar(a[i]), "")
		case i >= len(a):
			d.add(Added, at, "", scalar(b[i]))
		default:
			d.values(at, field, a[i], b[i])
		}
	}
}

func shares(x, y map[string]any) bool {
	for k := range x {
		if _, ok := y[k]; ok {
			return true
		}
	}
	return false
}

func (d *jsonDiff) keyed(path, key string, x, y map[string]any) {
	for _, k := range sortedKeys(union(x, y)) {
		at := fmt.Sprintf("%s[%s=%s]", path, key, k)
		v, inA := x[k]
		w, inB := y[k]
		switch {
		case inA && inB:
			d.values(at, "", v, w)
		case inA:
			d.add(Removed, at, scalar(v), "")
		default:
			d.add(Added, at, "", scalar(w))
		}
	}
}

// elementsBy returns the elements by the value of a member; ok is false unless all
// are objects that have one of their own.
func elementsBy(list []any, key string) (m map[string]any, ok bool) {
	m = make(map[string]any, len(list))
	for _, v := range list {
		o, isObject := v.(map[string]any)
		if !isObject {
			return nil, false
		}
		k, has := o[key]
		if !has || !simple(k) {
			return nil, false
		}
		name := scalar(k)
		if _, twice := m[name]; twice {
			return nil, false
		}
		m[name] = v
	}
	return m, len(m) > 0
}
