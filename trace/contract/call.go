package contract

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/har/template"
)

// Options say which calls count and how they are read. The zero value takes all.
type Options struct {
	URL     template.Filter   // only these addresses
	Ignore  []template.Filter // and not these
	Depth   int               // levels of objects and lists; 0 means DefaultDepth, at most MaxDepth
	AnyHost bool              // endpoints are the same on all hosts
}

func (o Options) depth() int {
	if o.Depth <= 0 {
		return DefaultDepth
	}
	return min(o.Depth, MaxDepth)
}

func (o Options) match(url string) bool {
	return o.URL.Match(url) && !slices.ContainsFunc(o.Ignore, func(f template.Filter) bool { return f.Match(url) })
}

// Why the body of an answer has no shape.
const (
	Truncated = "truncated" // the recorder, or our limit, cut it off
	Invalid   = "invalid"   // it says it is JSON, and is not
	Missing   = "missing"   // the trace does not hold it
)

// call is a request to an API and what it was answered.
type call struct {
	endpoint template.Endpoint
	url      string
	status   int
	at       time.Time
	place    string
	shape    *Shape // nil if there is none
	body     []byte // only where it is asked for
	state    string // why there is no shape; "" where none is expected
	failure  *ErrorBody
}

// ErrorBody is what is kept of the body of an error.
type ErrorBody struct {
	Keys    []string `json:"keys"`
	Message string   `json:"message,omitempty"` // at most 100 characters, without what could be a secret
}

const (
	maxCalls = 200_000
	maxBody  = 8 << 20
)

// collect returns the calls of a trace that are answered with JSON, or with an
// error, in the order they were made.
func collect(ctx context.Context, a *trace.Archive, o Options, keep bool) ([]*call, error) {
	var list []*call
	for _, f := range a.Files() {
		if f.Network == "" {
			continue
		}
		r, err := a.ReadFile(ctx, f, f.Network)
		if err != nil {
			continue
		}
		for len(list) < maxCalls {
			e, err := r.Next()
			var bad *trace.SyntaxError
			if errors.As(err, &bad) {
				continue
			}
			if err != nil {
				break
			}
			if b, ok := e.Body.(*trace.ResourceSnapshot); ok && o.match(b.Entry.Request.URL) && isCall(&b.Entry) {
				list = append(list, newCall(ctx, a, &b.Entry, e.Position, o, keep))
			}
		}
		r.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	slices.SortStableFunc(list, func(x, y *call) int { return x.at.Compare(y.at) })
	return list, nil
}

// isCall reports whether a request is one of an API.
func isCall(e *har.Entry) bool {
	r := &e.Response
	switch {
	case e.Request.Method == "OPTIONS" || e.Request.Method == "HEAD" || e.WasAborted || e.Pending() || !strings.HasPrefix(e.Request.URL, "http"):
		return false
	case isJSON(firstOf(r.Content.MimeType, r.Header("Content-Type"))):
		return e.ResourceType != "script"
	}
	asked := e.ResourceType == "fetch" || e.ResourceType == "xhr"
	return asked && (r.Status >= 400 || r.Status <= 0 || isJSON(e.Request.Header("Accept")) || r.Status == 204)
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" && s != "x-unknown" {
			return s
		}
	}
	return ""
}

func isJSON(mime string) bool {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	mime = strings.TrimSpace(mime)
	return strings.HasSuffix(mime, "/json") || strings.HasSuffix(mime, "+json") || mime == "text/json"
}

func newCall(ctx context.Context, a *trace.Archive, e *har.Entry, at trace.Position, o Options, keep bool) *call {
	var sent []byte
	if p := e.Request.PostData; p != nil && p.Text == "" && p.File != "" {
		sent, _, _ = read(ctx, a, p.File, "", "")
	}
	c := &call{endpoint: template.Of(&e.Request, sent), url: e.Request.URL, status: max(0, e.Response.Status), place: at.File + ":" + itoa(at.Line)}
	if o.AnyHost {
		c.endpoint.Host = ""
	}
	c.endpoint.Path = withoutSecrets(c.endpoint.Path)
	c.at, _ = time.Parse(time.RFC3339Nano, e.StartedDateTime)
	content := e.Response.Content
	body, cut, err := read(ctx, a, content.File, content.Text, content.Encoding)
	json := isJSON(firstOf(content.MimeType, e.Response.Header("Content-Type")))
	switch {
	case !json || c.status == 204:
		return c
	case content.File == "" && content.Text == "" || err != nil && len(body) == 0:
		if content.Size != 0 || e.Response.BodySize > 0 {
			c.state = Missing
		}
		return c
	case cut || err != nil || strings.Contains(string(e.Extra("_bodyState")), Truncated):
		c.state = Truncated
		return c
	}
	c.parse(body, o, keep)
	return c
}

// parse finds the shape of the body. Errors of GraphQL come with a good status.
func (c *call) parse(body []byte, o Options, keep bool) {
	shape, err := Of(body, o.depth())
	if err != nil {
		if len(strings.TrimSpace(string(body))) > 0 {
			c.state = Invalid
		}
		return
	}
	c.shape = shape
	if keep {
		c.body = body
	}
	if c.good() && c.endpoint.Operation != "" && graphError(body) || !c.good() {
		c.failure = errorBody(body)
	}
}

func graphError(body []byte) bool {
	var answer struct {
		Errors []json.RawMessage `json:"errors"`
		Error  json.RawMessage   `json:"error"`
		RPC    string            `json:"jsonrpc"`
	}
	return json.Unmarshal(body, &answer) == nil && (len(answer.Errors) > 0 || answer.RPC != "" && len(answer.Error) > 0 && string(answer.Error) != "null")
}

// good reports whether the status is one of success.
func (c *call) good() bool { return c.status >= 200 && c.status < 300 }

// failed reports whether the call went wrong, with whatever status.
func (c *call) failed() bool { return c.status == 0 || c.status >= 400 || c.good() && c.failure != nil }

func read(ctx context.Context, a *trace.Archive, file, text, encoding string) (b []byte, cut bool, err error) {
	if file == "" {
		if encoding == "base64" {
			b, err = base64.StdEncoding.DecodeString(text)
			return b, false, err
		}
		return []byte(text), false, nil
	}
	r, err := a.Resource(ctx, file)
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	b, err = io.ReadAll(io.LimitReader(r, maxBody+1))
	return b, len(b) > maxBody, err
}
