package rows

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// unfilter undoes the filter of one row (PNG specification, section 9). All slices have the length of the row.
func unfilter(filter byte, dst, src, prev []byte, depth int) {
	switch filter {
	case 0:
		copy(dst, src)
	case 1:
		sub(dst, src, depth)
	case 2:
		up(dst, src, prev)
	case 3:
		average(dst, src, prev, depth)
	case 4:
		if depth == 3 {
			paeth3(dst, src, prev)
		} else {
			paeth4(dst, src, prev)
		}
	}
}

func sub(dst, src []byte, depth int) {
	src = src[:len(dst)]
	if depth == 3 {
		var a, b, c byte
		for i := 0; i+2 < len(dst) && i+2 < len(src); i += 3 {
			a += src[i]
			b += src[i+1]
			c += src[i+2]
			dst[i], dst[i+1], dst[i+2] = a, b, c
		}
		return
	}
	var last uint32
	for i := 0; i+3 < len(dst) && i+3 < len(src); i += 4 {
		last = addBytes32(last, binary.LittleEndian.Uint32(src[i:]))
		binary.LittleEndian.PutUint32(dst[i:], last)
	}
}

// addBytes32 adds byte by byte: the high bits are added without a carry into the next byte.
func addBytes32(x, y uint32) uint32 {
	const low = 0x7f7f7f7f
	return (x&low + y&low) ^ (x^y)&^low
}

// stretch is how many bytes are looked at together to see whether they are zero, as most of a page is that repeats the
// row above.
const stretch = 128

var zeroStretch [stretch]byte

func up(dst, src, prev []byte) {
	n := len(dst)
	src, prev = src[:n], prev[:n]
	d, s, p := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(prev))
	i := 0
	for ; i+stretch <= n; i += stretch {
		if *(*[stretch]byte)(unsafe.Add(s, i)) == zeroStretch {
			copy(dst[i:i+stretch], prev[i:])
			continue
		}
		for k := i; k < i+stretch; k += 8 {
			store(unsafe.Add(d, k), addBytes64(load(unsafe.Add(s, k)), load(unsafe.Add(p, k))))
		}
	}
	for ; i+8 <= n; i += 8 {
		store(unsafe.Add(d, i), addBytes64(load(unsafe.Add(s, i)), load(unsafe.Add(p, i))))
	}
	for ; i < n; i++ {
		dst[i] = src[i] + prev[i]
	}
}

// addBytes64 is addBytes32 of twice as many.
func addBytes64(x, y uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	return (x&low + y&low) ^ (x^y)&^low
}

func load(p unsafe.Pointer) uint64     { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }
func store(p unsafe.Pointer, v uint64) { binary.LittleEndian.PutUint64((*[8]byte)(p)[:], v) }

func average(dst, src, prev []byte, depth int) {
	src, prev = src[:len(dst)], prev[:len(dst)]
	for i := range min(depth, len(dst)) {
		dst[i] = src[i] + prev[i]>>1
	}
	for i := depth; i < len(dst); i++ {
		dst[i] = src[i] + byte((int(dst[i-depth])+int(prev[i]))>>1)
	}
}

// sign is the shift that leaves only the sign of an int.
const sign = bits.UintSize - 1

// predict is the Paeth predictor: whichever of left, above and upper left is nearest to left+above-upperLeft.
func predict(left, above, upperLeft int) int {
	pa := above - upperLeft
	pb := left - upperLeft
	pc := pa + pb
	pa = (pa ^ pa>>sign) - pa>>sign
	pb = (pb ^ pb>>sign) - pb>>sign
	pc = (pc ^ pc>>sign) - pc>>sign
	if pb < pa {
		left, pa = above, pb
	}
	if pc < pa {
		left = upperLeft
	}
	return left
}

// Where left equals upper left the prediction is the byte above, and where above equals upper left it is the byte to the
// left: with that most pixels of a page need no predicting. With a residual of zero the next pixel starts from the same
// state: a run of zero residuals is a copy of the row above.
//
// Pixels are loaded and stored as words of which the highest byte does not count. That is in bounds because rows have
// Slack behind them; what is stored too much is the next pixel's, which is stored after it.
func paeth3(dst, src, prev []byte) {
	n := len(dst)
	d, s, p := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(prev))
	const rgb = 0xffffff
	var left, upperLeft uint32
	for i := 0; i+2 < n; i += 3 {
		residual := load32(unsafe.Add(s, i)) & rgb
		if left == upperLeft && residual == 0 && i+8 <= n && load(unsafe.Add(s, i)) == 0 {
			k := zeros(src[i:n]) / 3 * 3
			copy(dst[i:i+k], prev[i:i+k])
			i += k
			left = load32(unsafe.Add(p, i-3)) & rgb
			upperLeft = left
			if i+2 >= n {
				return
			}
			residual = load32(unsafe.Add(s, i)) & rgb
		}
		above := load32(unsafe.Add(p, i)) & rgb
		switch {
		case left == upperLeft:
			left = addBytes32(residual, above)
		case above == upperLeft:
			left = addBytes32(residual, left)
		default:
			left = uint32(residual+uint32(predict(int(left&255), int(above&255), int(upperLeft&255))))&255 |
				uint32(residual>>8+uint32(predict(int(left>>8&255), int(above>>8&255), int(upperLeft>>8&255))))&255<<8 |
				uint32(residual>>16+uint32(predict(int(left>>16), int(above>>16), int(upperLeft>>16))))&255<<16
		}
		store32(unsafe.Add(d, i), left)
		upperLeft = above
	}
}

func load32(p unsafe.Pointer) uint32     { return binary.LittleEndian.Uint32((*[4]byte)(p)[:]) }
func store32(p unsafe.Pointer, v uint32) { binary.LittleEndian.PutUint32((*[4]byte)(p)[:], v) }

func paeth4(dst, src, prev []byte) {
	n := len(dst)
	src, prev = src[:n], prev[:n]
	var a0, a1, a2, a3, c0, c1, c2, c3 int
	for i := 0; i+3 < n; i += 4 {
		if a0 == c0 && a1 == c1 && a2 == c2 && a3 == c3 && i+8 <= n && binary.LittleEndian.Uint64(src[i:]) == 0 {
			k := zeros(src[i:]) / 4 * 4
			copy(dst[i:i+k], prev[i:i+k])
			i += k
			a0, a1, a2, a3 = int(prev[i-4]), int(prev[i-3]), int(prev[i-2]), int(prev[i-1])
			c0, c1, c2, c3 = a0, a1, a2, a3
			if i+3 >= n {
				return
			}
		}
		b0, b1, b2, b3 := int(prev[i]), int(prev[i+1]), int(prev[i+2]), int(prev[i+3])
		a0 = (int(src[i]) + predict(a0, b0, c0)) & 255
		a1 = (int(src[i+1]) + predict(a1, b1, c1)) & 255
		a2 = (int(src[i+2]) + predict(a2, b2, c2)) & 255
		a3 = (int(src[i+3]) + predict(a3, b3, c3)) & 255
		dst[i], dst[i+1], dst[i+2], dst[i+3] = byte(a0), byte(a1), byte(a2), byte(a3)
		c0, c1, c2, c3 = b0, b1, b2, b3
	}
}

// zeros is how many zero bytes b begins with.
func zeros(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if v := binary.LittleEndian.Uint64(b[i:]); v != 0 {
			return i + bits.TrailingZeros64(v)>>3
		}
	}
	for i < len(b) && b[i] == 0 {
		i++
	}
	return i
}

// firstDifference is how many bytes a and b have in common at their beginning.
func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)>>3
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
