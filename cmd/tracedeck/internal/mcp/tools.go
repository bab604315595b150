package mcp

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/failures"
	"github.com/tracedeck/tracedeck/trace/watch"
	"github.com/tracedeck/tracedeck/viewer/report"
)

// addTools offers one tool for each thing that can be asked.
func (s *Server) addTools() {
	tool(s, &mcp.Tool{Name: "open", Description: "Open a trace (zip, folder that may still be recorded into, or http address) and say what is in it. Its id is what other tools take."}, s.openTool)
	tool(s, &mcp.Tool{Name: "list", Description: "List the traces that are open and, with a folder, those that lie in it."}, s.listTool)
	tool(s, &mcp.Tool{Name: "actions", Description: "List what was done in the session: calls, steps and groups in order, with times and errors."}, s.actionsTool)
	tool(s, &mcp.Tool{Name: "action", Description: "All that is recorded of one action: parameters, log, error, stack, where it acted, requests while it ran."}, s.actionTool)
	tool(s, &mcp.Tool{Name: "errors", Description: "Why the session failed: each failure with what it waited for, failing requests, console errors, a timeline and hints by named rules. Start here."}, s.errorsTool)
	tool(s, &mcp.Tool{Name: "network", Description: "List requests with status, size and time."}, s.networkTool)
	tool(s, &mcp.Tool{Name: "request", Description: "One request with its headers and phases, by its line as network and errors give it."}, s.requestTool)
	tool(s, &mcp.Tool{Name: "body", Description: "The body of a request or of its answer, as text."}, s.bodyTool)
	tool(s, &mcp.Tool{Name: "console", Description: "List messages of the console, uncaught errors of pages, and what the test printed."}, s.consoleTool)
	tool(s, &mcp.Tool{Name: "snapshot", Description: "The page at an action: its text, or a picture of it."}, s.snapshotTool)
	tool(s, &mcp.Tool{Name: "search", Description: `Search everything: actions, requests, console, bodies, pages and sources. Words, "phrases", /patterns/, and filters such as status:5xx kind:body.`}, s.searchTool)
	tool(s, &mcp.Tool{Name: "report", Description: "Failures of one or many traces in a text with a budget of tokens for each failure."}, s.reportTool)
	tool(s, &mcp.Tool{Name: "watch", Description: "What is worth telling of a session, also while it is recorded: new errors, failing requests, slow loads, clicks without effect. Ask again with the cursor for what is new; wait waits for it."}, s.watchTool)
	tool(s, &mcp.Tool{Name: "diff", Description: "Compare two sessions: a verdict for all and for each section, and what became different."}, s.diffTool)
	s.addFindingTools()
	s.addVerifyTools()
	s.addCodeTools()
}

// TraceArg names a trace.
type TraceArg struct {
	Trace string `json:"trace,omitempty" jsonschema:"id or path of the trace; may be left out where only one is open"`
}

