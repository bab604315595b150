package index

import (
	"bytes"
	"hash/maphash"

	"github.com/tracedeck/tracedeck/trace"
)

// dom searches the text of the pages' snapshots. A text that a frame shows in
// many snapshots is one hit, at the first of them.
func (s *searcher) dom() error {
	if !s.wanted("dom", "url", "after", "before") || s.m.need == 0 {
		return nil
	}
	rows := map[string]map[int]Row{} // by entry and line
	t := s.x.tables[Snapshots]
	for r := range Row(s.x.Len(Snapshots)) {
		f := s.x.files.get(int(t.getWord(r, SnapshotFile)))
		if f == nil || !s.filters.snapshot(s.x, r) {
			continue
		}
		if rows[f.name] == nil {
			rows[f.name] = map[int]Row{}
		}
		rows[f.name][int(t.getWord(r, SnapshotLine))] = r
	}
	told := map[[2]uint64]bool{}
	seed := maphash.MakeSeed()
	for _, f := range s.x.files.all() {
		if rows[f.name] == nil {
			continue
		}
		if err := s.domOf(f.name, rows[f.name], told, seed); err != nil || s.stopped {
			return err
		}
	}
	return nil
}

// domOf searches the snapshots of one entry.
func (s *searcher) domOf(entry string, rows map[int]Row, told map[[2]uint64]bool, seed maphash.Seed) error {
	rc, err := s.x.source.archive.Resource(s.ctx, entry)
	if err != nil {
		return nil
	}
	defer rc.Close()
	p := startPump(rc)
	defer p.stop()
	f := s.m.start()
	var texts nodeTexts
	line := 0
	split := splitter{limit: trace.DefaultMaxLine, long: func([]byte, int64, int64) { line++ }}
	split.line = func(b []byte, _ int64, _ int) {
		line++
		row, ok := rows[line]
		if !ok || s.counts["dom"] >= s.max || s.stopped || !s.m.mayHold(b) {
			return
		}
		f.reset()
		texts.each(html(b), f.add)
		if !f.ok() {
			return
		}
		c := s.x.cursor(Snapshots, row)
		key := [2]uint64{maphash.String(seed, c.text(SnapshotFrame)), maphash.Bytes(seed, f.text)}
		if !told[key] {
			told[key] = true
			s.emit(Hit{Kind: "dom", Table: Snapshots, Row: row, Time: c.time(SnapshotTime), Entry: entry, Line: line}, &f)
		}
	}
	for block := range p.blocks {
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if s.stopped || s.counts["dom"] >= s.max {
			return nil
		}
		split.feed(block)
		p.free <- block[:cap(block)]
	}
	split.end()
	return nil
}

func (fs filters) snapshot(x *Index, r Row) bool {
	if len(fs) == 0 {
		return true
	}
	c := x.cursor(Snapshots, r)
	return fs.moment(c.time(SnapshotTime)) && fs.all(func(f *filter, v filterValue) (bool, bool) {
		return f.Name == "url" && bytes.Contains(bytes.ToLower([]byte(c.text(SnapshotURL))), []byte(v.text)), f.Name == "url"
	})
}

// mayHold is a quick look at a whole line: where a plain term is not in it at
// all there is no need to take it apart.
func (m *matcher) mayHold(line []byte) bool {
	for i := range m.terms {
		t := &m.terms[i]
		if t.Not || t.Pattern != nil || !plainASCII(t.lower) {
			continue
		}
		if foldIndex(line, t.lower, t.rare) < 0 {
			return false
		}
	}
	return true
}

// plainASCII reports whether JSON never writes the text in another way.
func plainASCII(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c >= 0x7f || bytes.IndexByte([]byte(`"\/<>&'`), c) >= 0 {
			return false
		}
	}
	return true
}

// html returns the nodes of a snapshot's line.
func html(line []byte) []byte {
	return element(element(line, "snapshot"), "html")
}

// nodeTexts takes the texts out of a snapshot's nodes: what a person could
// read on the page. It keeps its own stack, so that deep pages cost memory
// and not the goroutine's stack.
type nodeTexts struct {
	levels []nodeLevel
	r      record
}

type nodeLevel struct {
	members int
	silent  bool // a style, whose text nobody reads
}

// shownAttributes are attributes that a person reads.
var shownAttributes = map[string]bool{"__playwright_value_": true, "placeholder": true, "alt": true, "title": true, "aria-label": true, "value": true}

func (n *nodeTexts) each(b []byte, f func(text []byte)) {
	n.levels = n.levels[:0]
	for i := 0; i < len(b); {
		switch b[i] {
		case '[':
			n.member()
			n.levels = append(n.levels, nodeLevel{silent: n.silent()})
			i++
		case ']':
			if len(n.levels) > 0 {
				n.levels = n.levels[:len(n.levels)-1]
			}
			i++
		case '"', '{':
			end := valueEnd(b, i)
			if end < 0 {
				return
			}
			n.take(b[i:end], f)
			i = end
		default:
			i++
		}
	}
}

func (n *nodeTexts) silent() bool {
	return len(n.levels) > 0 && n.levels[len(n.levels)-1].silent
}

// member counts a member of the innermost array.
func (n *nodeTexts) member() (place int) {
	if len(n.levels) == 0 {
		return 1
	}
	top := &n.levels[len(n.levels)-1]
	top.members++
	return top.members - 1
}

// take looks at a string or an object: a tag name, attributes, or a text.
func (n *nodeTexts) take(v []byte, f func([]byte)) {
	n.r.scratch = n.r.scratch[:0]
	place := n.member()
	switch {
	case v[0] == '{' && place == 1:
		w := walker{b: v}
		w.enter()
		for key, ok := w.next(); ok; key, ok = w.next() {
			if got := w.value(); shownAttributes[string(key)] {
				f(n.r.text(got))
			}
		}
	case v[0] == '"' && place == 0:
		name := n.r.text(v)
		n.levels[len(n.levels)-1].silent = bytes.EqualFold(name, []byte("style")) || bytes.EqualFold(name, []byte("script"))
	case v[0] == '"' && !n.silent():
		f(n.r.text(v))
	}
}
