package mcp

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tracedeck/tracedeck/trace/watch"
	"github.com/tracedeck/tracedeck/viewer/report"
)

func (t *session) uri(part string) string { return "tracedeck://trace/" + t.ID + part }

// addResources offers what can be read of any trace by its address.
func (s *Server) addResources() {
	s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{Name: "events", Title: "What is worth telling", URITemplate: "tracedeck://events/{id}{?since}", MIMEType: "application/json",
		Description: "Findings of a session, also while it is recorded; since is the number of the last one that is known. Subscribe to it without since to hear of new ones."}, s.read)
}

// offer lists the resources of a trace that was opened.
func (s *Server) offer(t *session) {
	s.sdk.AddResource(&mcp.Resource{URI: t.uri(""), Name: t.ID, Title: "Trace " + t.Path, MIMEType: "application/json", Description: "What is in the trace"}, s.read)
	s.sdk.AddResource(&mcp.Resource{URI: t.uri("/report"), Name: t.ID + " report", Title: "Why it failed", MIMEType: "text/markdown", Description: "Its failures with evidence and hints"}, s.read)
	s.sdk.AddResource(&mcp.Resource{URI: t.eventsURI(), Name: t.ID + " events", Title: "What is worth telling", MIMEType: "application/json", Description: "Findings; can be subscribed to"}, s.read)
}

func (s *Server) withdraw(t *session) {
	s.sdk.RemoveResources(t.uri(""), t.uri("/report"), t.eventsURI())
}

// read answers for all resources.
func (s *Server) read(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	u, err := url.Parse(r.Params.URI)
	if err != nil {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	id, part, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	t := s.byID(id)
	if t == nil {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	var text, mime string
	switch {
	case u.Host == "events" && part == "":
		since, _ := strconv.ParseInt(u.Query().Get("since"), 10, 64) // anything else means from the beginning
		text, mime, err = s.eventsText(ctx, t, since)
	case u.Host == "trace" && part == "":
		text, mime, err = s.summaryText(ctx, t)
	case u.Host == "trace" && part == "report":
		text, mime, err = s.reportText(ctx, t)
	default:
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	if err != nil {
		return nil, maskedError(t.masker, err)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: mime, Text: text}}}, nil
}

// byID finds a trace that is open; an address opens none.
func (s *Server) byID(id string) *session {
	for _, t := range s.deck.sessions() {
		if t.ID == id {
			return t
		}
	}
	return nil
}

func (s *Server) eventsText(ctx context.Context, t *session, since int64) (string, string, error) {
	n, err := t.news(ctx, since, watch.Options{})
	if err != nil {
		return "", "", err
	}
	n, err = finish(s, t.masker, n)
	if err != nil {
		return "", "", err
	}
	b, err := json.Marshal(n)
	return string(b), "application/json", err
}

func (s *Server) summaryText(ctx context.Context, t *session) (string, string, error) {
	tr, err := t.load(ctx)
	if err != nil {
		return "", "", err
	}
	sum, err := finish(s, t.masker, s.summary(ctx, t, tr))
	if err != nil {
		return "", "", err
	}
	b, err := json.Marshal(sum)
	return string(b), "application/json", err
}

func (s *Server) reportText(ctx context.Context, t *session) (string, string, error) {
	tr, err := t.load(ctx)
	if err != nil {
		return "", "", err
	}
	one, err := report.OfTrace(ctx, t.archive, tr, t.masker, report.Options{})
	if err != nil {
		return "", "", err
	}
	var b strings.Builder
	if err := report.Context(&b, report.Of([]report.Session{one}), 0); err != nil {
		return "", "", err
	}
	text := textPart(b.String(), 0, 30000)
	return text.Text + note(text.Note), "text/markdown", nil
}
