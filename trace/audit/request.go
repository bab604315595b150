package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/internal/assignment"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// exchange is a request and its answer, with what the checks want to know of it.
type exchange struct {
	*har.Entry
	address
	at       trace.Position
	endpoint string // method and address without query and ids
	page     string // of the frame that asked, as far as it is known yet
	third    bool   // it went to another site than the page's
	auth     bool
	secret   bool // a credential went with it
}

func (s *scan) request(ctx context.Context, e *har.Entry, at trace.Position) {
	if !s.o.URL.Match(e.Request.URL) {
		return
	}
	x := s.exchange(e, at)
	s.report.Summary.Scanned.NetworkRequests++
	s.keepOut(x)
	s.source(srcURLs).Looked++
	s.inAddress(x)
	s.inHeaders(x)
	s.inRequest(ctx, x)
	s.inResponse(ctx, x)
	s.transport(x)
	s.headers(x)
	s.setCookies(x)
}

func (s *scan) exchange(e *har.Entry, at trace.Position) *exchange {
	x := &exchange{Entry: e, address: parseAddress(e.Request.URL), at: at}
	x.endpoint = e.Request.Method + " " + x.address.endpoint()
	x.page = s.pages[e.FrameRef]
	if x.page == "" {
		x.page = firstNonEmpty(e.Request.Header("Referer"), e.Request.Header("Origin"))
	}
	if isDocument(e) && !x.bad {
		if x.page == "" {
			x.page = e.Request.URL
		}
		s.pages[e.FrameRef] = e.Request.URL
		s.sites[site(x.host)] = true
		s.browser = true
	}
	if p := parseAddress(x.page); !p.bad && !x.bad {
		x.third = site(p.host) != site(x.host)
	} else if len(s.sites) > 0 && !x.bad {
		x.third = !s.sites[site(x.host)]
	}
	x.auth = authenticated(x)
	return x
}

func firstNonEmpty(list ...string) string {
	for _, s := range list {
		if s != "" && s != "null" {
			return s
		}
	}
	return ""
}

func isDocument(e *har.Entry) bool {
	if e.ResourceType != "" {
		return e.ResourceType == "document"
	}
	return strings.EqualFold(e.Request.Header("Sec-Fetch-Dest"), "document") || e.Request.Header("Upgrade-Insecure-Requests") != "" && kindOf(e.Response.Content.MimeType) == markup
}

// evidence begins the evidence of a finding of this request.
func (x *exchange) evidence(kind string) verdict.Evidence {
	e := verdict.Evidence{Type: kind, Method: x.Request.Method, URL: x.shown(), ResourceType: x.ResourceType, Place: placeOf(x.at)}
	if x.Response.Status > 0 {
		e.Status = x.Response.Status
	}
	if x.page != "" {
		if p := parseAddress(x.page); !p.bad {
			e.Page = p.shown()
		}
	}
	return e
}

// keepOut remembers the values that are secret by where they stand, so that no
// text of the report shows them.
func (s *scan) keepOut(x *exchange) {
	for _, h := range x.Request.Headers {
		switch name := strings.ToLower(h.Name); {
		case name == "cookie":
			for _, pair := range strings.Split(h.Value, ";") {
				_, value, _ := strings.Cut(pair, "=")
				s.hide(strings.TrimSpace(value))
			}
		case authHeaders[name]:
			_, value, found := strings.Cut(h.Value, " ")
			if !found {
				value = h.Value
			}
			s.hide(value)
		}
	}
	for _, list := range [][]har.Cookie{x.Request.Cookies, x.Response.Cookies} {
		for _, c := range list {
			s.hide(c.Value)
		}
	}
}

// maxHidden is how many values are remembered.
const maxHidden = 10_000

func (s *scan) hide(value string) {
	if s.secrets.Len() < maxHidden && !redacted(value) && assignment.Entropy(value) >= 2 {
		s.secrets.Add(value, "***")
	}
}

func (s *scan) inAddress(x *exchange) {
	where := spot{where: inURL, x: x, evidence: x.evidence("url")}
	c := inAddress(x.address)
	s.credentials(c, where)
	s.people(c, "pii-in-url", where.evidence, x.endpoint)
	if to := x.Response.Header("Location"); to != "" && x.Response.Status >= 300 {
		where.evidence = x.evidence("header")
		where.evidence.Notes = []string{"in the Location header: the browser goes there"}
		s.credentials(inAddress(parseAddress(to)), where)
	}
}

