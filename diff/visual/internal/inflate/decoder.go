// Package inflate decodes DEFLATE (RFC 1951) from memory into a sliding buffer of the caller.
//
// It exists beside compress/flate for three things the image comparison lives on: it is several times faster
// because its input is whole and padded; it pauses at any symbol when a limit of output or input is reached;
// and a paused decoder can be forked, so that two streams that begin alike are decoded once up to where they part.
package inflate

import (
	"encoding/binary"
	"errors"
	"math"
)

// ErrCorrupt says that the input is not a DEFLATE stream, or ends before its last block does.
var ErrCorrupt = errors.New("inflate: corrupt stream")

const (
	// Pad is how many bytes must be readable after the input and writable after the output limit: the decoder
	// works in whole words and whole matches, and looks at its limits only between them.
	Pad = 320
	// Window is how far back a match may reach. The caller keeps that much output before the write position.
	Window = 32 << 10
	// NoLimit is the input limit of a stream that is to be decoded to its end.
	NoLimit = math.MaxInt

	// Apart is how many bytes before the first difference of two streams a decoder must pause to be forked:
	// one group of symbols and its read-ahead.
	Apart = 24
	// The longest header of a dynamic block, in bytes: 17 bits, 19 lengths of 3 bits, 320 codes of 7+7 bits.
	maxHeader = 600
)

type state uint8

const (
	atHeader state = iota
	inCodes
	inStored
	atEnd
)

// Decoder is one stream being decoded. The zero value needs Reset. It holds its tables inline (about 10 KiB) and
// never allocates.
type Decoder struct {
	src  []byte
	end  int
	pos  int
	bits uint64
	n    uint // valid bits in bits

	state  state
	final  bool
	stored int  // bytes left of a stored block
	block  spot // where the header of the current block begins

	lit  [litSize]uint32
	dist [distSize]uint32
}

// Reset starts a stream whose input is src[:end]. src must be at least Pad bytes longer than end; what those bytes
// hold does not matter. The decoder keeps src until the next Reset.
func (d *Decoder) Reset(src []byte, end int) error {
	if end < 0 || len(src)-end < Pad {
		return errors.New("inflate: input is not padded")
	}
	d.src, d.end, d.pos, d.bits, d.n = src, end, 0, 0, 0
	d.state, d.final, d.stored = atHeader, false, 0
	return nil
}

// Fork makes d go on over src where o has paused. src[:end] must agree with o's input on everything that o has
// consumed, which holds when o was run with an input limit Apart bytes before the first difference.
func (d *Decoder) Fork(o *Decoder, src []byte, end int) error {
	if end < o.Consumed() || len(src)-end < Pad {
		return errors.New("inflate: input is not padded")
	}
	*d = *o
	d.src, d.end = src, end
	d.stand(o.spot()) // bits that were only read ahead may lie behind the first difference
	return nil
}

// Consumed is how many bytes of the input are used up, counting one that is used in part.
func (d *Decoder) Consumed() int { return d.pos - int(d.n>>3) }

// Done reports whether the last block has ended.
func (d *Decoder) Done() bool { return d.state == atEnd }

// Run decodes into buf from out on and returns the new end of output. It stops at or up to Pad-1 bytes behind
// outLimit, at inLimit bytes of input or a little before, or when the stream ends. buf[:out] must be the output so
// far or at least its last Window bytes, and len(buf) at least outLimit+Pad.
func (d *Decoder) Run(buf []byte, out, outLimit, inLimit int) (int, error) {
	if out < 0 || outLimit+Pad > len(buf) {
		return out, errors.New("inflate: output is not padded")
	}
	for out < outLimit && d.Consumed() < inLimit && d.state != atEnd {
		var err error
		switch d.state {
		case atHeader:
			if d.final {
				d.state = atEnd
				return out, nil
			}
			if inLimit != NoLimit && d.Consumed() > inLimit-maxHeader {
				return out, nil
			}
			err = d.header()
		case inStored:
			out, err = d.copyStored(buf, out, outLimit)
		case inCodes:
			out, err = d.codes(buf, out, outLimit, min(inLimit, d.end+1))
		}
		if err == nil && d.Consumed() > d.end {
			err = ErrCorrupt
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func (d *Decoder) copyStored(buf []byte, out, outLimit int) (int, error) {
	n := min(d.stored, outLimit-out, d.end-d.pos)
	if n < 0 || n == 0 && d.stored > 0 {
		return out, ErrCorrupt
	}
	copy(buf[out:out+n], d.src[d.pos:d.pos+n])
	d.pos += n
	d.stored -= n
	if d.stored == 0 {
		d.state = atHeader
	}
	return out + n, nil
}

// refill makes at least 56 bits valid. It is for headers; block has its own.
func (d *Decoder) refill() error {
	if d.pos > d.end+8 {
		return ErrCorrupt
	}
	d.bits |= binary.LittleEndian.Uint64(d.src[d.pos:]) << d.n
	d.pos += int((63 - d.n) >> 3)
	d.n |= 56
	return nil
}

func (d *Decoder) take(n uint) int {
	v := int(d.bits & (1<<n - 1))
	d.bits >>= n
	d.n -= n
	return v
}

func (d *Decoder) header() error {
	d.block = d.spot()
	if err := d.refill(); err != nil {
		return err
	}
	d.final = d.take(1) == 1
	var err error
	switch d.take(2) {
	case 0:
		return d.storedHeader()
	case 1:
		err = d.fixedTables()
	case 2:
		err = d.dynamicTables()
	default:
		return ErrCorrupt
	}
	d.state = inCodes
	return err
}

func (d *Decoder) storedHeader() error {
	d.pos -= int(d.n >> 3) // whole bytes read ahead; the rest of the current byte is padding
	d.bits, d.n = 0, 0
	if d.pos+4 > d.end {
		return ErrCorrupt
	}
	size := binary.LittleEndian.Uint16(d.src[d.pos:])
	if binary.LittleEndian.Uint16(d.src[d.pos+2:]) != ^size {
		return ErrCorrupt
	}
	d.pos += 4
	d.stored, d.state = int(size), inStored
	return nil
}
