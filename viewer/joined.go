package viewer

import (
	"context"
	"errors"
	"sync"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

// joined is the joined view of a recording, which comparisons and generated
// texts need. It is made when somebody first asks.
type joined struct {
	mu    sync.Mutex
	trace *trace.Trace
	bytes int64 // how much had been read when it was made
	rows  map[linePlace]index.Row
}

// linePlace is where a line stands, whoever tells it.
type linePlace struct {
	file string
	line int
}

var errReading = errors.New("the trace is still being read")

// load returns the joined view, and in which row of the index an action is.
// That of a folder which grew since is made anew.
func (r *recording) load(ctx context.Context) (*trace.Trace, map[linePlace]index.Row, error) {
	p := r.progress()
	if p.err != nil {
		return nil, nil, p.err
	}
	if p.index == nil || !p.done {
		return nil, nil, errReading
	}
	j := &r.joined
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.trace != nil && j.bytes == p.batch.Bytes {
		return j.trace, j.rows, nil
	}
	t, err := trace.Load(ctx, r.archive, trace.LoadOptions{NoLogs: true, NoProtocol: true})
	if err != nil {
		return nil, nil, err
	}
	j.trace, j.bytes, j.rows = t, p.batch.Bytes, rowsByPlace(p.index)
	return t, j.rows, nil
}

func rowsByPlace(x *index.Index) map[linePlace]index.Row {
	rows := make(map[linePlace]index.Row, x.Len(index.Actions))
	for n := range index.Row(x.Len(index.Actions)) {
		a := x.Action(n)
		for _, at := range []trace.Position{a.Before, a.StepBefore, a.After, a.StepAfter} {
			if at.Line > 0 {
				rows[linePlace{at.File, at.Line}] = n
			}
		}
	}
	return rows
}

// rowOf returns the row of an action, and [index.NoRow] where there is none.
func rowOf(rows map[linePlace]index.Row, a *trace.Action) index.Row {
	if a == nil {
		return index.NoRow
	}
	if n, ok := rows[linePlace{a.Position.File, a.Position.Line}]; ok {
		return n
	}
	return index.NoRow
}
