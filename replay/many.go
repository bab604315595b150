package replay

import (
	"context"
	"sync"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/replay/mock"
	"github.com/tracedeck/tracedeck/trace"
)

// Session is one of several recordings to replay.
type Session struct {
	Trace  string // path or address
	Output string
}

// Result is what became of one of several replays.
type Result struct {
	Session
	Report *Report
	Err    error
}

// Many replays sessions, as many at a time as lanes. A lane has a browser of
// its own, since the pages of one browser share its clock; a session that broke
// the browser does not reach the next one. options returns those of a session,
// done is told of each result, one at a time, in whatever order they come.
func Many(ctx context.Context, sessions []Session, lanes int, start determinism.Options, options func(Session) Options, done func(Result)) error {
	lanes = max(1, min(lanes, len(sessions)))
	start.Flags = append(append([]string{}, start.Flags...), mock.BrowserFlags()...)
	first, err := determinism.Start(ctx, start)
	if err != nil {
		return err
	}
	work := make(chan Session)
	var telling sync.Mutex
	var busy sync.WaitGroup
	for i := range lanes {
		busy.Add(1)
		go func() {
			defer busy.Done()
			l := &lane{like: first}
			if i == 0 {
				l.b = first
			}
			for s := range work {
				r := l.replay(ctx, s, options(s))
				telling.Lock()
				done(r)
				telling.Unlock()
			}
			l.end()
		}()
	}
	for _, s := range sessions {
		work <- s
	}
	close(work)
	busy.Wait()
	_ = first.Close() // by now it may have been replaced, or closed by its lane
	return nil
}

// lane replays one session after the other.
type lane struct {
	like *determinism.Browser
	b    *determinism.Browser
}

func (l *lane) end() {
	if l.b != nil && l.b != l.like {
		_ = l.b.Close()
	}
	l.b = nil
}

func (l *lane) replay(ctx context.Context, s Session, o Options) Result {
	r := Result{Session: s}
	if r.Err = ctx.Err(); r.Err != nil {
		return r
	}
	if l.b == nil {
		if l.b, r.Err = l.like.Same(ctx); r.Err != nil {
			return r
		}
	}
	a, err := trace.Open(ctx, s.Trace, trace.Options{})
	if err != nil {
		r.Err = err
		return r
	}
	defer a.Close()
	o.Output, o.Browser = s.Output, l.b
	r.Report, r.Err = Run(ctx, a, o)
	if r.Err != nil || r.Report.Code != "" && r.Report.Code != "E_UNREPLAYABLE" {
		old := l.b
		l.b = nil // it may hold a page that never comes to an end
		_ = old.Close()
	}
	return r
}
