package har

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Complete fills in what HTTP Archive 1.2 demands and a recorder left out, so
// that strict readers take the entry: arrays that may be empty, dates in ISO
// form, sizes of -1 for what is not known.
func (e *Entry) Complete() {
	if e.Cache == nil {
		e.Cache = []byte("{}")
	}
	if at, err := time.Parse(time.RFC3339Nano, e.StartedDateTime); err == nil {
		e.StartedDateTime = at.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	e.Time = max(0, e.Time)
	e.Request.complete()
	e.Response.complete()
	t := &e.Timings
	t.Send, t.Wait, t.Receive = max(0, t.Send), max(0, t.Wait), max(0, t.Receive)
}

func (r *Request) complete() {
	r.HTTPVersion = firstOf(r.HTTPVersion, "HTTP/1.1")
	if r.Cookies == nil {
		r.Cookies = []Cookie{}
	}
	r.Cookies = slices.Clone(r.Cookies) // others may hold the entry
	for i := range r.Cookies {
		r.Cookies[i].plain()
	}
	if r.Headers == nil {
		r.Headers = []NameValue{}
	}
	if r.QueryString == nil {
		r.QueryString = query(r.URL)
	}
}

func (r *Response) complete() {
	r.HTTPVersion = firstOf(r.HTTPVersion, "HTTP/1.1")
	r.Headers = splitSetCookie(r.Headers)
	if len(r.Cookies) == 0 {
		r.Cookies = setCookies(r.Headers)
	}
	if r.Content.MimeType == "" {
		r.Content.MimeType = "x-unknown"
	}
	r.Status = max(0, r.Status)
}

// plain drops the members by which a protocol's cookie differs from HAR's.
func (c *Cookie) plain() {
	c.rest = nil
	switch strings.ToLower(c.SameSite) {
	case "strict":
		c.SameSite = "Strict"
	case "lax":
		c.SameSite = "Lax"
	case "none":
		c.SameSite = "None"
	}
}

func query(raw string) []NameValue {
	list := []NameValue{}
	u, err := url.Parse(raw)
	if err != nil {
		return list
	}
	for _, pair := range strings.FieldsFunc(u.RawQuery, func(r rune) bool { return r == '&' }) {
		name, value, _ := strings.Cut(pair, "=")
		list = append(list, NameValue{Name: unescape(name), Value: unescape(value)})
	}
	return list
}

func unescape(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}

// splitSetCookie gives each cookie a header of its own: some recorders join
// them with line ends.
func splitSetCookie(headers []NameValue) []NameValue {
	list := make([]NameValue, 0, len(headers))
	for _, h := range headers {
		if !strings.EqualFold(h.Name, "set-cookie") || !strings.Contains(h.Value, "\n") {
			list = append(list, h)
			continue
		}
		for _, v := range strings.Split(h.Value, "\n") {
			list = append(list, NameValue{Name: h.Name, Value: v})
		}
	}
	return list
}

func setCookies(headers []NameValue) []Cookie {
	list := []Cookie{}
	for _, h := range headers {
		if !strings.EqualFold(h.Name, "set-cookie") {
			continue
		}
		c, err := http.ParseSetCookie(h.Value)
		if err != nil {
			continue
		}
		cookie := Cookie{Name: c.Name, Value: c.Value, Path: c.Path, Domain: c.Domain, HTTPOnly: c.HttpOnly, Secure: c.Secure}
		if !c.Expires.IsZero() {
			cookie.Expires = c.Expires.UTC().Format(time.RFC3339)
		}
		list = append(list, cookie)
	}
	return list
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
