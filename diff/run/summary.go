// Package run is what one run of a project's sessions came to: which of their
// pictures are as approved, which are not, and which could not be told.
package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/visual"
	"github.com/tracedeck/tracedeck/trace/wholefile"
)

// Version is the version of summary.json.
const Version = 1

// Status is what a session or a picture came to.
type Status string

const (
	Pass    Status = "pass"    // as approved, or within what is allowed
	New     Status = "new"     // nothing was approved yet
	Diff    Status = "diff"    // not as approved
	Missing Status = "missing" // approved, but not taken this time
	Flaky   Status = "flaky"   // not as approved, but not confirmed by taking it again
	Skipped Status = "skipped" // not compared, because the renderers are not comparable or the baseline cannot be had
	Error   Status = "error"   // could not be compared, or the session could not be replayed
)

// Remark is something to know about a session or a picture, with its code from
// the registry.
type Remark struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Count   int    `json:"count,omitempty"`
	// Details say more, by name, such as the address that was not reached.
	Details map[string]string `json:"details,omitempty"`
}

// Picture is one screenshot of a session.
type Picture struct {
	Key    string `json:"key"`
	Status Status `json:"status"`
	// Expected is the approved picture, and Actual the one that was taken. Either may be unset.
	Expected *baseline.Baseline `json:"expected,omitempty"`
	Actual   *baseline.Baseline `json:"actual,omitempty"`
	// Result is the comparison, if the bytes differ.
	Result *visual.Result `json:"result,omitempty"`
	// Seen are all pictures that were taken under this key, the first one first: more than one if it was taken
	// again to confirm a difference. Agreed is whether two of them are alike.
	Seen   []blob.Ref `json:"seen,omitempty"`
	Agreed bool       `json:"agreed"`
	// Exceeded is how many of Seen differ from Expected by more than is allowed.
	Exceeded int `json:"exceeded,omitempty"`
	// Baseline is the ID of the renderer that Expected was made with, and Renderer that of Actual.
	Baseline string   `json:"baselineRenderer,omitempty"`
	Renderer string   `json:"renderer,omitempty"`
	Errors   []Remark `json:"errors,omitempty"`
	Warnings []Remark `json:"warnings,omitempty"`
}

// Session is one recorded session and its pictures.
type Session struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitempty"`
	Status Status `json:"status"`
	// Trace is the new trace, relative to the folder of the run.
	Trace       string `json:"trace,omitempty"`
	Screenshots int    `json:"screenshots"`
	DiffCount   int    `json:"diffCount"`
	// FlakyCount is how many pictures were not as approved, but were so when they were taken again. They do not
	// keep a session from passing.
	FlakyCount int   `json:"flakyCount"`
	DurationMs int64 `json:"durationMs"`
	// ConfirmedDiffs are the keys of the pictures that differ.
	ConfirmedDiffs []string  `json:"confirmedDiffs,omitempty"`
	Pictures       []Picture `json:"pictures,omitempty"`
	Errors         []Remark  `json:"errors"`
	Warnings       []Remark  `json:"warnings"`
}

// Totals are the sums over all sessions.
type Totals struct {
	Sessions        int   `json:"sessions"`
	Passed          int   `json:"passed"`
	Diffs           int   `json:"diffs"`
	New             int   `json:"new"`
	Errors          int   `json:"errors"`
	Screenshots     int   `json:"screenshots"`
	DiffScreenshots int   `json:"diffScreenshots"`
	NewScreenshots  int   `json:"newScreenshots"`
	Flaky           int   `json:"flaky"`
	DurationMs      int64 `json:"durationMs"`
}

// Summary is one run. It is written as summary.json.
type Summary struct {
	Version   int       `json:"version"`
	RunID     string    `json:"runId"`
	Timestamp time.Time `json:"timestamp"`
	// Program is the version of tracedeck.
	Program  string `json:"tracedeckVersion"`
	Target   string `json:"targetUrl,omitempty"`
	ExitCode int    `json:"exitCode"`
	// Shard says which part of all sessions this is; nil if it is all.
	Shard     *Shard                       `json:"shard,omitempty"`
	Renderers map[string]baseline.Renderer `json:"renderers,omitempty"`
	Sessions  []Session                    `json:"sessions"`
	Totals    Totals                       `json:"totals"`
	Errors    []Remark                     `json:"errors"`
	Warnings  []Remark                     `json:"warnings"`
}