func (s *Server) load(ctx context.Context, name string) (*session, *trace.Trace, error) {
	t, err := s.deck.get(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	tr, err := t.load(ctx)
	return t, tr, err
}

type openArgs struct {
	Path string `json:"path" jsonschema:"zip, folder or http(s) address"`
}

// Summary is what is in a trace.
type Summary struct {
	ID        string   `json:"id"`
	Path      string   `json:"path"`
	Title     string   `json:"title,omitempty"`
	Producer  string   `json:"producer"`
	Started   string   `json:"started,omitempty"`
	Duration  float64  `json:"durationMs"`
	Recording bool     `json:"recording" jsonschema:"whether it may still grow"`
	Actions   int      `json:"actions"`
	Requests  int      `json:"requests"`
	Messages  int      `json:"messages"`
	Failures  int      `json:"failures"`
	Pictures  int      `json:"pictures"`
	Snapshots int      `json:"snapshots"`
	Pages     []string `json:"pages" jsonschema:"addresses that were shown"`
	Resources []string `json:"resources"`
	Warnings  []string `json:"warnings,omitempty"`
	Next      string   `json:"next"`
}

func (s *Server) openTool(ctx context.Context, in openArgs) (Summary, reply, error) {
	t, err := s.deck.open(ctx, in.Path)
	if err != nil {
		return Summary{}, reply{}, err
	}
	tr, err := t.load(ctx)
	if err != nil {
		return Summary{}, reply{session: t}, err
	}
	return s.summary(ctx, t, tr), reply{session: t}, nil
}

func (s *Server) summary(ctx context.Context, t *session, tr *trace.Trace) Summary {
	sum := Summary{ID: t.ID, Path: t.Path, Producer: tr.Producer(), Duration: ms(tr.Duration), Recording: t.live, Actions: len(tr.Actions), Requests: len(tr.Network),
		Messages: len(tr.Console), Failures: len(failures.Of(ctx, nil, tr, failures.Options{NoBodies: true})), Pictures: len(tr.Frames), Snapshots: len(tr.Snapshots),
		Pages: []string{}, Resources: []string{t.uri(""), t.uri("/report")}}
	sum.Resources = append(sum.Resources, t.eventsURI())
	for _, c := range tr.Contexts {
		if sum.Title == "" {
			sum.Title = c.Title
		}
	}
	if !tr.Start.IsZero() {
		sum.Started = tr.Start.Format(time.RFC3339)
	}
	for _, n := range tr.Snapshots {
		if n.IsMainFrame && !slices.Contains(sum.Pages, n.FrameURL) && len(sum.Pages) < 20 {
			sum.Pages = append(sum.Pages, n.FrameURL)
		}
	}
	for _, w := range append(t.archive.Warnings(), tr.Warnings...) {
		if len(sum.Warnings) < 10 {
			sum.Warnings = append(sum.Warnings, w.String())
		}
	}
	switch {
	case sum.Failures > 0:
		sum.Next = "errors says why it failed"
	case t.live:
		sum.Next = "watch, or a subscription to " + t.eventsURI() + ", tells of trouble as it comes"
	default:
		sum.Next = "nothing failed; watch tells what else is worth a look, actions what was done"
	}
	return sum
}

type listArgs struct {
	Folder string `json:"folder,omitempty" jsonschema:"folder to search for traces"`
	Range
}

// TraceItem is a trace that is open or could be.
type TraceItem struct {
	ID        string `json:"id,omitempty" jsonschema:"of one that is open"`
	Path      string `json:"path"`
	Bytes     int64  `json:"bytes,omitempty"`
	Recording bool   `json:"recording,omitempty"`
}

func (s *Server) listTool(_ context.Context, in listArgs) (List[TraceItem], reply, error) {
	var all []TraceItem
	open := map[string]bool{}
	for _, t := range s.deck.sessions() {
		all = append(all, TraceItem{ID: t.ID, Path: t.Path, Recording: t.live})
		open[t.Path] = true
	}
	if in.Folder == "" {
		return part(all, in.Range), reply{}, nil
	}
	if err := s.o.allowed(in.Folder); err != nil {
		return List[TraceItem]{}, reply{}, err
	}
	err := filepath.WalkDir(in.Folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "node_modules":
			return filepath.SkipDir
		case d.IsDir() && holdsTrace(path):
			if !open[absolute(path)] {
				all = append(all, TraceItem{Path: path, Recording: true})
			}
			return filepath.SkipDir
		case d.Type().IsRegular() && strings.EqualFold(filepath.Ext(path), ".zip") && !open[absolute(path)]:
			item := TraceItem{Path: path}
			if info, err := d.Info(); err == nil {
				item.Bytes = info.Size()
			}
			all = append(all, item)
		}
		return nil
	})
	return part(all, in.Range), reply{}, err
}

func holdsTrace(dir string) bool {
	m, err := filepath.Glob(filepath.Join(dir, "*.trace"))
	return err == nil && len(m) > 0
}

func (s *Server) errorsTool(ctx context.Context, in struct {
	TraceArg
	Range
}) (List[failures.Failure], reply, error) {
	t, tr, err := s.load(ctx, in.Trace)
	if err != nil {
		return List[failures.Failure]{}, reply{session: t}, err
	}
	list := part(failures.Of(ctx, t.archive, tr, failures.Options{Mask: t.masker.Text}), in.Range)
	if list.Total == 0 {
		list.Note = "nothing failed: no action or test failed and no page threw an error; console and network may still show trouble"
	}
	return list, reply{session: t}, nil
}

type reportArgs struct {
	Traces []string `json:"traces,omitempty" jsonschema:"ids or paths; all that are open if left out"`
	Budget int      `json:"budget,omitempty" jsonschema:"tokens for each failure; 500 unless told"`
	From   int      `json:"from,omitempty" jsonschema:"first letter of the text that is wanted"`
}

