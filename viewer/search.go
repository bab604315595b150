package viewer

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

// hit is a row that a query fits.
type hit struct {
	Table string   `json:"table"`
	Row   int      `json:"row"`
	Time  *float64 `json:"time"` // microseconds
	Text  string   `json:"text"`
	Of    int      `json:"of"` // the action of a log line; -1 else
}

// searched are the columns in which a query looks.
var searched = []struct {
	table   index.Table
	time    int
	columns []int
}{
	{index.Errors, index.ErrorTime, []int{index.ErrorMessage}},
	{index.Actions, index.ActionStart, []int{index.ActionTitle, index.ActionDetail, index.ActionMessage}},
	{index.Network, index.RequestStart, []int{index.RequestURL, index.RequestMethod, index.RequestFailure}},
	{index.Console, index.ConsoleTime, []int{index.ConsoleText}},
	{index.Logs, index.LogTime, []int{index.LogMessage}},
}

// search answers with the rows that hold the query's text.
func (c *connection) search(ctx context.Context, s *stream, m wire.Search) ([]byte, error) {
	p := s.rec.progress()
	if p.index == nil {
		return nil, errNoRow
	}
	hits := []hit{}
	for _, t := range searched {
		for row := 0; row < p.index.Len(t.table) && len(hits) < m.Limit; row++ {
			if row%4096 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if h, ok := match(p.index, t.table, t.time, t.columns, row, strings.ToLower(m.Query)); ok {
				hits = append(hits, h)
			}
		}
	}
	b, err := json.Marshal(hits)
	if err != nil {
		return nil, err
	}
	return wire.NewEncoder().Answer(m.Ref, b, true), nil
}

func match(x *index.Index, t index.Table, timeColumn int, columns []int, row int, query string) (h hit, ok bool) {
	for _, col := range columns {
		word := x.AppendWords(nil, t, col, index.Row(row), 1)
		text := x.String(index.StringID(word[0]))
		if at := strings.Index(strings.ToLower(text), query); at >= 0 {
			when := x.AppendLongs(nil, t, timeColumn, index.Row(row), 1)
			h = hit{Table: t.String(), Row: row, Time: microsOf(when[0]), Text: text[:min(len(text), 300)], Of: -1}
			if t == index.Logs {
				h.Of = int(x.Log(index.Row(row)).Action)
			}
			return h, true
		}
	}
	return h, false
}
