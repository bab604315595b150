package index

import (
	"fmt"

	"github.com/tracedeck/tracedeck/trace"
)

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
	for _, e := range h.Files {
		if e.Context < 0 || e.Context >= len(h.Contexts) {
			return errDamaged
		}
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
