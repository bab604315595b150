package rows

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/tracedeck/tracedeck/diff/visual/internal/inflate"
)

// PNG reads an 8-bit RGB or RGBA PNG without interlace. Beside its compressed bytes it holds a window of 32 KiB and a
// few rows. Checksums of chunks are verified; the one over all pixels is not, as it says nothing more.
type PNG struct {
	head Header
	z    []byte // the DEFLATE stream, padded
	zend int
	tag  [2]byte // the zlib header

	inf  inflate.Decoder
	buf  []byte // filtered rows, sliding
	out  int    // end of what is decoded in buf
	off  int    // where the next row begins in buf
	base int    // position of buf[0] in the whole
	size int    // of the whole
	line []byte // the row before, filtered, in buf
	prev []byte // the row before, unfiltered, or zeros
	zero []byte
	y    int

	keep   bool
	places []place // from top to bottom
}

// ahead is how much is inflated at once: small enough to stay in a second-level cache.
const ahead = 96 << 10

// ErrPause is what NextWithin returns when the input limit was reached before the row was complete.
var ErrPause = errors.New("rows: paused at the input limit")

// open parses the chunks. It returns false for a PNG of another kind.
func (p *PNG) open(data []byte, own bool) (bool, error) {
	if len(data) < 33 || string(data[12:16]) != "IHDR" || binary.BigEndian.Uint32(data[8:]) != 13 {
		return false, &DamagedError{What: "PNG header is missing or cut off"}
	}
	w, h := pngSize(data)
	if err := checkSize(w, h, MaxPixels); err != nil {
		return false, err
	}
	depth := map[byte]int{2: 3, 6: 4}[data[25]]
	if data[24] != 8 || depth == 0 || data[26] != 0 || data[27] != 0 || data[28] != 0 {
		return false, nil
	}
	p.head = Header{Width: int(w), Height: int(h), Depth: depth}
	body, ok, err := p.collect(data, own)
	if err != nil || !ok {
		return false, err
	}
	// Method 8, window up to 32 KiB, no dictionary, and the header's own check.
	if len(body) < 6 || body[0]&15 != 8 || body[0]>>4 > 7 || body[1]&0x20 != 0 || (int(body[0])<<8|int(body[1]))%31 != 0 {
		return false, &DamagedError{What: "image data is no zlib stream"}
	}
	return true, p.start(body)
}

// collect joins the image data of all IDAT chunks, in place if data may be overwritten.
func (p *PNG) collect(data []byte, own bool) (body []byte, ok bool, err error) {
	seen, total := "", 0
	err = chunks(data, func(kind string, content []byte) {
		switch kind {
		case "IDAT":
			total += len(content)
		case "tRNS":
			seen = kind // one colour is transparent: rare, so not worth a path of its own
		}
	})
	if err != nil || seen == "tRNS" {
		return nil, false, err
	}
	switch {
	case own:
		body = data[:0]
	case cap(p.z) >= total+inflate.Pad:
		body = p.z[:0]
	default:
		body = make([]byte, 0, total+inflate.Pad)
	}
	for i := 8; i+12 <= len(data); {
		n := int(binary.BigEndian.Uint32(data[i:]))
		kind, content := string(data[i+4:i+8]), data[i+8:i+8+n]
		i += 12 + n
		if kind == "IDAT" {
			body = append(body, content...)
		}
		if kind == "IEND" {
			break
		}
	}
	return body, true, nil
}

// chunks calls f for every chunk up to IEND and verifies their checksums.
func chunks(data []byte, f func(kind string, content []byte)) error {
	for i := 8; ; {
		if len(data)-i < 12 {
			return &DamagedError{What: fmt.Sprintf("PNG is cut off at byte %d", len(data))}
		}
		n := binary.BigEndian.Uint32(data[i:])
		kind := string(data[i+4 : i+8])
		if uint64(n) > uint64(len(data)-i-12) {
			return &DamagedError{What: fmt.Sprintf("%q chunk at byte %d: its %d bytes are cut off", kind, i, n)}
		}
		end := i + 8 + int(n)
		if crc32.ChecksumIEEE(data[i+4:end]) != binary.BigEndian.Uint32(data[end:]) {
			return &DamagedError{What: fmt.Sprintf("%q chunk at byte %d: wrong checksum", kind, i)}
		}
		f(kind, data[i+8:end])
		if kind == "IEND" {
			return nil
		}
		i = end + 4
	}
}

func (p *PNG) start(body []byte) error {
	p.keep = false
	p.places = nil
	p.tag = [2]byte(body[:2])
	p.z = append(body, make([]byte, inflate.Pad)...)
	p.zend = len(body) - 2 - 4 // without zlib's header and Adler-32
	line := p.head.Width*p.head.Depth + 1
	p.size = p.head.Height * line
	if need := inflate.Window + max(min(ahead, p.size), 3*line) + inflate.Pad; len(p.buf) < need {
		p.buf = make([]byte, need)
	}
	if len(p.zero) < line+Slack {
		p.zero = make([]byte, line+Slack)
	}
	return p.Rewind()
}

