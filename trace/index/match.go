package index

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// matcher finds the terms of a query in texts.
type matcher struct {
	terms []term
	need  int // how many terms must be found
}

// term is a Term made ready.
type term struct {
	Term
	lower []byte // the text in lower case
	rare  int    // the place in it of a letter that is not met often
}

func newMatcher(list []Term) *matcher {
	m := &matcher{}
	for _, t := range list {
		ready := term{Term: t, lower: []byte(strings.ToLower(t.Text))}
		ready.rare = rarest(ready.lower)
		m.terms = append(m.terms, ready)
		if !t.Not {
			m.need++
		}
	}
	return m
}

// rarest returns the place of the byte least often met in pages and logs.
func rarest(b []byte) int {
	const often = " etaoinsrhldcu\"-<>/=.:;()_mpfgbvyw0123kx"
	best, score := 0, -1
	for i, c := range b {
		s := strings.IndexByte(often, c)
		if s < 0 {
			s = len(often)
		}
		if s > score {
			best, score = i, s
		}
	}
	return best
}

// find returns where the term first is in b, or -1.
func (t *term) find(b []byte) (at, end int) {
	switch {
	case t.Pattern != nil:
		if loc := t.Pattern.FindIndex(b); loc != nil {
			return loc[0], loc[1]
		}
		return -1, -1
	case t.Exact:
		at = bytes.Index(b, []byte(t.Text))
	default:
		at = foldIndex(b, t.lower, t.rare)
	}
	return at, at + len(t.lower)
}

// foldIndex is bytes.Index for text in whatever case. ASCII letters are
// compared without making a copy; others need one.
func foldIndex(b, lower []byte, rare int) int {
	for _, c := range lower {
		if c >= utf8.RuneSelf {
			return bytes.Index(bytes.ToLower(b), lower)
		}
	}
	low := lower[rare]
	up := low
	if low >= 'a' && low <= 'z' {
		up = low - 'a' + 'A'
	}
	nextLow, nextUp := -1, -1
	for i := rare; i < len(b); i++ {
		if nextLow < i {
			nextLow = indexFrom(b, low, i)
		}
		if nextUp < i {
			nextUp = nextLow
			if up != low {
				nextUp = indexFrom(b, up, i)
			}
		}
		if i = min(nextLow, nextUp); i >= len(b) {
			return -1
		}
		if at := i - rare; at+len(lower) <= len(b) && equalFold(b[at:at+len(lower)], lower) {
			return at
		}
	}
	return -1
}

func indexFrom(b []byte, c byte, from int) int {
	if n := bytes.IndexByte(b[from:], c); n >= 0 {
		return from + n
	}
	return len(b)
}

// equalFold compares ASCII text with text in lower case.
func equalFold(b, lower []byte) bool {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// found is what has been found so far of a thing with several texts.
type found struct {
	m       *matcher
	seen    []bool
	left    int
	refused bool
	text    []byte // where the first term was found
	at, end int
}

func (m *matcher) start() found {
	return found{m: m, seen: make([]bool, len(m.terms)), left: m.need}
}

func (f *found) reset() {
	clear(f.seen)
	f.left, f.refused, f.text = f.m.need, false, nil
}

// add looks for the terms in one more text.
func (f *found) add(text []byte) {
	if len(text) == 0 {
		return
	}
	for i := range f.m.terms {
		t := &f.m.terms[i]
		if f.seen[i] || f.refused {
			continue
		}
		at, end := t.find(text)
		if at < 0 {
			continue
		}
		if t.Not {
			f.refused = true
			return
		}
		f.seen[i] = true
		f.left--
		if f.text == nil {
			f.text, f.at, f.end = text, at, end
		}
	}
}

func (f *found) ok() bool { return f.left == 0 && !f.refused }

// snippetSide is how many bytes around a match are shown.
const snippetSide = 60

// snippet returns the text around the match on one line, and where in it the
// match is.
func snippet(text []byte, at, end int) (s string, from, to int) {
	if text == nil {
		return "", 0, 0
	}
	end = min(end, at+4*snippetSide)
	lo, hi := max(at-snippetSide, 0), min(end+snippetSide, len(text))
	for lo > 0 && lo < len(text) && !utf8.RuneStart(text[lo]) {
		lo++
	}
	for hi < len(text) && !utf8.RuneStart(text[hi]) {
		hi++
	}
	lo = min(lo, at)
	head, middle, tail := oneLine(text[lo:at]), oneLine(text[at:end]), oneLine(text[end:hi])
	return head + middle + tail, len(head), len(head) + len(middle)
}

// oneLine replaces control characters and broken UTF-8.
func oneLine(b []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(b), "\ufffd"))
}
