package cdp

import (
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

var consoleEvents = map[string]func(*Recorder, *session, event){
	"Runtime.consoleAPICalled": on(consoleCalled),
	"Runtime.exceptionThrown":  on(exceptionThrown),
	"Log.entryAdded":           on(logEntry),
}

type stackTrace struct {
	Description string `json:"description"`
	Frames      []struct {
		Function string `json:"functionName"`
		URL      string `json:"url"`
		Line     int    `json:"lineNumber"`
		Column   int    `json:"columnNumber"`
	} `json:"callFrames"`
	Parent *stackTrace `json:"parent"`
}

// maxFrames is how many lines of a call stack are recorded.
const maxFrames = 50

func (t *stackTrace) location() trace.Location {
	if t == nil || len(t.Frames) == 0 {
		return trace.Location{}
	}
	f := t.Frames[0]
	return trace.Location{URL: f.URL, Line: f.Line, Column: f.Column}
}

// lines writes the stack as V8 does in errors.
func (t *stackTrace) lines() string {
	var b strings.Builder
	n := 0
	for ; t != nil; t = t.Parent {
		if n > 0 && t.Description != "" {
			fmt.Fprintf(&b, "\n    -- %s --", t.Description)
		}
		for _, f := range t.Frames {
			if n++; n > maxFrames {
				return b.String()
			}
			if f.Function == "" {
				fmt.Fprintf(&b, "\n    at %s:%d:%d", f.URL, f.Line+1, f.Column+1)
			} else {
				fmt.Fprintf(&b, "\n    at %s (%s:%d:%d)", f.Function, f.URL, f.Line+1, f.Column+1)
			}
		}
	}
	return b.String()
}

// consoleKinds are the names of the trace format where they are not the protocol's.
var consoleKinds = map[string]string{"startGroupCollapsed": "startGroupCollapsed", "warn": "warning"}

func consoleCalled(r *Recorder, s *session, p *struct {
	Type  string         `json:"type"`
	Args  []remoteObject `json:"args"`
	Time  float64        `json:"timestamp"` // milliseconds since the epoch
	Stack *stackTrace    `json:"stackTrace"`
}, e event) {
	at, during := r.said(s, p.Time, e)
	at = max(at, s.said) // they come in order, however the clocks are judged meanwhile
	s.said = at
	if !during || !s.console.admits(r.o.consoleRate(), at) {
		return
	}
	c := &trace.Console{Time: at, PageID: pageOf(s), Kind: p.Type, Location: p.Stack.location(), Args: []trace.ConsoleArg{}}
	if k := consoleKinds[p.Type]; k != "" {
		c.Kind = k
	}
	texts := make([]string, len(p.Args))
	for i, a := range p.Args {
		texts[i] = a.text()
		c.Args = append(c.Args, trace.ConsoleArg{Preview: texts[i], Value: a.primitive()})
	}
	c.Text = strings.Join(texts, " ")
	if p.Stack != nil && (p.Type == "error" || p.Type == "warning" || p.Type == "trace" || p.Type == "assert") {
		c.Set("_stack", mustJSON(strings.TrimPrefix(p.Stack.lines(), "\n")))
	}
	if s.worker != "" {
		c.Set("_workerId", mustJSON(s.worker))
	}
	r.sink.Write(c)
}

// enableConsole has the browser tell what is said. It first repeats what was
// said before, and then answers.
func (r *Recorder) enableConsole(s *session) {
	r.send(s, "Runtime.enable", nil)
	r.conn.Send(s.id, "Log.enable", nil, func(raw, error) { s.told = true })
}

// said is when something was said, and whether that was during the recording.
// A repetition does not tell by how much the clocks differ.
func (r *Recorder) said(s *session, milliseconds float64, e event) (at trace.Time, during bool) {
	if !s.told && !r.wall.known && !r.wall.foreign {
		return 0, false
	}
	at = r.wall.past(milliseconds/1000, r.arrived(e.at))
	return at, at >= r.zero
}

// logEntry is a message that the browser itself put into the console.
func logEntry(r *Recorder, s *session, p *struct {
	Entry struct {
		Source string      `json:"source"`
		Level  string      `json:"level"`
		Text   string      `json:"text"`
		Time   float64     `json:"timestamp"`
		URL    string      `json:"url"`
		Line   int         `json:"lineNumber"`
		Stack  *stackTrace `json:"stackTrace"`
	} `json:"entry"`
}, e event) {
	n := p.Entry
	if n.Source == "worker" { // the worker's own session tells of it
		return
	}
	at, during := r.said(s, n.Time, e)
	if !during || !s.console.admits(r.o.consoleRate(), at) {
		return
	}
	kind := map[string]string{"verbose": "debug", "info": "info", "warning": "warning", "error": "error"}[n.Level]
	if kind == "" {
		kind = "log"
	}
	c := &trace.Console{Time: at, PageID: pageOf(s), Kind: kind, Text: n.Text, Args: []trace.ConsoleArg{},
		Location: trace.Location{URL: n.URL, Line: n.Line}}
	if n.URL == "" {
		c.Location = n.Stack.location()
	}
	c.Set("_source", mustJSON(n.Source))
	r.sink.Write(c)
}

func exceptionThrown(r *Recorder, s *session, p *struct {
	Time    float64 `json:"timestamp"`
	Details struct {
		Text      string        `json:"text"`
		URL       string        `json:"url"`
		Line      int           `json:"lineNumber"`
		Column    int           `json:"columnNumber"`
		Stack     *stackTrace   `json:"stackTrace"`
		Exception *remoteObject `json:"exception"`
		Context   int           `json:"executionContextId"`
	} `json:"exceptionDetails"`
}, e event) {
	if r.frameIn(s, p.Details.Context) != nil {
		return // of our own script: no fault of the page
	}
	at, during := r.said(s, p.Time, e)
	if !during || !s.console.admits(r.o.consoleRate(), at) {
		return
	}
	d := p.Details
	kind := "uncaught"
	if strings.Contains(d.Text, "in promise") {
		kind = "unhandledRejection"
	}
	location := map[string]any{"url": d.URL, "line": d.Line, "column": d.Column}
	if d.URL == "" && d.Stack != nil {
		l := d.Stack.location()
		location = map[string]any{"url": l.URL, "line": l.Line, "column": l.Column}
	}
	params := map[string]any{"error": thrown(d.Exception, d.Text, d.Stack), "location": location, "kind": kind}
	data := mustJSON(params)
	ev := &trace.ContextEvent{Time: at, Class: "BrowserContext", Method: "pageError", Params: data, PageID: pageOf(s)}
	if s.worker != "" {
		ev.Set("_workerId", mustJSON(s.worker))
	}
	r.sink.Write(ev)
}

// thrown says what was thrown: an error, or any other value.
func thrown(x *remoteObject, text string, at *stackTrace) map[string]any {
	if x == nil {
		return map[string]any{"error": map[string]any{"name": "Error", "message": text, "stack": text + at.lines()}}
	}
	if x.Subtype != "error" {
		return map[string]any{"value": x.text()}
	}
	name, message := x.Class, ""
	head, _, _ := strings.Cut(x.Description, "\n    at ")
	if n, m, ok := strings.Cut(head, ": "); ok && !strings.ContainsAny(n, " \n") {
		name, message = n, m
	} else if head != x.Class {
		message = head
	}
	stack := x.Description
	if !strings.Contains(stack, "\n    at ") {
		stack += at.lines()
	}
	return map[string]any{"error": map[string]any{"name": name, "message": message, "stack": stack}}
}