func (s *Server) reportTool(ctx context.Context, in reportArgs) (Text, reply, error) {
	names := in.Traces
	if len(names) == 0 {
		for _, t := range s.deck.sessions() {
			names = append(names, t.ID)
		}
	}
	if len(names) == 0 {
		return Text{}, reply{}, fmt.Errorf("no trace is open: name some")
	}
	var sessions []report.Session
	for _, name := range names {
		t, tr, err := s.load(ctx, name)
		if err != nil {
			return Text{}, reply{session: t}, err
		}
		one, err := report.OfTrace(ctx, t.archive, tr, t.masker, report.Options{})
		if err != nil {
			return Text{}, reply{session: t}, err
		}
		sessions = append(sessions, one)
	}
	var b strings.Builder
	if err := report.Context(&b, report.Of(sessions), in.Budget); err != nil {
		return Text{}, reply{}, err
	}
	text := textPart(b.String(), in.From, 30000)
	return text, reply{content: []mcp.Content{&mcp.TextContent{Text: text.Text + note(text.Note)}}}, nil
}

func note(s string) string {
	if s == "" {
		return ""
	}
	return "\n(" + s + ")"
}

type watchArgs struct {
	TraceArg
	Cursor     int64            `json:"cursor,omitempty" jsonschema:"number of the last finding that is known; 0 for all"`
	Categories []watch.Category `json:"categories,omitempty" jsonschema:"errors, network_errors, performance, user_frustration, security; all if left out"`
	Severity   watch.Severity   `json:"severity,omitempty" jsonschema:"at least: critical, error, warning or info"`
	URL        string           `json:"url,omitempty" jsonschema:"text that addresses must hold"`
	Wait       float64          `json:"wait,omitempty" jsonschema:"seconds to wait for something new, up to 30"`
}

// News is what was found in a session since a cursor.
type News struct {
	Findings  []watch.Finding `json:"findings"`
	Cursor    int64           `json:"cursor" jsonschema:"to ask with next time"`
	Lost      int64           `json:"lost,omitempty" jsonschema:"findings that are not kept any more"`
	Left      int             `json:"left,omitempty" jsonschema:"findings behind the cursor"`
	Recording bool            `json:"recording"`
}

func (n *News) shrink() bool {
	keep := len(n.Findings) * 3 / 4
	if keep < 1 {
		return false
	}
	n.Left += len(n.Findings) - keep
	n.Findings = n.Findings[:keep]
	n.Cursor = n.Findings[keep-1].ID
	return true
}

func (s *Server) watchTool(ctx context.Context, in watchArgs) (News, reply, error) {
	t, err := s.deck.get(ctx, in.Trace)
	if err != nil {
		return News{}, reply{}, err
	}
	o := watch.Options{Categories: in.Categories, Least: in.Severity, URL: in.URL}
	limit := time.NewTimer(time.Duration(min(max(0, in.Wait), 30) * float64(time.Second)))
	defer limit.Stop()
	for {
		changed := t.log.Changed()
		n, err := t.news(ctx, in.Cursor, o)
		if err != nil || len(n.Findings) > 0 || in.Wait <= 0 || !t.live {
			return n, reply{session: t}, err
		}
		select {
		case <-ctx.Done():
			return n, reply{session: t}, ctx.Err()
		case <-limit.C:
			return n, reply{session: t}, nil
		case <-changed:
		}
	}
}

func (t *session) news(ctx context.Context, since int64, o watch.Options) (News, error) {
	n := News{Findings: []watch.Finding{}, Cursor: since, Recording: t.live}
	list, lost, err := t.findings(ctx, since)
	n.Lost = lost
	for _, f := range list {
		if o.Passes(f) {
			n.Findings = append(n.Findings, f)
		}
		n.Cursor = f.ID
	}
	return n, err
}

// pattern compiles a filter; "" lets everything pass.
func pattern(s string) (*regexp.Regexp, error) {
	re, err := regexp.Compile("(?i)" + s)
	if err != nil {
		return nil, fmt.Errorf("grep %q is no regular expression: %w", s, err)
	}
	return re, nil
}

func ms(d time.Duration) float64 { return float64(d.Round(time.Microsecond)) / 1e6 }
