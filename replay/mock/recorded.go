package mock

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/har/template"
)

// recorded is a request of the recording with its answer.
type recorded struct {
	*har.Entry
	number    int // in the order of their start, from 0
	method    string
	kind      kind
	at        address
	variant   string   // of what else decides about the answer
	operation string   // of GraphQL or JSON-RPC
	body      string   // fingerprint of the canonical body
	loose     string   // the same, with what programs make up left open
	facts     []string // of the body
	bodyLost  bool     // it had a body that was not kept
	used      int      // how often it was given
}

// kind tells what a request is for.
type kind uint8

const (
	unknown kind = iota
	data         // what a script asks for
	part         // a document, or what one is made of
	events       // an event stream
	socket
)

var kinds = map[string]kind{"fetch": data, "xhr": data, "ping": data, "beacon": data, "xmlhttprequest": data, "cspviolationreport": data, "document": part, "stylesheet": part, "image": part,
	"media": part, "font": part, "script": part, "texttrack": part, "manifest": part, "prefetch": part, "iframe": part, "subdocument": part, "eventsource": events, "websocket": socket}

func kindOf(e *har.Entry) kind {
	if k := kinds[strings.ToLower(e.ResourceType)]; k != unknown {
		return k
	}
	if strings.HasPrefix(e.Request.URL, "ws:") || strings.HasPrefix(e.Request.URL, "wss:") {
		return socket
	}
	switch dest := e.Request.Header("Sec-Fetch-Dest"); dest {
	case "", "serviceworker":
	case "empty":
		return data
	default:
		return part
	}
	if strings.Contains(e.Response.Content.MimeType, "json") {
		return data
	}
	return unknown
}

// variantOf holds the headers by which one address has several answers.
func variantOf(header func(string) string) string {
	v := ""
	for _, name := range []string{"Range", "RSC", "Next-Action", "X-Inertia-Partial-Data"} {
		if s := header(name); s != "" {
			v += name + ":" + s + "\n"
		}
	}
	return v
}

// recording is what a trace holds of the network.
type recording struct {
	archive *trace.Archive
	list    []*recorded
	visited []string // the addresses that the steps went to
	files   files
	maxBody int64
	// bodiless tells that the recorder kept no body of any answer.
	bodiless bool
}

func readRecording(ctx context.Context, a *trace.Archive, maxBody int64) (*recording, error) {
	t, err := trace.Load(ctx, a, trace.LoadOptions{NoLogs: true, NoProtocol: true, Budget: 2 << 30})
	if err != nil {
		return nil, err
	}
	r := &recording{archive: a, maxBody: maxBody, visited: visits(t), files: files{}, bodiless: true}
	for _, at := range r.visited {
		r.files.visit(at)
	}
	sorted := append([]*trace.Request(nil), t.Network...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Start < sorted[j].Start })
	for _, q := range sorted {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if q.APIRequestRef != "" { // the test's own, not the page's
			continue
		}
		if strings.EqualFold(q.Entry.ResourceType, "document") {
			r.files.visit(q.Entry.Request.URL)
		}
		if e := r.read(ctx, q.Entry); e != nil {
			e.number = len(r.list)
			r.list = append(r.list, e)
			r.bodiless = r.bodiless && e.Response.Content.File == "" && e.Response.Content.Text == ""
		}
	}
	return r, nil
}

func (r *recording) read(ctx context.Context, e *har.Entry) *recorded {
	at, ok := parseAddress(e.Request.URL)
	if !ok {
		return nil
	}
	c := &recorded{Entry: e, method: strings.ToUpper(e.Request.Method), kind: kindOf(e), at: at, variant: variantOf(e.Request.Header)}
	var body []byte
	if p := e.Request.PostData; p != nil {
		var err error
		if body, err = r.sent(ctx, p); err != nil {
			c.bodyLost = true
		}
		c.bodyLost = c.bodyLost || len(body) == 0 && e.Request.BodySize != 0
		mime := p.MimeType
		if mime == "" {
			mime = e.Request.Header("Content-Type")
		}
		c.take(mime, body)
	}
	c.operation = template.Operation(e.Request.URL, body)
	return c
}

func (c *recorded) take(mime string, body []byte) {
	canonical := Canonical(mime, body)
	c.body = fingerprint(canonical)
	c.facts, c.loose = digest(canonical)
}

// digest returns what a canonical body says, and a fingerprint of it that
// leaves open what programs make up.
func digest(canonical []byte) (list []string, loose string) {
	list = facts(canonical, false)
	if len(list) == 0 {
		return nil, fingerprint(canonical)
	}
	return list, fingerprint([]byte(strings.Join(facts(canonical, true), "\n")))
}

// sent reads the body of a request.
func (r *recording) sent(ctx context.Context, p *har.PostData) ([]byte, error) {
	if p.File != "" {
		return r.entry(ctx, p.File)
	}
	if p.Text == "" && len(p.Params) > 0 {
		var list []param
		for _, nv := range p.Params {
			list = append(list, param{nv.Name, nv.Value})
		}
		return []byte(encode(list)), nil
	}
	return []byte(p.Text), nil
}

// errMissing is the cause for a body that the recording does not hold.
var errMissing = errors.New("the recording does not hold the body")

// body reads the body of an answer.
func (r *recording) body(ctx context.Context, e *har.Entry) ([]byte, error) {
	c := &e.Response.Content
	switch {
	case c.File != "":
		return r.entry(ctx, c.File)
	case c.Encoding == "base64":
		return base64.StdEncoding.DecodeString(c.Text)
	case c.Text != "":
		return []byte(c.Text), nil
	case c.Size < 0 && e.Response.BodySize > 0 && e.Request.Method != "HEAD" && e.Response.Status/100 == 2: // Playwright keeps no scripts
		return nil, errMissing
	case c.Size > 0 && e.Request.Method != "HEAD" && e.Response.Status != 204 && e.Response.Status != 304 && e.Response.RedirectURL == "" || lost(e):
		return nil, errMissing
	}
	return nil, nil
}

// lost reports that the recorder says it kept no body where there was one.
func lost(e *har.Entry) bool {
	state := bodyState(e)
	return state == "skipped" || state == "evicted"
}

// bodyState is what our recorder says about a body; "" is nothing.
func bodyState(e *har.Entry) (state string) {
	_ = json.Unmarshal(e.Extra("_bodyState"), &state)
	return state
}

func (r *recording) entry(ctx context.Context, file string) ([]byte, error) {
	in, err := r.archive.Resource(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errMissing, err)
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, r.maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errMissing, err)
	}
	if int64(len(b)) > r.maxBody {
		return nil, fmt.Errorf("%w: it is longer than the limit of %d bytes", errMissing, r.maxBody)
	}
	return b, nil
}
