package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/failures"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/index"
)

type actionsArgs struct {
	TraceArg
	Failed bool   `json:"failed,omitempty" jsonschema:"only those that failed or never ended"`
	Grep   string `json:"grep,omitempty" jsonschema:"regular expression for title, locator or error"`
	All    bool   `json:"all,omitempty" jsonschema:"getters, routes, configuration and protocol commands too"`
	Range
}

// ActionItem is an action in a list.
type ActionItem struct {
	ID     string  `json:"id"`
	Parent string  `json:"parent,omitempty"`
	Kind   string  `json:"kind"`
	Title  string  `json:"title"`
	Start  float64 `json:"start" jsonschema:"milliseconds since the recording began"`
	Took   float64 `json:"took" jsonschema:"milliseconds; -1 if it never ended"`
	Error  string  `json:"error,omitempty"`
}

func (s *Server) actionsTool(ctx context.Context, in actionsArgs) (List[ActionItem], reply, error) {
	t, tr, err := s.load(ctx, in.Trace)
	if err != nil {
		return List[ActionItem]{}, reply{session: t}, err
	}
	re, err := pattern(in.Grep)
	if err != nil {
		return List[ActionItem]{}, reply{session: t}, err
	}
	var all []ActionItem
	for _, a := range tr.Tree() {
		hidden := a.Kind == trace.KindProtocol || a.Title().Group != ""
		if hidden && !in.All && a.Error == nil || in.Failed && a.Error == nil && !a.Unfinished {
			continue
		}
		if item := actionItem(t, a); re.MatchString(item.Title + " " + item.ID + " " + item.Error) {
			all = append(all, item)
		}
	}
	return part(all, in.Range), reply{session: t}, nil
}

func actionItem(t *session, a *trace.Action) ActionItem {
	item := ActionItem{ID: a.ID(), Kind: a.Kind.String(), Title: t.short(a.Title().String(), 200), Start: a.Start.Milliseconds(), Took: -1}
	if d, ok := a.Duration(); ok {
		item.Took = ms(d)
	}
	if a.Parent != nil {
		item.Parent = a.Parent.ID()
	}
	if a.Error != nil {
		item.Error = t.short(firstLine(a.Error.Message), 200)
	}
	return item
}

// short masks a text and cuts it then: a secret across the cut must not escape.
func (t *session) short(s string, most int) string {
	return failures.Cut(t.masker.Text(strings.ToValidUTF8(s, "\uFFFD")), most)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

type actionArgs struct {
	TraceArg
	Action string `json:"action" jsonschema:"call id, as actions and errors give it"`
}

// ActionDetail is all that is recorded of an action.
type ActionDetail struct {
	ActionItem
	Call      string        `json:"call" jsonschema:"class and method"`
	Params    string        `json:"params,omitempty" jsonschema:"as JSON"`
	Result    string        `json:"result,omitempty" jsonschema:"as JSON"`
	Message   string        `json:"message,omitempty" jsonschema:"of its error, whole"`
	Page      string        `json:"page,omitempty"`
	Log       []string      `json:"log,omitempty"`
	Stack     []string      `json:"stack,omitempty"`
	Point     *trace.Point  `json:"point,omitempty" jsonschema:"where it acted, in CSS pixels"`
	Snapshots []string      `json:"snapshots" jsonschema:"moments of which snapshot shows the page"`
	Requests  []RequestItem `json:"requests" jsonschema:"that began while it ran"`
	Note      string        `json:"note,omitempty"`
}

func (s *Server) actionTool(ctx context.Context, in actionArgs) (ActionDetail, reply, error) {
	t, tr, err := s.load(ctx, in.Trace)
	if err != nil {
		return ActionDetail{}, reply{session: t}, err
	}
	a, err := findAction(tr, in.Action)
	if err != nil {
		return ActionDetail{}, reply{session: t}, err
	}
	d := ActionDetail{ActionItem: actionItem(t, a), Call: a.Before.Class + "." + a.Before.Method, Params: t.short(string(t.masker.JSON(a.Before.Params)), 4000),
		Result: t.short(string(a.Result), 2000), Page: a.PageID, Point: a.Point, Snapshots: []string{}, Requests: []RequestItem{}}
	if a.Error != nil {
		d.Message = t.short(a.Error.Message, 4000)
	}
	for _, f := range a.Stack[:min(len(a.Stack), 10)] {
		d.Stack = append(d.Stack, t.short(fmt.Sprintf("%s %s:%d:%d", f.Function, f.File, f.Line, f.Column), 300))
	}
	const mostLog = 60
	for _, l := range a.Logs[max(0, len(a.Logs)-mostLog):] {
		d.Log = append(d.Log, t.short(l.Message, 300))
	}
	for _, n := range a.Snapshots {
		if n.IsMainFrame {
			d.Snapshots = append(d.Snapshots, string(n.Phase))
		}
	}
	d.addRequests(t, tr, a, max(0, len(a.Logs)-mostLog))
	return d, reply{session: t}, nil
}

func (d *ActionDetail) addRequests(t *session, tr *trace.Trace, a *trace.Action, logs int) {
	var notes []string
	if logs > 0 {
		notes = append(notes, fmt.Sprintf("%d earlier log lines are left out", logs))
	}
	const most = 30
	left := 0
	for _, r := range tr.Network {
		switch {
		case r.Start < a.Start || r.Start > a.End:
		case len(d.Requests) == most:
			left++
		default:
			d.Requests = append(d.Requests, requestItem(t, r))
		}
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("%d more requests are left out; network lists them", left))
	}
	d.Note = strings.Join(notes, "; ")
}

