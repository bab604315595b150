package viewer

import (
	"slices"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

// sentTable says which columns of a table go to the page. Places of lines and
// call ids, of which each is another string, stay here: the page names rows.
type sentTable struct {
	table   index.Table
	columns []int
	moments []int // those of columns that are moments
}

// dense tables can have a row for each event of the trace. They stay here:
// the page asks how much there is where, and for the rows it shows.
var dense = []index.Table{index.Logs, index.Events}

var unsent = []string{"file", "line", "column", "before", "after", "stepFile", "stepBefore", "stepAfter", "ordinal", "context", "callId"}

var sentTables = func() (all []sentTable) {
	for t := index.Table(0); int(t) < index.Tables; t++ {
		if slices.Contains(dense, t) {
			continue
		}
		s := sentTable{table: t}
		for i, c := range t.Columns() {
			if slices.Contains(unsent, c.Name) {
				continue
			}
			s.columns = append(s.columns, i)
			if c.Type == index.Moment {
				s.moments = append(s.moments, i)
			}
		}
		all = append(all, s)
	}
	return all
}()

// columnSchema is what the welcome says of a column.
type columnSchema struct {
	Name string `msgpack:"name"`
	Type string `msgpack:"type"`
}

type tableSchema struct {
	Name    string         `msgpack:"name"`
	Columns []columnSchema `msgpack:"columns"`
}

var columnTypes = map[index.ColumnType]string{index.Byte: "byte", index.Number: "number", index.Flags: "flags",
	index.Text: "text", index.Ref: "ref", index.Real: "real", index.Moment: "moment", index.Count: "count"}

func schemas() (all []tableSchema) {
	for _, s := range sentTables {
		t := tableSchema{Name: s.table.String()}
		for _, i := range s.columns {
			c := s.table.Columns()[i]
			t.Columns = append(t.Columns, columnSchema{c.Name, columnTypes[c.Type]})
		}
		all = append(all, t)
	}
	return all
}

// packer turns rows of an index into columns of the wire. It keeps its
// buffers; what it returns is good until the next call.
type packer struct {
	x       *index.Index
	words   []uint32
	longs   [][]int64
	columns [][]byte
}

// rows packs n rows, beginning with row; uses is called with the strings that
// they name.
func (p *packer) rows(s sentTable, row index.Row, n int, uses func([]uint32)) (base float64, columns [][]byte) {
	return p.pack(s, []span{{row, n}}, uses)
}

// scattered packs single rows.
func (p *packer) scattered(s sentTable, rows []uint32, uses func([]uint32)) (base float64, columns [][]byte) {
	spans := make([]span, len(rows))
	for i, r := range rows {
		spans[i] = span{index.Row(r), 1}
	}
	return p.pack(s, spans, uses)
}

type span struct {
	row index.Row
	n   int
}

func (p *packer) pack(s sentTable, spans []span, uses func([]uint32)) (base float64, columns [][]byte) {
	p.grow(s)
	for i, col := range s.moments {
		p.longs[i] = p.readLongs(p.longs[i][:0], s.table, col, spans)
	}
	base = wire.Base(int64(index.NoTime), p.longs[:len(s.moments)]...)
	moment := 0
	for i, col := range s.columns {
		out := p.columns[i][:0]
		if s.table.Columns()[col].Type == index.Moment {
			out = wire.Moments(out, base, p.longs[moment], int64(index.NoTime))
			moment++
		} else {
			out = p.cells(out, s, col, spans, uses)
		}
		p.columns[i] = out
	}
	return base, p.columns[:len(s.columns)]
}

func (p *packer) cells(out []byte, s sentTable, col int, spans []span, uses func([]uint32)) []byte {
	switch typ := s.table.Columns()[col].Type; typ {
	case index.Byte:
		for _, sp := range spans {
			out = p.x.AppendBytes(out, s.table, col, sp.row, sp.n)
		}
		return same(out)
	case index.Count:
		last := len(p.longs) - 1
		p.longs[last] = p.readLongs(p.longs[last][:0], s.table, col, spans)
		for _, v := range p.longs[last] {
			out = wire.Reals(out, []float64{float64(v)})
		}
		return out
	default:
		p.words = p.words[:0]
		for _, sp := range spans {
			p.words = p.x.AppendWords(p.words, s.table, col, sp.row, sp.n)
		}
		p.words = same(p.words)
		if typ == index.Text {
			uses(p.words)
		}
		return wire.Words(out, p.words)
	}
}

// same leaves one of cells that are all the same.
func same[T comparable](cells []T) []T {
	for _, c := range cells {
		if c != cells[0] {
			return cells
		}
	}
	return cells[:min(len(cells), 1)]
}

func (p *packer) readLongs(dst []int64, t index.Table, col int, spans []span) []int64 {
	for _, sp := range spans {
		dst = p.x.AppendLongs(dst, t, col, sp.row, sp.n)
	}
	return dst
}

func (p *packer) grow(s sentTable) {
	for len(p.longs) <= len(s.moments) {
		p.longs = append(p.longs, nil)
	}
	for len(p.columns) < len(s.columns) {
		p.columns = append(p.columns, nil)
	}
}
