package index

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Hit is something that a search has found.
type Hit struct {
	Kind    string // one of [Kinds]
	Table   Table
	Row     Row           // of Table; [NoRow] for a source
	Entry   string        // of a body, a source or an attachment
	Line    int           // of the match in Entry, counted from 1
	Time    time.Duration // [NoTime] where there is none
	Snippet string        // what is around the match
	From    int           // where in Snippet the match is, in bytes
	To      int
}

// SearchOptions limit a search. The zero value is fine.
type SearchOptions struct {
	MaxHits int   // of each kind; 0 means 1000
	MaxBody int64 // bytes of one body that are searched; 0 means 32 MB
}

// Search finds what a query asks for, and calls hit for each as soon as it is
// found: first what the tables hold, then the text of pages, then bodies,
// attachments and sources. It stops when hit returns false or ctx ends.
// Without a term to be found only tables are searched. What is read from the
// archive and damaged is passed over.
func (x *Index) Search(ctx context.Context, q Query, o SearchOptions, hit func(Hit) bool) error {
	s := &searcher{ctx: ctx, x: x, m: newMatcher(q.Terms), hit: hit, max: o.MaxHits, maxBody: o.MaxBody, counts: map[string]int{}}
	if s.max <= 0 {
		s.max = 1000
	}
	if s.maxBody <= 0 {
		s.maxBody = 32 << 20
	}
	s.filters = compile(q.Filters)
	for _, part := range []func() error{s.actions, s.requests, s.console, s.errors, s.logs, s.events, s.dom, s.bodies, s.attachments, s.sources} {
		if err := part(); err != nil || s.stopped {
			return err
		}
	}
	return nil
}

// searcher is one search going on.
type searcher struct {
	ctx     context.Context
	x       *Index
	m       *matcher
	filters filters
	hit     func(Hit) bool
	max     int
	maxBody int64
	counts  map[string]int
	stopped bool
	line    []byte
}

// wanted reports whether the query is about that kind of thing, and has not
// had enough of it.
func (s *searcher) wanted(kind string, has ...string) bool {
	if s.stopped || s.counts[kind] >= s.max {
		return false
	}
	for _, f := range s.filters {
		switch {
		case f.Name == "kind":
			if f.holdsKind(kind) == f.Not {
				return false
			}
		case !f.Not && !slices.Contains(has, f.Name):
			return false // it says something that such things do not have
		}
	}
	return true
}

// emit hands a hit out.
func (s *searcher) emit(h Hit, f *found) {
	if s.stopped || s.counts[h.Kind] >= s.max {
		return
	}
	if f.text != nil {
		h.Snippet, h.From, h.To = snippet(f.text, f.at, f.end)
	} else if h.Snippet == "" {
		h.Snippet, h.From, h.To = "", 0, 0
	}
	s.counts[h.Kind]++
	s.stopped = !s.hit(h)
}

// rows goes over a table.
func (s *searcher) rows(t Table, each func(r Row, f *found)) error {
	f := s.m.start()
	for r := range Row(s.x.Len(t)) {
		if r%1024 == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if s.stopped {
			return nil
		}
		f.reset()
		each(r, &f)
	}
	return nil
}

// cells adds the texts of a row.
func (s *searcher) cells(f *found, t Table, r Row, columns ...int) {
	for _, col := range columns {
		f.add(s.x.bytes(StringID(s.x.tables[t].getWord(r, col))))
	}
}

// joined adds two texts of a row as one, as they are shown.
func (s *searcher) joined(f *found, t Table, r Row, first, second int) {
	cell := func(col int) []byte { return s.x.bytes(StringID(s.x.tables[t].getWord(r, col))) }
	s.line = append(append(append(s.line[:0], cell(first)...), ' '), cell(second)...)
	f.add(s.line)
}

var actionKinds = [...]string{KindCall: "action", KindGroup: "group", KindStep: "step", KindHook: "hook", KindProtocol: "protocol"}

var actionFilters = []string{"slower-than", "faster-than", "method", "class", "is", "after", "before"}

func (s *searcher) actions() error {
	var wanted [len(actionKinds)]bool
	any := false
	for k, name := range actionKinds {
		wanted[k] = s.wanted(name, actionFilters...)
		any = any || wanted[k]
	}
	if !any {
		return nil
	}
	t := s.x.tables[Actions]
	return s.rows(Actions, func(r Row, f *found) {
		kind := t.getByte(r, ActionKind) % uint8(len(actionKinds))
		if !wanted[kind] || !s.filters.action(s.x, r) {
			return
		}
		s.joined(f, Actions, r, ActionTitle, ActionDetail)
		s.cells(f, Actions, r, ActionMessage, ActionMethod)
		if f.ok() {
			s.emit(Hit{Kind: actionKinds[kind], Table: Actions, Row: r, Time: time.Duration(t.getLong(r, ActionStart)), Snippet: s.title(r)}, f)
		}
	})
}

// title is what is shown of an action that only filters have found.
func (s *searcher) title(r Row) string {
	c := s.x.cursor(Actions, r)
	return strings.TrimSpace(c.text(ActionTitle) + " " + c.text(ActionDetail))
}

var requestFilters = []string{"status", "method", "url", "domain", "mime", "type", "is", "slower-than", "faster-than", "larger-than", "after", "before"}

func (s *searcher) requests() error {
	if !s.wanted("request", requestFilters...) {
		return nil
	}
	t := s.x.tables[Network]
	return s.rows(Network, func(r Row, f *found) {
		if !s.filters.request(s.x, r) {
			return
		}
		s.joined(f, Network, r, RequestMethod, RequestURL)
		s.cells(f, Network, r, RequestFailure, RequestMIME)
		if f.ok() {
			c := s.x.cursor(Network, r)
			s.emit(Hit{Kind: "request", Table: Network, Row: r, Time: time.Duration(t.getLong(r, RequestStart)),
				Snippet: c.text(RequestMethod) + " " + c.text(RequestURL)}, f)
		}
	})
}

// simple searches a table of messages.
func (s *searcher) simple(kind string, t Table, when, shown int, has []string, columns ...int) error {
	if !s.wanted(kind, has...) {
		return nil
	}
	table := s.x.tables[t]
	return s.rows(t, func(r Row, f *found) {
		at := time.Duration(table.getLong(r, when))
		if !s.filters.moment(at) || t == Console && !s.filters.message(s.x, r) {
			return
		}
		s.cells(f, t, r, columns...)
		if f.ok() {
			s.emit(Hit{Kind: kind, Table: t, Row: r, Time: at, Snippet: string(cut(s.x.bytes(StringID(table.getWord(r, shown))), 4*snippetSide))}, f)
		}
	})
}

var timeFilters = []string{"after", "before"}

func (s *searcher) console() error {
	return s.simple("console", Console, ConsoleTime, ConsoleText, []string{"level", "url", "after", "before"}, ConsoleText, ConsoleURL)
}

func (s *searcher) errors() error {
	return s.simple("error", Errors, ErrorTime, ErrorMessage, timeFilters, ErrorMessage)
}

func (s *searcher) logs() error {
	return s.simple("log", Logs, LogTime, LogMessage, timeFilters, LogMessage)
}

func (s *searcher) events() error {
	return s.simple("event", Events, EventTime, EventText, timeFilters, EventText, EventMethod)
}