func findAction(tr *trace.Trace, id string) (*trace.Action, error) {
	for _, a := range tr.Actions {
		if a.ID() == id {
			return a, nil
		}
	}
	ids := make([]string, 0, len(tr.Actions))
	for _, a := range tr.Actions {
		ids = append(ids, a.ID())
	}
	return nil, fmt.Errorf("no action %q in the trace%s; actions lists them", id, meant(id, ids))
}

type networkArgs struct {
	TraceArg
	Grep   string `json:"grep,omitempty" jsonschema:"regular expression for the address"`
	Failed bool   `json:"failed,omitempty" jsonschema:"only those without an answer or with a status of 400 and more"`
	Method string `json:"method,omitempty"`
	Status int    `json:"status,omitempty" jsonschema:"such as 404; 4 or 5 for a class"`
	Type   string `json:"type,omitempty" jsonschema:"resource type, such as fetch or document"`
	Range
}

// RequestItem is a request in a list.
type RequestItem struct {
	Line    string  `json:"line" jsonschema:"what request and body take"`
	Method  string  `json:"method"`
	URL     string  `json:"url"`
	Status  int     `json:"status" jsonschema:"0 where no answer came"`
	Failure string  `json:"failure,omitempty"`
	Type    string  `json:"type,omitempty"`
	Start   float64 `json:"start"`
	Took    float64 `json:"took" jsonschema:"milliseconds; -1 unknown"`
	Bytes   int     `json:"bytes"`
	Bodies  string  `json:"bodies,omitempty" jsonschema:"which bodies are recorded"`
}

func requestItem(t *session, r *trace.Request) RequestItem {
	item := RequestItem{Line: lineOf(r.Position), Method: r.Request.Method, URL: t.short(r.Request.URL, 300), Status: max(0, r.Response.Status), Type: r.ResourceType,
		Start: r.Start.Milliseconds(), Took: -1, Bytes: max(r.Response.Content.Size, r.Response.BodySize)}
	switch {
	case r.Pending():
		item.Failure = "not answered when the recording ended"
	case r.Failed():
		item.Failure = t.short(r.Response.FailureText, 100)
		if item.Failure == "" {
			item.Failure = "no answer"
		}
	}
	if !r.Pending() {
		item.Took = ms(r.End.Sub(r.Start))
	}
	var bodies []string
	if p := r.Request.PostData; p != nil && (p.Text != "" || p.File != "") {
		bodies = append(bodies, "request")
	}
	if c := r.Response.Content; c.Text != "" || c.File != "" {
		bodies = append(bodies, "response")
	}
	item.Bodies = strings.Join(bodies, ", ")
	return item
}

func lineOf(p trace.Position) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

func (s *Server) networkTool(ctx context.Context, in networkArgs) (List[RequestItem], reply, error) {
	t, tr, err := s.load(ctx, in.Trace)
	if err != nil {
		return List[RequestItem]{}, reply{session: t}, err
	}
	re, err := pattern(in.Grep)
	if err != nil {
		return List[RequestItem]{}, reply{session: t}, err
	}
	var all []RequestItem
	for _, r := range tr.Network {
		st := max(0, r.Response.Status)
		switch {
		case in.Failed && !r.Failed() && st < 400,
			in.Method != "" && !strings.EqualFold(in.Method, r.Request.Method),
			in.Type != "" && !strings.EqualFold(in.Type, r.ResourceType),
			in.Status >= 10 && st != in.Status || in.Status > 0 && in.Status < 10 && st/100 != in.Status,
			!re.MatchString(r.Request.URL):
			continue
		}
		all = append(all, requestItem(t, r))
	}
	return part(all, in.Range), reply{session: t}, nil
}

