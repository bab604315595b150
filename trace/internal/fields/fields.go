// Package fields ties members of a JSON object to the fields of a Go value,
// in both directions and without losing what it does not know.
package fields

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// Field says which member a Go variable holds.
type Field struct {
	Name  string
	Ptr   any  // a pointer to the variable
	Empty bool // written even when it holds its zero value
}

// Decode fills the variables from obj. Members of other names, members whose
// value does not fit their variable, and those that say no more than the
// variable's zero value are returned: written after the fields they make the
// object whole again.
func Decode(obj rawjson.Object, fs []Field) (extra rawjson.Object) {
next:
	for i, m := range obj {
		if len(m.Value) == 0 {
			continue // a line of an old version lacked it
		}
		for _, f := range fs {
			if f.Name == m.Key {
				if !overridden(obj[i+1:], m.Key) && f.take(m.Value) {
					continue next
				}
				break
			}
		}
		if m.Key != "type" {
			extra = append(extra, rawjson.Member{Key: m.Key, Value: append([]byte(nil), m.Value...)})
		}
	}
	return extra
}

// take sets the variable, and reports whether it says all that the value does.
func (f Field) take(v []byte) bool {
	if !set(f.Ptr, v) {
		setPartly(f.Ptr, v)
		return false
	}
	return f.Empty || !zero(f.Ptr)
}

// overridden tells whether a later member of the same name wins over this one.
func overridden(rest rawjson.Object, key string) bool {
	for _, m := range rest {
		if m.Key == key {
			return true
		}
	}
	return false
}

// Encode appends the object to b: first "type" (unless it is empty), then the
// fields that hold something, then extra.
func Encode(b []byte, typ string, fs []Field, extra rawjson.Object) ([]byte, error) {
	b = append(b, '{')
	first := true
	name := func(key string) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(b, rawjson.Quote(key)...), ':')
	}
	if typ != "" {
		name("type")
		b = append(b, rawjson.Quote(typ)...)
	}
	for _, f := range fs {
		if !f.Empty && zero(f.Ptr) || zero(f.Ptr) && extra.Get(f.Name) != nil {
			continue
		}
		name(f.Name)
		v, err := encode(f.Ptr)
		if err != nil {
			return nil, err
		}
		b = append(b, merge(extra.Get(f.Name), v)...)
	}
	for _, m := range extra {
		if replaced(fs, m.Key) {
			continue
		}
		name(m.Key)
		b = append(b, m.Value...)
	}
	return append(b, '}'), nil
}

// setPartly fills a plain struct from an object that has members it does not
// know.
func setPartly(ptr any, v []byte) {
	t := reflect.TypeOf(ptr).Elem()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if _, own := reflect.New(t).Interface().(json.Unmarshaler); own || t.Kind() != reflect.Struct || len(v) == 0 || v[0] != '{' {
		return
	}
	target := reflect.New(reflect.TypeOf(ptr).Elem())
	if json.Unmarshal(v, target.Interface()) == nil {
		reflect.ValueOf(ptr).Elem().Set(target.Elem())
	}
}

// merge puts the members of a value over those that were read, so that the
// ones it does not know stay.
func merge(read, now []byte) []byte {
	old, err := rawjson.Parse(read)
	if err != nil {
		return now
	}
	fresh, err := rawjson.Parse(now)
	if err != nil {
		return now
	}
	merged := append(rawjson.Object{}, old...)
	for _, m := range fresh {
		merged.Set(m.Key, m.Value)
	}
	return merged.AppendTo(nil)
}

// replaced tells whether a field holds something else by now than the member
// that was read.
func replaced(fs []Field, key string) bool {
	for _, f := range fs {
		if f.Name == key {
			return !zero(f.Ptr)
		}
	}
	return false
}

// set reports false where the value does not fit, null included: a null has
// no Go value of its own and must come back as it was.
func set(ptr any, v []byte) bool {
	if string(v) == "null" {
		return false
	}
	switch p := ptr.(type) {
	case *string:
		s, ok := rawjson.Unquote(v)
		if ok {
			*p = s
		}
		return ok
	case *bool:
		*p = string(v) == "true"
		return *p || string(v) == "false"
	case *int:
		n, err := strconv.ParseInt(string(v), 10, 64)
		if err == nil {
			*p = int(n)
		}
		return err == nil
	case *float64:
		f, err := strconv.ParseFloat(string(v), 64)
		if err == nil {
			*p = f
		}
		return err == nil
	case *json.RawMessage:
		*p = append(json.RawMessage(nil), v...)
		return true
	case json.Unmarshaler:
		return p.UnmarshalJSON(v) == nil
	}
	// A member that the type does not know makes the whole value unfit:
	// better kept as it is than cut.
	target := reflect.New(reflect.TypeOf(ptr).Elem())
	dec := json.NewDecoder(bytes.NewReader(v))
	dec.DisallowUnknownFields()
	if dec.Decode(target.Interface()) != nil {
		return false
	}
	reflect.ValueOf(ptr).Elem().Set(target.Elem())
	return true
}

func zero(ptr any) bool {
	switch p := ptr.(type) {
	case *string:
		return *p == ""
	case *bool:
		return !*p
	case *int:
		return *p == 0
	case *float64:
		return *p == 0
	case *json.RawMessage:
		return len(*p) == 0
	case interface{ IsZero() bool }:
		return p.IsZero()
	}
	v := reflect.ValueOf(ptr).Elem()
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.IsNil()
	}
	return v.IsZero()
}

func encode(ptr any) ([]byte, error) {
	switch p := ptr.(type) {
	case *string:
		return rawjson.Quote(*p), nil
	case *json.RawMessage:
		if len(*p) == 0 {
			return []byte("null"), nil
		}
		return *p, nil
	case *int:
		return strconv.AppendInt(nil, int64(*p), 10), nil
	case *bool:
		return strconv.AppendBool(nil, *p), nil
	case json.Marshaler:
		return oneLine(p.MarshalJSON())
	}
	return Marshal(reflect.ValueOf(ptr).Elem().Interface())
}

// oneLine takes line breaks out of JSON text, which members that were read may
// have between their parts.
func oneLine(v []byte, err error) ([]byte, error) {
	if err != nil || bytes.IndexByte(v, '\n') < 0 {
		return v, err
	}
	var w bytes.Buffer
	if err := json.Compact(&w, v); err != nil {
		return nil, err
	}
	return w.Bytes(), nil
}

// Marshal is json.Marshal that leaves <, > and & as they are.
func Marshal(v any) ([]byte, error) {
	var w buffer
	enc := json.NewEncoder(&w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return w[:len(w)-1], nil
}

type buffer []byte

func (w *buffer) Write(p []byte) (int, error) {
	*w = append(*w, p...)
	return len(p), nil
}
