package title

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// member finds a value in an object by its name, or in a list by its number. The JSON must be valid: only
// the bytes on the way are looked at, since most parameters are asked for one value of many. As in
// JavaScript the last of several equal names counts.
func member(raw json.RawMessage, name string) (found json.RawMessage, ok bool) {
	s := scanner{rest: raw}
	s.space()
	if len(s.rest) == 0 || s.rest[0] != '{' && s.rest[0] != '[' {
		return nil, false
	}
	list := s.rest[0] == '['
	s.rest = s.rest[1:]
	for i := 0; ; i++ {
		s.space()
		if len(s.rest) == 0 || s.rest[0] == '}' || s.rest[0] == ']' {
			return found, ok
		}
		match := list && strconv.Itoa(i) == name
		if !list {
			match = sameName(s.value(), name)
			s.punctuation(':')
		}
		if v := s.value(); match {
			found, ok = v, true
		}
		s.punctuation(',')
	}
}

func sameName(quoted []byte, name string) bool {
	if len(quoted) < 2 {
		return false
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:len(quoted)-1]) == name
	}
	var s string
	return json.Unmarshal(quoted, &s) == nil && s == name
}

type scanner struct{ rest []byte }

func (s *scanner) space() {
	for len(s.rest) > 0 && (s.rest[0] == ' ' || s.rest[0] == '\n' || s.rest[0] == '\t' || s.rest[0] == '\r') {
		s.rest = s.rest[1:]
	}
}

func (s *scanner) punctuation(c byte) {
	s.space()
	if len(s.rest) > 0 && s.rest[0] == c {
		s.rest = s.rest[1:]
	}
}

// value takes the next value, whatever it holds.
func (s *scanner) value() []byte {
	s.space()
	depth := 0
	for i := 0; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '"':
			i = stringEnd(s.rest, i)
			if depth == 0 {
				return s.take(i + 1)
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return s.take(i)
			}
			if depth == 0 {
				return s.take(i + 1)
			}
		case ',', ' ', '\n', '\t', '\r', ':':
			if depth == 0 {
				return s.take(i)
			}
		}
	}
	return s.take(len(s.rest))
}

func (s *scanner) take(n int) []byte {
	n = min(n, len(s.rest))
	v := s.rest[:n]
	s.rest = s.rest[n:]
	return v
}

// stringEnd is the place of the quote that closes the string opened at i.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(b)
}
