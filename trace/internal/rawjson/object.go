// Package rawjson takes JSON objects apart one level deep and puts them
// together again without touching what it does not understand: members keep
// their order, values keep their bytes.
package rawjson

import (
	"encoding/json"
	"fmt"
)

// MaxDepth is how deeply arrays and objects may be nested.
const MaxDepth = 10000

// Member is one name and value of an object. Value is the JSON text of the
// value, without surrounding blanks.
type Member struct {
	Key   string
	Value []byte
}

// Object is a JSON object's members in the order of the text. A name may
// occur more than once; the last one counts.
type Object []Member

// SyntaxError says where text stops being JSON.
type SyntaxError struct {
	Offset int    // bytes before the error
	Reason string // what is wrong there
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON at byte %d: %s", e.Offset, e.Reason)
}

// Parse takes text, which must be one JSON object and nothing else, apart.
// The values share memory with text.
func Parse(text []byte) (Object, error) {
	return ParseInto(make(Object, 0, 12), text)
}

// ParseInto is Parse that appends the members to obj, to use its memory again.
func ParseInto(obj Object, text []byte) (Object, error) {
	s := scanner{b: text}
	s.blanks()
	if !s.take('{') {
		return nil, s.fail("an object was expected")
	}
	obj, err := s.members(obj)
	if err != nil {
		return nil, err
	}
	s.blanks()
	if s.i != len(s.b) {
		return nil, s.fail("more text after the object")
	}
	return obj, nil
}

// Elements takes text, which must be one JSON array, apart into the texts of
// its elements, which share memory with it.
func Elements(text []byte) ([][]byte, error) {
	s := scanner{b: text}
	s.blanks()
	if !s.take('[') {
		return nil, s.fail("an array was expected")
	}
	s.blanks()
	if s.take(']') {
		return nil, nil
	}
	var list [][]byte
	for {
		v, err := s.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		s.blanks()
		if s.take(',') {
			continue
		}
		if !s.take(']') {
			return nil, s.fail("a comma or the end of the array was expected")
		}
		return list, nil
	}
}

// Valid reports whether text is one JSON value nested no deeper than [MaxDepth].
func Valid(text []byte) bool {
	s := scanner{b: text}
	if _, err := s.value(); err != nil {
		return false
	}
	s.blanks()
	return s.i == len(s.b)
}

// Get returns the value of the last member of that name, and nil if there is none.
func (o Object) Get(key string) []byte {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].Key == key {
			return o[i].Value
		}
	}
	return nil
}

// Has reports whether there is a member of that name with a value other than null.
func (o Object) Has(key string) bool {
	v := o.Get(key)
	return v != nil && string(v) != "null"
}

// Text returns the string that the member holds, and "" if it holds none.
func (o Object) Text(key string) string {
	s, _ := Unquote(o.Get(key))
	return s
}

// Object returns the object that the member holds, and nil if it holds none.
func (o Object) Object(key string) Object {
	inner, err := Parse(o.Get(key))
	if err != nil {
		return nil
	}
	return inner
}

// Set gives the member the value, at its old place or at the end.
func (o *Object) Set(key string, value []byte) {
	for i := len(*o) - 1; i >= 0; i-- {
		if (*o)[i].Key == key {
			(*o)[i].Value = value
			return
		}
	}
	*o = append(*o, Member{key, value})
}

// SetText gives the member a string.
func (o *Object) SetText(key, text string) { o.Set(key, Quote(text)) }

// Delete removes all members of that name.
func (o *Object) Delete(key string) {
	kept := (*o)[:0]
	for _, m := range *o {
		if m.Key != key {
			kept = append(kept, m)
		}
	}
	*o = kept
}

// Rename gives the members of one name another name.
func (o Object) Rename(from, to string) {
	for i := range o {
		if o[i].Key == from {
			o[i].Key = to
		}
	}
}

// AppendTo appends the object's JSON text to b. Members without a value, which
// no text has, are left out.
func (o Object) AppendTo(b []byte) []byte {
	b = append(b, '{')
	first := true
	for _, m := range o {
		if len(m.Value) == 0 {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, Quote(m.Key)...)
		b = append(b, ':')
		b = append(b, m.Value...)
	}
	return append(b, '}')
}

// Clone returns a copy that shares no memory with o.
func (o Object) Clone() Object {
	c := make(Object, len(o))
	for i, m := range o {
		c[i] = Member{m.Key, append([]byte(nil), m.Value...)}
	}
	return c
}

// MarshalJSON returns the object's JSON text.
func (o Object) MarshalJSON() ([]byte, error) { return o.AppendTo(nil), nil }

// UnmarshalJSON sets o to a copy of the object in b.
func (o *Object) UnmarshalJSON(b []byte) error {
	parsed, err := Parse(b)
	if err == nil {
		*o = parsed.Clone()
	}
	return err
}

// Quote returns text as a JSON string. Invalid UTF-8 becomes U+FFFD.
func Quote(text string) []byte {
	return appendQuoted(make([]byte, 0, len(text)+2), text)
}

// Unquote returns the text of a JSON string; ok is false if value is none.
func Unquote(value []byte) (text string, ok bool) {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return "", false
	}
	body := value[1 : len(value)-1]
	for _, c := range body {
		if !plain[c] || c >= 0x80 {
			err := json.Unmarshal(value, &text)
			return text, err == nil
		}
	}
	return string(body), true
}
