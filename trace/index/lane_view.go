package index

import (
	"slices"
	"sort"
	"time"
)

// between returns which rows of the order begin in a window.
func (p *pyramid) between(x *Index, l Lane, from, to int64) (lo, hi int) {
	info, t := &laneInfos[l], x.tables[laneInfos[l].table]
	lo = sort.Search(len(p.order), func(i int) bool { return t.getLong(p.order[i], info.start) >= from })
	hi = sort.Search(len(p.order), func(i int) bool { return t.getLong(p.order[i], info.start) >= to })
	return lo, hi
}

// running returns rows that begin before a moment and end after it, at most
// limit of them.
func (p *pyramid) running(x *Index, l Lane, before int, at int64, limit int) (rows []Row) {
	for block := (before - 1) / endBlock; block >= 0 && before > 0; block-- {
		if p.ends[block] <= at {
			continue
		}
		for i := min(before, (block+1)*endBlock) - 1; i >= block*endBlock; i-- {
			if _, end := x.span(l, p.order[i]); end > at {
				rows = append(rows, p.order[i])
			}
		}
		if len(rows) >= limit {
			break
		}
	}
	slices.Reverse(rows)
	return rows
}

// sum fills in buckets that are not wider than a pixel: of a level, or
// counted row by row where even the lowest level is too coarse.
func (p *pyramid) sum(x *Index, l Lane, v *View, from, to int64, pixels int) {
	want := max((to-from)/int64(pixels), 1)
	if p.width > want {
		p.count(x, l, v, from, to, pixels)
		return
	}
	level, width := 0, p.width
	for level+1 < len(p.levels) && 2*width <= want {
		level++
		width *= 2
	}
	b := p.levels[level]
	first := min(max((from-p.zero)/width, 0), int64(len(b)))
	last := min(max((to-p.zero+width-1)/width, first), int64(len(b)))
	v.Buckets, v.Start, v.Width = b[first:last:last], time.Duration(p.zero+first*width), time.Duration(width)
}

// count makes buckets of a window that is narrower than the pyramid is fine.
func (p *pyramid) count(x *Index, l Lane, v *View, from, to int64, pixels int) {
	width := max((to-from+int64(pixels)-1)/int64(pixels), 1)
	b := make([]Bucket, (to-from+width-1)/width)
	for i := range b {
		b[i].First = NoRow
	}
	cover := newCover(from, width, len(b))
	lo, hi := p.between(x, l, from, to)
	for _, r := range p.running(x, l, lo, from, 1<<16) {
		_, end := x.span(l, r)
		cover.add(from, min(end, to))
	}
	for _, r := range p.order[lo:hi] {
		start, end := x.span(l, r)
		b[(start-from)/width].add(r, x.flags(l, r))
		cover.add(start, min(end, to))
	}
	cover.fill(b)
	v.Buckets, v.Start, v.Width = b, time.Duration(from), time.Duration(width)
}
