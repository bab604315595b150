package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

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
