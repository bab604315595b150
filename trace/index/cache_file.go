package index

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/tracedeck/tracedeck/trace"
)

// A .tdx file is a magic number, the length of a JSON header, the header, the
// cells of all columns table by table, the strings, the places of the lines
// of each file, and a checksum over everything before it. Numbers are
// little-endian.
const (
	cacheMagic   = "tracedeck index\n"
	cacheVersion = 2 // of the columns and of how they are made
)

// cacheHeader is the part of an index that is not columns.
type cacheHeader struct {
	Version  int
	Rows     [Tables]int
	Strings  int
	Names    []cacheBlock
	Texts    []cacheBlock
	Files    []cacheEntry
	Contexts []cacheContext
	Counts   Counts
	Start    time.Time
	End      time.Duration
	Bad      []BadLine
	BadCount int
	Warnings []trace.Warning
}

// cacheBlock is a block of strings, packed where Packed is not 0.
type cacheBlock struct{ Size, Packed int }

type cacheEntry struct {
	Name    string
	Context int
	Lines   int
	Marks   int
}

type cacheContext struct {
	Options json.RawMessage
	File    string
	Shift   time.Duration
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// writeIndex writes an index that is complete.
func writeIndex(f io.Writer, x *Index) error {
	sum := crc32.New(castagnoli)
	buffered := bufio.NewWriterSize(io.MultiWriter(f, sum), 256<<10)
	w := &cellWriter{w: buffered}
	header, err := json.Marshal(x.header())
	if err != nil {
		return err
	}
	w.write([]byte(cacheMagic))
	w.u32(uint32(len(header)))
	w.write(header)
	for t := range x.tables {
		for c := range x.tables[t].columns {
			w.column(&x.tables[t].columns[c], x.Len(Table(t)))
		}
	}
	w.strings(x.strings)
	for _, e := range x.files.all() {
		w.words(&e.lines.sizes, int(e.lines.known.Load()))
		w.longs(&e.lines.marks, int(e.lines.marked.Load()))
	}
	if err := errors.Join(w.err, buffered.Flush()); err != nil {
		return err
	}
	return binary.Write(f, binary.LittleEndian, sum.Sum32())
}

func (x *Index) header() cacheHeader {
	h := cacheHeader{Version: cacheVersion, Strings: x.Strings(), Names: x.strings.names.kept(), Texts: x.strings.texts.kept(), Counts: x.Counts()}
	for t := range h.Rows {
		h.Rows[t] = x.Len(Table(t))
	}
	for _, e := range x.files.all() {
		h.Files = append(h.Files, cacheEntry{Name: e.name, Context: e.context, Lines: int(e.lines.known.Load()), Marks: int(e.lines.marked.Load())})
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range x.contexts {
		c := &x.contexts[i]
		line, _ := trace.AppendBody(nil, &c.Options)
		h.Contexts = append(h.Contexts, cacheContext{Options: line, File: c.File, Shift: c.Shift})
	}
	h.Start, h.End, h.Bad, h.BadCount, h.Warnings = x.clock.Start, x.clock.End, x.bad, x.badCount, x.warnings
	return h
}

// cellWriter writes cells and remembers the first error.
type cellWriter struct {
	w   io.Writer
	buf []byte
	err error
}

func (w *cellWriter) write(b []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
}

func (w *cellWriter) u32(v uint32) { w.write(binary.LittleEndian.AppendUint32(nil, v)) }

func (w *cellWriter) column(c *column, rows int) {
	switch {
	case c.typ == Byte:
		eachChunk(&c.bytes, rows, w.write)
	case c.typ.Wide():
		w.longs(&c.longs, rows)
	default:
		w.words(&c.words, rows)
	}
}

func (w *cellWriter) words(c *chunks[uint32], rows int) {
	eachChunk(c, rows, func(part []uint32) {
		w.buf = w.buf[:0]
		for _, v := range part {
			w.buf = binary.LittleEndian.AppendUint32(w.buf, v)
		}
		w.write(w.buf)
	})
}

func (w *cellWriter) longs(c *chunks[int64], rows int) {
	eachChunk(c, rows, func(part []int64) {
		w.buf = w.buf[:0]
		for _, v := range part {
			w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(v))
		}
		w.write(w.buf)
	})
}

func (w *cellWriter) strings(s *stringTable) {
	w.words(&s.starts, int(s.count.Load()))
	for _, a := range []*arena{&s.names, &s.texts} {
		for _, b := range a.list() {
			w.write(b.raw)
			w.write(b.packed)
		}
	}
}

// kept tells how the blocks lie in a file.
func (a *arena) kept() (list []cacheBlock) {
	for _, b := range a.list() {
		list = append(list, cacheBlock{b.size, len(b.packed)})
	}
	return list
}

func eachChunk[T uint8 | uint32 | int64](c *chunks[T], rows int, f func([]T)) {
	for chunk := 0; rows > 0; chunk++ {
		part := (*c.list.Load())[chunk]
		part = part[:min(rows, len(part))]
		f(part)
		rows -= len(part)
	}
}

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

// adopt takes what the header holds.
func (x *Index) adopt(h *cacheHeader) error {
	for _, c := range h.Contexts {
		body, err := trace.DecodeBody(c.Options)
		if err != nil {
			return errDamaged
		}
		options, ok := body.(*trace.ContextOptions)
		if !ok {
			return errDamaged
		}
		x.contexts = append(x.contexts, Context{Options: *options, File: c.File, Shift: c.Shift})
	}
	x.clock = Clock{Start: h.Start, End: h.End}
	x.bad, x.badCount, x.warnings = h.Bad, h.BadCount, h.Warnings
	x.counts.Store(&h.Counts)
	return nil
}

// validate checks that every cell that names something names something there is.
func (x *Index) validate() error {
	if err := x.strings.validate(); err != nil {
		return err
	}
	for t := range x.tables {
		for i, info := range schemas[t].columns {
			limit := uint32(0)
			switch info.Type {
			case Moment:
				if !momentsFit(&x.tables[t].columns[i].longs, x.Len(Table(t))) {
					return fmt.Errorf("%w: column %s of %s", errDamaged, info.Name, Table(t))
				}
				continue
			case Ref:
				limit = uint32(x.Len(info.Of))
			case Text:
				limit = uint32(x.Strings())
			default:
				continue
			}
			ok := true
			eachChunk(&x.tables[t].columns[i].words, x.Len(Table(t)), func(part []uint32) {
				for _, v := range part {
					ok = ok && (v < limit || info.Type == Ref && Row(v) == NoRow)
				}
			})
			if !ok {
				return fmt.Errorf("%w: column %s of %s", errDamaged, info.Name, Table(t))
			}
		}
	}
	return x.files.validate()
}

func momentsFit(c *chunks[int64], rows int) bool {
	ok := true
	eachChunk(c, rows, func(part []int64) {
		for _, v := range part {
			ok = ok && (v >= -latest && v <= latest || v == int64(NoTime))
		}
	})
	return ok
}

func (f *fileList) validate() error {
	for _, e := range f.all() {
		last := int64(-1)
		if e.lines.nmarks%2 != 0 {
			return errDamaged
		}
		for i := 0; i < e.lines.nmarks; i += 2 {
			line, offset := *e.lines.marks.cell(i), *e.lines.marks.cell(i + 1)
			if line <= last || line >= int64(e.lines.next) || offset < 0 || line-max(last, 0) > markEvery {
				return errDamaged
			}
			last = line
		}
	}
	return nil
}
