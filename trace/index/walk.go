package index

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// walker steps over the members of one JSON object without decoding them. It
// takes valid JSON for granted in what it steps over: it finds the ends of
// values, and does not look at what they say.
type walker struct {
	b   []byte
	i   int
	bad bool // the text is not an object, or ends early
}

// enter steps into the object that begins at i.
func (w *walker) enter() {
	w.blanks()
	if w.i >= len(w.b) || w.b[w.i] != '{' {
		w.bad = true
		return
	}
	w.i++
}

func (w *walker) blanks() {
	for w.i < len(w.b) && (w.b[w.i] == ' ' || w.b[w.i] == '\t' || w.b[w.i] == '\r' || w.b[w.i] == '\n') {
		w.i++
	}
}

// next steps to the next member's value and returns its name as it is
// written; ok is false behind the last one, or when something is bad.
func (w *walker) next() (key []byte, ok bool) {
	if w.bad {
		return nil, false
	}
	if w.i >= len(w.b) || w.b[w.i] <= ' ' {
		w.blanks()
	}
	if w.i < len(w.b) && w.b[w.i] == ',' {
		w.i++
		if w.i < len(w.b) && w.b[w.i] <= ' ' {
			w.blanks()
		}
	}
	if w.i >= len(w.b) {
		w.bad = true
		return nil, false
	}
	if w.b[w.i] != '"' {
		w.bad = w.b[w.i] != '}'
		w.i++
		return nil, false
	}
	start := w.i + 1
	end := stringEnd(w.b, w.i)
	if end < 0 {
		w.bad = true
		return nil, false
	}
	w.i = end + 1
	if w.i >= len(w.b) || w.b[w.i] != ':' {
		w.blanks()
		if w.i >= len(w.b) || w.b[w.i] != ':' {
			w.bad = true
			return nil, false
		}
	}
	w.i++
	if w.i < len(w.b) && w.b[w.i] <= ' ' {
		w.blanks()
	}
	return w.b[start:end], true
}

// value steps over the value and returns its text.
func (w *walker) value() []byte {
	end := valueEnd(w.b, w.i)
	if w.bad || end < 0 {
		w.bad = true
		return nil
	}
	v := w.b[w.i:end]
	w.i = end
	if len(v) == 0 {
		w.bad = true
	}
	return v
}

// whole reports that the object was walked to its end and nothing follows.
func (w *walker) whole() bool {
	w.blanks()
	return !w.bad && w.i == len(w.b)
}

// stringEnd returns where the string that begins at i has its closing quote,
// or -1. It looks at eight bytes at a time: most strings are short, and the
// call of a faster search would cost more than they do.
func stringEnd(b []byte, i int) int {
	k := i + 1
	for k+8 <= len(b) {
		if k > i+inOneGo {
			return longStringEnd(b, k)
		}
		hit := quoteOrSlash(binary.LittleEndian.Uint64(b[k:]))
		if hit == 0 {
			k += 8
			continue
		}
		k += bits.TrailingZeros64(hit) / 8
		if b[k] == '"' {
			return k
		}
		k += 2
	}
	for ; k < len(b); k++ {
		if b[k] == '"' {
			return k
		}
		if b[k] == '\\' {
			k++
		}
	}
	return -1
}

// inOneGo is how far a string is searched in small steps.
const inOneGo = 256

// quoteOrSlash returns a word whose lowest set bit is in the first byte of w
// that is a quote or a backslash; 0 if none is.
func quoteOrSlash(w uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	q, s := w^(ones*'"'), w^(ones*'\\')
	return ((q-ones)&^q | (s-ones)&^s) & tops
}

// longStringEnd is stringEnd from k on, which is not behind a backslash that
// escapes.
func longStringEnd(b []byte, k int) int {
	start := k
	for k < len(b) {
		q := bytes.IndexByte(b[k:], '"')
		if q < 0 {
			return -1
		}
		k += q
		slashes := 0
		for k-1-slashes >= start && b[k-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return k
		}
		k++
	}
	return -1
}

// valueEnd returns the index behind the value that begins at i, or -1.
func valueEnd(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		if end := stringEnd(b, i); end >= 0 {
			return end + 1
		}
		return -1
	case '{', '[':
		return nestedEnd(b, i)
	}
	k := i
	for k < len(b) && scalar[b[k]] {
		k++
	}
	return k
}

// scalar holds which bytes a number or a word is made of.
var scalar = func() (t [256]bool) {
	for _, c := range "0123456789+-.eEtrufalsn" {
		t[c] = true
	}
	return t
}()

// mark holds which bytes matter while stepping over something nested.
var mark = [256]int8{'"': 1, '{': 2, '[': 2, '}': 3, ']': 3}

func nestedEnd(b []byte, i int) int {
	depth := 0
	for k := i; k < len(b); k++ {
		switch mark[b[k]] {
		case 1:
			if k = stringEnd(b, k); k < 0 {
				return -1
			}
		case 2:
			depth++
		case 3:
			if depth--; depth == 0 {
				return k + 1
			}
		}
	}
	return -1
}

// stringStart is stringEnd backwards: where the string whose closing quote is
// at i has its opening one, or -1. In JSON a quote inside a string always has
// a backslash, so that reading backwards cannot go wrong.
func stringStart(b []byte, i int) int {
	for k := i - 1; k >= 0; {
		k = bytes.LastIndexByte(b[:k+1], '"')
		if k < 0 {
			return -1
		}
		slashes := 0
		for k-1-slashes >= 0 && b[k-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return k
		}
		k -= slashes + 1
	}
	return -1
}

// valueStart returns where the value that ends before end begins, looking
// back no further than limit, or -1.
func valueStart(b []byte, end, limit int) int {
	if end <= limit {
		return -1
	}
	switch b[end-1] {
	case '"':
		return stringStart(b, end-1)
	case '}', ']':
		return nestedStart(b, end, limit)
	}
	k := end
	for k > limit && scalar[b[k-1]] {
		k--
	}
	if k == end {
		return -1
	}
	return k
}

func nestedStart(b []byte, end, limit int) int {
	depth := 0
	for k := end - 1; k >= limit; k-- {
		switch mark[b[k]] {
		case 1:
			if k = stringStart(b, k); k < 0 {
				return -1
			}
		case 3:
			depth++
		case 2:
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
}
