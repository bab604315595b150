package audit

import (
	"mime"
	"net/url"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/assignment"
)

// written says what a text is written in.
type written uint8

const (
	nothing written = iota // not text: not looked into
	data                   // JSON, NDJSON
	script                 // JavaScript, CSS, source maps
	markup                 // HTML, XML
	form                   // urlencoded
	prose                  // anything else
)

// kindOf returns what a body is written in.
func kindOf(contentType string) written {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		t, _, _ = strings.Cut(contentType, ";")
	}
	t = strings.ToLower(strings.TrimSpace(t))
	switch {
	case strings.HasSuffix(t, "json"), t == "application/x-ndjson", t == "application/jsonl":
		return data
	case strings.HasSuffix(t, "javascript"), strings.HasSuffix(t, "ecmascript"), t == "text/css", t == "application/wasm+text":
		return script
	case strings.HasSuffix(t, "html"), strings.HasSuffix(t, "xml"):
		return markup
	case t == "application/x-www-form-urlencoded":
		return form
	case strings.HasPrefix(t, "text/"), strings.HasPrefix(t, "multipart/form-data"), t == "application/graphql":
		return prose
	}
	return nothing
}

// content is what a text holds that findings are made of.
type content struct {
	hits   []placedHit
	people []placedPerson
	fields map[string]string // kinds of personal data that only names tell of, and where
	more   int               // beyond maxHits

}

type placedHit struct {
	hit
	field string
	also  []string
	times int
}

type placedPerson struct {
	person
	field string
	times int
}

// inspect looks through a text.
func inspect(text string, kind written) *content {
	c := &content{fields: map[string]string{}}
	switch kind {
	case data:
		if !c.json(text, "", 0) {
			*c = content{fields: map[string]string{}}
			c.prose(text, "")
		}
	case script:
		c.tokens(text, "")
		inScript(text, func(h hit) { c.hit(h, "") })
	case markup:
		c.tokens(text, "")
		inScript(text, func(h hit) { c.hit(h, "") })
	case form:
		c.form(text)
	case prose:
		c.prose(text, "")
	}
	return c
}

// json looks through the members of a JSON text. What stands in a string may
// be JSON again.
func (c *content) json(text, above string, depth int) bool {
	return walk([]byte(text), func(w *walker, l leaf) {
		if len(l.value) < 4 {
			return
		}
		at := ""
		field := func() string {
			if at == "" {
				at = above + w.pointer()
			}
			return at
		}
		switch {
		case l.number:
			// What a program reads as a number has lost its last digits above 2^53.
			if len(l.value) <= 15 {
				c.persons(l.value, l.key, field, func(p person) bool { return p.kind == "ssn" || p.kind == "phone" })
			}
		case l.name:
			c.tokensAt(l.value, field)
		case depth < 3 && (l.value[0] == '{' || l.value[0] == '[') && c.json(l.value, field(), depth+1):
		default:
			c.tokensAt(l.value, field)
			if h, ok := namedHit(l.key, l.value, false); ok {
				c.hit(h, field())
			}
			c.persons(l.value, l.key, field, nil)
			c.name(l.key, l.value, field)
		}
	})
}

// personalNames are kinds of personal data that a value alone does not show.
var personalNames = map[string]string{"firstname": "name", "lastname": "name", "fullname": "name", "surname": "name", "givenname": "name", "familyname": "name",
	"dateofbirth": "birth", "dob": "birth", "birthdate": "birth", "birthday": "birth", "streetaddress": "address", "street": "address", "addressline1": "address",
	"postalcode": "address", "zipcode": "address", "homeaddress": "address", "address": "address", "passportnumber": "id", "nationalid": "id", "taxid": "id"}

func (c *content) name(key, value string, field func() string) {
	if kind := personalNames[assignment.Plain(key)]; kind != "" && c.fields[kind] == "" && !placeholder(value) {
		c.fields[kind] = field()
	}
}

func (c *content) tokens(text, field string) { c.tokensAt(text, func() string { return field }) }

func (c *content) tokensAt(text string, field func() string) {
	if len(text) < 16 {
		return
	}
	tokens().find(text, func(h hit) {
		c.hit(h, field())
		if h.form == "AWS access key" {
			nearAWS(text, h.from, func(h hit) { c.hit(h, field()) })
		}
	})
}

func (c *content) persons(text, key string, field func() string, keep func(person) bool) {
	people(text, key, func(p person) {
		if keep == nil || keep(p) {
			c.person(p, field())
		}
	})
}

func (c *content) prose(text, field string) {
	c.tokens(text, field)
	inProse(text, func(h hit) { c.hit(h, field) })
	c.persons(text, "", func() string { return field }, nil)
}

// form looks through the fields of a form, or a query.
func (c *content) form(text string) { c.pairs(text, false) }

func (c *content) pairs(text string, isURL bool) {
	for n, pair := range strings.Split(text, "&") {
		if n >= 10_000 {
			c.more++
			return
		}
		name, value, _ := strings.Cut(pair, "=")
		name, value = unescape(name), unescape(value)
		field := shownName(name)
		c.tokens(value, field)
		c.tokens(name, field)
		if h, ok := namedHit(name, value, isURL); ok {
			c.hit(h, field)
		}
		c.persons(value, name, func() string { return field }, nil)
	}
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// hit adds a credential. Of several rules that meet the same value in the same
// place the worse stands for all.
func (c *content) hit(h hit, field string) {
	if redacted(h.value) {
		return
	}
	for i := range c.hits {
		have := &c.hits[i]
		if have.field != field || have.value != h.value && !strings.Contains(have.value, h.value) && !strings.Contains(h.value, have.value) {
			continue
		}
		switch {
		case have.form == h.form:
			have.times++
		case better(h, have.hit):
			have.also = append(have.also, have.form)
			have.hit = h
		default:
			have.also = append(have.also, h.form)
		}
		return
	}
	if len(c.hits) >= maxHits {
		c.more++
		return
	}
	c.hits = append(c.hits, placedHit{hit: h, field: field, times: 1})
}

// rank orders classes by how much is known: a form tells more than a name.
var rank = map[class]int{certain: 6, jwt: 5, sample: 5, public: 5, password: 4, likely: 3, named: 2, weak: 1}

func better(a, b hit) bool { return rank[a.class] > rank[b.class] }

func redacted(value string) bool {
	return strings.HasPrefix(value, "redacted-") || assignment.Masked(value)
}

// person adds personal data: one for each kind and field, however many values
// there are.
func (c *content) person(p person, field string) {
	for i := range c.people {
		have := &c.people[i]
		if have.kind == p.kind && have.field == field && have.sample == p.sample {
			have.times++
			have.sure = have.sure || p.sure
			return
		}
	}
	if len(c.people) >= maxHits {
		c.more++
		return
	}
	c.people = append(c.people, placedPerson{person: p, field: field, times: 1})
}
