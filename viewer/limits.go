package viewer

import (
	"context"
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
		before, err := r.beforeOf(ctx, x, a)
		if err != nil {
			return nil, err
		}
		if before != nil && before.Untold(a.End-a.Start) {
			reached = append(reached, limitReached{row, float64(before.Limit()) / float64(time.Millisecond)})
		}
	}
	return reached, nil
}

// beforeOf is the line that a step began with, and nil if it cannot be had.
func (r *recording) beforeOf(ctx context.Context, x *index.Index, a index.Action) (*trace.Before, error) {
	events, err := eventsAt(ctx, x, r.archive, a.Before)
	if err != nil || len(events) == 0 {
		return nil, err
	}
	switch b := events[0].Body.(type) {
	case *trace.Before:
		return b, nil
	case *trace.Begun:
		return &b.Before, nil
	}
	return nil, nil
}
