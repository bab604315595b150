package diff

import (
	"regexp/syntax"
	"unicode"
)

// byteSet is a set of bytes. The nil set of a pattern says nothing about it.
type byteSet = *[4]uint64

func (s setOfBytes) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

// setOfBytes is the set itself.
type setOfBytes [4]uint64

// bytesIn returns the bytes that a text holds.
func bytesIn(text string) (s setOfBytes) {
	for i := range len(text) {
		s[text[i]>>6] |= 1 << (text[i] & 63)
	}
	return s
}

// meets reports whether a text of these bytes may match a pattern that needs
// one of the others.
func (s setOfBytes) meets(needs byteSet) bool {
	return needs == nil || s[0]&needs[0]|s[1]&needs[1]|s[2]&needs[2]|s[3]&needs[3] != 0
}

// required returns the smallest set it can find of which every match of the
// pattern holds at least one byte, and nil if there is none. Most texts hold
// nothing that any rule is about, and this tells it without matching.
func required(pattern string) byteSet {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	return needed(re.Simplify())
}

func needed(re *syntax.Regexp) byteSet {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(re)
	case syntax.OpCharClass:
		return class(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needed(re.Sub[0])
		}
	case syntax.OpConcat:
		var best byteSet
		for _, sub := range re.Sub {
			if s := needed(sub); s != nil && (best == nil || count(s) < count(best)) {
				best = s
			}
		}
		return best
	case syntax.OpAlternate:
		var all [4]uint64
		for _, sub := range re.Sub {
			s := needed(sub)
			if s == nil {
				return nil
			}
			for i := range all {
				all[i] |= s[i]
			}
		}
		return &all
	}
	return nil
}

// literal needs any one of its characters; the rarest kind is no letter.
func literal(re *syntax.Regexp) byteSet {
	var best byteSet
	for _, r := range re.Rune {
		pair := []rune{r, r}
		if re.Flags&syntax.FoldCase != 0 {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				pair = append(pair, f, f)
			}
		}
		s := class(pair)
		if s == nil {
			continue
		}
		if best == nil || count(s) < count(best) || count(s) == count(best) && !unicode.IsLetter(r) {
			best = s
		}
	}
	return best
}

// class is the set of a character class given as pairs; nil if it is large.
func class(pairs []rune) byteSet {
	var s [4]uint64
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] >= 0x80 {
			for b := 0xc2; b <= 0xf4; b++ {
				s[b>>6] |= 1 << (b & 63)
			}
		}
		for r := pairs[i]; r <= min(pairs[i+1], 0x7f); r++ {
			s[r>>6] |= 1 << (r & 63)
		}
	}
	return &s
}

func count(s byteSet) int {
	n := 0
	for b := range 256 {
		if setOfBytes(*s).has(byte(b)) {
			n++
		}
	}
	return n
}
