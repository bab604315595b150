package redact

import (
	"bytes"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// edit is a part of a text that is to be replaced.
type edit struct {
	from, to int
	with     []byte
}

// walk goes over a JSON text and collects what is to be replaced in it.
type walk struct {
	*tree
	r     *redactor
	edits []edit
	done  map[int32]bool // values that are dealt with
	depth int            // of texts inside texts
}

// json returns the text without its secrets. ok is false where it is no JSON.
func (r *redactor) json(text []byte, depth int) (out []byte, ok bool) {
	t, err := parse(text)
	if err != nil {
		return nil, false
	}
	w := &walk{tree: t, r: r, done: map[int32]bool{}, depth: depth}
	w.value(0, "")
	return w.apply(), true
}

func (w *walk) apply() []byte {
	if len(w.edits) == 0 {
		return w.text
	}
	sort.SliceStable(w.edits, func(i, j int) bool { return w.edits[i].from < w.edits[j].from })
	var out bytes.Buffer
	at := 0
	for _, e := range w.edits {
		if e.from < at {
			continue
		}
		out.Write(w.text[at:e.from])
		out.Write(e.with)
		at = e.to
	}
	out.Write(w.text[at:])
	return out.Bytes()
}

// value looks at a value and what is in it.
func (w *walk) value(id int32, key string) {
	if w.done[id] {
		return
	}
	v := &w.values[id]
	switch v.kind {
	case '"':
		w.plainString(id)
	case '[':
		w.array(id, key)
	case '{':
		w.object(id, key)
	}
}

// leastPicture is how long a picture in an address is at least if it can show
// a page: some recorders' snapshots are such pictures.
const leastPicture = 2048

// plainString replaces what is secret in a string that nothing but its own
// text can give away.
func (w *walk) plainString(id int32) {
	v := &w.values[id]
	raw := w.text[v.start:v.end]
	if len(raw) < 5 {
		return
	}
	if w.r.page && w.r.o.NoPictures && len(raw) > leastPicture && bytes.HasPrefix(raw, []byte(`"data:image/`)) {
		w.edits = append(w.edits, edit{v.start, v.end, []byte(`"data:,"`)})
		return
	}
	s, ok := rawjson.Unquote(raw)
	if !ok {
		return
	}
	if to := w.r.renamed[s]; to != "" {
		w.edits = append(w.edits, edit{v.start, v.end, rawjson.Quote(to)})
		return
	}
	if out := w.r.text(s, prose, w.depth+1); out != s {
		w.edits = append(w.edits, edit{v.start, v.end, rawjson.Quote(out)})
	}
}

// secret replaces a whole string, or all strings of a list, or the string in
// what a protocol puts around a value.
func (w *walk) secret(id int32, what string, strong bool) {
	if id < 0 || w.done[id] {
		return
	}
	v := &w.values[id]
	switch v.kind {
	case '"':
		s, ok := rawjson.Unquote(w.text[v.start:v.end])
		if ok && s != "" {
			w.done[id] = true
			w.set(id, w.r.secret(s, what, strong))
		}
	case '[':
		for _, m := range v.members {
			w.secret(m, what, strong)
		}
	case '{':
		for _, name := range []string{"value", "s", "text", "v"} {
			w.secret(w.member(id, name), what, strong)
		}
	default:
		w.secretNumber(id, what)
	}
}

// secretNumber replaces a number that is a secret, such as a PIN.
func (w *walk) secretNumber(id int32, what string) {
	v := &w.values[id]
	s := string(w.text[v.start:v.end])
	if s[0] != '-' && (s[0] < '0' || s[0] > '9') || s == "0" {
		return
	}
	w.done[id] = true
	w.r.count(what, w.r.vault.marker(s, false))
	w.edits = append(w.edits, edit{v.start, v.end, []byte("0")})
}

// set gives a string another text.
func (w *walk) set(id int32, text string) {
	v := &w.values[id]
	if now := rawjson.Quote(text); !bytes.Equal(now, w.text[v.start:v.end]) {
		w.edits = append(w.edits, edit{v.start, v.end, now})
	}
}

func (w *walk) object(id int32, key string) {
	w.pair(id, key)
	w.typed(id)
	w.ariaNode(id)
	for _, m := range w.values[id].members {
		name := w.values[m].key
		w.name(m)
		switch {
		case w.done[m]:
			continue
		case cookieHeader(name):
			w.header(m, name)
		case w.gives(m, name):
			w.header(m, name)
		case strings.EqualFold(name, "cookies"):
			w.cookies(m)
		}
		w.value(m, name)
	}
}

// gives reports whether the value of that name is a secret.
func (w *walk) gives(id int32, name string) bool {
	if w.r.names.has(name) {
		return true
	}
	v := &w.values[id]
	if v.kind != '"' || v.end-v.start < 14 || v.end-v.start > 1024 {
		return false
	}
	s, ok := w.string(id)
	return ok && w.r.names.gives(name, s)
}

// name replaces a secret that is a member's name.
func (w *walk) name(id int32) {
	v := &w.values[id]
	if out := w.r.text(v.key, prose, w.depth+1); out != v.key {
		w.edits = append(w.edits, edit{v.keyStart, v.keyEnd, rawjson.Quote(out)})
	}
}

// pair looks at what is a name and a value: headers, parameters, fields,
// storage, properties of serialised objects.
func (w *walk) pair(id int32, key string) {
	for _, names := range [][2]string{{"name", "value"}, {"k", "v"}, {"key", "value"}, {"name", "content"}, {"name", "data"}} {
		value := w.member(id, names[1])
		if value < 0 {
			continue
		}
		name := w.memberText(id, names[0])
		switch {
		case name == "":
		case cookieHeader(name), w.gives(value, name):
			w.header(value, name)
		case key == "cookies":
			w.secret(value, "cookie "+name, false)
		}
	}
}

// header replaces a header's value, or any other that is named like one.
func (w *walk) header(id int32, name string) {
	s, ok := w.string(id)
	if !ok {
		w.secret(id, "value of "+name, false)
		return
	}
	w.done[id] = true
	w.set(id, w.r.named(name, s))
}

// cookies looks at a list of cookies, or an object of them.
func (w *walk) cookies(id int32) {
	v := &w.values[id]
	for _, m := range v.members {
		switch {
		case v.kind == '{' && w.values[m].kind == '"':
			w.secret(m, "cookie "+w.values[m].key, false)
		case v.kind == '[' && w.values[m].kind == '{':
			w.pair(m, "cookies")
		}
	}
}

// typed looks at what an action types into a field that is secret.
func (w *walk) typed(id int32) {
	selector, ok := w.string(w.member(id, "selector"))
	if !ok && !w.r.o.TypedText {
		return
	}
	secret := ok && w.r.names.mentions(selector)
	if !secret && !w.r.o.TypedText {
		return
	}
	for _, name := range []string{"value", "text"} {
		if m := w.member(id, name); m >= 0 && (ok || w.r.typing) {
			if s, is := w.string(m); is && s != "" {
				w.r.noteTyped(s)
			}
			w.secret(m, "typed text", false)
		}
	}
	if m := w.member(id, "key"); secret && m >= 0 {
		if s, _ := w.string(m); len(s) == 1 {
			w.secret(m, "typed key", false)
		}
	}
}

// ariaNode looks at a field in an accessibility tree.
func (w *walk) ariaNode(id int32) {
	if w.memberText(id, "role") == "" {
		return
	}
	role := w.memberText(id, "role")
	if role != "textbox" && role != "searchbox" && role != "combobox" && role != "spinbutton" {
		return
	}
	if !w.r.o.TypedText && !w.r.names.mentions(w.memberText(id, "name")) {
		return
	}
	w.secret(w.member(id, "text"), "form field", false)
	w.secret(w.member(id, "value"), "form field", false)
}

// array looks at a list: a page's element, a pair of a name and a value, or
// the keys that a protocol presses one by one.
func (w *walk) array(id int32, key string) {
	v := &w.values[id]
	if len(v.members) >= 2 && w.values[v.members[0]].kind == '"' {
		if w.values[v.members[1]].kind == '{' {
			w.element(v.members)
		}
		if len(v.members) == 2 {
			if name, _ := w.string(v.members[0]); w.r.names.has(name) {
				w.secret(v.members[1], "value of "+name, false)
			}
		}
	}
	if key == "actions" {
		w.keys(id)
	}
	for _, m := range v.members {
		w.value(m, key)
	}
}

// element looks at an element of a page: ["INPUT", {attributes}, children…].
func (w *walk) element(members []int32) {
	tag, _ := w.string(members[0])
	attributes := members[1]
	switch strings.ToUpper(tag) {
	case "INPUT", "TEXTAREA", "SELECT":
	default:
		return
	}
	secret := w.r.names.secretField(func(name string) string { return w.memberText(attributes, name) })
	kind := strings.ToLower(w.memberText(attributes, "type"))
	button := kind == "submit" || kind == "button" || kind == "checkbox" || kind == "radio" || kind == "reset"
	if button || !secret && !w.r.o.TypedText {
		return
	}
	w.secret(w.member(attributes, "value"), "form field", false)
	w.secret(w.member(attributes, "__playwright_value_"), "form field", false)
	for _, child := range members[2:] {
		if strings.EqualFold(tag, "textarea") {
			w.secret(child, "form field", false)
		}
	}
}

// keys looks at keys that are pressed one by one: together they may be a
// secret that is known from elsewhere.
func (w *walk) keys(id int32) {
	var pressed strings.Builder
	for _, m := range w.values[id].members {
		s := w.memberText(m, "value")
		if len([]rune(s)) == 1 && w.memberText(m, "type") == "keyDown" {
			pressed.WriteString(s)
		}
	}
	text := pressed.String()
	if text == "" {
		return
	}
	secret := w.r.o.TypedText
	for _, s := range w.r.vault.values {
		secret = secret || len(s) >= 3 && strings.Contains(text, s)
	}
	if !secret {
		return
	}
	w.r.count("typed keys", w.r.vault.marker(text, false))
	for _, m := range w.values[id].members {
		if value := w.member(m, "value"); value >= 0 && len([]rune(w.memberText(m, "value"))) == 1 {
			w.done[value] = true
			w.set(value, "*")
		}
	}
}