// Settle sorts the sessions and fills in everything that follows from the
// pictures: statuses, counts, totals and the exit code.
func (s *Summary) Settle() {
	s.Version = Version
	slices.SortFunc(s.Sessions, func(a, b Session) int { return baseline.CompareKeys(a.ID, b.ID) })
	s.Totals = Totals{Sessions: len(s.Sessions)}
	s.Errors, s.Warnings = notNil(s.Errors), notNil(s.Warnings)
	for i := range s.Sessions {
		s.Sessions[i].Settle()
		s.Totals.add(&s.Sessions[i])
	}
	switch {
	case s.Totals.Errors > 0 || len(s.Errors) > 0:
		s.ExitCode = 2
	case s.Totals.DiffScreenshots > 0:
		s.ExitCode = 1
	default:
		s.ExitCode = 0
	}
}

func (t *Totals) add(s *Session) {
	switch s.Status {
	case Error:
		t.Errors++
	case Diff:
		t.Diffs++
	case New:
		t.New++
	default:
		t.Passed++
	}
	t.Screenshots += s.Screenshots
	t.DiffScreenshots += s.DiffCount
	t.DurationMs += s.DurationMs
	t.Flaky += s.FlakyCount
	for _, p := range s.Pictures {
		if p.Status == New {
			t.NewScreenshots++
		}
	}
}

// Settle fills in what follows from the pictures.
func (s *Session) Settle() {
	slices.SortFunc(s.Pictures, func(a, b Picture) int { return baseline.CompareKeys(a.Key, b.Key) })
	s.Screenshots, s.DiffCount, s.FlakyCount, s.ConfirmedDiffs = 0, 0, 0, nil
	s.Errors, s.Warnings = notNil(s.Errors), notNil(s.Warnings)
	status, failed := Pass, len(s.Errors) > 0
	for _, p := range s.Pictures {
		if p.Actual != nil {
			s.Screenshots++
		}
		switch p.Status {
		case Diff, Missing:
			s.DiffCount++
			s.ConfirmedDiffs = append(s.ConfirmedDiffs, p.Key)
			status = Diff
		case New:
			if status == Pass {
				status = New
			}
		case Flaky:
			s.FlakyCount++
		case Error:
			failed = true
		}
	}
	if failed {
		status = Error
	}
	s.Status = status
}

func notNil(list []Remark) []Remark {
	if list == nil {
		return []Remark{}
	}
	return list
}

// Find is the session with that ID, or nil.
func (s *Summary) Find(id string) *Session {
	for i := range s.Sessions {
		if s.Sessions[i].ID == id {
			return &s.Sessions[i]
		}
	}
	return nil
}

// FileName is what a summary is called in the folder of its run.
const FileName = "summary.json"

// Save writes the summary into the folder of its run.
func (s *Summary) Save(dir string) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, FileName), append(data, '\n'))
}

// Load reads the summary in the folder of a run.
func Load(dir string) (*Summary, error) {
	name := filepath.Join(dir, FileName)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	s := &Summary{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.Version != Version {
		return nil, fmt.Errorf("%s: version %d is not known; this program writes version %d", name, s.Version, Version)
	}
	return s, nil
}

// writeFile makes a file whole or not at all.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return wholefile.Write(name, data, 0o644)
}

// missing is whether a file is simply not there.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// note keeps what drew some of the pictures.
func (s *Summary) note(id string, r baseline.Renderer) {
	if s.Renderers == nil {
		s.Renderers = map[string]baseline.Renderer{}
	}
	s.Renderers[id] = r
}

// Add takes a session, and what drew its pictures.
func (s *Summary) Add(session *Session, r baseline.Renderer) {
	s.Sessions = append(s.Sessions, *session)
	if len(session.Pictures) > 0 {
		s.note(r.ID(), r)
	}
}
