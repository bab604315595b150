package watch

import (
	"context"
	"io"
	"sort"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// Scan looks at a trace that is finished, on its own clock, and returns all
// that would have been told. Damage is passed over.
func Scan(ctx context.Context, a *trace.Archive, d *Detector) ([]Finding, error) {
	if d.Body == nil {
		d.Body = archived(ctx, a)
	}
	var list []Finding
	for _, f := range a.Files() {
		found, err := scanFile(ctx, a, f, d)
		list = append(list, found...)
		if err != nil {
			return list, err
		}
	}
	list = append(list, d.Tick(d.Now().Add(time.Minute))...)
	sort.SliceStable(list, func(i, j int) bool { return list[i].at < list[j].at })
	return list, nil
}

// archived returns the beginnings of entries.
func archived(ctx context.Context, a *trace.Archive) func(file string) string {
	return func(file string) string {
		rc, err := a.Resource(ctx, file)
		if err != nil {
			return ""
		}
		defer rc.Close()
		b, _ := io.ReadAll(io.LimitReader(rc, mostOfBody)) // the good part of a damaged one is what there is
		return string(b)
	}
}

// answer is a request with the moment at which it was over.
type answer struct {
	event *trace.Event
	end   trace.Time
}

// scanFile brings the requests of a file in among its events: they stand in an
// entry of their own, and what answers a form must be known in time.
func scanFile(ctx context.Context, a *trace.Archive, f trace.File, d *Detector) (list []Finding, err error) {
	var answers []answer
	var events []*trace.Event // of files that hold few lines apart from snapshots
	for e, err := range a.FileEvents(ctx, f) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		if r, ok := e.Body.(*trace.ResourceSnapshot); ok {
			answers = append(answers, answer{e.Clone(), endOf(r)})
			continue
		}
		d.learn(e)
		if light(e) {
			events = append(events, &trace.Event{Body: e.Body, Position: e.Position})
		}
	}
	sort.SliceStable(answers, func(i, j int) bool { return answers[i].end < answers[j].end })
	for _, e := range events {
		for len(answers) > 0 && answers[0].end <= momentOf(e.Body) {
			list = append(list, d.Event(answers[0].event)...)
			answers = answers[1:]
		}
		list = append(list, d.Event(e)...)
	}
	for _, r := range answers {
		list = append(list, d.Event(r.event)...)
	}
	return list, nil
}

// light holds for events that the rules look at; of a snapshot they want to
// know only whether it holds a page of its own.
func light(e *trace.Event) bool {
	switch b := e.Body.(type) {
	case *trace.FrameSnapshot:
		b.HTML = b.HTML[:min(len(b.HTML), 8)]
		b.HTML = append([]byte(nil), b.HTML...)
		b.ResourceOverrides = nil
		return b.Phase == trace.PhaseAfter
	case *trace.ContextOptions, *trace.Console, *trace.ContextEvent, *trace.Before, *trace.Input, *trace.After, *trace.TestError:
		return true
	}
	return false
}

func endOf(r *trace.ResourceSnapshot) trace.Time {
	if !r.Entry.HasMonotonicTime {
		return 0
	}
	return trace.Milliseconds(r.Entry.MonotonicTime + max(0, r.Entry.Time))
}

// momentOf is when an event happened, on the trace's clock; 0 where it is not
// known. A request happened when it was over.
func momentOf(b trace.Body) trace.Time {
	at := trace.NoTime
	switch b := b.(type) {
	case *trace.Console:
		at = b.Time
	case *trace.ContextEvent:
		at = b.Time
	case *trace.Before:
		at = b.StartTime
	case *trace.After:
		at = b.EndTime
	case *trace.ResourceSnapshot:
		at = endOf(b)
	}
	if !at.Known() {
		return 0
	}
	return at
}
