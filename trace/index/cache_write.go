package index

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"

	"github.com/tracedeck/tracedeck/trace"
)

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
