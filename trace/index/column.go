package index

import (
	"math/bits"
	"sync/atomic"
)

// Rows lie in chunks that never move, so that readers can go on while rows
// are added. The first chunks are small (small traces have small indexes),
// and from the ninth on each holds chunkRows.
const (
	firstShift = 8  // the first chunk holds 256 rows
	chunkShift = 16 // the largest holds 65,536
	chunkRows  = 1 << chunkShift
)

// place returns the chunk that holds a row, and where in it.
func place(row int) (chunk, at int) {
	r := uint(row) + 1<<firstShift
	if r < 2*chunkRows {
		n := bits.Len(r) - 1
		return n - firstShift, int(r) - 1<<n
	}
	return chunkShift - firstShift + int(r>>chunkShift) - 1, int(r & (chunkRows - 1))
}

// chunkSize is how many rows a chunk holds.
func chunkSize(chunk int) int {
	return 1 << min(firstShift+chunk, chunkShift)
}

// chunks is the storage of one column.
type chunks[T uint8 | uint32 | int64] struct {
	list atomic.Pointer[[][]T]
	tail []T // the chunk that is being filled; of the writer only
}

func (c *chunks[T]) grow(size int) {
	c.put(make([]T, size))
}

func (c *chunks[T]) put(chunk []T) {
	c.tail = chunk
	var next [][]T
	if old := c.list.Load(); old != nil {
		next = append(next, *old...)
	}
	next = append(next, chunk)
	c.list.Store(&next)
}

func (c *chunks[T]) cell(row int) *T {
	n, at := place(row)
	return &(*c.list.Load())[n][at]
}

// column is one column of a table; one of its parts is in use.
type column struct {
	typ   ColumnType
	of    Table // what a Ref names a row of
	bytes chunks[uint8]
	words chunks[uint32]
	longs chunks[int64]
}

func (c *column) grow(size int) {
	switch {
	case c.typ == Byte:
		c.bytes.grow(size)
	case c.typ.Wide():
		c.longs.grow(size)
	default:
		c.words.grow(size)
	}
}

// table holds the rows of one kind. One goroutine adds and changes rows; any
// number may read those that are out.
type table struct {
	columns []column
	rows    atomic.Int64 // that are out
	next    int          // rows there are, with those not yet out; of the writer only
	at      int          // place of the newest row in its chunk
}

func newTable(s schema) *table {
	t := &table{columns: make([]column, len(s.columns))}
	for i, info := range s.columns {
		t.columns[i].typ, t.columns[i].of = info.Type, info.Of
	}
	return t
}

// add makes room for one more row, which is out after publish.
func (t *table) add() Row {
	chunk, at := place(t.next)
	if at == 0 {
		for i := range t.columns {
			t.columns[i].grow(chunkSize(chunk))
		}
	}
	t.at = at
	t.next++
	return Row(t.next - 1)
}

// The setters fill the newest row, which nobody else sees yet.
func (t *table) byte(col int, v uint8)    { t.columns[col].bytes.tail[t.at] = v }
func (t *table) word(col int, v uint32)   { t.columns[col].words.tail[t.at] = v }
func (t *table) ref(col int, v Row)       { t.columns[col].words.tail[t.at] = uint32(v) }
func (t *table) text(col int, v StringID) { t.columns[col].words.tail[t.at] = uint32(v) }
func (t *table) long(col int, v int64)    { t.columns[col].longs.tail[t.at] = v }

// The changers change a row that may be out already.
func (t *table) setWord(row Row, col int, v uint32) {
	atomic.StoreUint32(t.columns[col].words.cell(int(row)), v)
}

func (t *table) setLong(row Row, col int, v int64) {
	atomic.StoreInt64(t.columns[col].longs.cell(int(row)), v)
}

func (t *table) publish() { t.rows.Store(int64(t.next)) }

// The getters read any row. Cells that can change are read atomically, and so
// are all others of their width: it costs nothing.
func (t *table) getByte(row Row, col int) uint8 { return *t.columns[col].bytes.cell(int(row)) }
func (t *table) getWord(row Row, col int) uint32 {
	return atomic.LoadUint32(t.columns[col].words.cell(int(row)))
}
func (t *table) getRef(row Row, col int) Row { return Row(t.getWord(row, col)) }
func (t *table) getLong(row Row, col int) int64 {
	return atomic.LoadInt64(t.columns[col].longs.cell(int(row)))
}

// appendBytes, appendWords and appendLongs copy cells from row on.
func (c *column) appendBytes(dst []uint8, row, n int) []uint8 {
	for n > 0 {
		chunk, at := place(row)
		part := (*c.bytes.list.Load())[chunk][at:]
		part = part[:min(n, len(part))]
		dst = append(dst, part...)
		row, n = row+len(part), n-len(part)
	}
	return dst
}

func (c *column) appendWords(dst []uint32, row, n int) []uint32 {
	for n > 0 {
		chunk, at := place(row)
		part := (*c.words.list.Load())[chunk][at:]
		part = part[:min(n, len(part))]
		for i := range part {
			dst = append(dst, atomic.LoadUint32(&part[i]))
		}
		row, n = row+len(part), n-len(part)
	}
	return dst
}

func (c *column) appendLongs(dst []int64, row, n int) []int64 {
	for n > 0 {
		chunk, at := place(row)
		part := (*c.longs.list.Load())[chunk][at:]
		part = part[:min(n, len(part))]
		for i := range part {
			dst = append(dst, atomic.LoadInt64(&part[i]))
		}
		row, n = row+len(part), n-len(part)
	}
	return dst
}
