package viewer

import (
	"context"
	"encoding/json"
	"time"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

// hit is what the page gets of an [index.Hit].
type hit struct {
	Kind    string   `json:"kind"`
	Table   string   `json:"table"`
	Row     int      `json:"row"`
	Of      int      `json:"of"` // the action of a log line or a page's text; -1 else
	Entry   string   `json:"entry,omitempty"`
	Line    int      `json:"line,omitempty"`
	Time    *float64 `json:"time"` // microseconds
	Snippet string   `json:"text"`
	From    int      `json:"from"` // where in Snippet the match is, in characters of JavaScript
	To      int      `json:"to"`
}

// Hits travel in lots: the first ones at once, and then those of a while.
const (
	firstHits = 8
	hitsPause = 50 * time.Millisecond
	mostHits  = 200 // in one lot
)

// search streams what a query finds; each lot is an answer, the last one done.
func (c *connection) search(ctx context.Context, s *stream, m wire.Search) ([]byte, error) {
	p := s.rec.progress()
	if p.index == nil {
		return nil, errNoRow
	}
	q, err := index.ParseQuery(m.Query)
	if err != nil {
		return nil, err
	}
	lot, all, last := []hit{}, 0, time.Now()
	err = p.index.Search(ctx, q, index.SearchOptions{MaxHits: m.Limit}, func(h index.Hit) bool {
		lot, all = append(lot, newHit(p.index, h)), all+1
		if all == firstHits || len(lot) >= mostHits || time.Since(last) > hitsPause {
			c.put(answerOf(m.Ref, lot, false))
			lot, last = lot[:0], time.Now()
		}
		return ctx.Err() == nil && all < m.Limit
	})
	if err != nil {
		return nil, err
	}
	return answerOf(m.Ref, lot, true), ctx.Err()
}

func answerOf(ref uint32, lot []hit, done bool) []byte {
	b, err := json.Marshal(lot)
	if err != nil {
		b = []byte("[]") // strings and numbers always have a form
	}
	return wire.NewEncoder().Answer(ref, b, done)
}

func newHit(x *index.Index, h index.Hit) hit {
	out := hit{Kind: h.Kind, Table: h.Table.String(), Row: int(h.Row), Of: -1, Entry: h.Entry, Line: h.Line, Time: micros(h.Time), Snippet: h.Snippet,
		From: utf16Len(h.Snippet[:h.From]), To: utf16Len(h.Snippet[:h.To])}
	switch {
	case h.Row == index.NoRow:
		out.Table = ""
	case h.Table == index.Logs:
		out.Of = int(x.Log(h.Row).Action)
	case h.Table == index.Snapshots:
		out.Of = int(x.Snapshot(h.Row).Action)
	}
	return out
}

// utf16Len is the length that JavaScript gives a text.
func utf16Len(s string) (n int) {
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
