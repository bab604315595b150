package viewer

import (
	"slices"
	"time"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

// stream is how far one page has got with one recording. It holds cursors
// into the recording's tables and makes the next frame when there is room for
// one: a page that does not read costs nothing.
type stream struct {
	ref     uint32
	rec     *recording
	cancel  func()
	epoch   string
	x       *index.Index
	pack    packer
	rows    [index.Tables]int
	patches int
	changed []index.Patch // not yet sent
	known   []uint64      // bits: strings that the page has
	missing []uint32      // strings that the page needs before the next rows
	meta    bool
	state   stateMessage
	stated  time.Time
}

func newStream(o wire.Open, r *recording, wake chan struct{}) *stream {
	s := &stream{ref: o.Ref, rec: r, cancel: r.subscribe(wake)}
	if p := r.progress(); p.index != nil && o.Epoch == p.epoch {
		s.resume(o, p)
	}
	return s
}

// resume takes up what the page has from an earlier connection.
func (s *stream) resume(o wire.Open, p progress) {
	s.begin(p)
	s.patches = o.Patches
	for _, t := range sentTables {
		has := min(o.Rows[t.table.String()], p.index.Len(t.table))
		for from := 0; from < has; from += wire.RowsPerFrame {
			s.pack.rows(t, index.Row(from), min(wire.RowsPerFrame, has-from), s.note)
		}
		s.rows[t.table] = has
	}
	s.missing = s.missing[:0]
}

func (s *stream) begin(p progress) {
	*s = stream{ref: s.ref, rec: s.rec, cancel: s.cancel, epoch: p.epoch, x: p.index, pack: packer{x: p.index}}
}

// note remembers which of the strings the page does not have yet.
func (s *stream) note(ids []uint32) {
	there := uint32(s.x.Strings())
	for _, id := range ids {
		if id >= there {
			continue // of a row that is just changing: a patch will tell
		}
		at := int(id >> 6)
		if at >= len(s.known) {
			s.known = append(s.known, make([]uint64, max(at+1-len(s.known), len(s.known)))...)
		}
		if bit := uint64(1) << (id & 63); id != 0 && s.known[at]&bit == 0 {
			s.known[at] |= bit
			s.missing = append(s.missing, id)
		}
	}
}

// control returns the next message that costs no credit, or nil.
func (s *stream) control(e *wire.Encoder, now time.Time) ([]byte, error) {
	p := s.rec.progress()
	if p.index == nil {
		return nil, nil
	}
	if p.epoch != s.epoch {
		s.begin(p)
		return e.Reset(s.ref, p.epoch), nil
	}
	if !s.meta {
		s.meta = true
		return e.Object("meta", s.ref, metaOf(s.rec, p))
	}
	return s.nextState(e, p, now)
}

const statePause = 100 * time.Millisecond

func (s *stream) nextState(e *wire.Encoder, p progress, now time.Time) ([]byte, error) {
	if !s.meta {
		return nil, nil
	}
	next := stateOf(p)
	if next.equal(&s.state) || !next.Done && next.Error == "" && now.Sub(s.stated) < statePause {
		return nil, nil
	}
	s.state, s.stated = next, now
	return e.Object("state", s.ref, &next)
}

// frame returns the next frame of strings, rows or patches, or nil if the
// page has all there is.
func (s *stream) frame(e *wire.Encoder) []byte {
	if s.x == nil || !s.meta {
		return nil
	}
	if len(s.missing) > 0 {
		return s.strings(e)
	}
	if b := s.patch(e); b != nil {
		return b
	}
	return s.nextRows(e)
}

func (s *stream) strings(e *wire.Encoder) []byte {
	var numbers, lengths []uint32
	var text []byte
	for _, id := range s.missing {
		before := len(text)
		text = s.x.AppendString(text, index.StringID(id))
		numbers, lengths = append(numbers, id), append(lengths, uint32(len(text)-before))
		if len(text) >= wire.TextPerFrame {
			break
		}
	}
	s.missing = s.missing[:copy(s.missing, s.missing[len(numbers):])]
	return e.Strings(s.ref, wire.Words(nil, numbers), wire.Words(nil, lengths), text)
}

// nextRows packs the rows of the first table that has some. If they name
// strings that the page lacks, these go first, and the rows are packed again:
// it happens once per new string.
func (s *stream) nextRows(e *wire.Encoder) []byte {
	for _, t := range sentTables {
		most := wire.RowsPerFrame
		if s.rows[t.table] == 0 {
			most = wire.FirstRows
		}
		n := min(s.x.Len(t.table)-s.rows[t.table], most)
		if n <= 0 {
			continue
		}
		base, columns := s.pack.rows(t, index.Row(s.rows[t.table]), n, s.note)
		if len(s.missing) > 0 {
			return s.strings(e)
		}
		first := s.rows[t.table]
		s.rows[t.table] += n
		return e.Rows(s.ref, t.table.String(), first, n, base, columns)
	}
	return nil
}

// patch sends rows that changed after the page got them, a row a message
// column: changes are few and far between.
func (s *stream) patch(e *wire.Encoder) []byte {
	if len(s.changed) == 0 {
		s.changed, s.patches = s.x.Patches(s.changed, s.patches)
		s.dedupe()
	}
	if len(s.changed) == 0 {
		return nil
	}
	t := s.changed[0].Table
	at := slices.IndexFunc(sentTables, func(st sentTable) bool { return st.table == t })
	n := 0
	for n < len(s.changed) && n < wire.RowsPerFrame && s.changed[n].Table == t {
		n++
	}
	rows := make([]uint32, n)
	for i, c := range s.changed[:n] {
		rows[i] = uint32(c.Row)
	}
	base, columns := s.pack.scattered(sentTables[at], rows, s.note)
	if len(s.missing) > 0 {
		return s.strings(e)
	}
	s.changed = s.changed[:copy(s.changed, s.changed[n:])]
	done := s.patches
	if len(s.changed) > 0 {
		done = -1 // the page keeps the number it has
	}
	return e.Patch(s.ref, t.String(), done, base, wire.Words(nil, rows), columns)
}

// dedupe sorts the changes by table and row, and drops those of rows that the
// page gets later anyhow.
func (s *stream) dedupe() {
	s.changed = slices.DeleteFunc(s.changed, func(p index.Patch) bool {
		return int(p.Row) >= s.rows[p.Table] || slices.Contains(dense, p.Table)
	})
	slices.SortFunc(s.changed, func(a, b index.Patch) int {
		if a.Table != b.Table {
			return int(a.Table) - int(b.Table)
		}
		return int(a.Row - b.Row)
	})
	s.changed = slices.Compact(s.changed)
}
