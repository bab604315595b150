package audit

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// leaf is a string in a JSON text, with where it stands.
type leaf struct {
	key    string // of the member, or of the list it is in
	value  string
	name   bool // the value is itself the name of a member
	number bool // the value is a number's text
}

const maxNesting = 200

// walker goes over the strings of a JSON text without building anything of it.
type walker struct {
	text []byte
	i    int
	path []string
	emit func(leaf)
}

// walk calls emit with the strings and numbers of a JSON text, and reports
// whether all of it was JSON. Several values one behind the other, as in
// NDJSON, are too.
func walk(text []byte, emit func(*walker, leaf)) bool {
	w := &walker{text: text}
	w.emit = func(l leaf) { emit(w, l) }
	for {
		w.blanks()
		if w.i >= len(w.text) {
			return len(text) > 0
		}
		if !w.value("", 0) {
			return false
		}
	}
}

// pointer returns where the walker is, with * for any element of a list.
func (w *walker) pointer() string {
	var b strings.Builder
	for i, p := range w.path {
		if i == 12 {
			b.WriteString("/…")
			break
		}
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(shownName(p)))
	}
	return b.String()
}

func (w *walker) blanks() {
	for w.i < len(w.text) && (w.text[w.i] == ' ' || w.text[w.i] == '\n' || w.text[w.i] == '\t' || w.text[w.i] == '\r') {
		w.i++
	}
}

func (w *walker) take(c byte) bool {
	if w.blanks(); w.i < len(w.text) && w.text[w.i] == c {
		w.i++
		return true
	}
	return false
}

func (w *walker) value(key string, depth int) bool {
	w.blanks()
	if w.i >= len(w.text) || depth > maxNesting {
		return false
	}
	switch w.text[w.i] {
	case '"':
		s, ok := w.str()
		if ok {
			w.emit(leaf{key: key, value: s})
		}
		return ok
	case '{':
		return w.object(depth)
	case '[':
		return w.array(key, depth)
	}
	return w.scalar(key)
}

func (w *walker) str() (string, bool) {
	from := w.i
	for w.i++; w.i < len(w.text); w.i++ {
		switch w.text[w.i] {
		case '\\':
			w.i++
		case '"':
			w.i++
			return rawjson.Unquote(w.text[from:w.i])
		}
	}
	return "", false
}

func (w *walker) scalar(key string) bool {
	from := w.i
	for w.i < len(w.text) && !strings.ContainsRune(",]} \n\t\r", rune(w.text[w.i])) {
		w.i++
	}
	if w.i == from {
		return false
	}
	switch c := w.text[from]; {
	case c >= '0' && c <= '9' || c == '-':
		w.emit(leaf{key: key, value: string(w.text[from:w.i]), number: true})
		return true
	}
	switch string(w.text[from:w.i]) {
	case "true", "false", "null":
		return true
	}
	return false
}

func (w *walker) object(depth int) bool {
	w.i++
	if w.take('}') {
		return true
	}
	for {
		if w.blanks(); w.i >= len(w.text) || w.text[w.i] != '"' {
			return false
		}
		key, ok := w.str()
		if !ok || !w.take(':') {
			return false
		}
		w.path = append(w.path, key)
		w.emit(leaf{value: key, name: true})
		if !w.value(key, depth+1) {
			return false
		}
		w.path = w.path[:len(w.path)-1]
		if w.take('}') {
			return true
		}
		if !w.take(',') {
			return false
		}
	}
}

func (w *walker) array(key string, depth int) bool {
	w.i++
	if w.take(']') {
		return true
	}
	w.path = append(w.path, "*")
	for {
		if !w.value(key, depth+1) {
			return false
		}
		if w.take(']') {
			w.path = w.path[:len(w.path)-1]
			return true
		}
		if !w.take(',') {
			return false
		}
	}
}