type requestArgs struct {
	TraceArg
	Line string `json:"line" jsonschema:"of the request, as network and errors give it"`
}

// RequestDetail is a request with its headers.
type RequestDetail struct {
	RequestItem
	Sent     []Header `json:"sent" jsonschema:"headers of the request"`
	Received []Header `json:"received" jsonschema:"headers of the answer"`
	Phases   string   `json:"phases" jsonschema:"milliseconds, as JSON"`
	Server   string   `json:"server,omitempty"`
}

// Header is a header.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (s *Server) request(ctx context.Context, name, line string) (*session, *trace.Request, error) {
	t, tr, err := s.load(ctx, name)
	if err != nil {
		return t, nil, err
	}
	for _, r := range tr.Network {
		if lineOf(r.Position) == line {
			return t, r, nil
		}
	}
	lines := make([]string, 0, len(tr.Network))
	for _, r := range tr.Network {
		lines = append(lines, lineOf(r.Position))
	}
	return t, nil, fmt.Errorf("no request stands at %q%s; network lists them with their lines", line, meant(line, lines))
}

func (s *Server) requestTool(ctx context.Context, in requestArgs) (RequestDetail, reply, error) {
	t, r, err := s.request(ctx, in.Trace, in.Line)
	if err != nil {
		return RequestDetail{}, reply{session: t}, err
	}
	phases, err := json.Marshal(r.Timings)
	if err != nil {
		return RequestDetail{}, reply{session: t}, err
	}
	return RequestDetail{RequestItem: requestItem(t, r), Sent: headers(r.Request.Headers), Received: headers(r.Response.Headers), Phases: string(phases), Server: r.ServerIPAddress}, reply{session: t}, nil
}

func headers(list []har.NameValue) []Header {
	out := []Header{}
	for _, h := range list[:min(len(list), 100)] {
		out = append(out, Header{h.Name, h.Value})
	}
	return out
}

type bodyArgs struct {
	TraceArg
	Line  string `json:"line" jsonschema:"of the request, as network and errors give it"`
	Of    string `json:"of,omitempty" jsonschema:"request or response; response unless told"`
	From  int    `json:"from,omitempty" jsonschema:"first letter that is wanted"`
	Limit int    `json:"limit,omitempty" jsonschema:"letters; 8000 unless told, 30000 at most"`
}

// mostBody is how much of a body is read.
const mostBody = 8 << 20

func (s *Server) bodyTool(ctx context.Context, in bodyArgs) (Text, reply, error) {
	t, r, err := s.request(ctx, in.Trace, in.Line)
	if err != nil {
		return Text{}, reply{session: t}, err
	}
	var text, file string
	switch in.Of {
	case "", "response":
		text, file = r.Response.Content.Text, r.Response.Content.File
	case "request":
		if r.Request.PostData != nil {
			text, file = r.Request.PostData.Text, r.Request.PostData.File
		}
	default:
		return Text{}, reply{session: t}, fmt.Errorf("of is request or response, not %.40q", in.Of)
	}
	if text == "" && file == "" {
		return Text{Note: "not recorded"}, reply{session: t}, nil
	}
	whole := true
	if file != "" {
		rc, err := t.archive.Resource(ctx, file)
		if err != nil {
			return Text{}, reply{session: t}, err
		}
		defer rc.Close()
		b, _ := io.ReadAll(io.LimitReader(rc, mostBody+1)) // the good part of a damaged one is what there is
		whole = len(b) <= mostBody
		text = string(b[:min(len(b), mostBody)])
	}
	if !utf8.ValidString(text) && strings.Count(strings.ToValidUTF8(text, "\uFFFD"), "\uFFFD") > len(text)/50 {
		return Text{Total: len(text), Note: fmt.Sprintf("%d bytes of %s: not text", len(text), r.Response.Content.MimeType)}, reply{session: t}, nil
	}
	out := textPart(string(t.masker.Body([]byte(text), file)), in.From, in.Limit)
	if !whole {
		out.Note += fmt.Sprintf(" (only the first %d MiB are read)", mostBody>>20)
	}
	return out, reply{session: t}, nil
}

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
