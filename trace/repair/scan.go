package repair

import (
	"errors"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// scan is what has to be known of a file before its first line is written.
type scan struct {
	header   *trace.ContextOptions // nil where the file has none
	wall     float64               // milliseconds of the calendar at mono; 0 if unknown
	mono     trace.Time
	library  bool // some action is not a test runner's
	calls    map[string]*call
	ids      map[string]string // call ids that change, because another file has them
	named    map[string]bool   // names of snapshots that some line says
	owed     map[owed]string   // names that a line must be made to say
	console  bool              // there are console messages already
	pages    map[string]string // page ids as they are written, by their plain form
	viewport *trace.Size
	last     trace.Time
	any      bool // last is known
}

// call is what a file holds of a call.
type call struct {
	id      string
	parent  string
	start   trace.Time
	end     trace.Time // of what lies inside, where it has no end itself
	began   bool
	ended   bool
	inputs  bool
	repeats int
}

// owed says which line is to name a snapshot: a line of that kind of the call.
type owed struct {
	call  string
	line  string // "before", "input" or "after"
	phase trace.Phase
}

func (r *run) scan(f trace.File) (*scan, error) {
	s := &scan{calls: map[string]*call{}, ids: map[string]string{}, named: map[string]bool{}, owed: map[owed]string{}, pages: map[string]string{}}
	var snapshots []*trace.FrameSnapshot
	for e, err := range r.src.FileEvents(r.ctx, f) {
		var bad *trace.SyntaxError
		switch {
		case r.ctx.Err() != nil:
			return nil, r.ctx.Err()
		case err != nil && !errors.As(err, &bad):
			continue // told when it is copied
		case err != nil:
			continue
		}
		s.event(e)
		if b, ok := e.Body.(*trace.FrameSnapshot); ok {
			snapshots = append(snapshots, &trace.FrameSnapshot{CallID: b.CallID, Phase: b.Phase, Name: b.Name})
		}
	}
	s.ends()
	s.owe(snapshots)
	r.unique(s)
	return s, nil
}

func (s *scan) event(e *trace.Event) {
	switch b := e.Body.(type) {
	case *trace.ContextOptions:
		if s.header == nil && e.Position.Line > 0 {
			s.header, s.wall, s.mono = b, b.WallTime, b.MonotonicTime
		}
	case *trace.ClockAnchor:
		s.wall, s.mono = b.WallTime, b.MonotonicTime
	case *trace.Before:
		s.before(b)
	case *trace.Input:
		s.call(b.CallID).inputs = true
		s.names(&b.Extra)
	case *trace.After:
		s.call(b.CallID).ended = true
		s.call(b.CallID).end = b.EndTime
		s.saw(b.EndTime)
		s.names(&b.Extra)
	case *trace.ContextEvent:
		s.saw(b.Time)
	case *trace.Console:
		s.console = true
		s.saw(b.Time)
		s.page(b.PageID)
	case *trace.ScreencastFrame:
		s.saw(b.Timestamp)
		s.page(b.PageID)
		s.size(trace.Size{Width: b.Width, Height: b.Height})
	case *trace.FrameSnapshot:
		s.saw(b.Timestamp)
		s.page(b.PageID)
		if b.Viewport != nil && b.IsMainFrame {
			s.size(*b.Viewport)
		}
	}
}

func (s *scan) call(id string) *call {
	c := s.calls[id]
	if c == nil {
		c = &call{id: id, end: trace.NoTime}
		s.calls[id] = c
	}
	return c
}

func (s *scan) before(b *trace.Before) {
	c := s.call(b.CallID)
	if c.began {
		c.repeats++
	} else {
		c.began, c.start, c.parent = true, b.StartTime, b.ParentID
	}
	s.saw(b.StartTime)
	s.page(b.PageID)
	s.names(&b.Extra)
	s.library = s.library || b.Class != "Test"
}

func (s *scan) saw(t trace.Time) {
	if t.Known() && (!s.any || t > s.last) {
		s.last, s.any = t, true
	}
}

func (s *scan) size(v trace.Size) {
	if s.viewport == nil && v.Width > 0 && v.Height > 0 {
		s.viewport = &v
	}
}

func (s *scan) page(id string) {
	if id != "" {
		s.pages[plainID(id)] = id
	}
}

// plainID is what the ways to write a page id have in common: "page@1A2B",
// "1a2b" and "1A2B" are one page.
func plainID(id string) string {
	return strings.ToLower(strings.TrimPrefix(id, "page@"))
}

// snapshotMembers say which phase the members of a line name.
var snapshotMembers = map[string]trace.Phase{
	"beforeSnapshot": trace.PhaseBefore, "inputSnapshot": trace.PhaseAction, "afterSnapshot": trace.PhaseAfter,
}

func (s *scan) names(x *trace.Extra) {
	for member := range snapshotMembers {
		if name := x.Text(member); name != "" {
			s.named[name] = true
		}
	}
}

// ends finds for calls without an end when the last that lies in them ended.
func (s *scan) ends() {
	for _, c := range s.calls {
		if !c.ended {
			continue
		}
		for p, depth := s.calls[c.parent], 0; p != nil && depth < 1000; p, depth = s.calls[p.parent], depth+1 {
			if !p.ended && c.end > p.end {
				p.end = c.end
			}
		}
	}
}

// owe decides for each snapshot that no line names which line is to name it.
func (s *scan) owe(snapshots []*trace.FrameSnapshot) {
	for _, b := range snapshots {
		name := nameOf(b)
		c := s.calls[b.CallID]
		if name == "" || s.named[name] || c == nil || !c.began {
			continue
		}
		line := "before"
		switch {
		case b.Phase == trace.PhaseAction && c.inputs:
			line = "input"
		case b.Phase == trace.PhaseAfter && c.ended:
			line = "after"
		}
		s.owed[owed{b.CallID, line, b.Phase}] = name
		s.named[name] = true
	}
}

// nameOf is the name by which versions before 9 know a snapshot.
func nameOf(b *trace.FrameSnapshot) string {
	switch {
	case b.Name != "":
		return b.Name
	case b.Phase == "" || b.CallID == "":
		return ""
	case b.Phase == trace.PhaseAction:
		return "input@" + b.CallID
	}
	return string(b.Phase) + "@" + b.CallID
}

// unique finds new ids for calls whose id another file of the library has:
// viewers take calls of one id for one call. What a runner's file and a
// library's have in common stays.
func (r *run) unique(s *scan) {
	if s.header != nil && s.header.Origin == "testRunner" {
		return
	}
	for id, c := range s.calls {
		if c.began && r.taken[id] {
			s.ids[id] = unusedID(id, func(id string) bool { return r.taken[id] || s.calls[id] != nil })
		}
	}
	for id, c := range s.calls {
		if c.began {
			if to, ok := s.ids[id]; ok {
				id = to
			}
			r.taken[id] = true
		}
	}
}
