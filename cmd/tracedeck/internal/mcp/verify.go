package mcp

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tracedeck/tracedeck/diff/verify"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har/template"
)

// readOnly describes a tool that changes nothing but what the server remembers.
func readOnly(name, description string) *mcp.Tool {
	return &mcp.Tool{Name: name, Description: description}
}

func marshal(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

// states are the verifications and named states of the server's clients. They
// are gone with it.
type states struct {
	mu   sync.Mutex
	desk verify.Desk
}

func newStates() *states { return &states{desk: verify.Desk{Shelf: &verify.Memory{}}} }

func (s *Server) addVerifyTools() {
	tool(s, readOnly("verify_start", "Before a change to the code: keep what goes wrong in a session, or in a span of it, for verify_compare. Three are kept, for 30 minutes."), s.verifyStart)
	tool(s, readOnly("verify_watch", "After the change: say where the session comes from in which it is tried again. Of a folder that is recorded into what comes from now on counts; a folder into which traces are put, or a path that is yet to come, will do too."), s.verifyWatch)
	tool(s, readOnly("verify_compare", "Did the change help? The verdict is fixed, improved, unchanged, different_issue, regressed, no_issues_detected or inconclusive (not tried again), with what is gone, what is new, and what was not exercised. It may be asked again."), s.verifyCompare)
	tool(s, readOnly("verify_status", "The verifications that are kept, also those that are expired."), s.verifyStatus)
	tool(s, readOnly("verify_cancel", "Let a verification go."), s.verifyCancel)
	tool(s, readOnly("snapshot_capture", "Keep the state of a session under a name: errors, endpoints, sockets and performance. Ten are kept, for two hours."), s.snapshotCapture)
	tool(s, readOnly("snapshot_compare", "Compare two states: names of snapshot_capture, ids or paths of traces, or current for the other one's trace as it is now. The verdict is unchanged, improved, regressed or mixed."), s.snapshotCompare)
	tool(s, readOnly("snapshot_list", "The states that are kept under a name."), s.snapshotList)
	tool(s, readOnly("snapshot_delete", "Let a state go that is kept under a name."), s.snapshotDelete)
}

// SpanArg is a part of a recording.
type SpanArg struct {
	Span string `json:"span,omitempty" jsonschema:"only a part of the recording, such as 2s..5s; either side may be left out"`
}

// capture sums up a trace as it is now.
func (s *Server) capture(ctx context.Context, path, filter string, span verify.Span) (state *verify.State, err error) {
	url, err := template.ParseFilter(filter)
	if err != nil {
		return nil, err
	}
	err = s.fresh(ctx, path, func(a *trace.Archive, t *trace.Trace) error {
		state, err = verify.Capture(ctx, a, t, verify.Options{Span: span, URL: url, URLText: filter, Now: time.Now(), Name: path})
		return err
	})
	return state, err
}

type verifyStartArgs struct {
	TraceArg
	Label string `json:"label,omitempty" jsonschema:"a name for the verification"`
	URL   string `json:"url,omitempty" jsonschema:"only addresses that hold this text, or match glob:... or re:..."`
	SpanArg
}

// StateItem sums a state up.
type StateItem struct {
	Source string `json:"source"`
	verify.Counts
	Endpoints   int                `json:"unique_endpoints"`
	PageURL     string             `json:"page_url,omitempty"`
	Issues      List[verify.Issue] `json:"issues"`
	NotRecorded []string           `json:"not_recorded"`
	LeftOut     []string           `json:"left_out,omitempty"`
}

func stateItem(s *verify.State) StateItem {
	item := StateItem{Source: s.Source, Counts: s.Counts(), Endpoints: len(s.Endpoints), PageURL: s.PageURL, NotRecorded: s.NotRecorded(), LeftOut: s.LeftOut}
	var listed []verify.Issue
	for _, i := range s.Issues {
		if i.Message != "" {
			listed = append(listed, i)
		}
	}
	item.Issues = part(listed, Range{Limit: 100})
	return item
}

// VerifyStarted is a verification that began.
type VerifyStarted struct {
	ID        string        `json:"verification"`
	Status    verify.Status `json:"status"`
	ExpiresAt time.Time     `json:"expires_at"`
	Evicted   string        `json:"evicted,omitempty" jsonschema:"a verification for which there was no room any more"`
	Baseline  StateItem     `json:"baseline"`
	Next      string        `json:"next"`
}

func (v *VerifyStarted) shrink() bool { return v.Baseline.Issues.shrink() }

func (s *Server) verifyStart(ctx context.Context, in verifyStartArgs) (VerifyStarted, reply, error) {
	state, err := s.stateNow(ctx, in.Trace, in.URL, in.Span)
	if err != nil {
		return VerifyStarted{}, reply{}, err
	}
	s.states.mu.Lock()
	defer s.states.mu.Unlock()
	v, evicted, err := s.states.desk.Start(state, in.Label, 0)
	if err != nil {
		return VerifyStarted{}, reply{}, err
	}
	return VerifyStarted{v.ID, v.Status, v.ExpiresAt, evicted, stateItem(state), "change the code, call verify_watch, do the session again, call verify_compare"}, reply{}, nil
}

func (s *Server) stateNow(ctx context.Context, name, url, span string) (*verify.State, error) {
	part, err := verify.ParseSpan(span)
	if err != nil {
		return nil, err
	}
	path, err := s.recordingOf(name)
	if err != nil {
		return nil, err
	}
	return s.capture(ctx, path, url, part)
}

// VerifyArg names a verification.
type VerifyArg struct {
	ID string `json:"verification" jsonschema:"id or label of the verification"`
}

type verifyWatchArgs struct {
	VerifyArg
	Place string `json:"place,omitempty" jsonschema:"recording folder, trace, or folder into which traces are put; where the first session came from unless told"`
}

// VerifyStatus is how far a verification is.
type VerifyStatus struct {
	ID          string         `json:"verification"`
	Label       string         `json:"label,omitempty"`
	Status      verify.Status  `json:"status"`
	ExpiresAt   time.Time      `json:"expires_at"`
	Watching    string         `json:"watching,omitempty"`
	Comparisons int            `json:"comparisons"`
	Verdict     verify.Verdict `json:"verdict,omitempty" jsonschema:"of the last comparison"`
}

func verifyStatusOf(v *verify.Session) VerifyStatus {
	out := VerifyStatus{ID: v.ID, Label: v.Label, Status: v.Status, ExpiresAt: v.ExpiresAt, Comparisons: v.Comparisons, Verdict: v.Verdict}
	if v.Watch != nil {
		out.Watching = v.Watch.Place
	}
	return out
}

func (s *Server) verifyWatch(ctx context.Context, in verifyWatchArgs) (VerifyStatus, reply, error) {
	s.states.mu.Lock()
	defer s.states.mu.Unlock()
	v, err := s.states.desk.Session(in.ID)
	if err != nil {
		return VerifyStatus{}, reply{}, err
	}
	place, fresh := in.Place, false
	if place == "" && v.Baseline != nil {
		place, fresh = v.Baseline.Source, true
	}
	if t := s.deck.find(place); t != nil {
		place = t.Path
	}
	if err := s.o.allowed(place); err != nil {
		return VerifyStatus{}, reply{}, err
	}
	where, err := verify.Bind(ctx, place, fresh, time.Now(), s.o.Trace)
	if err != nil {
		return VerifyStatus{}, reply{}, err
	}
	v, err = s.states.desk.Watch(in.ID, where)
	if err != nil {
		return VerifyStatus{}, reply{}, err
	}
	return verifyStatusOf(v), reply{}, nil
}

type verifyCompareArgs struct {
	VerifyArg
	Trace  string `json:"trace,omitempty" jsonschema:"id or path of the session after the change, instead of what is watched"`
	Strict bool   `json:"strict_counts,omitempty" jsonschema:"what came at least twice as often is a regression"`
	SpanArg
}

// Verification is what a change came to.
type Verification struct {
	ID string `json:"verification"`
	verify.Result
	Left int `json:"left,omitempty" jsonschema:"changes and new issues that are not listed"`
}

func (v *Verification) shrink() bool {
	list := &v.Changes
	if len(v.NewIssues) > len(*list) {
		list = &v.NewIssues
	}
	n := len(*list)
	if n < 2 {
		return false
	}
	v.Left += n - n/2
	*list = (*list)[:n/2]
	v.NotExercised = v.NotExercised[:min(len(v.NotExercised), n/2)]
	return true
}

// after says where the session after the change is.
func (s *Server) after(in verifyCompareArgs) (v *verify.Session, path string, span verify.Span, err error) {
	if in.Trace != "" {
		if path, err = s.recordingOf(in.Trace); err != nil {
			return nil, "", span, err
		}
	}
	s.states.mu.Lock()
	defer s.states.mu.Unlock()
	if in.Trace != "" {
		v, err = s.states.desk.WatchedAt(in.ID, path)
		return v, path, span, err
	}
	if v, err = s.states.desk.Watched(in.ID); err == nil {
		path, span, err = v.Watch.Find()
	}
	return v, path, span, err
}

func (s *Server) verifyCompare(ctx context.Context, in verifyCompareArgs) (Verification, reply, error) {
	v, path, span, err := s.after(in)
	if err == nil && in.Span != "" {
		span, err = verify.ParseSpan(in.Span)
	}
	if err != nil {
		return Verification{}, reply{}, err
	}
	after, err := s.capture(ctx, path, v.URLFilter, span)
	if err != nil {
		return Verification{}, reply{}, err
	}
	s.states.mu.Lock()
	defer s.states.mu.Unlock()
	v, r, err := s.states.desk.Compare(v.ID, after, verify.VerifyOptions{StrictCounts: in.Strict})
	if err != nil {
		return Verification{}, reply{}, err
	}
	return Verification{ID: v.ID, Result: *r}, reply{}, nil
}

func (s *Server) verifyStatus(_ context.Context, in struct {
	ID string `json:"verification,omitempty" jsonschema:"id or label; all if left out"`
}) (List[VerifyStatus], reply, error) {
	s.states.mu.Lock()
	defer s.states.mu.Unlock()
	all, err := s.states.desk.Sessions()
	if in.ID != "" && err == nil {
		var one *verify.Session
		one, err = s.states.desk.Session(in.ID)
		all = []*verify.Session{one}
	}
	if err != nil {
		return List[VerifyStatus]{}, reply{}, err
	}
	var list []VerifyStatus
	for _, v := range all {
		list = append(list, verifyStatusOf(v))
	}
	return part(list, Range{}), reply{}, nil
}

func (s *Server) verifyCancel(_ context.Context, in VerifyArg) (VerifyStatus, reply, error) {
	s.states.mu.Lock()
	defer s.states.mu.Unlock()
	v, err := s.states.desk.Cancel(in.ID)
	if err != nil {
		return VerifyStatus{}, reply{}, err
	}
	return verifyStatusOf(v), reply{}, nil
}