// Rewind implements Source.
func (p *PNG) Rewind() error {
	p.out, p.off, p.base, p.y = 0, 0, 0, 0
	p.prev = p.zero
	return p.inf.Reset(p.stream(), p.zend)
}

func (p *PNG) stream() []byte { return p.z[2:] }

// Header returns the picture's size and pixels.
func (p *PNG) Header() Header { return p.head }

// Next implements Source.
func (p *PNG) Next(dst []byte) error { return p.NextWithin(dst, inflate.NoLimit) }

// NextWithin is Next that reads no more than limit bytes of the compressed stream, and returns ErrPause when these do
// not make the row.
func (p *PNG) NextWithin(dst []byte, limit int) error {
	if err := p.read(limit); err != nil {
		return err
	}
	p.Undo(dst)
	return nil
}

// Read is the first half of Next: the other is Like or Undo.
func (p *PNG) Read() error { return p.read(inflate.NoLimit) }

// Like reports whether the row is seen to be one that o, of the same width and depth, has given: the last one, or that of
// lag rows before. That row then takes the place of this one, and must stay as this one would have to. above says that
// the rows above both are known to be equal.
func (p *PNG) Like(o *PNG, lag int, row []byte, above bool) bool {
	// The first two filters do not look at the row above.
	n := len(p.line)
	from := o.off - (lag+1)*n
	if !above && p.line[0] > 1 || from < 0 || !bytes.Equal(p.line, o.buf[from:from+n]) {
		return false
	}
	p.prev = row
	return true
}

// read makes line the next filtered row.
func (p *PNG) read(limit int) error {
	n := 1 + p.head.Width*p.head.Depth
	if p.out < p.off+n {
		if err := p.fill(n, limit); err != nil {
			return err
		}
	}
	p.line = p.buf[p.off : p.off+n]
	if p.line[0] > 4 {
		return &DamagedError{What: fmt.Sprintf("row %d has filter %d", p.y, p.line[0])}
	}
	p.off += n
	p.y++
	return nil
}

// Undo is the second half of Next: it makes the row of what was read.
func (p *PNG) Undo(dst []byte) {
	n := len(p.line) - 1
	unfilter(p.line[0], dst[:n], p.line[1:], p.prev[:n], p.head.Depth)
	p.prev = dst
}

// Own makes row, which holds what the row given last does, take its place.
func (p *PNG) Own(row []byte) { p.prev = row }

// fill makes the line at p.off complete.
func (p *PNG) fill(line, limit int) error {
	if p.off+line+inflate.Pad > len(p.buf) {
		keep := min(p.off, max(0, p.out-inflate.Window))
		copy(p.buf, p.buf[keep:p.out])
		p.out -= keep
		p.off -= keep
		p.base += keep
	}
	p.remember()
	var err error
	p.out, err = p.inf.Run(p.buf, p.out, min(len(p.buf)-inflate.Pad, p.size-p.base), limit)
	switch {
	case err != nil:
		return &DamagedError{What: fmt.Sprintf("row %d of %d", p.y, p.head.Height), Err: err}
	case p.out >= p.off+line:
		return nil
	case limit != inflate.NoLimit:
		return ErrPause
	}
	return &DamagedError{What: fmt.Sprintf("image data ends in row %d of %d", p.y, p.head.Height)}
}

// SameStream reports whether both hold the same compressed pixels.
func (p *PNG) SameStream(o *PNG) bool {
	return p.head == o.head && bytes.Equal(p.stream()[:p.zend], o.stream()[:o.zend])
}

// Common returns up to which byte of their compressed streams both can be decoded as one, 0 if that is not worth it.
func (p *PNG) Common(o *PNG) int {
	if p.head.Width != o.head.Width || p.head.Depth != o.head.Depth || p.tag != o.tag {
		return 0
	}
	n := firstDifference(p.stream()[:p.zend], o.stream()[:o.zend]) - inflate.Apart
	if n < 2048 {
		return 0
	}
	return n
}

// Fork makes p, which must be fresh, go on where o has paused within Common bytes. prev is the last row that o gave; it
// takes the place of the row that Next was given last.
func (p *PNG) Fork(o *PNG, prev []byte) error {
	if err := p.inf.Fork(&o.inf, p.stream(), p.zend); err != nil {
		return err
	}
	p.out, p.off, p.base, p.y = o.out, o.off, o.base, o.y
	p.places = append(p.places, o.places...)
	if len(p.buf) < len(o.buf) {
		p.buf = make([]byte, len(o.buf))
	}
	copy(p.buf, o.buf[:o.out])
	if o.y > 0 {
		p.prev = prev
	}
	return nil
}
