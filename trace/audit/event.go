package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

func (s *scan) event(ctx context.Context, e *trace.Event) {
	switch b := e.Body.(type) {
	case *trace.ResourceSnapshot:
		s.request(ctx, &b.Entry, e.Position)
	case *trace.ContextOptions:
		s.browser = s.browser || b.BrowserName != ""
		producer := b.Producer()
		s.listens = s.listens || strings.HasPrefix(producer, "playwright") || strings.HasPrefix(producer, "tracedeck")
	case *trace.FrameSnapshot:
		if s.pages[b.FrameID] == "" && b.FrameURL != "" {
			s.pages[b.FrameID] = b.FrameURL
		}
		s.snapshot(b, e.Position)
	case *trace.Before:
		s.action(b, e.Position)
	case *trace.After:
		s.result(b, e.Position)
	case *trace.Log:
		s.actionText(b.Message, "log", e.Position)
	case *trace.Console:
		s.console(b, e.Position)
	case *trace.Stdio:
		s.log(logLine{"test output", b.Stream, b.Text, ""}, e.Position)
	case *trace.TestError:
		s.log(logLine{"test output", "error", b.Message, ""}, e.Position)
	case *trace.ContextEvent:
		s.happening(b, e.Position)
	}
}

// logLine is a message that somebody can read later.
type logLine struct {
	from  string // "console" or "test output"
	level string
	text  string
	url   string // of the script
}

func (s *scan) console(c *trace.Console, at trace.Position) {
	l := logLine{"console", c.Kind, c.Text, c.Location.URL}
	if c.Location.URL != "" {
		l.url = fmt.Sprintf("%s:%d", c.Location.URL, c.Location.Line+1)
	}
	// What the text leaves out of its arguments is in their previews.
	for _, a := range c.Args {
		if a.Preview != "" && !strings.Contains(l.text, a.Preview) {
			l.text += "\n" + a.Preview
		}
		if text := stringOf(a.Value); text != "" && !strings.Contains(l.text, text) {
			l.text += "\n" + text
		}
	}
	s.log(l, at)
}

func stringOf(value json.RawMessage) (text string) {
	_ = json.Unmarshal(value, &text)
	return text
}

// happening looks at the errors of pages, and at messages that only stand in
// events of the browser's protocol.
func (s *scan) happening(e *trace.ContextEvent, at trace.Position) {
	c, f := trace.ConsoleOf(e)
	switch {
	case c != nil:
		s.listens = true
		s.console(c, at)
	case f != nil:
		s.log(logLine{"console", "error", f.Name + ": " + f.Message, f.Location.URL}, at)
	case e.Method == "pageError":
		var p struct {
			Error struct {
				Error struct{ Message string }
				Value any
			}
		}
		if json.Unmarshal(e.Params, &p) == nil {
			text := p.Error.Error.Message
			if v, ok := p.Error.Value.(string); ok {
				text += v
			}
			s.log(logLine{"console", "error", text, ""}, at)
		}
	}
}

// maxLog is how much of a message is looked at, in bytes.
const maxLog = 1 << 20

func (s *scan) log(l logLine, at trace.Position) {
	if l.url != "" && !s.o.URL.Match(l.url) {
		return
	}
	s.report.Summary.Scanned.ConsoleEntries++
	source := s.source(srcConsole)
	source.Looked++
	if len(l.text) > maxLog {
		l.text = l.text[:maxLog]
		source.Skipped++
	}
	kind := prose
	if t := strings.TrimSpace(l.text); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
		kind = data
	}
	c := inspect(l.text, kind)
	e := verdict.Evidence{Type: "console", Level: l.level, Source: shownSource(l.url), Place: placeOf(at)}
	if l.from != "console" {
		e.Notes = []string{l.from}
	}
	s.credentials(c, spot{where: inLog, evidence: e})
	s.people(c, "pii-in-console", e, "")
}

// shownSource is the address of a script without its query.
func shownSource(source string) string {
	if source == "" {
		return ""
	}
	i := strings.LastIndexByte(source, ':')
	if i < 0 {
		return parseAddress(source).shown()
	}
	a := parseAddress(source[:i])
	if a.bad {
		return a.shown()
	}
	return a.origin + folded(a.path) + source[i:]
}

func placeOf(p trace.Position) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }
