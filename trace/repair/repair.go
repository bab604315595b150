// Package repair makes a copy of a trace that shows correctly in viewers, the
// standard one included, out of one that does not. What is sound stays as it
// is, byte for byte.
package repair

import (
	"context"
	"fmt"
	"sort"

	"github.com/tracedeck/tracedeck/trace"
)

// Options say how much is told. The zero value is what most want.
type Options struct {
	PerCode int // fixes listed of one code; 0 means 100
}

// Fix is one thing that was put right.
type Fix struct {
	Code  string `json:"code"`  // see [Codes]
	Place string `json:"place"` // entry, or entry:line
	Text  string `json:"text"`
}

// Report says what was put right.
type Report struct {
	Fixes    []Fix           `json:"fixes"`
	Counts   map[string]int  `json:"counts"` // by code, also of what is not listed
	Warnings []trace.Warning `json:"warnings"`
	perCode  int
}

// Total returns the number of things that were put right.
func (r *Report) Total() int {
	n := 0
	for _, c := range r.Counts {
		n += c
	}
	return n
}

func (r *Report) add(code, place, format string, args ...any) {
	r.Counts[code]++
	if r.Counts[code] <= r.perCode {
		r.Fixes = append(r.Fixes, Fix{Code: code, Place: place, Text: fmt.Sprintf(format, args...)})
	}
}

// Codes says for each code what was done.
var Codes = map[string]string{
	"E_NO_CONTEXT":         "a context-options line was put in front",
	"E_ORPHAN":             "a line of a call that never began was left out",
	"E_NO_METHOD":          "an action without method and title got a title",
	"E_NO_LOCATION":        "a console message got an empty location",
	"E_NO_OVERRIDES":       "a snapshot got an empty list of overrides",
	"E_NO_VIEWPORT":        "a snapshot got the context's viewport",
	"E_NO_CONTENT":         "a request got what viewers count on: content, headers, method, timings",
	"E_BAD_LINE":           "a line that is no event was left out",
	"E_DAMAGED_ENTRY":      "a damaged entry was copied as far as it can be read",
	"W_NO_VIEWPORT":        "the context got the viewport that its pictures have",
	"W_NEWER_VERSION":      "a version unknown to viewers was set to the newest known",
	"W_REPEATED_CONTEXT":   "a second context-options line was left out",
	"W_SNAPSHOT_EARLY":     "a snapshot was put behind the line that names it",
	"W_SNAPSHOT_UNNAMED":   "a line was made to name its snapshot",
	"W_SNAPSHOT_CLOCK":     "the wall time of a snapshot was put on the calendar",
	"W_PHASE":              "a snapshot got the phase that its name tells",
	"W_UNFINISHED":         "an action without an end was ended",
	"W_END_BEFORE_START":   "an end before its start was put at the start",
	"W_LATE_BEFORE":        "a line was put behind the line that begins its call",
	"W_REPEATED_CALL":      "a call id that was used before got a number",
	"W_GROUP_METHOD":       "a group got the method that viewers know",
	"W_CONSOLE_DERIVED":    "a console message was made of a log.entryAdded event",
	"W_PAGE_ERROR_DERIVED": "a page error was made of a log.entryAdded event",
	"W_SECONDS":            "a request's start in seconds was put in milliseconds",
	"W_COOKIES":            "cookies of the protocol were made HAR cookies",
	"W_SET_COOKIE":         "several cookies in one header were made headers of their own",
	"W_DATE":               "a date was written with three decimals",
	"W_OLD_VERSION":        "a file of an old version was written in a newer one",
}

// Run writes a repaired copy of src to dst, which the caller closes. Files
// older than version 8 are written in dst's version. It goes wrong where
// writing does; what cannot be read of src is in the report.
func Run(ctx context.Context, dst *trace.Writer, src *trace.Archive, o Options) (*Report, error) {
	if o.PerCode <= 0 {
		o.PerCode = 100
	}
	r := &Report{Fixes: []Fix{}, Counts: map[string]int{}, Warnings: []trace.Warning{}, perCode: o.PerCode}
	run := &run{ctx: ctx, src: src, dst: dst, report: r, taken: map[string]bool{}}
	scans := map[string]*scan{}
	for _, f := range src.Files() {
		s, err := run.scan(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", src.Name(), err)
		}
		scans[f.Trace] = s
	}
	copied, err := trace.Copy(ctx, dst, src, trace.CopyOptions{DropBadLines: true, Verify: true,
		Filter: func(f trace.File) trace.Filter { return newFilter(run, f, scans[f.Trace]) }})
	if err != nil {
		return r, err
	}
	run.told(copied.Warnings)
	run.told(src.Warnings())
	sort.SliceStable(r.Fixes, func(i, j int) bool { return r.Fixes[i].Code < r.Fixes[j].Code })
	return r, nil
}

// run is one repair of a whole trace.
type run struct {
	ctx    context.Context
	src    *trace.Archive
	dst    *trace.Writer
	report *Report
	taken  map[string]bool // call ids of the library's files so far
}

// told sorts the warnings of a copy: some are repairs.
func (r *run) told(warnings []trace.Warning) {
	for _, w := range warnings {
		switch w.Code {
		case "W_BAD_LINE":
			r.report.add("E_BAD_LINE", w.Place, "%s", w.Text)
		case "W_DAMAGED_ENTRY", "W_CUT_OFF":
			r.report.add("E_DAMAGED_ENTRY", w.Place, "%s", w.Text)
		default:
			r.report.Warnings = append(r.report.Warnings, w)
		}
	}
}

// writes returns the version in which the file is written.
func (r *run) writes(f trace.File) int {
	if f.Version() < 8 {
		return r.dst.Version()
	}
	return min(f.Version(), trace.CurrentVersion)
}

func place(p trace.Position) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }
