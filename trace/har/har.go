// Package har holds HTTP Archive 1.2 documents and entries, with the members
// that traces add. Members it does not know are kept and written back.
package har

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/fields"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// Entry is one request and its answer. Members whose names begin with an
// underscore in the file are additions of traces.
type Entry struct {
	PageRef         string
	StartedDateTime string  // ISO 8601
	Time            float64 // milliseconds in all; -1 while pending
	Request         Request
	Response        Response
	Cache           json.RawMessage
	Timings         Timings
	ServerIPAddress string
	ServerPort      int
	Connection      string
	Comment         string

	FrameRef         string          // _frameref
	MonotonicTime    float64         // _monotonicTime: the start, milliseconds on the trace's clock
	HasMonotonicTime bool            // whether _monotonicTime was there
	ResourceType     string          // _resourceType: "document", "fetch", "websocket", …
	ServiceWorkerRef string          // _serviceWorkerRef
	APIRequestRef    string          // _apiRequestRef
	WasAborted       bool            // _wasAborted
	WasFulfilled     bool            // _wasFulfilled
	WasContinued     bool            // _wasContinued
	SecurityDetails  json.RawMessage // _securityDetails
	rest             rawjson.Object
}

func (e *Entry) fields() []fields.Field {
	return []fields.Field{
		{Name: "pageref", Ptr: &e.PageRef}, {Name: "startedDateTime", Ptr: &e.StartedDateTime}, {Name: "time", Ptr: &e.Time, Empty: true},
		{Name: "request", Ptr: &e.Request, Empty: true}, {Name: "response", Ptr: &e.Response, Empty: true}, {Name: "cache", Ptr: &e.Cache},
		{Name: "timings", Ptr: &e.Timings, Empty: true}, {Name: "serverIPAddress", Ptr: &e.ServerIPAddress}, {Name: "connection", Ptr: &e.Connection},
		{Name: "comment", Ptr: &e.Comment}, {Name: "_frameref", Ptr: &e.FrameRef},
		{Name: "_monotonicTime", Ptr: &e.MonotonicTime, Empty: e.HasMonotonicTime},
		{Name: "_resourceType", Ptr: &e.ResourceType}, {Name: "_serviceWorkerRef", Ptr: &e.ServiceWorkerRef}, {Name: "_apiRequestRef", Ptr: &e.APIRequestRef},
		{Name: "_wasAborted", Ptr: &e.WasAborted}, {Name: "_wasFulfilled", Ptr: &e.WasFulfilled}, {Name: "_wasContinued", Ptr: &e.WasContinued},
		{Name: "_serverPort", Ptr: &e.ServerPort}, {Name: "_securityDetails", Ptr: &e.SecurityDetails},
	}
}

// UnmarshalJSON reads an entry.
func (e *Entry) UnmarshalJSON(b []byte) (err error) {
	obj, err := rawjson.Parse(b)
	if err != nil {
		return err
	}
	e.rest = decode(obj, e.fields())
	e.HasMonotonicTime = obj.Has("_monotonicTime")
	return nil
}

// MarshalJSON writes an entry with the members it was read with.
func (e Entry) MarshalJSON() ([]byte, error) { return fields.Encode(nil, "", e.fields(), e.rest) }

// Extra returns the JSON text of a member that has no field, or nil.
func (e *Entry) Extra(name string) []byte { return e.rest.Get(name) }

// SetExtra gives a member that has no field a value; nil removes it.
func (e *Entry) SetExtra(name string, value []byte) {
	e.rest = with(e.rest, name, value)
}

// with gives a member another value; nil removes it. Copies of what has it keep
// theirs.
func with(o rawjson.Object, name string, value []byte) rawjson.Object {
	o = slices.Clone(o)
	if value == nil {
		o.Delete(name)
	} else {
		o.Set(name, value)
	}
	return o
}

// ExtraNames returns the names of the members that have no field.
func (e *Entry) ExtraNames() []string {
	names := make([]string, len(e.rest))
	for i, m := range e.rest {
		names[i] = m.Key
	}
	return names
}

// Failed reports whether no answer came: refused, aborted, or never finished.
func (e *Entry) Failed() bool {
	return e.Response.FailureText != "" || e.Response.Status <= 0 && e.Time >= 0 || e.WasAborted
}

// Canceled reports whether the page, or the browser as it left the page, gave
// the request up: event streams end that way, and nothing went wrong.
func (e *Entry) Canceled() bool {
	switch e.Response.FailureText {
	case "net::ERR_ABORTED", "NS_BINDING_ABORTED", "cancelled", "Load request cancelled": // Chromium, Firefox, WebKit
		return !e.WasAborted // a test that aborts a request means it to fail
	}
	return false
}

// Pending reports whether the recording ended before the answer did.
func (e *Entry) Pending() bool {
	return e.Response.Status <= 0 && e.Time < 0 && e.Response.FailureText == "" && !e.WasAborted
}

// Request is what was asked.
type Request struct {
	Method      string
	URL         string
	HTTPVersion string
	Cookies     []Cookie
	Headers     []NameValue
	QueryString []NameValue
	PostData    *PostData
	HeadersSize int // bytes; -1 if unknown
	BodySize    int // bytes; -1 if unknown
	rest        rawjson.Object
}

