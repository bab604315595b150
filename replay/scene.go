package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace"
)

// scene is where a recorded action took place.
type scene struct {
	page  string         // the recorded page's id; "" where the trace does not tell
	frame *recordedFrame // nil is the main frame, or one that the trace does not tell
	near  *recordedFrame // the one that the page was used in before
}

// recordedFrame is a frame inside of a recorded page.
type recordedFrame struct {
	id, url string
	rank    int // among the frames of its address that the page had, from 0
}

// scenes finds out where the actions took place. Newer versions of Playwright
// do not say it: the snapshots of an action do, and where it has none, what
// happened to pages meanwhile, and the actions beside it.
func (r *run) scenes(ctx context.Context) {
	last, near := map[*trace.Context]string{}, map[string]*recordedFrame{}
	for i, s := range r.steps {
		a := s.action
		s.scene.page = r.pageAt(i)
		if s.scene.page == "" && s.verb != "newPage" {
			s.scene.page = last[a.Context]
		}
		if s.scene.page != "" {
			last[a.Context] = s.scene.page
		}
		if s.verb == "close" {
			last[a.Context] = r.opens(s.scene.page, a.End)
		}
		s.scene.frame, s.scene.near = r.frameAt(ctx, s), near[s.scene.page]
		if s.scene.frame != nil {
			near[s.scene.page] = s.scene.frame
		}
	}
}

// pageAt is the page that the trace shows an action on, or "".
func (r *run) pageAt(i int) string {
	s := r.steps[i]
	a := s.action
	if a.PageID != "" {
		return a.PageID
	}
	switch s.verb {
	case "newPage":
		for _, p := range r.t.Pages {
			if p.OpenerID == "" && p.Opened >= a.Start && p.Opened <= a.End {
				return p.ID
			}
		}
	case "close":
		for _, e := range r.t.Events {
			if e.Method == "pageClosed" && e.Time >= a.Start && e.Time <= a.End {
				return pageOfEvent(e)
			}
		}
	}
	for _, phase := range []trace.Phase{trace.PhaseBefore, trace.PhaseAction, trace.PhaseAfter} {
		for _, snap := range a.Snapshots {
			if snap.Phase == phase && snap.PageID != "" {
				return snap.PageID
			}
		}
	}
	return ""
}

func pageOfEvent(e *trace.Happening) string {
	var p struct{ PageID string }
	_ = json.Unmarshal(e.Params, &p) // what is no object names no page
	return p.PageID
}

// opens is the page that is used again when one has been closed: the one that
// opened it, or the last that is still there.
func (r *run) opens(closed string, at trace.Time) string {
	gone := map[string]bool{closed: true}
	for _, e := range r.t.Events {
		if e.Method == "pageClosed" && e.Time <= at {
			gone[pageOfEvent(e)] = true
		}
	}
	back, opener := "", ""
	for _, p := range r.t.Pages {
		if p.ID == closed {
			opener = p.OpenerID
		}
		if !gone[p.ID] && p.Opened <= at {
			back = p.ID
		}
	}
	if opener != "" && !gone[opener] {
		return opener
	}
	return back
}

// mark is the attribute by which a snapshot names the element of its action.
var mark = []byte("__playwright_target__")

// frameAt is the frame in which the trace shows the element of an action.
func (r *run) frameAt(ctx context.Context, s *planned) *recordedFrame {
	if s.verb == "goto" {
		return r.navigated(s)
	}
	selector := s.params.text("selector")
	if s.verb == "evaluateExpression" {
		return r.changed(ctx, s)
	}
	if !slices.ContainsFunc(s.action.Snapshots, func(x *trace.Snapshot) bool { return !x.IsMainFrame }) || strings.Contains(selector, "internal:control=enter-frame") {
		return nil
	}
	for _, phase := range []trace.Phase{trace.PhaseAction, trace.PhaseAfter} {
		for _, snap := range s.action.Snapshots {
			if snap.Phase != phase {
				continue
			}
			full, err := r.a.SnapshotAt(ctx, snap.Position)
			if err != nil || !bytes.Contains(full.HTML, mark) {
				continue
			}
			if snap.IsMainFrame {
				return nil
			}
			return r.frameOfSnapshot(snap)
		}
	}
	return nil
}

