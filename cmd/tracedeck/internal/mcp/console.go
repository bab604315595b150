package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

type consoleArgs struct {
	TraceArg
	Grep  string `json:"grep,omitempty" jsonschema:"regular expression for the text"`
	Level string `json:"level,omitempty" jsonschema:"error, or warning for warnings and errors"`
	Range
}

// ConsoleItem is a message.
type ConsoleItem struct {
	Time   float64 `json:"time"`
	Level  string  `json:"level"`
	Text   string  `json:"text"`
	Source string  `json:"source,omitempty"`
}

func (s *Server) consoleTool(ctx context.Context, in consoleArgs) (List[ConsoleItem], reply, error) {
	t, tr, err := s.load(ctx, in.Trace)
	if err != nil {
		return List[ConsoleItem]{}, reply{session: t}, err
	}
	re, err := pattern(in.Grep)
	if err != nil {
		return List[ConsoleItem]{}, reply{session: t}, err
	}
	var all []ConsoleItem
	for _, m := range messages(t, tr) {
		grave := m.Level == "error" || m.Level == "assert" || m.Level == "uncaught"
		if in.Level == "error" && !grave || in.Level == "warning" && !grave && m.Level != "warning" && m.Level != "warn" || !re.MatchString(m.Text) {
			continue
		}
		all = append(all, m)
	}
	list := part(all, in.Range)
	if list.Total == 0 && len(tr.Console) == 0 {
		list.Note = "the trace holds no console messages: there were none, or they were not recorded"
	}
	return list, reply{session: t}, nil
}

// messages merges the console, uncaught errors and output in the order of time.
func messages(t *session, tr *trace.Trace) []ConsoleItem {
	var all []ConsoleItem
	for _, m := range tr.Console {
		item := ConsoleItem{m.Time.Milliseconds(), m.Kind, t.short(m.Text, 1000), ""}
		if m.Location.URL != "" {
			item.Source = t.short(fmt.Sprintf("%s:%d", m.Location.URL, m.Location.Line+1), 200)
		}
		all = append(all, item)
	}
	for _, f := range tr.Errors {
		if f.Kind == trace.FailedPage {
			all = append(all, ConsoleItem{f.Time.Milliseconds(), "uncaught", t.short(strings.TrimSpace(f.Name+" "+f.Message), 1000), t.short(f.Location.URL, 200)})
		}
	}
	for _, o := range tr.Stdio {
		all = append(all, ConsoleItem{o.Time.Milliseconds(), o.Stream, t.short(strings.TrimRight(o.Text, "\n"), 1000), "test"})
	}
	sortBy(all, func(m ConsoleItem) float64 { return m.Time })
	return all
}

type searchArgs struct {
	TraceArg
	Query string `json:"query"`
	Range
}

// HitItem is something that was found.
type HitItem struct {
	Kind    string  `json:"kind"`
	Time    float64 `json:"time" jsonschema:"milliseconds; -1 where there is none"`
	Entry   string  `json:"entry,omitempty"`
	Line    int     `json:"line,omitempty"`
	Snippet string  `json:"snippet"`
}

func (s *Server) searchTool(ctx context.Context, in searchArgs) (List[HitItem], reply, error) {
	t, _, err := s.load(ctx, in.Trace)
	if err != nil {
		return List[HitItem]{}, reply{session: t}, err
	}
	q, err := index.ParseQuery(in.Query)
	if err != nil {
		return List[HitItem]{}, reply{session: t}, err
	}
	x, err := index.Open(ctx, t.archive, index.Options{NoCache: t.live})
	if err != nil {
		return List[HitItem]{}, reply{session: t}, err
	}
	defer x.Close()
	var all []HitItem
	err = x.Search(ctx, q, index.SearchOptions{MaxHits: 500}, func(h index.Hit) bool {
		item := HitItem{Kind: h.Kind, Time: -1, Entry: h.Entry, Line: h.Line, Snippet: t.short(h.Snippet, 400)}
		if h.Time != index.NoTime {
			item.Time = ms(h.Time)
		}
		all = append(all, item)
		return len(all) < 5000
	})
	return part(all, in.Range), reply{session: t}, err
}
