package index

import (
	"context"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// sameClock is how far the anchors of two files may lie apart and still be
// taken for one clock: wall times are whole milliseconds, read a little later
// than the monotonic time they go with.
const sameClock = trace.Time(20 * time.Millisecond)

// opening is what the beginning of a file tells of its clock.
type opening struct {
	options trace.ContextOptions
	mono    trace.Time // a moment on the file's clock …
	wall    trace.Time // … and the same moment since the epoch; 0 unknown
	known   bool       // mono is known
}

// lookAhead is how many events of a file are read to learn its clock: old
// versions tell it only with their first action.
const lookAhead = 200

// readOpening reads the beginning of a file.
func readOpening(ctx context.Context, a *trace.Archive, f trace.File) opening {
	var o opening
	r, err := a.ReadFile(ctx, f, f.Trace)
	if err != nil {
		return o
	}
	defer r.Close()
	for range lookAhead {
		e, err := r.Next()
		if err != nil && e == nil {
			if !isSyntax(err) {
				break
			}
			continue
		}
		if o.take(e.Body) {
			break
		}
	}
	return o
}

// take learns from one event, and reports whether that was all to learn.
func (o *opening) take(body trace.Body) (done bool) {
	switch b := body.(type) {
	case *trace.ContextOptions:
		if o.options.Version == 0 {
			o.options = *b
			o.wall = trace.Milliseconds(b.WallTime)
			o.mono, o.known = b.MonotonicTime, b.MonotonicTime != 0 || b.Version > 6
		}
		return o.known
	case *trace.ClockAnchor:
		o.mono, o.wall, o.known = b.MonotonicTime, trace.Milliseconds(b.WallTime), true
		return true
	case *trace.Before:
		if !o.known {
			o.mono, o.known = b.StartTime, true
			return true
		}
	}
	return false
}

// align returns what to add to each file's times to put them on one clock
// that begins with the earliest file, and what calendar time that is.
func align(files []opening) (shifts []trace.Time, start time.Time) {
	shifts = make([]trace.Time, len(files))
	if len(files) == 0 {
		return shifts, start
	}
	base, based := trace.Time(0), false
	for i, f := range files {
		if f.wall <= 0 {
			continue
		}
		zero := plus(f.wall, -f.mono)
		if !based {
			base, based = zero, true
		}
		if d := plus(zero, -base); d > sameClock || d < -sameClock {
			shifts[i] = d
		}
	}
	first, any := trace.Time(0), false
	for i, f := range files {
		if t := plus(f.mono, shifts[i]); f.known && (!any || t < first) {
			first, any = t, true
		}
	}
	for i := range shifts {
		shifts[i] = plus(shifts[i], -first)
	}
	if based {
		start = time.Unix(0, int64(base+first)).UTC()
	}
	return shifts, start
}
