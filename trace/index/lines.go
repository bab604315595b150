package index

import (
	"sort"
	"sync"
	"sync/atomic"

	"github.com/tracedeck/tracedeck/trace"
)

// lineTable knows where each line of a file begins, at four bytes a line: the
// sizes of the lines, and a mark with the offset every markEvery lines.
type lineTable struct {
	sizes  chunks[uint32] // with the line's end; how long the end is in the upper two bits
	marks  chunks[int64]  // pairs: line (from 0), offset
	known  atomic.Int64   // lines that are out
	marked atomic.Int64   // marks that are out
	next   int            // of the writer only
	nmarks int
	end    int64 // offset behind the last line
	force  bool
}

const (
	markEvery   = 128
	endShift    = 30
	maxLineSize = 1<<endShift - 1
)

// add appends a line that begins at offset and has n bytes, then an end of
// eol bytes.
func (l *lineTable) add(offset int64, n, eol int) {
	if offset != l.end || l.next == 0 {
		l.force = true
	}
	if l.force || l.next%markEvery == 0 {
		l.mark(offset)
	}
	chunk, at := place(l.next)
	if at == 0 {
		l.sizes.grow(chunkSize(chunk))
	}
	size := n + eol
	if size > maxLineSize {
		size, l.force = maxLineSize, true
	}
	l.sizes.tail[at] = uint32(size) | uint32(eol)<<endShift
	l.next++
	l.end = offset + int64(n) + int64(eol)
}

func (l *lineTable) mark(offset int64) {
	for _, v := range [2]int64{int64(l.next), offset} {
		chunk, at := place(l.nmarks)
		if at == 0 {
			l.marks.grow(chunkSize(chunk))
		}
		l.marks.tail[at] = v
		l.nmarks++
	}
	l.force = false
}

func (l *lineTable) publish() {
	l.marked.Store(int64(l.nmarks))
	l.known.Store(int64(l.next))
}

// find returns where line n (counted from 1) lies.
func (l *lineTable) find(n int) (offset int64, length int, ok bool) {
	n--
	if n < 0 || n >= int(l.known.Load()) {
		return 0, 0, false
	}
	pairs := int(l.marked.Load()) / 2
	at := sort.Search(pairs, func(i int) bool { return *l.marks.cell(2 * i) > int64(n) }) - 1
	if at < 0 {
		return 0, 0, false
	}
	offset = *l.marks.cell(2*at + 1)
	for i := int(*l.marks.cell(2 * at)); i < n; i++ {
		offset += int64(*l.sizes.cell(i) & maxLineSize)
	}
	size := *l.sizes.cell(n)
	return offset, int(size&maxLineSize) - int(size>>endShift), true
}

// file is one .trace or .network entry.
type file struct {
	name    string
	context int
	lines   lineTable
}

// fileList grows while the index is built.
type fileList struct {
	mu   sync.RWMutex
	list []*file
}

func (f *fileList) add(name string, context int) (number int, added *file) {
	f.mu.Lock()
	defer f.mu.Unlock()
	added = &file{name: name, context: context}
	f.list = append(f.list, added)
	return len(f.list) - 1, added
}

func (f *fileList) get(number int) *file {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if number < 0 || number >= len(f.list) {
		return nil
	}
	return f.list[number]
}

func (f *fileList) all() []*file {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.list[:len(f.list):len(f.list)]
}

// Lines returns how many lines of the entry are known.
func (x *Index) Lines(entry string) int {
	for _, f := range x.files.all() {
		if f.name == entry {
			return int(f.lines.known.Load())
		}
	}
	return 0
}

// LinePosition returns where line n (counted from 1) of the entry lies; ok is
// false where there is no such line.
func (x *Index) LinePosition(entry string, n int) (p trace.Position, ok bool) {
	for _, f := range x.files.all() {
		if f.name == entry {
			return f.position(n)
		}
	}
	return trace.Position{}, false
}

func (f *file) position(n int) (trace.Position, bool) {
	offset, length, ok := f.lines.find(n)
	return trace.Position{File: f.name, Line: n, Offset: offset, Length: length}, ok
}

// position returns the place that a row's file and line columns name; the
// zero Position where there is none.
func (x *Index) position(number, line uint32) trace.Position {
	f := x.files.get(int(number))
	if line == 0 || f == nil {
		return trace.Position{}
	}
	p, ok := f.position(int(line))
	if !ok {
		return trace.Position{}
	}
	return p
}