// changed is the child frame that a script changed, if it changed no other.
func (r *run) changed(ctx context.Context, s *planned) *recordedFrame {
	var only *trace.Snapshot
	for _, snap := range s.action.Snapshots {
		if snap.Phase != trace.PhaseAfter {
			continue
		}
		full, err := r.a.SnapshotAt(ctx, snap.Position)
		var reference [][2]int // to what the frame was before
		if err != nil || json.Unmarshal(full.HTML, &reference) == nil && len(reference) == 1 {
			continue
		}
		if snap.IsMainFrame || only != nil {
			return nil
		}
		only = snap
	}
	if only == nil {
		return nil
	}
	return r.frameOfSnapshot(only)
}

// navigated is the child frame that went to the address of a navigation, if
// the page itself did not.
func (r *run) navigated(s *planned) *recordedFrame {
	to := withoutFragment(r.absolute(s))
	var child *trace.Snapshot
	for _, snap := range s.action.Snapshots {
		if snap.Phase != trace.PhaseAfter || withoutFragment(snap.FrameURL) != to {
			continue
		}
		if snap.IsMainFrame {
			return nil
		}
		child = snap
	}
	if child == nil {
		return nil
	}
	for _, snap := range s.action.Snapshots { // by the address that it had
		if snap.Phase == trace.PhaseBefore && snap.FrameID == child.FrameID {
			return r.frameOfSnapshot(snap)
		}
	}
	return nil
}

func withoutFragment(address string) string {
	at, _, _ := strings.Cut(address, "#")
	return at
}

// frameOfSnapshot says which of the page's frames a snapshot is of.
func (r *run) frameOfSnapshot(snap *trace.Snapshot) *recordedFrame {
	f := &recordedFrame{id: snap.FrameID, url: snap.FrameURL}
	seen := map[string]bool{}
	for _, other := range r.t.Snapshots {
		if other.FrameID == snap.FrameID {
			break
		}
		if other.PageID == snap.PageID && other.FrameURL == snap.FrameURL && !seen[other.FrameID] {
			seen[other.FrameID] = true
			f.rank++
		}
	}
	return f
}

// frameNow is the frame of a page that a recorded one is, or "".
func (r *run) frameNow(page *determinism.Page, f *recordedFrame) string {
	if f == nil {
		return page.Target()
	}
	same := func(agree func(a, b *url.URL) bool) (list []string) {
		then, err := url.Parse(r.mapped(f.url))
		if err != nil {
			return nil
		}
		for _, frame := range page.Frames() {
			now, err := url.Parse(frame.URL)
			if err == nil && frame.Parent != "" && agree(then, now) {
				list = append(list, frame.ID)
			}
		}
		return list
	}
	for _, list := range [][]string{
		same(func(a, b *url.URL) bool { return withoutFragment(a.String()) == withoutFragment(b.String()) }),
		same(func(a, b *url.URL) bool { return a.Path == b.Path && a.RawQuery == b.RawQuery && a.Opaque == b.Opaque }),
		same(func(a, b *url.URL) bool { return a.Path == b.Path && a.Opaque == b.Opaque }),
	} {
		if len(list) > 0 {
			return list[min(f.rank, len(list)-1)]
		}
	}
	return ""
}

// inOrder puts steps into an order in which one can follow the other. What was
// waited for while something else was done comes after that, and what was done
// while an action was held up, as by Playwright's handlers of locators, before.
func inOrder(steps []*planned) []*planned {
	out := slices.Clone(steps)
	for i := 1; i < len(out); i++ {
		for j := i; j > 0 && passes(out[j], out[j-1]); j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

// waits are the verbs that wait for something.
var waits = map[string]bool{"expect": true, "waitForSelector": true, "waitForFunction": true, "waitForElementState": true, "awaited": true}

// passes reports whether an action that began later is to be carried out
// earlier than the one before it.
func passes(later, earlier *planned) bool {
	a, b := later.action, earlier.action
	if a.Context != b.Context || a.Unfinished || a.End > b.End || a.Start < b.Start || a.Start == b.Start {
		return false
	}
	acts := func(s *planned) bool { return s.params.text("selector") != "" && !waits[s.verb] }
	return waits[earlier.verb] && !waits[later.verb] || acts(earlier) && acts(later)
}
