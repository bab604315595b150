package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/tracedeck/tracedeck/diff/verify"
	"github.com/tracedeck/tracedeck/trace"
)

// snapshotVerbs are what can be done with states of sessions that are kept
// under a name. A trace of such a name is written ./capture.
var snapshotVerbs = map[string]func(context.Context, *deskEnv, []string) (int, error){
	"capture": captureSnapshot, "compare": compareSnapshots, "list": listNamed, "delete": deleteSnapshot,
}

// snapshotCaptured is the answer of "snapshot capture --json".
type snapshotCaptured struct {
	Action    string       `json:"action"`
	Name      string       `json:"name"`
	ExpiresAt time.Time    `json:"expires_at"`
	Evicted   string       `json:"evicted,omitempty"` // the oldest, for which there was no room any more
	Snapshot  stateSummary `json:"snapshot"`
}

func captureSnapshot(ctx context.Context, e *deskEnv, args []string) (int, error) {
	if len(args) != 2 {
		return 0, usageError("snapshot capture takes a name and a trace")
	}
	if err := verify.ValidName(args[0]); err != nil {
		return 0, err
	}
	span, err := parseSpan(e.f.span)
	if err != nil {
		return 0, err
	}
	state, err := e.capture(ctx, args[1], e.f.url, span)
	if err != nil {
		return 0, err
	}
	n, evicted, err := e.desk.Keep(args[0], state, e.f.ttl)
	if err != nil {
		return 0, err
	}
	if e.json {
		return exitOK, e.printJSON(snapshotCaptured{"captured", n.Name, n.ExpiresAt, evicted, summaryOf(state)})
	}
	if evicted != "" {
		e.warn("%q was let go: %d snapshots are kept", evicted, verify.MostSnapshots)
	}
	fmt.Fprintf(e.out, "captured %q\n", n.Name)
	e.printState(state)
	return exitOK, nil
}

// snapshotCompared is the answer of "snapshot compare --json".
type snapshotCompared struct {
	Action  string             `json:"action"`
	A       string             `json:"a"`
	B       string             `json:"b"`
	Diff    *verify.Difference `json:"diff"`
	Summary verify.Summary     `json:"summary"`
}

func compareSnapshots(ctx context.Context, e *deskEnv, args []string) (int, error) {
	if len(args) != 2 {
		return 0, usageError("snapshot compare takes two: names of snapshots, traces, or current")
	}
	var states [2]*verify.State
	for i, name := range args {
		if name == verify.Current {
			continue
		}
		s, err := e.stateOf(ctx, name)
		if err != nil {
			return 0, err
		}
		states[i] = s
	}
	for i, s := range states {
		other := states[1-i]
		switch {
		case s == nil && other == nil:
			return 0, withHint(errNoCurrent, "snapshot capture keeps one")
		case s == nil: // as the other one's trace is now
			now, err := e.capture(ctx, other.Source, other.URLFilter, verify.Span{})
			if err != nil {
				return 0, err
			}
			states[i] = now
		}
	}
	d, sum := verify.Compare(states[0], states[1])
	return e.printDifference(snapshotCompared{"compared", args[0], args[1], d, sum})
}

// stateOf returns a state that is kept, or that of a trace.
func (e *deskEnv) stateOf(ctx context.Context, name string) (*verify.State, error) {
	n, err := e.desk.Snapshot(name)
	if err == nil {
		return n.Snapshot, nil
	}
	if _, missing := os.Stat(name); missing == nil || trace.IsAddress(name) {
		return e.capture(ctx, name, e.f.url, verify.Span{})
	}
	return nil, err
}

