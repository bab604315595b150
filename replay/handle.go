package replay

import (
	"bytes"
	"context"

	"github.com/tracedeck/tracedeck/replay/heal"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

// identify leaves out the calls on elements and objects that a program held of
// which the trace does not tell which they were.
func (r *run) identify(ctx context.Context) {
	kept := r.steps[:0]
	for _, s := range r.steps {
		if why := r.anonymous(ctx, s); why != "" {
			f := Refusal{s.action.ID(), title(s.action), why}
			r.report.Refused = append(r.report.Refused, f)
			r.o.Log("not carried out: %s (%s): %s", f.Title, f.Recorded, f.Reason)
			continue
		}
		kept = append(kept, s)
	}
	r.steps = kept
}

// anonymous says why nobody can tell what a call was about, or "".
func (r *run) anonymous(ctx context.Context, s *planned) string {
	class := s.action.Before.Class
	if class != "ElementHandle" && class != "JSHandle" || s.params.text("selector") != "" {
		return ""
	}
	switch {
	case class == "ElementHandle" && (s.lookup != "" || r.marked(ctx, s.action)), s.verb == "setInputFiles", s.verb == "screenshot": // the first may be of a file chooser, the last changes nothing
		return ""
	case (s.verb == "click" || s.verb == "dblclick") && s.action.Point != nil:
		return ""
	}
	return "the trace does not say which element it is about"
}

// marked reports whether a snapshot shows the element of an action.
func (r *run) marked(ctx context.Context, a *trace.Action) bool {
	for _, s := range a.Snapshots {
		if s.Phase == trace.PhaseBefore {
			continue
		}
		if full, err := r.a.SnapshotAt(ctx, s.Position); err == nil && bytes.Contains(full.HTML, mark) {
			return true
		}
	}
	return false
}

// named gives an element that the program held a selector: what the snapshots
// show of it, or what the program had looked up.
func (r *run) named(ctx context.Context, p *planned) {
	if p.action.Before.Class != "ElementHandle" || p.params.text("selector") != "" {
		return
	}
	selector := p.lookup
	if r.marked(ctx, p.action) {
		if t := r.shown(ctx, p.action); t != nil && t.Selector != "" {
			selector = t.Selector
		}
	}
	if selector == "" {
		return
	}
	p.params["selector"], p.params["strict"] = selector, false
	if p.scene.frame == nil {
		p.scene.frame = r.frameAt(ctx, p)
	}
}

// shown describes the element that the snapshots of an action mark. The page
// is looked at in a blank one of its own.
func (r *run) shown(ctx context.Context, a *trace.Action) *heal.Target {
	s, err := r.b.NewSession(ctx, r.blank())
	if err != nil {
		return nil
	}
	defer s.Close()
	page := s.Page()
	t, err := heal.Describe(ctx, document{page, page.Target()}, snapshot.FromTrace(r.a, r.t), a)
	if err != nil {
		r.o.Log("%s: %v", a.ID(), err)
		return nil
	}
	return t
}
