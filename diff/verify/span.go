package verify

import (
	"fmt"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// Span is a part of a recording, from its beginning. The zero value is all.
type Span struct {
	From time.Duration
	To   time.Duration // 0 is the end
}

// ParseSpan reads "2s..5s"; either side may be left out.
func ParseSpan(text string) (s Span, err error) {
	if text == "" {
		return s, nil
	}
	from, to, ok := strings.Cut(text, "..")
	if !ok {
		return s, fmt.Errorf("span %q: it is written 2s..5s, and either side may be left out", text)
	}
	for _, p := range []struct {
		text string
		into *time.Duration
	}{{from, &s.From}, {to, &s.To}} {
		if p.text == "" {
			continue
		}
		if *p.into, err = time.ParseDuration(p.text); err != nil || *p.into < 0 {
			return s, fmt.Errorf("span %q: %q is no time since the recording began, such as 2.5s", text, p.text)
		}
	}
	if s.To != 0 && s.To <= s.From {
		return s, fmt.Errorf("span %q ends before it begins", text)
	}
	return s, nil
}

func (s Span) holds(at trace.Time) bool {
	return time.Duration(at) >= s.From && (s.To == 0 || time.Duration(at) < s.To)
}

// cut returns the part of a trace that began in the span. The parts are
// shared with the trace.
func (s Span) cut(t *trace.Trace) *trace.Trace {
	if s == (Span{}) {
		return t
	}
	c := *t
	c.Actions = keep(t.Actions, func(a *trace.Action) bool { return s.holds(a.Start) })
	c.Console = keep(t.Console, func(m *trace.Message) bool { return s.holds(m.Time) })
	c.Errors = keep(t.Errors, func(f *trace.Failure) bool { return s.holds(f.Time) })
	c.Network = keep(t.Network, func(r *trace.Request) bool { return s.holds(r.Start) })
	c.Events = keep(t.Events, func(e *trace.Happening) bool { return s.holds(e.Time) })
	c.Snapshots = keep(t.Snapshots, func(n *trace.Snapshot) bool { return s.holds(n.Time) })
	return &c
}

func keep[T any](list []T, holds func(T) bool) []T {
	out := make([]T, 0, len(list))
	for _, v := range list {
		if holds(v) {
			out = append(out, v)
		}
	}
	return out
}
