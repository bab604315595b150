package codegen

import (
	"encoding/json"
	"io"
	"mime"
	"net/url"
	"sort"
	"strings"

	"context"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// Class says what a request is to a test.
type Class string

// The classes.
const (
	Setup      Class = "setup"      // it made data that the session uses
	Act        Class = "action"     // a step of the session made it
	Mocked     Class = "mock"       // its answer fed the page
	Irrelevant Class = "irrelevant" // the test does without it
)

// Request is a request of the session, and what it is to a test.
type Request struct {
	Method    string `json:"method"`
	URL       string `json:"url"`
	Operation string `json:"operation,omitempty"` // of GraphQL
	Status    int    `json:"status"`
	Class     Class  `json:"class"`
	Reason    string `json:"reason"`
	Step      int    `json:"step"` // number of the step that brought it, from 1; 0 is none

	entry    *trace.Request
	sent     any    // JSON body, nil if there is none
	sentText string // body
	got      any    // JSON answer
	gotText  string
	json     bool // the answer is JSON
}

const maxBody = 1 << 20 // bytes of a body that is looked at

func (s *Scenario) newRequest(ctx context.Context, q *trace.Request) *Request {
	r := &Request{Method: strings.ToUpper(q.Request.Method), URL: q.Request.URL, Status: q.Response.Status, entry: q}
	if isAsset(q) {
		return r
	}
	if d := q.Request.PostData; d != nil {
		r.sentText = s.body(ctx, d.Text, d.File)
		_ = json.Unmarshal([]byte(r.sentText), &r.sent)
	}
	c := q.Response.Content
	if isJSON(c.MimeType) {
		r.gotText = s.body(ctx, c.Text, c.File)
		r.json = json.Unmarshal([]byte(r.gotText), &r.got) == nil && r.gotText != ""
	}
	r.Operation = operation(r.sent)
	return r
}

// body returns a body of at most maxBody bytes, and "" for longer ones.
func (s *Scenario) body(ctx context.Context, text, file string) string {
	if text != "" || file == "" {
		return text
	}
	rc, err := s.archive.Resource(ctx, file)
	if err != nil {
		return ""
	}
	defer rc.Close()
	b, err := io.ReadAll(io.LimitReader(rc, maxBody+1))
	if err != nil || len(b) > maxBody {
		return ""
	}
	return string(b)
}

func isJSON(mimeType string) bool {
	m, _, _ := mime.ParseMediaType(mimeType)
	return m == "application/json" || strings.HasSuffix(m, "+json")
}

// operation is the name of a GraphQL operation, or what stands for it where
// it has none.
func operation(body any) string {
	m, ok := body.(map[string]any)
	if !ok {
		return ""
	}
	query, ok := m["query"].(string)
	if !ok || !graphQL.MatchString(query) {
		return ""
	}
	if name, ok := m["operationName"].(string); ok && name != "" {
		return name
	}
	if f := graphQLName.FindStringSubmatch(query); f != nil {
		return f[2]
	}
	return cut(oneLine(query), 40)
}

var (
	graphQL     = lazyregexp.New(`^\s*(#.*\s*)*(query|mutation|subscription|fragment|\{)`)
	graphQLName = lazyregexp.New(`(query|mutation|subscription)\s+(\w+)`)
)

// mutates reports whether a request changed something on the server.
func (r *Request) mutates() bool {
	switch r.Method {
	case "GET", "HEAD", "OPTIONS", "TRACE":
		return false
	}
	if m, ok := r.sent.(map[string]any); ok && r.Operation != "" {
		query, _ := m["query"].(string)
		return strings.Contains(query, "mutation")
	}
	return true
}

func isAsset(q *trace.Request) bool {
	switch q.ResourceType {
	case "image", "stylesheet", "script", "font", "media", "manifest", "texttrack", "preflight", "websocket", "eventsource", "ping", "cspviolationreport":
		return true
	case "fetch", "xhr", "document":
		return false
	}
	m, _, _ := mime.ParseMediaType(q.Response.Content.MimeType)
	return strings.HasPrefix(m, "image/") || strings.HasPrefix(m, "font/") || strings.HasPrefix(m, "video/") || strings.HasPrefix(m, "audio/") || m == "text/css" || strings.Contains(m, "javascript")
}

// isAPI reports whether a script of the page made the request.
func isAPI(q *trace.Request) bool {
	if q.ResourceType == "fetch" || q.ResourceType == "xhr" {
		return true
	}
	if q.ResourceType != "" && q.ResourceType != "other" {
		return false
	}
	if dest := q.Request.Header("sec-fetch-dest"); dest != "" {
		return dest == "empty"
	}
	return isJSON(q.Response.Content.MimeType) || q.Request.PostData != nil && isJSON(q.Request.PostData.MimeType)
}

var trackers = lazyregexp.New(`(?i)google-analytics|googletagmanager|doubleclick|segment\.(io|com)|mixpanel|amplitude|hotjar|fullstory|sentry|bugsnag|datadoghq|newrelic|nr-data|facebook\.(com|net)|clarity\.ms|intercom|heapanalytics|plausible|matomo|posthog|logrocket|optimizely|/(collect|beacon|telemetry|analytics|track(ing)?|metrics|rum)(/|\?|$)|favicon\.ico|/sockjs-node|/__webpack_hmr|hot-update|/@vite`)

// volatile are parameters whose values are others each time and mean nothing.
var volatile = lazyregexp.New(`^(_|t|ts|time|timestamp|cb|cachebust(er)?|nocache|nonce|rand(om)?|_rsc|v)$`)

// keyOf is the address of a request without what differs each time.
func (s *Scenario) keyOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	var query []string
	for name, list := range u.Query() {
		if volatile.MatchString(name) {
			continue
		}
		for _, v := range list {
			query = append(query, url.QueryEscape(name)+"="+url.QueryEscape(v))
		}
	}
	sort.Strings(query)
	key := u.EscapedPath()
	if o := origin(address); o != s.recorded {
		key = o + key
	}
	if len(query) > 0 {
		key += "?" + strings.Join(query, "&")
	}
	return key
}

func path(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return orDefault(u.EscapedPath(), "/")
}

func answered(e *har.Entry) bool { return e.Response.Status > 0 && !e.Failed() }
