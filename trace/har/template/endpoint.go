package template

import (
	"net/url"
	"strings"

	"github.com/tracedeck/tracedeck/trace/har"
)

// Endpoint is one operation of a server.
type Endpoint struct {
	Method    string `json:"method"`              // in upper case
	Host      string `json:"host"`                // as [Host] returns it
	Path      string `json:"path"`                // a template
	Operation string `json:"operation,omitempty"` // of GraphQL or JSON-RPC; see [Operation]
}

// Of returns the endpoint of a request. The body may be nil, where it was not
// recorded or stands in the entry itself.
func Of(r *har.Request, body []byte) Endpoint {
	if body == nil && r.PostData != nil {
		body = []byte(r.PostData.Text)
	}
	e := Endpoint{Method: strings.ToUpper(r.Method), Operation: Operation(r.URL, body)}
	if u, err := url.Parse(r.URL[:min(len(r.URL), maxPath)]); err == nil && u.Host != "" {
		e.Host, e.Path = Host(u.Hostname()), Path(u.EscapedPath())
	} else {
		e.Path = URL(r.URL)
	}
	if e.Path == "" {
		e.Path = "/"
	}
	return e
}

// String returns the endpoint as "GET api.example.com/users/:id", with the
// operation in brackets behind it.
func (e Endpoint) String() string {
	s := e.Method + " " + e.Host + e.Path
	if e.Operation != "" {
		s += " [" + e.Operation + "]"
	}
	return s
}
