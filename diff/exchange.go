package diff

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/url"
	"sort"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// exchange is one request with its answer.
type exchange struct {
	*trace.Request
	side     int
	pair     int
	endpoint string // method, host, path template, GraphQL operation
	show     string // the same for people
	query    string // masked
	print    string // what two that are the same have in common
	path     string // of the page
}

func (c *Comparer) exchanges(ctx context.Context, side int) []*exchange {
	var list []*exchange
	for _, r := range c.sides[side].Trace.Network {
		if isSocket(r) {
			continue
		}
		e := &exchange{Request: r, side: side, pair: c.lines[side].pairAt(r.Start), path: c.lines[side].pathAt(r.Start, r.PageRef)}
		c.name(ctx, e)
		list = append(list, e)
	}
	return list
}

func isSocket(r *trace.Request) bool {
	return r.ResourceType == "websocket" || strings.HasPrefix(r.Request.URL, "ws:") || strings.HasPrefix(r.Request.URL, "wss:")
}

func (c *Comparer) name(ctx context.Context, e *exchange) {
	req := &e.Request.Request
	host, path := "", c.masks.pathOf(req.URL)
	if u, err := url.Parse(req.URL); err == nil && u.Host != "" {
		host = c.masks.Text(InURL, u.Scheme+"://"+u.Host)
		e.query = c.query(u)
	}
	e.endpoint = req.Method + " " + host + path
	e.show = req.Method + " " + strings.TrimPrefix(strings.TrimPrefix(host, "https://"), "http://") + path
	e.show = strings.Replace(e.show, "[local]", "", 1)
	if op := operation(req.PostData, func() string { return string(c.sent(ctx, e)) }); op != "" {
		e.endpoint += " " + op
		e.show += " (" + op + ")"
	}
	e.print = strings.Join([]string{e.query, strconv.Itoa(e.Response.Status), e.Response.FailureText, contentKey(&e.Response.Content), sentKey(req.PostData)}, "\x00")
}

// query is the query of an address in the order of its names, masked.
func (c *Comparer) query(u *url.URL) string {
	q, _ := url.ParseQuery(u.RawQuery)
	var list []string
	for k, values := range q {
		for _, v := range values {
			list = append(list, k+"="+c.masks.Field(InURL, k, v))
		}
	}
	sort.Strings(list)
	return strings.Join(list, "&")
}

func contentKey(c *har.Content) string {
	if c.File != "" {
		return c.File
	}
	return strconv.Itoa(c.Size) + c.Text
}

func sentKey(p *har.PostData) string {
	if p == nil {
		return ""
	}
	return p.File + p.Text
}

// graphQL finds the name of a GraphQL operation in its text.
var graphQL = lazyregexp.New(`\b(query|mutation|subscription)\s+(\w+)`)

// operation returns the GraphQL operation that a request asks for, or "".
func operation(p *har.PostData, body func() string) string {
	if p == nil || !strings.Contains(p.MimeType, "json") && !strings.Contains(p.MimeType, "graphql") {
		return ""
	}
	var asked struct {
		OperationName string `json:"operationName"`
		Query         string `json:"query"`
	}
	text := body()
	if !strings.Contains(text, "query") && !strings.Contains(text, "operationName") || json.Unmarshal([]byte(text), &asked) != nil {
		return ""
	}
	if m := graphQL.FindStringSubmatch(asked.Query); asked.OperationName == "" && m != nil {
		return m[2]
	}
	return asked.OperationName
}

// maxBody is how much of a body is compared, in bytes.
const maxBody = 4 << 20

// sent returns the body of the request.
func (c *Comparer) sent(ctx context.Context, e *exchange) []byte {
	p := e.Request.Request.PostData
	switch {
	case p == nil:
		return nil
	case p.Text != "":
		return []byte(p.Text)
	case p.File != "":
		return c.resource(ctx, e.side, p.File)
	}
	return nil
}

// received returns the body of the answer; ok is false where it was not kept.
func (c *Comparer) received(ctx context.Context, e *exchange) (body []byte, ok bool) {
	content := &e.Response.Content
	switch {
	case content.Text != "" && content.Encoding == "base64":
		b, err := base64.StdEncoding.DecodeString(content.Text)
		return b, err == nil
	case content.Text != "":
		return []byte(content.Text), true
	case content.File != "":
		b := c.resource(ctx, e.side, content.File)
		return b, b != nil
	}
	return nil, false
}

// resource returns an entry of the archive as far as it is compared, and nil
// where it cannot be read.
func (c *Comparer) resource(ctx context.Context, side int, file string) []byte {
	if c.sides[side].Archive == nil {
		return nil
	}
	r, err := c.sides[side].Archive.Resource(ctx, file)
	if err != nil {
		return nil
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, maxBody))
	if err != nil && len(b) == 0 {
		return nil
	}
	return b
}

// bad reports whether an exchange failed; an answer from the cache or a
// redirect did not.
func (e *exchange) bad() bool {
	return e.Response.Status >= 400 || e.Failed() && !e.Pending() && !e.Canceled()
}

// answer is how an exchange ended.
func (e *exchange) answer() string {
	switch {
	case e.Pending():
		return "no answer yet"
	case e.Response.FailureText != "":
		return e.Response.FailureText
	case e.Failed():
		return "no answer"
	}
	return strconv.Itoa(e.Response.Status)
}

// took is how long the exchange took, in milliseconds.
func (e *exchange) took() (float64, bool) {
	return e.Time, e.Time > 0
}
