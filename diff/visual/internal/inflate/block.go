package inflate

import (
	"encoding/binary"
	"unsafe"
)

// A match whose distance is shorter than a word repeats a period of 1 to 7 bytes. Multiplying the period by spread
// fills a word with it; stride is how many of that word's bytes are whole periods.
var (
	spread = [8]uint64{0, 0x0101010101010101, 0x0001000100010001, 0x0001000001000001, 0x0000000100000001, 1 | 1<<40, 1 | 1<<48, 1 | 1<<56}
	stride = [8]uint8{1, 8, 8, 6, 8, 5, 6, 7}
)

const (
	litMask  = 1<<litBits - 1
	distMask = 1<<distBits - 1
)

// load and store compile to one instruction where unaligned little-endian words have one.
func load(p unsafe.Pointer) uint64     { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }
func store(p unsafe.Pointer, v uint64) { binary.LittleEndian.PutUint64((*[8]byte)(p)[:], v) }

// codes decodes symbols of the current block until a limit or its end.
//
// It reads and writes through pointers. That is in bounds because Reset and Run have checked the padding: the loop
// begins with at most end bytes used and out below outLimit; an iteration refills twice (16 bytes of input and a
// word of look-ahead) and writes two literals and a match of 258 bytes rounded up by at most 32.
func (d *Decoder) codes(buf []byte, out, outLimit, inLimit int) (int, error) {
	src := unsafe.Pointer(unsafe.SliceData(d.src))
	dst := unsafe.Pointer(unsafe.SliceData(buf))
	lit, dist := &d.lit, &d.dist
	pos, b, n := d.pos, d.bits, d.n
	var err error
	for out < outLimit {
		b |= load(unsafe.Add(src, pos)) << (n & 63)
		pos += int((63 - n) >> 3)
		n |= 56
		if used := pos - int(n>>3); used >= inLimit {
			if used > d.end {
				err = ErrCorrupt
			}
			break
		}
		e := lit[b&litMask]
		if e&kindMask == kindLiteral {
			b >>= e & 63
			n -= uint(e & 0xff)
			*(*byte)(unsafe.Add(dst, out)) = byte(e >> 16)
			out++
			e = lit[b&litMask]
			if e&kindMask == kindLiteral {
				b >>= e & 63
				n -= uint(e & 0xff)
				*(*byte)(unsafe.Add(dst, out)) = byte(e >> 16)
				out++
				e = lit[b&litMask]
				if e&kindMask == kindLiteral {
					b >>= e & 63
					n -= uint(e & 0xff)
					*(*byte)(unsafe.Add(dst, out)) = byte(e >> 16)
					out++
					continue
				}
			}
			// A length and a distance can take 48 bits.
			b |= load(unsafe.Add(src, pos)) << (n & 63)
			pos += int((63 - n) >> 3)
			n |= 56
		}
		if e&kindMask == kindSub {
			e = lit[(e>>16+uint32(b>>litBits)&(1<<(e&31)-1))%litSize]
			if e&kindMask == kindLiteral {
				b >>= e & 63
				n -= uint(e & 0xff)
				*(*byte)(unsafe.Add(dst, out)) = byte(e >> 16)
				out++
				continue
			}
		}
		if e&kindMask != kindBase {
			if e&kindMask != kindEnd {
				err = ErrCorrupt
				break
			}
			b >>= e & 63
			n -= uint(e & 0xff)
			d.state = atHeader
			break
		}
		length := int(e>>16) + int(b&(1<<(e&63)-1)>>(e>>8&31))
		b >>= e & 63
		n -= uint(e & 0xff)
		f := dist[b&distMask]
		if f&kindMask == kindSub {
			f = dist[(f>>16+uint32(b>>distBits)&(1<<(f&31)-1))%distSize]
		}
		back := int(f>>16) + int(b&(1<<(f&63)-1)>>(f>>8&31))
		if f&kindMask != kindBase || back > out {
			err = ErrCorrupt
			break
		}
		b >>= f & 63
		n -= uint(f & 0xff)
		p, q := unsafe.Add(dst, out), unsafe.Add(dst, out-back)
		out += length
		if back >= 8 {
			if length >= 96 && back >= length {
				copy(buf[out-length:out], buf[out-length-back:])
				continue
			}
			store(p, load(q))
			store(unsafe.Add(p, 8), load(unsafe.Add(q, 8)))
			store(unsafe.Add(p, 16), load(unsafe.Add(q, 16)))
			store(unsafe.Add(p, 24), load(unsafe.Add(q, 24)))
			for k := length - 32; k > 0; k -= 16 {
				p, q = unsafe.Add(p, 16), unsafe.Add(q, 16)
				store(unsafe.Add(p, 16), load(unsafe.Add(q, 16)))
				store(unsafe.Add(p, 24), load(unsafe.Add(q, 24)))
			}
			continue
		}
		if back == 1 && length >= 96 {
			if *(*byte)(q) == 0 {
				clear(buf[out-length : out])
				continue
			}
		}
		v := load(q) & (1<<(uint(back)*8) - 1) * spread[back&7]
		step := int(stride[back&7])
		for k := length; k > 0; k -= 4 * step {
			store(p, v)
			store(unsafe.Add(p, step), v)
			store(unsafe.Add(p, 2*step), v)
			store(unsafe.Add(p, 3*step), v)
			p = unsafe.Add(p, 4*step)
		}
	}
	d.pos, d.bits, d.n = pos, b, n
	return out, err
}