// inAddress looks through the parts of an address.
func inAddress(a address) *content {
	c := &content{fields: map[string]string{}}
	if a.bad {
		return c
	}
	if password, ok := a.user.Password(); ok && password != "" && !assignment.Masked(password) {
		c.hit(hit{class: certain, form: "password before the host", value: password}, "userinfo")
	}
	path := unescapePath(a.path)
	c.tokens(path, "path")
	if strings.Contains(path, "@") {
		c.persons(path, "", func() string { return "path" }, func(p person) bool { return p.kind == "email" })
	}
	if a.query != "" {
		c.pairs(a.query, true)
	}
	if strings.Contains(a.fragment, "=") {
		c.pairs(strings.TrimPrefix(a.fragment, "?"), true)
	}
	return c
}

func (s *scan) inRequest(ctx context.Context, x *exchange) {
	p := x.Request.PostData
	source := s.source(srcSent)
	if p == nil {
		if m := x.Request.Method; (m == "POST" || m == "PUT" || m == "PATCH") && (x.Request.BodySize > 0 || lengthOf(x.Request.Header("Content-Length")) > 0) {
			source.Missing++
		}
		return
	}
	kind := kindOf(firstNonEmpty(p.MimeType, x.Request.Header("Content-Type")))
	text := p.Text
	if text == "" && len(p.Params) > 0 {
		text, kind = joined(p.Params), form
	}
	c := s.body(ctx, p.File, text, "", kind, source)
	if c == nil {
		return
	}
	e := x.evidence("request_body")
	e.Resource = p.File
	s.credentials(c, spot{where: inSent, x: x, evidence: e})
	if x.third {
		s.people(c, "pii-to-third-party", e, x.endpoint)
	}
}

func (s *scan) inResponse(ctx context.Context, x *exchange) {
	r := &x.Response
	kind := kindOf(firstNonEmpty(r.Content.MimeType, r.Header("Content-Type")))
	socket := x.ResourceType == "websocket" || x.scheme == "ws" || x.scheme == "wss"
	switch {
	case socket:
		s.socket(ctx, x)
		return
	case x.ResourceType == "eventsource":
		kind = prose
	}
	if kind == nothing && strings.HasSuffix(r.Content.File, ".jsonl") {
		kind = data
	}
	name, what, where := srcReceived, "response_body", inReceived
	if kind == script {
		name, what, where = srcScripts, "script", inProgram
	}
	source := s.source(name)
	if r.Content.File == "" && r.Content.Text == "" {
		if kind != nothing && r.Status >= 200 && r.Status < 300 && r.Status != 204 && x.Request.Method != "HEAD" && r.Header("Content-Length") != "0" {
			source.Missing++
		}
		return
	}
	c := s.body(ctx, r.Content.File, r.Content.Text, r.Content.Encoding, kind, source)
	if c == nil {
		return
	}
	e := x.evidence(what)
	e.Resource = r.Content.File
	if kind == markup {
		where = inProgram
	}
	s.credentials(c, spot{where: where, x: x, evidence: e})
	if kind == data || kind == prose || kind == form {
		s.received(x, c, kind, e)
	}
}

// socket looks through the messages of a socket, which stand one a line.
func (s *scan) socket(ctx context.Context, x *exchange) {
	source := s.source(srcSockets)
	file := x.Response.Content.File
	messages := x.Extra("_webSocketMessages")
	switch {
	case file != "":
	case len(messages) == 0:
		source.Missing++
		return
	}
	c := s.messages(ctx, file, messages, source)
	if c == nil {
		return
	}
	e := x.evidence("websocket")
	e.Resource = file
	s.credentials(c, spot{where: inSocket, x: x, evidence: e})
	s.people(c, "pii-in-websocket", e, x.endpoint)
}

// inMessages looks through lines of messages, or a JSON array of them.
func inMessages(text []byte) *content {
	all := &content{fields: map[string]string{}}
	for _, line := range bytes.Split(text, []byte("\n")) {
		var list []message
		if bytes.HasPrefix(line, []byte("[")) {
			_ = json.Unmarshal(line, &list)
		} else {
			var m message
			if json.Unmarshal(line, &m) == nil {
				list = []message{m}
			}
		}
		for _, m := range list {
			if m.Opcode == 1 || m.Opcode == 0 {
				all.message(m)
			}
		}
	}
	return all
}

type message struct {
	Type   string `json:"type"`
	Opcode int    `json:"opcode"`
	Data   string `json:"data"`
}

func (c *content) message(m message) {
	if t := strings.TrimSpace(m.Data); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
		if c.json(t, m.Type, 0) {
			return
		}
	}
	c.prose(m.Data, m.Type)
}
