package viewer

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

// limitReached is a step that took all the time it had.
type limitReached struct {
	Row   int     `json:"row"`
	Limit float64 `json:"limit"` // milliseconds
}

// mostLimits is how many steps are looked at.
const mostLimits = 20_000

// limits tells which of Vibium's steps took as long as they might. Its
// recorder writes no errors down: a click that found nothing looks like one
// that went well, but for its duration.
func (r *recording) limits(ctx context.Context, x *index.Index) ([]limitReached, error) {
	reached := []limitReached{}
	looked := 0
	for row := range x.Len(index.Actions) {
		a := x.Action(index.Row(row))
		if !strings.HasPrefix(a.Method, "vibium:") || a.Flags&index.Failed != 0 || a.End == index.NoTime {
			continue
		}
		if looked++; looked > mostLimits {
			break
		}
		limit, err := r.limitOf(ctx, x, a)
		if err != nil {
			return nil, err
		}
		if limit > 0 && a.End-a.Start >= limit {
			reached = append(reached, limitReached{row, float64(limit) / float64(time.Millisecond)})
		}
	}
	return reached, nil
}

// limitOf is the time limit that a step's own parameters name, 0 if none.
func (r *recording) limitOf(ctx context.Context, x *index.Index, a index.Action) (time.Duration, error) {
	events, err := eventsAt(ctx, x, r.archive, a.Before)
	if err != nil || len(events) == 0 {
		return 0, err
	}
	before, ok := events[0].Body.(*trace.Before)
	if !ok {
		return 0, nil
	}
	var params struct {
		Timeout float64 `json:"timeout"`
	}
	if json.Unmarshal(before.Params, &params) != nil || params.Timeout < 1 || params.Timeout > 1e9 {
		return 0, nil // not a limit that anybody waits for
	}
	return time.Duration(params.Timeout * float64(time.Millisecond)), nil
}
