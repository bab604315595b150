package audit

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/assignment"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// snapshot looks through the DOM of a frame. Texts and attributes are looked at
// for tokens and for what tells of people; what a field holds also by the name of
// the field.
func (s *scan) snapshot(b *trace.FrameSnapshot, at trace.Position) {
	if len(b.HTML) == 0 || !s.o.URL.Match(b.FrameURL) || !s.checks[Credentials] && !s.checks[Personal] {
		return
	}
	source := s.source(srcPages)
	source.Looked++
	text := b.HTML
	if len(text) > maxSnapshot {
		text = text[:maxSnapshot]
		source.Skipped++
	}
	e := verdict.Evidence{Type: "page", Place: placeOf(at)}
	if a := parseAddress(b.FrameURL); !a.bad {
		e.Page = a.shown()
	}
	c := inDOM(text)
	s.credentials(c, spot{where: inPage, evidence: e})
	s.people(c, "pii-in-page", e, e.Page)
}

// maxSnapshot is how much of a snapshot is looked at, in bytes.
const maxSnapshot = 16 << 20

// field is an element that people type into, as far as it was read.
type field struct {
	names  []string
	value  string
	secret bool // of type password
	choice bool // one of several, or a button: nothing is typed
}

// inDOM looks through a snapshot's nodes, which are lists of a name, an object of
// attributes, and children.
func inDOM(html []byte) *content {
	c := &content{fields: map[string]string{}}
	var f field
	depth := -1
	program := false // the next text is the content of a script or a style sheet
	walk(html, func(w *walker, l leaf) {
		switch {
		case l.number || l.name && len(l.value) < 16:
			return
		case l.name:
			c.tokens(l.value, "")
			return
		}
		if n := len(w.path); n == 0 || w.path[n-1] == "*" {
			c.field(&f)
			c.domText(l.value, "")
			if !program {
				c.shownPersons(l.value, "", "")
			}
			program = programs[l.value]
			depth = -1
			return
		} else if n != depth {
			c.field(&f)
			depth = n
		}
		f.attribute(l.key, l.value)
		if l.key != "value" && l.key != "__playwright_value_" {
			c.domText(l.value, shownName(l.key))
			c.attributePersons(strings.ToLower(l.key), l.value)
		}
	})
	c.field(&f)
	return c
}

var choices = map[string]bool{"radio": true, "checkbox": true, "button": true, "submit": true, "reset": true, "image": true}

var programs = map[string]bool{"STYLE": true, "SCRIPT": true, "style": true, "script": true}

func (f *field) attribute(name, value string) {
	switch strings.ToLower(name) {
	case "name", "id", "aria-label", "placeholder", "autocomplete":
		f.names = append(f.names, value)
	case "type":
		f.secret = strings.EqualFold(value, "password")
		f.choice = choices[strings.ToLower(value)]
		f.names = append(f.names, value) // "tel" and "email" name what is typed
	case "value", "__playwright_value_":
		if value != "" {
			f.value = value
		}
	}
}

// field looks at what a field holds, and forgets the field.
func (c *content) field(f *field) {
	if f.value != "" {
		c.tokens(f.value, "value")
		if h, ok := fieldHit(f.names, f.value, f.secret); ok {
			c.hit(h, "value")
		}
		if !f.secret && !f.choice {
			c.typedPersons(f.names, f.value, "value")
		}
	}
	*f = field{}
}

// fieldHit says what was typed into a field that has these names.
func fieldHit(names []string, value string, secret bool) (hit, bool) {
	if secret && value != "" && !assignment.Masked(value) {
		return hit{form: "value of a password field", value: value, class: password}, true
	}
	for _, name := range names {
		if h, ok := namedHit(name, value, false); ok && h.class != weak {
			return h, true
		}
	}
	return hit{}, false
}

func (c *content) domText(text, at string) {
	if strings.HasPrefix(text, "data:") || strings.HasPrefix(text, "blob:") {
		return
	}
	c.tokens(text, at)
}
