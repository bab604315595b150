package redact

import (
	"errors"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// value is one value of a JSON text.
type value struct {
	kind       byte // '{', '[', '"', or '0' for anything else
	start, end int
	key        string  // of a member
	keyStart   int     // where its name begins; -1 for elements
	keyEnd     int     //
	members    []int32 // of an object or array
}

// tree is a JSON text taken apart.
type tree struct {
	text   []byte
	values []value
	i      int
	depth  int
}

var errNotJSON = errors.New("not JSON")

const maxDepth = 10_000

// parse takes one JSON value apart.
func parse(text []byte) (*tree, error) {
	t := &tree{text: text}
	if _, err := t.value("", -1, 0); err != nil {
		return nil, err
	}
	t.blanks()
	if t.i != len(text) {
		return nil, errNotJSON
	}
	return t, nil
}

func (t *tree) blanks() {
	for t.i < len(t.text) {
		switch t.text[t.i] {
		case ' ', '\t', '\r', '\n':
			t.i++
		default:
			return
		}
	}
}

func (t *tree) value(key string, keyStart, keyEnd int) (int32, error) {
	t.blanks()
	if t.i >= len(t.text) || t.depth > maxDepth {
		return 0, errNotJSON
	}
	id := int32(len(t.values))
	t.values = append(t.values, value{kind: '0', start: t.i, key: key, keyStart: keyStart, keyEnd: keyEnd})
	var err error
	switch c := t.text[t.i]; c {
	case '"':
		t.values[id].kind = '"'
		err = t.str()
	case '{', '[':
		t.values[id].kind = c
		t.depth++
		err = t.nested(id, c)
		t.depth--
	default:
		err = t.scalar()
	}
	t.values[id].end = t.i
	return id, err
}

func (t *tree) str() error {
	for t.i++; t.i < len(t.text); t.i++ {
		switch t.text[t.i] {
		case '\\':
			t.i++
		case '"':
			t.i++
			return nil
		}
	}
	return errNotJSON
}

func (t *tree) scalar() error {
	start := t.i
	for t.i < len(t.text) {
		switch t.text[t.i] {
		case ',', ']', '}', ' ', '\n', '\t', '\r':
			return t.valid(start)
		}
		t.i++
	}
	return t.valid(start)
}

func (t *tree) valid(start int) error {
	if rawjson.Valid(t.text[start:t.i]) {
		return nil
	}
	return errNotJSON
}

func (t *tree) take(c byte) bool {
	t.blanks()
	if t.i < len(t.text) && t.text[t.i] == c {
		t.i++
		return true
	}
	return false
}

func (t *tree) nested(id int32, open byte) error {
	end := open + 2 // '}' and ']' are two after '{' and '['
	t.i++
	if t.take(end) {
		return nil
	}
	for {
		key, from, to := "", -1, 0
		if open == '{' {
			t.blanks()
			if from = t.i; from >= len(t.text) || t.text[from] != '"' || t.str() != nil {
				return errNotJSON
			}
			to = t.i
			key, _ = rawjson.Unquote(t.text[from:to])
			if !t.take(':') {
				return errNotJSON
			}
		}
		child, err := t.value(key, from, to)
		if err != nil {
			return err
		}
		t.values[id].members = append(t.values[id].members, child)
		switch {
		case t.take(','):
		case t.take(end):
			return nil
		default:
			return errNotJSON
		}
	}
}

// member returns the last member of that name, and -1 if there is none.
func (t *tree) member(id int32, key string) int32 {
	found := int32(-1)
	for _, m := range t.values[id].members {
		if t.values[m].key == key {
			found = m
		}
	}
	return found
}

// string returns the text of a string value.
func (t *tree) string(id int32) (string, bool) {
	if id < 0 || t.values[id].kind != '"' {
		return "", false
	}
	return rawjson.Unquote(t.text[t.values[id].start:t.values[id].end])
}

// memberText returns the string that a member holds.
func (t *tree) memberText(id int32, key string) string {
	s, _ := t.string(t.member(id, key))
	return s
}
