package mcp

import (
	"context"
	"time"

	"github.com/tracedeck/tracedeck/diff/verify"
)

type captureArgs struct {
	TraceArg
	Name string `json:"name" jsonschema:"1 to 50 letters, not current"`
	URL  string `json:"url,omitempty" jsonschema:"only addresses that hold this text, or match glob:... or re:..."`
	SpanArg
}

// NamedState is a state that is kept under a name.
type NamedState struct {
	Name      string    `json:"name"`
	ExpiresAt time.Time `json:"expires_at"`
	Evicted   string    `json:"evicted,omitempty" jsonschema:"the oldest, for which there was no room any more"`
	State     StateItem `json:"snapshot"`
}

func (n *NamedState) shrink() bool { return n.State.Issues.shrink() }

func (s *Server) snapshotCapture(ctx context.Context, in captureArgs) (NamedState, reply, error) {
	if err := verify.ValidName(in.Name); err != nil {
		return NamedState{}, reply{}, err
	}
	state, err := s.stateNow(ctx, in.Trace, in.URL, in.Span)
	if err != nil {
		return NamedState{}, reply{}, err
	}
	s.states.mu.Lock()
	defer s.states.mu.Unlock()
	n, evicted, err := s.states.desk.Keep(in.Name, state, 0)
	if err != nil {
		return NamedState{}, reply{}, err
	}
	return NamedState{n.Name, n.ExpiresAt, evicted, stateItem(state)}, reply{}, nil
}

type compareArgs struct {
	A string `json:"a" jsonschema:"name of a kept state, id or path of a trace, or current"`
	B string `json:"b" jsonschema:"the same; what is worse in it is a regression"`
}

// StateDifference is how two states differ.
type StateDifference struct {
	Summary verify.Summary    `json:"summary"`
	Diff    verify.Difference `json:"diff"`
	Left    int               `json:"left,omitempty" jsonschema:"entries that are not listed"`
}

func (d *StateDifference) shrink() bool {
	cut := 0
	for _, l := range []*[]verify.Endpoint{&d.Diff.Network.NewEndpoints, &d.Diff.Network.MissingEndpoints, &d.Diff.Network.NewErrors, &d.Diff.Network.Recovered} {
		cut += halve(l)
	}
	for _, l := range []*[]verify.Issue{&d.Diff.Errors.Unchanged, &d.Diff.Errors.Resolved, &d.Diff.Errors.New} {
		cut += halve(l)
	}
	cut += halve(&d.Diff.Network.TimingChanges) + halve(&d.Diff.Network.StatusChanges) + halve(&d.Diff.Errors.NotExercised)
	d.Left += cut
	return cut > 0
}

// halve leaves out the second half of a list, and says how many that were.
func halve[T any](list *[]T) int {
	n := len(*list)
	if n < 2 {
		return 0
	}
	*list = (*list)[:n/2]
	return n - n/2
}

func (s *Server) snapshotCompare(ctx context.Context, in compareArgs) (StateDifference, reply, error) {
	a, err := s.stateCalled(ctx, in.A)
	if err != nil {
		return StateDifference{}, reply{}, err
	}
	b, err := s.stateCalled(ctx, in.B)
	switch {
	case err != nil:
	case a == nil && b == nil:
		_, err = s.recordingOf("") // says what to do
		if err == nil {
			a, err = s.stateNow(ctx, "", "", "")
			b = a
		}
	case a == nil:
		a, err = s.capture(ctx, b.Source, b.URLFilter, verify.Span{})
	case b == nil:
		b, err = s.capture(ctx, a.Source, a.URLFilter, verify.Span{})
	}
	if err != nil {
		return StateDifference{}, reply{}, err
	}
	d, sum := verify.Compare(a, b)
	return StateDifference{Summary: sum, Diff: *d}, reply{}, nil
}

// stateCalled returns a kept state or that of a trace, and nil for the current
// one.
func (s *Server) stateCalled(ctx context.Context, name string) (*verify.State, error) {
	if name == verify.Current {
		return nil, nil
	}
	s.states.mu.Lock()
	n, unknown := s.states.desk.Snapshot(name)
	s.states.mu.Unlock()
	if unknown == nil {
		return n.Snapshot, nil
	}
	state, err := s.stateNow(ctx, name, "", "")
	if err != nil && s.deck.find(name) == nil {
		return nil, unknown
	}
	return state, err
}

func (s *Server) snapshotList(context.Context, struct{}) (List[verify.Listed], reply, error) {
	s.states.mu.Lock()
	defer s.states.mu.Unlock()
	all, err := s.states.desk.Snapshots()
	var list []verify.Listed
	for _, n := range all {
		list = append(list, n.Listed())
	}
	return part(list, Range{}), reply{}, err
}

// Deleted says what was let go.
type Deleted struct {
	Name string `json:"name"`
}

func (s *Server) snapshotDelete(_ context.Context, in struct {
	Name string `json:"name" jsonschema:"name of a kept state"`
}) (Deleted, reply, error) {
	s.states.mu.Lock()
	defer s.states.mu.Unlock()
	return Deleted{in.Name}, reply{}, s.states.desk.Drop(in.Name)
}
