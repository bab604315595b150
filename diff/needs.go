package diff

import (
	"regexp/syntax"
	"strings"
)

// needs are what a text must have for one alternative of a pattern to match
// it. Most texts hold nothing that any rule is about, and this tells it at a
// fraction of what matching takes.
type needs struct {
	sets    []byteSet // one byte of each
	literal string    // somewhere
	digits  int       // a run of so many digits
	hex     int       // of so many hexadecimal digits
	least   int       // so many bytes in all
}

// maxAlternatives is how many alternatives of a pattern are kept apart.
const maxAlternatives = 32

// needsOf returns the alternatives of a pattern.
func needsOf(pattern string) []needs {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return []needs{{}}
	}
	return alternatives(re)
}

// mayMatch reports whether any alternative is possible in the text.
func mayMatch(list []needs, text string, s *shape) bool {
	for i := range list {
		if list[i].possible(text, s) {
			return true
		}
	}
	return false
}

func (n *needs) possible(text string, s *shape) bool {
	if len(text) < n.least || s.digits < n.digits || s.hex < n.hex {
		return false
	}
	for i := range n.sets {
		if !s.bytes.meets(&n.sets[i]) {
			return false
		}
	}
	return n.literal == "" || strings.Contains(text, n.literal)
}

func alternatives(re *syntax.Regexp) []needs {
	switch re.Op {
	case syntax.OpLiteral:
		return []needs{literal(re)}
	case syntax.OpCharClass:
		return []needs{class(re.Rune, 1)}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return []needs{{least: 1}}
	case syntax.OpCapture, syntax.OpPlus:
		return alternatives(re.Sub[0])
	case syntax.OpRepeat:
		return repeated(re)
	case syntax.OpConcat:
		all := []needs{{}}
		for _, sub := range re.Sub {
			all = both(all, alternatives(sub))
		}
		return all
	case syntax.OpAlternate:
		var all []needs
		for _, sub := range re.Sub {
			all = append(all, alternatives(sub)...)
		}
		return all
	}
	return []needs{{}}
}

func repeated(re *syntax.Regexp) []needs {
	if re.Min == 0 {
		return []needs{{}}
	}
	if sub := re.Sub[0]; sub.Op == syntax.OpCharClass {
		return []needs{class(sub.Rune, re.Min)}
	}
	list := alternatives(re.Sub[0])
	for i := range list {
		list[i].least *= re.Min
	}
	return list
}

// both returns what is needed for one after the other. Where that would be too
// many, only what all alternatives need is kept.
func both(a, b []needs) []needs {
	if len(a)*len(b) > maxAlternatives {
		if len(a) > len(b) {
			a = []needs{merged(a)}
		} else {
			b = []needs{merged(b)}
		}
		if len(a)*len(b) > maxAlternatives {
			a, b = []needs{merged(a)}, []needs{merged(b)}
		}
	}
	var all []needs
	for _, x := range a {
		for _, y := range b {
			n := needs{digits: max(x.digits, y.digits), hex: max(x.hex, y.hex), least: x.least + y.least, literal: x.literal}
			n.sets = append(append(n.sets, x.sets...), y.sets...)
			if len(y.literal) > len(n.literal) {
				n.literal = y.literal
			}
			all = append(all, n)
		}
	}
	return all
}

// merged is what all alternatives need: one byte of the first sets of each.
func merged(list []needs) needs {
	m := needs{digits: list[0].digits, hex: list[0].hex, least: list[0].least}
	var union byteSet
	some := true
	for _, n := range list {
		m.digits, m.hex, m.least = min(m.digits, n.digits), min(m.hex, n.hex), min(m.least, n.least)
		if len(n.sets) == 0 {
			some = false
			continue
		}
		for i := range union {
			union[i] |= n.sets[0][i]
		}
	}
	if some {
		m.sets = []byteSet{union}
	}
	return m
}

// literal needs its characters; where case does not matter, in either case.
func literal(re *syntax.Regexp) needs {
	n := needs{least: len(re.Rune)}
	if re.Flags&syntax.FoldCase == 0 {
		n.literal = string(re.Rune)
		n.sets = []byteSet{setOf([]rune{re.Rune[0], re.Rune[0]})}
		return n
	}
	for _, r := range re.Rune {
		n.sets = append(n.sets, setOf(folded(r)))
	}
	return n
}

// folded returns the pairs of a class of one character in any case. Those that
// are not ASCII have cases of other lengths, and stand for any.
func folded(r rune) []rune {
	switch {
	case r >= 0x80 || r|0x20 == 'k' || r|0x20 == 's': // KELVIN SIGN, LONG S
		return []rune{0, 0x10ffff}
	case r|0x20 >= 'a' && r|0x20 <= 'z':
		return []rune{r | 0x20, r | 0x20, r &^ 0x20, r &^ 0x20}
	}
	return []rune{r, r}
}

func class(pairs []rune, times int) needs {
	n := needs{sets: []byteSet{setOf(pairs)}, least: times}
	digits, hex := true, true
	for b := range 256 {
		if !n.sets[0].has(byte(b)) {
			continue
		}
		digits = digits && b >= '0' && b <= '9'
		hex = hex && (b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'f')
	}
	if digits {
		n.digits = times
	}
	if hex {
		n.hex = times
	}
	return n
}

// setOf is the set of bytes with which characters of a class begin.
func setOf(pairs []rune) (s byteSet) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] >= 0x80 {
			for b := 0x80; b <= 0xff; b++ {
				s.add(byte(b)) // RE2 takes a byte that is no UTF-8 for U+FFFD
			}
		}
		for r := pairs[i]; r <= min(pairs[i+1], 0x7f); r++ {
			s.add(byte(r))
		}
	}
	return s
}
