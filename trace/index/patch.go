package index

import "sync/atomic"

// patchLog lists the changes of rows that were out already.
type patchLog struct {
	rows  chunks[int64] // table<<32 | row
	count atomic.Int64
	next  int
}

func (p *patchLog) add(t Table, row Row) {
	chunk, at := place(p.next)
	if at == 0 {
		p.rows.grow(chunkSize(chunk))
	}
	p.rows.tail[at] = int64(t)<<32 | int64(uint32(row))
	p.next++
}

func (p *patchLog) publish() { p.count.Store(int64(p.next)) }

// Patches appends to dst what rows have changed, beginning with change from,
// and returns it with the number from which to ask next time. A row is named
// again each time it changes; its cells are read from the table.
func (x *Index) Patches(dst []Patch, from int) ([]Patch, int) {
	n := int(x.patches.count.Load())
	for i := max(from, 0); i < n; i++ {
		v := *x.patches.rows.cell(i)
		dst = append(dst, Patch{Table: Table(v >> 32), Row: Row(uint32(v))})
	}
	return dst, n
}