func (e *deskEnv) printDifference(c snapshotCompared) (int, error) {
	code := exitOK
	if c.Summary.Verdict == "regressed" || c.Summary.Verdict == "mixed" {
		code = exitFound
	}
	if e.json {
		return code, e.printJSON(c)
	}
	color := map[string]string{"regressed": red, "mixed": red, "improved": green}[c.Summary.Verdict]
	fmt.Fprintln(e.out, e.paint(color, c.Summary.Verdict))
	line := func(color, what, text string) {
		fmt.Fprintf(e.out, "  %s %s\n", e.paint(color, fmt.Sprintf("%-16s", what)), printable(text))
	}
	d := c.Diff
	for _, i := range d.Errors.New {
		line(red, "new error", i.Message+times(i.Count))
	}
	for _, i := range d.Errors.Resolved {
		line(green, "resolved", i.Message+times(i.Count))
	}
	for _, x := range d.Network.NewErrors {
		line(red, "now fails", fmt.Sprintf("%s → %d", x.Name, x.Status))
	}
	for _, x := range d.Network.Recovered {
		line(green, "recovered", fmt.Sprintf("%s → %d", x.Name, x.Status))
	}
	for _, x := range d.Network.StatusChanges {
		line("", "status", fmt.Sprintf("%s: %d → %d", x.Endpoint, x.Before, x.After))
	}
	for _, x := range d.Network.TimingChanges {
		line("", "time", x.Endpoint+" "+x.Change)
	}
	for _, x := range d.Network.NewEndpoints {
		line(dim, "new endpoint", x.Name)
	}
	for _, x := range d.Network.MissingEndpoints {
		line(dim, "not called", x.Name)
	}
	for _, p := range d.Performance {
		if p.Effect == "regressed" || p.Effect == "improved" {
			line(map[string]string{"regressed": red, "improved": green}[p.Effect], p.Effect, fmt.Sprintf("%s: %.4g before, %.4g after", p.Name, *p.Before, *p.After))
		}
	}
	for _, s := range d.WebSockets.ConnectionChanges {
		line("", "WebSocket", fmt.Sprintf("%s %s: %s → %s", s.Path, s.Type, s.Before, s.After))
	}
	for _, n := range d.Notes {
		line(dim, "note", n)
	}
	return code, nil
}

// snapshotListed is the answer of "snapshot list --json".
type snapshotListed struct {
	Action    string          `json:"action"`
	Snapshots []verify.Listed `json:"snapshots"`
}

func listNamed(_ context.Context, e *deskEnv, args []string) (int, error) {
	if len(args) != 0 {
		return 0, usageError("snapshot list takes nothing; tracedeck snapshot TRACE lists the pages of a trace")
	}
	all, err := e.desk.Snapshots()
	if err != nil {
		return 0, err
	}
	answer := snapshotListed{"listed", []verify.Listed{}}
	for _, n := range all {
		answer.Snapshots = append(answer.Snapshots, n.Listed())
	}
	if e.json {
		return exitOK, e.printJSON(answer)
	}
	if len(all) == 0 {
		e.report("no snapshots; tracedeck snapshot capture keeps one")
		return exitOK, nil
	}
	tb := table{head: []string{"name", "captured", "until", "errors", "trace"}, right: map[int]bool{3: true}, flex: 4}
	for _, s := range slices.Clone(answer.Snapshots) {
		tb.add(plain(s.Name), plain(s.CapturedAt.Local().Format("15:04:05")), plain(s.ExpiresAt.Local().Format("15:04:05")), plain(fmt.Sprint(s.Errors)), plain(s.Source))
	}
	return exitOK, tb.print(e.env)
}

// snapshotDeleted is the answer of "snapshot delete --json".
type snapshotDeleted struct {
	Action string `json:"action"`
	Name   string `json:"name"`
}

func deleteSnapshot(_ context.Context, e *deskEnv, args []string) (int, error) {
	if len(args) != 1 {
		return 0, usageError("which snapshot? one name is expected")
	}
	if err := e.desk.Drop(args[0]); err != nil {
		return 0, err
	}
	if e.json {
		return exitOK, e.printJSON(snapshotDeleted{"deleted", args[0]})
	}
	_, err := fmt.Fprintf(e.out, "deleted %q\n", args[0])
	return exitOK, err
}

func init() {
	answers["snapshot"] = anyOf{[]snapshotRecord{}, snapshotCaptured{}, snapshotCompared{}, snapshotListed{}, snapshotDeleted{}}
}
