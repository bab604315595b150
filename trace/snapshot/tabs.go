package snapshot

import (
	"slices"
	"sort"

	"github.com/tracedeck/tracedeck/trace"
)

// Step is what [Tabs] needs to know of an action: when it ran, and the
// numbers of its main frame's snapshots, -1 where there is none.
type Step struct {
	Start, End            trace.Time
	Before, Action, After int
}

// Shown are the snapshots that the tabs of an action show, -1 for nothing.
type Shown struct{ Before, Action, After int }

// Tabs returns for each step which snapshots its tabs show. Steps without
// snapshots of their own show the state they began and ended with: before,
// the last snapshot of what ended earlier; after, that of the last that lies
// inside. Steps must be in the order of their start.
func Tabs(steps []Step) []Shown {
	ended := endings(steps)
	shown := make([]Shown, len(steps))
	for i, s := range steps {
		before := s.Before
		if before < 0 {
			before = ended.last(s.Start, i, steps)
		}
		after := s.After
		if after < 0 {
			after = lastInside(steps, i)
		}
		if after < 0 {
			after = before
		}
		action := s.Action
		if action < 0 {
			action = after
		}
		shown[i] = Shown{before, action, after}
	}
	return shown
}

// ending is a step with an after snapshot, in order of their ends.
type ending struct {
	end  trace.Time
	step int
}

type endingList []ending

func endings(steps []Step) endingList {
	var list endingList
	for i, s := range steps {
		if s.After >= 0 {
			list = append(list, ending{s.End, i})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].end < list[j].end })
	return list
}

func (l endingList) last(at trace.Time, self int, steps []Step) int {
	for i := sort.Search(len(l), func(i int) bool { return l[i].end > at }) - 1; i >= 0; i-- {
		if l[i].step != self {
			return steps[l[i].step].After
		}
	}
	return -1
}

// lastInside returns the after snapshot of the step that ended last of those
// that began and ended while step i ran.
func lastInside(steps []Step, i int) int {
	best := -1
	for j := i + 1; j < len(steps) && steps[j].Start <= steps[i].End; j++ {
		if steps[j].End > steps[i].End || steps[j].After < 0 {
			continue
		}
		if best < 0 || steps[j].End >= steps[best].End {
			best = j
		}
	}
	if best < 0 {
		return -1
	}
	return steps[best].After
}

// StepsOf returns the steps of a trace's actions, in their order, with the
// numbers that the snapshots have in s.
func (s *Store) StepsOf(t *trace.Trace) []Step {
	steps := make([]Step, len(t.Actions))
	for i, a := range t.Actions {
		steps[i] = Step{Start: a.Start, End: a.End, Before: -1, Action: -1, After: -1}
		for _, snap := range a.Snapshots {
			if !snap.IsMainFrame {
				continue
			}
			if n, ok := s.Lookup(PlaceOf(snap).Key); ok {
				steps[i].put(PlaceOf(snap).Phase, n)
			}
		}
	}
	return steps
}

// TabOf returns the number of the snapshot that a tab of an action shows, -1
// where there is none, and false for a phase that there is not.
func (s *Store) TabOf(t *trace.Trace, act *trace.Action, phase trace.Phase) (n int, ok bool) {
	i := slices.Index(t.Actions, act)
	if i < 0 {
		return -1, true
	}
	shown := Tabs(s.StepsOf(t))[i]
	switch phase {
	case trace.PhaseBefore:
		return shown.Before, true
	case trace.PhaseAction:
		return shown.Action, true
	case trace.PhaseAfter:
		return shown.After, true
	}
	return -1, false
}

// put notes a snapshot of the step.
func (st *Step) put(phase trace.Phase, n int) {
	switch phase {
	case trace.PhaseBefore:
		st.Before = n
	case trace.PhaseAction:
		st.Action = n
	case trace.PhaseAfter:
		st.After = n
	}
}
