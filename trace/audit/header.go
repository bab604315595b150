package audit

import (
	"net/http"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// plainHeaders are those of requests that hold no credentials, or ones that
// belong there and are looked at elsewhere.
var plainHeaders = map[string]bool{"cookie": true, "host": true, "origin": true, "user-agent": true, "accept": true, "accept-encoding": true, "accept-language": true,
	"content-type": true, "content-length": true, "connection": true, "cache-control": true, "pragma": true, "sec-websocket-key": true, "if-none-match": true, "if-modified-since": true}

// inHeaders looks at a request's headers for keys of services, which no browser
// should have, and for credentials that go to another site: that a site's own
// token is sent to it is as it should be.
func (s *scan) inHeaders(x *exchange) {
	source := s.source(srcAsked)
	if len(x.Request.Headers) == 0 {
		if x.Response.Status > 0 {
			source.Missing++
		}
		return
	}
	source.Looked++
	for _, h := range x.Request.Headers {
		name := strings.ToLower(h.Name)
		if plainHeaders[name] || strings.HasPrefix(name, ":") || strings.HasPrefix(name, "sec-") {
			continue
		}
		where := spot{where: inHeader, x: x, evidence: x.evidence("header")}
		where.evidence.Field = shownName(h.Name)
		s.credentials(x.inHeader(name, where.evidence.Field, h.Value), where)
	}
}

func (x *exchange) inHeader(name, shown, value string) *content {
	c := &content{fields: map[string]string{}}
	if name == "referer" {
		if !x.third {
			return c
		}
		c = inAddress(parseAddress(value))
	} else {
		c.tokens(value, shown)
	}
	kept := c.hits[:0]
	for _, h := range c.hits {
		h.field = shown
		if h.class == certain || h.class == likely || name == "referer" && h.class != weak || x.third && h.class == jwt && !authHeaders[name] {
			kept = append(kept, h)
		}
	}
	c.hits = kept
	return c
}

// headers looks at the headers of the first page of each origin.
func (s *scan) headers(x *exchange) {
	r := &x.Response
	if x.bad || x.third || r.Status < 200 || r.Status >= 300 || !isDocument(x.Entry) && kindOf(r.Content.MimeType) != markup {
		return
	}
	source := s.source(srcHeaders)
	if len(r.Headers) == 0 {
		source.Missing++
		return
	}
	source.Looked++
	if s.origins[x.origin] || kindOf(firstNonEmpty(r.Content.MimeType, r.Header("Content-Type"))) != markup || len(s.origins) >= maxEndpoints {
		return
	}
	s.origins[x.origin] = true
	csp := r.Header("Content-Security-Policy")
	missing := func(code string, severity verdict.Severity, header string) {
		e := x.evidence("header")
		e.Field = header
		s.add(code, severity, e, x.origin, "")
	}
	if x.secure() && !template.Local(x.host) && r.Header("Strict-Transport-Security") == "" {
		missing("missing-hsts", verdict.Warning, "strict-transport-security")
	}
	if csp == "" {
		missing("missing-csp", verdict.Warning, "content-security-policy")
	}
	if !strings.EqualFold(strings.TrimSpace(r.Header("X-Content-Type-Options")), "nosniff") {
		missing("missing-nosniff", verdict.Info, "x-content-type-options")
	}
	if r.Header("X-Frame-Options") == "" && !strings.Contains(csp, "frame-ancestors") {
		missing("missing-frame-options", verdict.Warning, "x-frame-options")
	}
	if r.Header("Referrer-Policy") == "" {
		missing("missing-referrer-policy", verdict.Info, "referrer-policy")
	}
	if r.Header("Permissions-Policy") == "" {
		missing("missing-permissions-policy", verdict.Info, "permissions-policy")
	}
}

// setCookies looks at the flags of the cookies that a response sets.
func (s *scan) setCookies(x *exchange) {
	if x.Response.Status <= 0 || x.bad {
		return
	}
	source := s.source(srcCookies)
	if len(x.Response.Headers) == 0 {
		source.Missing++
		return
	}
	source.Looked++
	for _, c := range cookiesOf(&x.Response) {
		if _, value, _ := strings.Cut(c.Raw, "="); redacted(c.Name) || redacted(strings.TrimSpace(c.Raw)) || value == "" {
			continue // deleted, or taken out with its flags
		}
		s.hide(c.Value)
		if c.MaxAge < 0 || !c.Expires.IsZero() && c.Expires.Before(expiredBefore) || c.Value == "" {
			continue
		}
		id := x.host + "\x00" + c.Name
		if s.cookies[id] || len(s.cookies) >= maxEndpoints {
			continue
		}
		s.cookies[id] = true
		s.cookie(x, c)
	}
}

// expiredBefore is a day before which any cookie that expires was deleted: the
// trace has no clock that all recorders keep.
var expiredBefore = time.Date(2005, 1, 1, 0, 0, 0, 0, time.UTC)

// cookiesOf returns the cookies of all Set-Cookie headers. Some recorders put
// several into one, a line each.
func cookiesOf(r *har.Response) (list []*http.Cookie) {
	for _, h := range r.Headers {
		if !strings.EqualFold(h.Name, "set-cookie") {
			continue
		}
		for _, line := range strings.Split(h.Value, "\n") {
			if c, err := http.ParseSetCookie(strings.TrimSpace(line)); err == nil {
				list = append(list, c)
			}
		}
	}
	return list
}

func (s *scan) cookie(x *exchange, c *http.Cookie) {
	session := sessionCookie(c.Name)
	severity := verdict.Info
	if session {
		severity = verdict.Warning
	}
	flag := func(code string, severity verdict.Severity, notes ...string) {
		e := x.evidence("cookie")
		e.Field, e.Notes = shownName(c.Name), notes
		s.add(code, severity, e, x.host, "")
	}
	if session && !c.HttpOnly {
		flag("cookie-without-httponly", verdict.Warning)
	}
	if !c.Secure && x.secure() {
		flag("cookie-without-secure", severity)
	}
	switch {
	case c.SameSite == http.SameSiteNoneMode && !c.Secure:
		flag("cookie-without-samesite", severity, "SameSite=None without Secure: browsers refuse it")
	case c.SameSite == 0 || c.SameSite == http.SameSiteDefaultMode:
		flag("cookie-without-samesite", verdict.Info)
	}
}
