package diff

import (
	"regexp"
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// Masks is the one normaliser: it puts names in the place of what differs from
// run to run. Masking what is masked already changes nothing. It is safe for
// concurrent use.
type Masks struct {
	rules   []*rule
	byScope map[Scope][]*rule
	stands  *regexp.Regexp // what stands in the place of masked text

	mu    sync.Mutex
	cache map[masked]string
	bytes int
}

type masked struct {
	scope       Scope
	field, text string
}

// maxText is how much of a text is masked, in bytes. What is behind is left as
// it is.
const maxText = 256 << 10

// maxCache is how many bytes of texts the masks remember.
const maxCache = 8 << 20

// NewMasks makes masks of the default rules and the given ones. An error says
// which rule is wrong, and why.
func NewMasks(given []Rule) (*Masks, error) {
	m := &Masks{byScope: map[Scope][]*rule{}, cache: map[masked]string{}}
	for i, r := range given {
		if r.Off {
			continue
		}
		if _, err := compile(i, r); err != nil {
			return nil, err
		}
	}
	stands := []string{}
	for i, r := range withDefaults(given) {
		c, err := compile(i, r)
		if err != nil {
			return nil, err
		}
		m.rules = append(m.rules, c)
		for _, s := range scopes {
			if c.looksIn(s) {
				m.byScope[s] = append(m.byScope[s], c)
			}
		}
		for _, name := range standsFor.FindAllString(c.Replacement, -1) {
			stands = append(stands, regexp.QuoteMeta(name))
		}
	}
	var err error
	m.stands, err = regexp.Compile(strings.Join(stands, "|"))
	return m, err
}

// standsFor finds the names in a replacement: "[uuid]".
var standsFor = lazyregexp.New(`\[[^\]\s]+\]`)

// Text returns the text masked.
func (m *Masks) Text(s Scope, text string) string { return m.Field(s, "", text) }

// Field returns the value of a field masked: of a header, a JSON member, an
// attribute.
func (m *Masks) Field(s Scope, field, text string) string {
	if text == "" {
		return ""
	}
	k := masked{s, field, text}
	m.mu.Lock()
	out, ok := m.cache[k]
	m.mu.Unlock()
	if ok {
		return out
	}
	out = m.mask(s, field, text, nil)
	m.mu.Lock()
	if m.bytes += len(text) + len(out) + len(field) + 64; m.bytes > maxCache {
		clear(m.cache)
		m.bytes = 0
	}
	m.cache[strings2(k)] = out
	m.mu.Unlock()
	return out
}

// strings2 lets the cache own its texts, which may be parts of large ones.
func strings2(k masked) masked {
	return masked{k.scope, k.field, strings.Clone(k.text)}
}

// finding is told of what a rule masks.
type finding func(r *rule, text string)

// rounds is how often rules are tried again on what they left.
const rounds = 16

func (m *Masks) mask(s Scope, field, text string, tell finding) string {
	head, rest := text, ""
	if len(head) > maxText {
		head, rest = text[:maxText], text[maxText:]
	}
	for range rounds {
		out := m.once(s, field, head, tell)
		if out == head || len(out) > 2*maxText {
			break // a rule may match what it writes
		}
		head = out
	}
	return head + rest
}

func (m *Masks) once(s Scope, field, text string, tell finding) string {
	has := shapeOf(text)
	for _, r := range m.byScope[s] {
		if r.field != nil && (field == "" || !r.field.MatchString(field)) {
			continue
		}
		if r.pattern == nil {
			if text != r.Replacement && tell != nil {
				tell(r, text)
			}
			return r.Replacement
		}
		if !mayMatch(r.needs, text, &has) {
			continue
		}
		if out := m.apply(r, text, tell); out != text {
			text, has = out, shapeOf(out)
		}
	}
	return text
}

// apply masks what the rule matches between what stands for masked text.
func (m *Masks) apply(r *rule, text string, tell finding) string {
	if !r.pattern.MatchString(text) {
		return text
	}
	var b strings.Builder
	from := 0
	for _, p := range m.stands.FindAllStringIndex(text, -1) {
		r.replace(&b, text[from:p[0]], tell)
		b.WriteString(text[p[0]:p[1]])
		from = p[1]
	}
	r.replace(&b, text[from:], tell)
	return b.String()
}

func (r *rule) replace(b *strings.Builder, text string, tell finding) {
	from := 0
	for _, m := range r.pattern.FindAllStringSubmatchIndex(text, -1) {
		if !r.masks(text, m) {
			continue
		}
		b.WriteString(text[from:m[0]])
		b.Write(r.pattern.ExpandString(nil, r.Replacement, text, m))
		if tell != nil {
			tell(r, text[m[0]:m[1]])
		}
		from = m[1]
	}
	b.WriteString(text[from:])
}
