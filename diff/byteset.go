package diff

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(b byte) { s[b>>6] |= 1 << (b & 63) }

func (s *byteSet) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

func (s *byteSet) meets(t *byteSet) bool {
	return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3] != 0
}

// shape is what a text is made of, as far as it tells which patterns cannot
// match it.
type shape struct {
	bytes  byteSet
	digits int // the longest run of digits
	hex    int // of hexadecimal digits
}

func shapeOf(text string) (s shape) {
	digits, hex := 0, 0
	for i := range len(text) {
		b := text[i]
		s.bytes.add(b)
		switch {
		case b >= '0' && b <= '9':
			digits, hex = digits+1, hex+1
		case b|0x20 >= 'a' && b|0x20 <= 'f':
			digits, hex = 0, hex+1
		default:
			digits, hex = 0, 0
		}
		s.digits, s.hex = max(s.digits, digits), max(s.hex, hex)
	}
	return s
}
