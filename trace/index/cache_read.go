package index

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"os"

	"github.com/klauspost/compress/s2"
)

// errDamaged is any reason not to use a cache file.
var errDamaged = errors.New("the cached index cannot be used")

// readIndex reads what writeIndex wrote. It trusts nothing: the file may be
// cut, changed, or of another version.
func readIndex(f *os.File) (*Index, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return decodeIndex(f, info.Size())
}

func decodeIndex(f io.Reader, size int64) (*Index, error) {
	sum := crc32.New(castagnoli)
	r := &cellReader{r: bufio.NewReaderSize(f, 1<<20), sum: sum, left: size - 4}
	if string(r.bytes(len(cacheMagic))) != cacheMagic {
		return nil, errDamaged
	}
	var h cacheHeader
	if err := json.Unmarshal(r.bytes(int(r.u32())), &h); err != nil || h.Version != cacheVersion || h.End > latest || h.End < -latest {
		return nil, errDamaged
	}
	x := newIndex()
	r.tables(x, &h)
	r.strings(x.strings, &h)
	r.files(x, &h)
	if r.err != nil || r.left != 0 {
		return nil, errDamaged
	}
	var want uint32
	if binary.Read(r.r, binary.LittleEndian, &want) != nil || want != sum.Sum32() {
		return nil, errDamaged
	}
	if err := x.adopt(&h); err != nil {
		return nil, err
	}
	return x, x.validate()
}

// cellReader reads cells, and nothing that the file is too short for.
type cellReader struct {
	r    io.Reader
	sum  hash.Hash32
	left int64
	buf  []byte
	err  error
}

// bytes returns the next n bytes, valid until the next call.
func (r *cellReader) bytes(n int) []byte {
	if r.err != nil || n < 0 || int64(n) > r.left {
		r.err = errDamaged
		return nil
	}
	if cap(r.buf) < n {
		r.buf = make([]byte, n)
	}
	b := r.buf[:n]
	if _, err := io.ReadFull(r.r, b); err != nil {
		r.err = err
		return nil
	}
	r.sum.Write(b)
	r.left -= int64(n)
	return b
}

func (r *cellReader) u32() uint32 {
	if b := r.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// fits reports whether n cells of that size can be in the rest of the file.
func (r *cellReader) fits(n, size int) bool {
	if r.err == nil && (n < 0 || int64(n) > r.left/int64(size)) {
		r.err = errDamaged
	}
	return r.err == nil
}

func (r *cellReader) tables(x *Index, h *cacheHeader) {
	for t := range x.tables {
		rows := h.Rows[t]
		for c := range x.tables[t].columns {
			col := &x.tables[t].columns[c]
			switch {
			case col.typ == Byte:
				readChunks(r, &col.bytes, rows, 1, func(dst []uint8, src []byte) { copy(dst, src) })
			case col.typ.Wide():
				r.longs(&col.longs, rows)
			default:
				r.words(&col.words, rows)
			}
		}
		x.tables[t].next = rows
		x.tables[t].publish()
	}
}

func (r *cellReader) words(c *chunks[uint32], rows int) {
	readChunks(r, c, rows, 4, func(dst []uint32, src []byte) {
		for i := range dst {
			dst[i] = binary.LittleEndian.Uint32(src[4*i:])
		}
	})
}

func (r *cellReader) longs(c *chunks[int64], rows int) {
	readChunks(r, c, rows, 8, func(dst []int64, src []byte) {
		for i := range dst {
			dst[i] = int64(binary.LittleEndian.Uint64(src[8*i:]))
		}
	})
}

func readChunks[T uint8 | uint32 | int64](r *cellReader, c *chunks[T], rows, size int, decode func([]T, []byte)) {
	if !r.fits(rows, size) {
		return
	}
	for chunk := 0; rows > 0; chunk++ {
		n := min(rows, chunkSize(chunk))
		src := r.bytes(n * size)
		if src == nil {
			return
		}
		dst := make([]T, n)
		decode(dst, src)
		c.put(dst)
		rows -= n
	}
}

func (r *cellReader) strings(s *stringTable, h *cacheHeader) {
	s.starts = chunks[uint32]{}
	r.words(&s.starts, h.Strings)
	r.arena(&s.names, h.Names)
	r.arena(&s.texts, h.Texts)
	s.next = h.Strings
	s.publish()
}

// arena reads blocks, whose sizes must be those that blocks have.
func (r *cellReader) arena(a *arena, list []cacheBlock) {
	var blocks []arenaBlock
	for i, k := range list {
		n := k.Packed
		if n == 0 {
			n = k.Size
		}
		if k.Size != blockSize(i) || !r.fits(n, 1) {
			r.err = errDamaged
			return
		}
		b := arenaBlock{raw: bytes.Clone(r.bytes(n)), size: k.Size}
		if k.Packed > 0 {
			b.raw, b.packed = nil, b.raw
			if size, err := s2.DecodedLen(b.packed); err != nil || size != k.Size {
				r.err = errDamaged
			}
		}
		blocks = append(blocks, b)
	}
	a.blocks.Store(&blocks)
}

func (r *cellReader) files(x *Index, h *cacheHeader) {
	for _, e := range h.Files {
		_, f := x.files.add(e.Name, e.Context)
		r.words(&f.lines.sizes, e.Lines)
		r.longs(&f.lines.marks, e.Marks)
		f.lines.next, f.lines.nmarks = e.Lines, e.Marks
		f.lines.publish()
		if r.err != nil {
			return
		}
	}
}
