package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/verify"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har/template"
)

// stateFlags say what of a trace is taken and where states are kept.
type stateFlags struct {
	url, store, label   string
	span, before, after string
	ttl                 time.Duration
	strict, all         bool
}

func (f *stateFlags) bind(fs *pflag.FlagSet) {
	fs.StringVar(&f.url, "url", "", "only addresses that hold this, or match glob:… or re:…; errors go by their script and page")
	fs.StringVar(&f.span, "span", "", "only a part of the recording, such as 2s..5s; either side may be left out")
	fs.StringVar(&f.store, "store", "", "folder to keep states in; otherwise .tracedeck/cache/verify of the project, or the user's cache")
	fs.DurationVar(&f.ttl, "ttl", 0, "how long it is kept, up to 168h; 0 is 30m for a verification and 2h for a snapshot")
}

// deskEnv is what the verbs of verify and snapshot work with.
type deskEnv struct {
	*env
	f    *stateFlags
	desk *verify.Desk
}

// desk is the project's, or the user's where there is no project.
func (f *stateFlags) desk() *verify.Desk {
	dir := f.store
	if dir == "" {
		if p, err := project.Find("."); err == nil {
			dir = filepath.Join(p.Dir, "cache", "verify")
		} else if cache, err := os.UserCacheDir(); err == nil {
			dir = filepath.Join(cache, "tracedeck", "verify")
		} else {
			dir = filepath.Join(os.TempDir(), "tracedeck-verify")
		}
	}
	return &verify.Desk{Shelf: verify.Folder{Dir: dir}}
}

// capture sums up a trace.
func (e *deskEnv) capture(ctx context.Context, place, filter string, span verify.Span) (*verify.State, error) {
	url, err := template.ParseFilter(filter)
	if err != nil {
		return nil, withHint(err, "a filter is a part of the address, glob: with a pattern, or re: with a regular expression")
	}
	a, t, err := e.loadTrace(ctx, []string{place})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	e.progress.update("looking at "+place, -1)
	if abs, err := filepath.Abs(place); err == nil && !trace.IsAddress(place) && place != "-" {
		place = abs
	}
	return verify.Capture(ctx, a, t, verify.Options{Span: span, URL: url, URLText: filter, Now: time.Now(), Name: place})
}

func parseSpan(text string) (verify.Span, error) {
	s, err := verify.ParseSpan(text)
	if err != nil {
		err = withHint(err, "times are counted from the beginning of the recording, as tracedeck actions shows them")
	}
	return s, err
}

// stateSummary sums a state up for people and programs.
type stateSummary struct {
	CapturedAt time.Time `json:"captured_at"`
	Source     string    `json:"source"`
	From       float64   `json:"from"` // milliseconds since the recording began
	To         float64   `json:"to"`
	PageURL    string    `json:"page_url,omitempty"`
	verify.Counts
	ConsoleWarnings int            `json:"console_warnings"`
	Requests        int            `json:"network_requests"`
	Sockets         int            `json:"websocket_connections"`
	Endpoints       int            `json:"unique_endpoints"`
	Details         []verify.Issue `json:"error_details"`
	NotRecorded     []string       `json:"not_recorded"`
	LeftOut         []string       `json:"left_out,omitempty"`
}

func summaryOf(s *verify.State) stateSummary {
	sum := stateSummary{CapturedAt: s.CapturedAt, Source: s.Source, From: s.From, To: s.To, PageURL: s.PageURL, Counts: s.Counts(), Endpoints: len(s.Endpoints),
		Details: []verify.Issue{}, NotRecorded: s.NotRecorded(), LeftOut: s.LeftOut}
	for _, w := range s.Warnings {
		sum.ConsoleWarnings += w.Count
	}
	for _, e := range s.Endpoints {
		sum.Requests += e.Calls
	}
	for _, c := range s.Sockets {
		sum.Sockets += c.Connections
	}
	for _, i := range s.Issues {
		if i.Message != "" {
			sum.Details = append(sum.Details, i)
		}
	}
	return sum
}

func (e *deskEnv) printState(s *verify.State) {
	c := s.Counts()
	fmt.Fprintf(e.out, "%s in %s: %d of the console and of pages, %d of requests, %d of actions and the test\n", plural(c.TotalIssues, "error"), plural(c.Kinds, "kind"), c.ConsoleErrors, c.NetworkErrors, c.TestErrors)
	for _, i := range s.Issues {
		if i.Message != "" {
			fmt.Fprintf(e.out, "  %-8s %s\n", i.Category, printable(i.Message)+times(i.Count))
		}
	}
	for _, what := range s.LeftOut {
		fmt.Fprintf(e.out, "  %s\n", e.paint(dim, "and "+what))
	}
	if list := s.NotRecorded(); len(list) > 0 {
		fmt.Fprintf(e.out, "  %s\n", e.paint(dim, "not recorded: "+strings.Join(list, ", ")))
	}
}

func times(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" (x%d)", n)
}
