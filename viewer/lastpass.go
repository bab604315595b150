package viewer

import (
	"context"
	"encoding/json"
	"time"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
	"github.com/tracedeck/tracedeck/trace/verdict"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

// lastPassAnswer is what differs between a session that failed and the last
// one before it in which the same test passed.
type lastPassAnswer struct {
	// Reading says that traces are still being read, and that one should ask
	// again. Otherwise an answer without an ID says that no such run is known.
	Reading  bool         `json:"reading"`
	ID       string       `json:"id"` // of the trace, which is open now
	Name     string       `json:"name"`
	Place    string       `json:"place"`
	Recorded float64      `json:"recorded"` // milliseconds since the epoch
	Later    bool         `json:"later"`    // it is of a time after the failure: a retry, say
	First    int          `json:"first"`    // pair of steps that is the first to differ; -1 for none
	Step     string       `json:"step"`     // that step, in words
	Changes  []passChange `json:"changes"`
	More     int          `json:"more"` // changes beyond these
}

type passChange struct {
	Section diff.SectionName `json:"section"`
	Step    string           `json:"step,omitempty"` // it belongs to, in words
	diff.Change
}

// Of which sections changes are told, the most telling first, and how many of
// each: an overview, for which the comparison itself stands behind a link.
// That times and pictures are not the same is seldom why something failed.
var passSections = []diff.SectionName{diff.Network, diff.WebSocket, diff.Console, diff.Errors, diff.Environment, diff.Storage, diff.Steps, diff.DOM}

const (
	mostOfSection   = 3
	mostPassChanges = 9
	// mostPassBytes of events and requests are compared without being asked.
	mostPassBytes = 256 << 20
	// passPause is between two looks at whether the other trace has been read.
	passPause = 30 * time.Millisecond
)

// lastPass compares a recording with the last run in which its test passed.
func (c *connection) lastPass(ctx context.Context, r *recording, m wire.Get) ([]byte, error) {
	v, err := c.server.passBefore(ctx, r, m.Text)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return answer(m.Ref, b)
}

func (s *Server) passBefore(ctx context.Context, r *recording, rules string) (*lastPassAnswer, error) {
	p := r.progress()
	if !p.done || p.err != nil {
		return nil, errReading
	}
	e, later, reading := s.shelf.lastPass(r.path)
	if e == nil {
		return &lastPassAnswer{Reading: reading, First: -1, Changes: []passChange{}}, nil
	}
	pass, err := s.add(e.path, false)
	if err != nil {
		return nil, err
	}
	s.begin(pass)
	if err := pass.whole(ctx); err != nil {
		return nil, err
	}
	v := &lastPassAnswer{ID: pass.id, Name: e.Name, Place: e.Place, Recorded: e.Recorded, Later: later, First: -1, Changes: []passChange{}}
	if pass == r || p.batch.Bytes+pass.progress().batch.Bytes > mostPassBytes {
		return v, nil
	}
	d, err := s.compare(ctx, pass, r, rules)
	if err != nil {
		return nil, err
	}
	whole, err := d.all(ctx)
	if err != nil {
		return nil, err
	}
	v.fill(whole, d)
	return v, nil
}

// whole waits until a recording has been read.
func (r *recording) whole(ctx context.Context) error {
	for {
		switch p := r.progress(); {
		case p.err != nil:
			return p.err
		case p.done:
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(passPause):
		}
	}
}

func (v *lastPassAnswer) fill(whole *wholeAnswer, d *comparison) {
	if v.First = whole.First; v.First >= 0 && v.First < len(d.pairs.Pairs) {
		v.Step = d.pairs.Pairs[v.First].Step().Title
	}
	for _, name := range passSections {
		for _, s := range whole.Sections {
			if s.Name != name {
				continue
			}
			v.More += s.More
			v.take(s, d)
		}
	}
}

func (v *lastPassAnswer) take(s diff.Section, d *comparison) {
	taken := 0
	for _, ch := range s.Changes {
		switch {
		case ch.Effect == verdict.Same || ch.Effect == verdict.Inconclusive:
		case taken >= mostOfSection || len(v.Changes) >= mostPassChanges:
			v.More++
		default:
			taken++
			step := ""
			if ch.Pair != nil && *ch.Pair < len(d.pairs.Pairs) {
				step = d.pairs.Pairs[*ch.Pair].Step().Title
			}
			v.Changes = append(v.Changes, passChange{s.Name, step, ch})
		}
	}
}

// lastPass returns the last run before a trace, or, where there is none, one
// after it, in which the same test passed in the same browser. It is nil where
// none is known; reading then says whether there are traces yet to be read.
func (s *shelf) lastPass(path string) (pass *shelved, later, reading bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted = time.Now()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	reading = s.looked.IsZero()
	for _, e := range s.listed {
		reading = reading || !e.read && !isAddress(e.path)
	}
	own := s.listed[keyOf(path)]
	if own == nil || !own.read || own.Test == "" || reading {
		return nil, false, reading
	}
	test := testName(own.Test)
	for _, e := range s.listed {
		if e == own || e.Verdict != "passed" || e.Live || e.Browser != own.Browser || testName(e.Test) != test {
			continue
		}
		after := e.Recorded > own.Recorded
		if pass == nil || later && !after || later == after && e.Recorded > pass.Recorded {
			found := *e
			pass, later = &found, after
		}
	}
	return pass, later, false
}

var titlePlace = lazyregexp.New(`(\.[cm]?[jt]sx?|\.py|\.java|\.cs):\d+(:\d+)?`)

// testName is a test's title without the lines it stood in, which move from
// run to run.
func testName(title string) string { return titlePlace.ReplaceAllString(title, "$1") }
