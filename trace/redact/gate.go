package redact

// gate tells cheaply whether a text can hold one of some words, whatever
// their case: the forms that give secrets away are slow to look for.
type gate struct {
	first [1 << 16]bool // the two bytes that words begin with, in lower case
	words map[uint16][]string
}

// nameGate returns a gate of what all secret names hold.
func nameGate(n *names) *gate {
	g := &gate{words: map[uint16][]string{}}
	for name := range n.secret {
		// What "-" and "_" separate is looked for by its beginning.
		g.add(name[:min(len(name), 3)])
	}
	for _, end := range secretEnds {
		g.add(end[:min(len(end), 3)])
	}
	g.add("bea")
	g.add("bas")
	return g
}

func (g *gate) add(word string) {
	if len(word) < 2 {
		return
	}
	head := uint16(word[0])<<8 | uint16(word[1])
	for _, w := range g.words[head] {
		if w == word {
			return
		}
	}
	g.first[head] = true
	g.words[head] = append(g.words[head], word)
}

// open reports whether the text holds one of the words. Their letters may
// stand apart by one sign, as in "x-s-rf".
func (g *gate) open(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		a := lower(text[i])
		if !letter(a) {
			continue
		}
		b, skip := lower(text[i+1]), 1
		if (b == '-' || b == '_' || b == '.') && i+2 < len(text) {
			b, skip = lower(text[i+2]), 2
		}
		head := uint16(a)<<8 | uint16(b)
		if !g.first[head] {
			continue
		}
		for _, w := range g.words[head] {
			if holds(text[i+skip+1:], w[2:]) {
				return true
			}
		}
	}
	return false
}

func holds(text, rest string) bool {
	for k := 0; k < len(rest); k++ {
		if len(text) > 0 && (text[0] == '-' || text[0] == '_' || text[0] == '.') {
			text = text[1:]
		}
		if len(text) == 0 || lower(text[0]) != rest[k] {
			return false
		}
		text = text[1:]
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 }
