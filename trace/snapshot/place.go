package snapshot

import (
	"github.com/tracedeck/tracedeck/trace"
)

// Key names a snapshot by what it is of.
type Key struct {
	File    string // the context's .trace entry: two contexts may use one call id; "" is any
	CallID  string
	Phase   trace.Phase
	FrameID string // "" is the main frame
}

// Place says of what a snapshot is, and where it stands. Times of places,
// resources and pictures of one [Store] are on one clock.
type Place struct {
	Key
	Name        string // of versions before 9, such as "before@call@9"
	PageID      string
	FrameURL    string
	IsMainFrame bool
	Time        trace.Time
	Viewport    trace.Size // of the frame, in CSS pixels
	Position    trace.Position
}

// PlaceOf returns the place of a snapshot of the joined view.
func PlaceOf(s *trace.Snapshot) Place {
	p := Place{Key: Key{CallID: s.CallID, Phase: s.Phase, FrameID: s.FrameID}, Name: s.Name, PageID: s.PageID, FrameURL: s.FrameURL,
		IsMainFrame: s.IsMainFrame, Time: s.Time, Viewport: s.Viewport, Position: s.Position}
	p.File = s.Position.File
	p.Complete()
	return p
}

// placeOf returns the place of a snapshot that was just read.
func placeOf(b *trace.FrameSnapshot, pos trace.Position) Place {
	p := Place{Key: Key{File: pos.File, CallID: b.CallID, Phase: b.Phase, FrameID: b.FrameID}, Name: b.Name, PageID: b.PageID,
		FrameURL: b.FrameURL, IsMainFrame: b.IsMainFrame, Time: b.Timestamp, Position: pos}
	if b.Viewport != nil {
		p.Viewport = *b.Viewport
	}
	p.Complete()
	return p
}

// Complete takes call and phase from the name where nothing else tells them:
// version 3 wrote snapshots before the action that names them.
func (p *Place) Complete() {
	phase, call := splitName(p.Name)
	if p.CallID == "" {
		p.CallID = call
	}
	if p.Phase == "" {
		p.Phase = phase
	}
}

// splitName takes "before@call@9" apart. "input" is the old word for "action".
func splitName(name string) (trace.Phase, string) {
	for _, phase := range []trace.Phase{trace.PhaseBefore, trace.PhaseAction, trace.PhaseAfter, "input"} {
		if n := len(phase); len(name) > n && name[:n] == string(phase) && name[n] == '@' {
			if phase == "input" {
				phase = trace.PhaseAction
			}
			return phase, name[n+1:]
		}
	}
	return "", ""
}
