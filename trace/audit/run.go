package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/redact"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// Run looks through a trace. It reads the requests first, with their bodies, and
// then the events, and never holds more than one body. The report is the same for
// the same trace and options. It goes wrong only where there is nothing to read;
// what is damaged is among the report's notes.
func Run(ctx context.Context, a *trace.Archive, o Options) (*verdict.Report, error) {
	if err := o.settle(); err != nil {
		return nil, err
	}
	s := newScan(a, o)
	for _, read := range []func(trace.File) string{func(f trace.File) string { return f.Network }, func(f trace.File) string { return f.Trace }} {
		for _, f := range a.Files() {
			if name := read(f); name != "" {
				if err := s.file(ctx, f, name); err != nil {
					return nil, err
				}
			}
		}
	}
	return s.finish(), nil
}

// scan is an audit under way.
type scan struct {
	a       *trace.Archive
	o       Options
	checks  map[string]bool
	report  verdict.Report
	made    map[key][]*made
	order   []*made
	dropped int
	secrets redact.Cleaner

	sources   map[string]*verdict.Source
	bodies    map[string]*looked
	pages     map[string]string // by frame: the address of the document that it showed last
	sites     map[string]bool   // of documents
	endpoints map[string]*endpoint
	exposed   []exposed
	origins   map[string]bool // whose headers were looked at
	cookies   map[string]bool
	browser   bool // a browser was recorded, not only requests of an API client
	listens   bool // the recorder writes messages of the console whenever there are any
	total     int64
	done      int64
}

func newScan(a *trace.Archive, o Options) *scan {
	s := &scan{a: a, o: o, checks: map[string]bool{}, made: map[key][]*made{}, sources: map[string]*verdict.Source{}, bodies: map[string]*looked{},
		pages: map[string]string{}, sites: map[string]bool{}, endpoints: map[string]*endpoint{}, origins: map[string]bool{}, cookies: map[string]bool{}}
	for _, c := range o.Checks {
		s.checks[c] = true
	}
	for _, e := range a.Entries() {
		s.total += max(0, e.Size)
	}
	for _, w := range a.Warnings() {
		s.note(w.String())
	}
	return s
}

func (s *scan) note(text string) {
	switch n := len(s.report.Notes); {
	case slices.Contains(s.report.Notes, text):
	case n < 50:
		s.report.Notes = append(s.report.Notes, text)
	case n == 50:
		s.report.Notes = append(s.report.Notes, "and more of the trace is damaged")
	}
}

// file looks through the events of one entry.
func (s *scan) file(ctx context.Context, f trace.File, name string) error {
	r, err := s.a.ReadFile(ctx, f, name)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.note(fmt.Sprintf("%s: %v", name, err))
		return nil
	}
	defer r.Close()
	for {
		e, err := r.Next()
		var bad *trace.SyntaxError
		switch {
		case err == nil:
			s.event(ctx, e)
			s.advance(int64(e.Position.Length))
		case errors.As(err, &bad):
			s.note(fmt.Sprintf("%s:%d is no event", bad.File, bad.Line))
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			if !errors.Is(err, io.EOF) {
				s.note(fmt.Sprintf("%s: %v", name, err))
			}
			return nil
		}
	}
}

func (s *scan) advance(n int64) {
	s.done += n
	if s.o.OnProgress != nil && s.total > 0 {
		s.o.OnProgress(min(1, float64(s.done)/float64(s.total)))
	}
}
