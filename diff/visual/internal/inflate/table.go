package inflate

import (
	"math/bits"
	"sync"
)

// A table entry packs everything the decoding loop needs to know about a code:
// bits 0-7 how many bits to drop (code and extra bits), 8-12 the length of the code alone, 13-15 the kind,
// 16-31 the literal, the base of the length or distance, or where a second-level table begins.
const (
	kindLiteral = 0 << 13
	kindBase    = 1 << 13
	kindEnd     = 2 << 13
	kindSub     = 3 << 13
	kindBad     = 4 << 13
	kindMask    = 7 << 13
)

const (
	litBits  = 11
	distBits = 9
	lenBits  = 7
	// Second-level tables all get 15-root bits. A complete code has at most 288 symbols longer than 11 bits and
	// 32 longer than 9, so at most 144 and 16 prefixes that need one.
	litSize  = 1<<litBits + 144<<(15-litBits)
	distSize = 1<<distBits + 16<<(15-distBits)
)

// Entries of RFC 1951 section 3.2.5 without their code lengths.
var (
	litSymbols  = literals()
	distSymbols = distances()
	lenSymbols  = codeLengths()
	fixedLit    [litSize]uint32
	fixedDist   [distSize]uint32
)

func literals() (t [288]uint32) {
	for i := range 256 {
		t[i] = kindLiteral | uint32(i)<<16
	}
	t[256] = kindEnd
	base := uint32(3)
	for i := range 28 {
		extra := uint32(max(i/4-1, 0))
		t[257+i] = kindBase | base<<16 | extra
		base += 1 << extra
	}
	t[285] = kindBase | 258<<16
	t[286], t[287] = kindBad, kindBad
	return t
}

func distances() (t [32]uint32) {
	base := uint32(1)
	for i := range 30 {
		extra := uint32(max(i/2-1, 0))
		t[i] = kindBase | base<<16 | extra
		base += 1 << extra
	}
	t[30], t[31] = kindBad, kindBad
	return t
}

func codeLengths() (t [19]uint32) {
	for i := range t {
		t[i] = uint32(i) << 16
	}
	return t
}

// buildFixed makes fixedLit and fixedDist, which few streams need.
var buildFixed = sync.OnceFunc(func() {
	var lens [288]uint8
	for i := range lens {
		switch {
		case i < 144 || i >= 280:
			lens[i] = 8
		case i < 256:
			lens[i] = 9
		default:
			lens[i] = 7
		}
	}
	five := [32]uint8{}
	for i := range five {
		five[i] = 5
	}
	if build(fixedLit[:], litBits, lens[:], litSymbols[:]) != nil || build(fixedDist[:], distBits, five[:], distSymbols[:]) != nil {
		panic("inflate: the fixed codes do not build")
	}
})

// build fills tab, whose first level has root bits, with the canonical code of the given lengths.
func build(tab []uint32, root uint, lens []uint8, symbols []uint32) error {
	next, complete, err := firstCodes(lens)
	if err != nil {
		return err
	}
	if !complete { // then some entries are set by no code
		for i := range tab[:1<<root] {
			tab[i] = kindBad
		}
	}
	sub, rest := 1<<root, 15-root
	var subAt [1 << litBits]uint16
	for sym, l8 := range lens {
		if l8 == 0 {
			continue
		}
		l := uint(l8)
		code := int(bits.Reverse16(next[l]) >> (16 - l))
		next[l]++
		e := symbols[sym] + uint32(l) | uint32(l)<<8
		if l <= root {
			for i := code; i < 1<<root; i += 1 << l {
				tab[i] = e
			}
			continue
		}
		prefix := code & (1<<root - 1)
		if subAt[prefix] == 0 {
			if sub+1<<rest > len(tab) {
				return ErrCorrupt
			}
			subAt[prefix] = uint16(sub)
			tab[prefix] = kindSub | uint32(rest) | uint32(sub)<<16
			for i := range tab[sub : sub+1<<rest] {
				tab[sub+i] = kindBad
			}
			sub += 1 << rest
		}
		for i := code >> root; i < 1<<rest; i += 1 << (l - root) {
			tab[int(subAt[prefix])+i] = e
		}
	}
	return nil
}

// firstCodes returns the first code of each length, and whether every bit string leads to a code.
func firstCodes(lens []uint8) (next [16]uint16, complete bool, err error) {
	var count [16]int
	for _, l := range lens {
		count[l]++
	}
	code, used := 0, 0
	for l := 1; l < 16; l++ {
		next[l] = uint16(code)
		used += count[l] << (15 - l)
		code = (code + count[l]) << 1
	}
	// Encoders write no distance code where there are no matches, and one of a single bit where all are alike.
	if used != 1<<15 && used != 0 && (used != 1<<14 || count[1] != 1) {
		return next, false, ErrCorrupt
	}
	return next, used == 1<<15, nil
}

var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

func (d *Decoder) fixedTables() error {
	buildFixed()
	d.lit, d.dist = fixedLit, fixedDist
	return nil
}

func (d *Decoder) dynamicTables() error {
	nlit, ndist, nlen := d.take(5)+257, d.take(5)+1, d.take(4)+4
	if nlit > 286 || ndist > 30 {
		return ErrCorrupt
	}
	var lens [320]uint8
	if err := d.readLengths(lens[:nlit+ndist], nlen); err != nil {
		return err
	}
	if lens[256] == 0 { // a block without an end
		return ErrCorrupt
	}
	if err := build(d.lit[:], litBits, lens[:nlit], litSymbols[:]); err != nil {
		return err
	}
	return build(d.dist[:], distBits, lens[nlit:nlit+ndist], distSymbols[:])
}

func (d *Decoder) readLengths(lens []uint8, nlen int) error {
	var own [19]uint8
	for i := range nlen {
		if err := d.refill(); err != nil {
			return err
		}
		own[lengthOrder[i]] = uint8(d.take(3))
	}
	var tab [1 << lenBits]uint32
	if err := build(tab[:], lenBits, own[:], lenSymbols[:]); err != nil {
		return err
	}
	for i := 0; i < len(lens); {
		if err := d.refill(); err != nil {
			return err
		}
		e := tab[d.bits&(1<<lenBits-1)]
		if e&kindMask == kindBad {
			return ErrCorrupt
		}
		d.take(uint(e & 0xff))
		n, v := 1, uint8(e>>16)
		switch v {
		case 16:
			if i == 0 {
				return ErrCorrupt
			}
			n, v = 3+d.take(2), lens[i-1]
		case 17:
			n, v = 3+d.take(3), 0
		case 18:
			n, v = 11+d.take(7), 0
		}
		if n > len(lens)-i {
			return ErrCorrupt
		}
		for ; n > 0; n-- {
			lens[i] = v
			i++
		}
	}
	return nil
}
