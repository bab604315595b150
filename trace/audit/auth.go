package audit

import (
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/assignment"

	"github.com/tracedeck/tracedeck/trace/verdict"
)

var authHeaders = map[string]bool{"authorization": true, "proxy-authorization": true, "x-api-key": true, "x-auth-token": true, "x-access-token": true, "apikey": true,
	"api-key": true, "x-goog-api-key": true, "x-amz-security-token": true, "x-csrf-token": false, "ocp-apim-subscription-key": true, "x-functions-key": true, "dpop": true}

// authenticated reports whether a request says who asks: by a header, a signed
// address, or a cookie that looks like a session's.
func authenticated(x *exchange) bool {
	for _, h := range x.Request.Headers {
		name := strings.ToLower(h.Name)
		if authHeaders[name] && h.Value != "" {
			return true
		}
		if name == "cookie" && slices.ContainsFunc(strings.Split(h.Value, ";"), func(pair string) bool {
			name, _, _ := strings.Cut(pair, "=")
			return sessionCookie(name)
		}) {
			return true
		}
	}
	for _, c := range x.Request.Cookies {
		if sessionCookie(c.Name) {
			return true
		}
	}
	return len(x.Extra("_auth")) > 0 || x.user != nil || signed(x.query)
}

// signed reports whether an address carries a signature or a key of its own.
func signed(query string) bool {
	for _, pair := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name, _ = url.QueryUnescape(name); value == "" {
			continue
		}
		switch assignment.Plain(name) {
		case "xamzsignature", "xgoogsignature", "signature", "sig", "accesstoken", "apikey", "authtoken", "token", "key":
			return true
		}
	}
	return false
}

var sessionWords = []string{"sess", "auth", "token", "jwt", "login", "remember", "identity", "credential", "bearer", "logged"}

// sessionCookie reports whether a cookie's name says that it tells who somebody
// is. What protects against forged requests does not.
func sessionCookie(name string) bool {
	p := assignment.Plain(name)
	if contains(harmless, p) {
		return false
	}
	return contains(sessionWords, p) || p == "sid" || strings.HasSuffix(p, "sid") && len(p) <= 12 || p == "uid" || p == "user"
}

// endpoint is what was seen of one endpoint.
type endpoint struct {
	with, without bool              // answered with personal data to somebody, to anybody
	first         *verdict.Evidence // without
}

const maxEndpoints = 20_000

// received looks at the personal data in an answer.
func (s *scan) received(x *exchange, c *content, kind written, e verdict.Evidence) {
	kinds := c.kinds()
	strong := kinds["ssn"] || kinds["card"]
	ok := x.Response.Status >= 200 && x.Response.Status < 300
	open := ok && kind == data && !x.third && !x.auth && (strong || len(kinds) >= 2)
	s.remember(x, c, e, open || ok && x.auth && kind == data && (strong || len(kinds) >= 2))
	if !open {
		s.people(c, "pii-in-response", e, x.endpoint)
		return
	}
	auth := false
	e.AuthPresent, e.PIIFields = &auth, c.personalFields()
	severity := verdict.Warning
	if strong {
		severity = verdict.Critical
	}
	if n := s.endpoints[x.endpoint]; n != nil && n.first == nil {
		n.first = &e
	}
	s.add("data-without-auth", severity, e, x.endpoint, "")
}

func (s *scan) remember(x *exchange, c *content, e verdict.Evidence, personal bool) {
	n := s.endpointOf(x)
	if n == nil || !personal {
		return
	}
	n.with = n.with || x.auth
	n.without = n.without || !x.auth
}

func (s *scan) endpointOf(x *exchange) *endpoint {
	n := s.endpoints[x.endpoint]
	if n == nil && len(s.endpoints) < maxEndpoints {
		n = &endpoint{}
		s.endpoints[x.endpoint] = n
	}
	return n
}

// lateAuth tells of endpoints that asked for nothing though others gave it.
func (s *scan) lateAuth() {
	var names []string
	for name, n := range s.endpoints {
		if n.with && n.without && n.first != nil {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		s.add("works-without-auth", verdict.Warning, *s.endpoints[name].first, name, "")
	}
}

// kinds are the kinds of personal data in a text, without examples.
func (c *content) kinds() map[string]bool {
	kinds := map[string]bool{}
	for _, p := range c.people {
		if !p.sample {
			kinds[p.kind] = true
		}
	}
	if len(kinds) > 0 || len(c.fields) >= 2 {
		for kind := range c.fields {
			kinds[kind] = true
		}
	}
	return kinds
}

// personalFields are the kinds of personal data with where they stand.
func (c *content) personalFields() []string {
	seen := map[string]bool{}
	for _, p := range c.people {
		seen[strings.TrimSpace(p.kind+" "+p.field)] = true
	}
	for kind, field := range c.fields {
		seen[strings.TrimSpace(kind+" "+field)] = true
	}
	var list []string
	for s := range seen {
		list = append(list, s)
	}
	sort.Strings(list)
	return list[:min(len(list), 20)]
}