func (r *Request) fields() []fields.Field {
	return []fields.Field{
		{Name: "method", Ptr: &r.Method, Empty: true}, {Name: "url", Ptr: &r.URL, Empty: true}, {Name: "httpVersion", Ptr: &r.HTTPVersion},
		{Name: "cookies", Ptr: &r.Cookies}, {Name: "headers", Ptr: &r.Headers}, {Name: "queryString", Ptr: &r.QueryString},
		{Name: "postData", Ptr: &r.PostData}, {Name: "headersSize", Ptr: &r.HeadersSize, Empty: true}, {Name: "bodySize", Ptr: &r.BodySize, Empty: true},
	}
}

// UnmarshalJSON reads a request.
func (r *Request) UnmarshalJSON(b []byte) (err error) { return unmarshal(b, r.fields(), &r.rest) }

// MarshalJSON writes a request with the members it was read with.
func (r Request) MarshalJSON() ([]byte, error) { return fields.Encode(nil, "", r.fields(), r.rest) }

// Header returns the value of the first header of that name, whatever its case.
func (r *Request) Header(name string) string { return find(r.Headers, name) }

// Response is what was answered.
type Response struct {
	Status       int // 0 or -1 where no answer came
	StatusText   string
	HTTPVersion  string
	Cookies      []Cookie
	Headers      []NameValue
	Content      Content
	RedirectURL  string
	HeadersSize  int
	BodySize     int    // bytes on the wire; -1 if unknown
	TransferSize int    // _transferSize: bytes on the wire with headers
	FailureText  string // _failureText, such as "net::ERR_CONNECTION_REFUSED"
	rest         rawjson.Object
}

func (r *Response) fields() []fields.Field {
	return []fields.Field{
		{Name: "status", Ptr: &r.Status, Empty: true}, {Name: "statusText", Ptr: &r.StatusText, Empty: true}, {Name: "httpVersion", Ptr: &r.HTTPVersion},
		{Name: "cookies", Ptr: &r.Cookies}, {Name: "headers", Ptr: &r.Headers}, {Name: "content", Ptr: &r.Content, Empty: true},
		{Name: "headersSize", Ptr: &r.HeadersSize, Empty: true}, {Name: "bodySize", Ptr: &r.BodySize, Empty: true},
		{Name: "redirectURL", Ptr: &r.RedirectURL, Empty: true}, {Name: "_transferSize", Ptr: &r.TransferSize}, {Name: "_failureText", Ptr: &r.FailureText},
	}
}

// UnmarshalJSON reads a response.
func (r *Response) UnmarshalJSON(b []byte) (err error) { return unmarshal(b, r.fields(), &r.rest) }

// MarshalJSON writes a response with the members it was read with.
func (r Response) MarshalJSON() ([]byte, error) { return fields.Encode(nil, "", r.fields(), r.rest) }

// Header returns the value of the first header of that name, whatever its case.
func (r *Response) Header(name string) string { return find(r.Headers, name) }

// Content is the body of a response. File names the archive's entry that
// holds the bytes; a HAR file of its own has them in Text.
type Content struct {
	Size        int // bytes after decoding; -1 if unknown
	MimeType    string
	Compression int
	Text        string
	Encoding    string // "base64", or "" for text
	File        string // _file
	rest        rawjson.Object
}

func (c *Content) fields() []fields.Field {
	return []fields.Field{
		{Name: "size", Ptr: &c.Size, Empty: true}, {Name: "mimeType", Ptr: &c.MimeType, Empty: true}, {Name: "compression", Ptr: &c.Compression},
		{Name: "text", Ptr: &c.Text}, {Name: "encoding", Ptr: &c.Encoding}, {Name: "_file", Ptr: &c.File},
	}
}

// SetExtra gives a member that has no field a value; nil removes it.
func (c *Content) SetExtra(name string, value []byte) { c.rest = with(c.rest, name, value) }

// UnmarshalJSON reads a content.
func (c *Content) UnmarshalJSON(b []byte) (err error) { return unmarshal(b, c.fields(), &c.rest) }

// MarshalJSON writes a content with the members it was read with.
func (c Content) MarshalJSON() ([]byte, error) { return fields.Encode(nil, "", c.fields(), c.rest) }

// PostData is the body of a request. File names the archive's entry that
// holds the bytes; a HAR file of its own has them in Text.
type PostData struct {
	MimeType string
	Params   []NameValue
	Text     string
	File     string // _file
	rest     rawjson.Object
}

func (p *PostData) fields() []fields.Field {
	return []fields.Field{{Name: "mimeType", Ptr: &p.MimeType, Empty: true}, {Name: "params", Ptr: &p.Params}, {Name: "text", Ptr: &p.Text, Empty: true}, {Name: "_file", Ptr: &p.File}}
}

// SetExtra gives a member that has no field a value; nil removes it.
func (p *PostData) SetExtra(name string, value []byte) { p.rest = with(p.rest, name, value) }

