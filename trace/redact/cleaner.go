package redact

import (
	"slices"
	"sort"
	"strings"
)

// Cleaner takes values out of texts, in whatever way they are written there: as
// they are, escaped for JSON, URLs or HTML, in lower case, or in base64. The zero
// value knows none. It is not safe for concurrent use.
type Cleaner struct {
	f     finder
	known map[string]bool
}

// Add makes the cleaner know a value, and what stands for it. What is shorter than
// six bytes could be a part of anything, and is not added.
func (c *Cleaner) Add(secret, with string) {
	if len(secret) < 6 || len(secret) > 64<<10 || c.known[secret] {
		return
	}
	if c.known == nil {
		c.known, c.f.by = map[string]bool{}, map[uint16][]spelling{}
	}
	c.known[secret] = true
	list := spellings(secret)
	if low := strings.ToLower(secret); low != secret {
		list = append(list, spelling{text: low})
	}
	for _, s := range list {
		s.with = with
		c.f.insert(s)
	}
}

// Len returns how many values the cleaner knows.
func (c *Cleaner) Len() int { return len(c.known) }

// Clean returns the text without the values.
func (c *Cleaner) Clean(text string) string { return c.f.replace(text, func(spelling) {}) }

// insert is add for a finder that is in use: of two spellings that begin alike
// the longer one is tried first.
func (f *finder) insert(s spelling) {
	if len(s.text) < 2 {
		return
	}
	head := uint16(s.text[0])<<8 | uint16(s.text[1])
	f.first[head] = true
	list := f.by[head]
	i := sort.Search(len(list), func(i int) bool { return len(list[i].text) < len(s.text) })
	f.by[head] = slices.Insert(list, i, s)
}