// UnmarshalJSON reads post data.
func (p *PostData) UnmarshalJSON(b []byte) (err error) { return unmarshal(b, p.fields(), &p.rest) }

// MarshalJSON writes post data with the members it was read with.
func (p PostData) MarshalJSON() ([]byte, error) { return fields.Encode(nil, "", p.fields(), p.rest) }

// NameValue is a header, a query parameter or a form field.
type NameValue struct {
	Name  string
	Value string
	rest  rawjson.Object
}

func (n *NameValue) fields() []fields.Field {
	return []fields.Field{{Name: "name", Ptr: &n.Name, Empty: true}, {Name: "value", Ptr: &n.Value, Empty: true}}
}

// UnmarshalJSON reads a name and a value.
func (n *NameValue) UnmarshalJSON(b []byte) (err error) { return unmarshal(b, n.fields(), &n.rest) }

// MarshalJSON writes a name and a value.
func (n NameValue) MarshalJSON() ([]byte, error) { return fields.Encode(nil, "", n.fields(), n.rest) }

// Cookie is a cookie sent or set. Vibium writes the value as an object, which
// is read and kept.
type Cookie struct {
	Name     string
	Value    string
	Path     string
	Domain   string
	Expires  string // ISO 8601
	HTTPOnly bool
	Secure   bool
	SameSite string
	rest     rawjson.Object
}

func (c *Cookie) fields() []fields.Field {
	return []fields.Field{
		{Name: "name", Ptr: &c.Name, Empty: true}, {Name: "value", Ptr: &c.Value, Empty: true}, {Name: "path", Ptr: &c.Path}, {Name: "domain", Ptr: &c.Domain},
		{Name: "expires", Ptr: &c.Expires}, {Name: "httpOnly", Ptr: &c.HTTPOnly}, {Name: "secure", Ptr: &c.Secure}, {Name: "sameSite", Ptr: &c.SameSite},
	}
}

// UnmarshalJSON reads a cookie.
func (c *Cookie) UnmarshalJSON(b []byte) (err error) {
	if err := unmarshal(b, c.fields(), &c.rest); err != nil {
		return err
	}
	if typed, perr := rawjson.Parse(c.rest.Get("value")); perr == nil {
		c.Value = typed.Text("value")
	}
	return nil
}

// MarshalJSON writes a cookie with the members it was read with.
func (c Cookie) MarshalJSON() ([]byte, error) {
	if c.rest.Get("value") != nil {
		c.Value = ""
	}
	return fields.Encode(nil, "", c.fields(), c.rest)
}

// Timings are the phases of a request in milliseconds; -1 is unknown.
type Timings struct {
	Blocked float64
	DNS     float64
	Connect float64
	SSL     float64
	Send    float64
	Wait    float64
	Receive float64
	Comment string
	present uint8
	rest    rawjson.Object
}

func (t *Timings) fields() []fields.Field {
	has := func(bit uint8) bool { return t.present&(1<<bit) != 0 }
	return []fields.Field{
		{Name: "blocked", Ptr: &t.Blocked, Empty: has(0)}, {Name: "dns", Ptr: &t.DNS, Empty: has(1)}, {Name: "connect", Ptr: &t.Connect, Empty: has(2)}, {Name: "ssl", Ptr: &t.SSL, Empty: has(3)},
		{Name: "send", Ptr: &t.Send, Empty: true}, {Name: "wait", Ptr: &t.Wait, Empty: true}, {Name: "receive", Ptr: &t.Receive, Empty: true}, {Name: "comment", Ptr: &t.Comment},
	}
}

// UnmarshalJSON reads timings.
func (t *Timings) UnmarshalJSON(b []byte) error {
	*t = Timings{Blocked: -1, DNS: -1, Connect: -1, SSL: -1, Send: -1, Wait: -1, Receive: -1}
	if err := unmarshal(b, t.fields(), &t.rest); err != nil {
		return err
	}
	obj, _ := rawjson.Parse(b)
	for i, name := range []string{"blocked", "dns", "connect", "ssl"} {
		if obj.Has(name) {
			t.present |= 1 << i
		}
	}
	return nil
}

// MarshalJSON writes timings.
func (t Timings) MarshalJSON() ([]byte, error) {
	for i, p := range []*float64{&t.Blocked, &t.DNS, &t.Connect, &t.SSL} {
		if t.present&(1<<i) == 0 && *p == -1 {
			*p = 0
		}
	}
	return fields.Encode(nil, "", t.fields(), t.rest)
}

func unmarshal(b []byte, fs []fields.Field, rest *rawjson.Object) error {
	obj, err := rawjson.Parse(b)
	if err == nil {
		*rest = decode(obj, fs)
	}
	return err
}

// decode keeps "type", which is an ordinary member in here.
func decode(obj rawjson.Object, fs []fields.Field) rawjson.Object {
	rest := fields.Decode(obj, fs)
	if v := obj.Get("type"); v != nil {
		rest.Set("type", bytes.Clone(v))
	}
	return rest
}

func find(list []NameValue, name string) string {
	for _, h := range list {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}
