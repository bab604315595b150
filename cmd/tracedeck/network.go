package main

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

type networkFlags struct {
	grep   string
	failed bool
	method string
	status string
	kind   string
	slower time.Duration
}

func networkCommand() *command {
	return &command{name: "network", args: "TRACE", short: "list the requests, with status, size and timing",
		long: `A request counts as failed when no answer came, or when its status is 400 or
above. The exit code is 1 if a request that is listed failed.`,
		examples: []example{
			{"tracedeck network trace.zip", "all requests in order of their start"},
			{"tracedeck network --failed --grep /api/ trace.zip", "what went wrong with the API"},
			{"tracedeck network --status 5xx --json trace.zip", "server errors, with headers, phases and body entries"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o networkFlags
			fs.StringVarP(&o.grep, "grep", "g", "", "only addresses that match the regular expression")
			fs.BoolVar(&o.failed, "failed", false, "only requests that failed")
			fs.StringVar(&o.method, "method", "", "only this method")
			fs.StringVar(&o.status, "status", "", "only this status, such as 404 or 5xx; 0 for no answer")
			fs.StringVar(&o.kind, "type", "", "only this resource type, such as fetch, document or websocket")
			fs.DurationVar(&o.slower, "slower-than", 0, "only requests that took at least this long")
			return func(ctx context.Context, env *env, args []string) (int, error) { return network(ctx, env, o, args) }
		}}
}

func network(ctx context.Context, env *env, o networkFlags, args []string) (int, error) {
	re, err := regexp.Compile("(?i)" + o.grep)
	if err != nil {
		return 0, withHint(fmt.Errorf("--grep %q: %w", o.grep, err), "put a backslash before characters that mean something in regular expressions")
	}
	if o.status != "" && !statusPattern.MatchString(o.status) {
		return 0, withHint(fmt.Errorf("--status %q is no status", o.status), "give one such as 404, 5xx for a whole class, or 0 for no answer")
	}
	a, t, err := env.loadTrace(ctx, args)
	if err != nil {
		return 0, err
	}
	defer a.Close()
	var list []*trace.Request
	code := exitOK
	for _, r := range t.Network {
		if !o.matches(r) || !re.MatchString(r.Request.URL) {
			continue
		}
		list = append(list, r)
		if failedRequest(r.Entry) {
			code = exitFound
		}
	}
	if env.json {
		return code, env.printJSON(requestRecords(list))
	}
	if len(list) == 0 {
		fmt.Fprintln(env.err, nothing("requests", o != networkFlags{}))
		return code, nil
	}
	return code, printRequests(env, list)
}

func (o networkFlags) matches(r *trace.Request) bool {
	switch {
	case o.failed && !failedRequest(r.Entry),
		o.method != "" && !strings.EqualFold(o.method, r.Request.Method),
		o.kind != "" && !strings.EqualFold(o.kind, r.ResourceType),
		o.slower > 0 && r.End.Sub(r.Start) < o.slower:
		return false
	}
	return o.status == "" || statusMatches(o.status, r.Response.Status)
}

var statusPattern = lazyregexp.New(`^(0|[1-9xX][0-9xX]{2})$`)

// statusMatches compares with a pattern in which x stands for any digit.
func statusMatches(pattern string, status int) bool {
	text := fmt.Sprint(max(0, status))
	if len(pattern) != len(text) {
		return false
	}
	for i := range pattern {
		if pattern[i] != 'x' && pattern[i] != 'X' && pattern[i] != text[i] {
			return false
		}
	}
	return true
}

func failedRequest(e *har.Entry) bool { return e.Failed() || e.Response.Status >= 400 }

func printRequests(env *env, list []*trace.Request) error {
	tb := table{head: []string{"time", "took", "status", "method", "type", "size", "address"}, right: map[int]bool{0: true, 1: true, 5: true}, flex: 6}
	for _, r := range list {
		tb.add(plain(offset(time.Duration(r.Start))), plain(requestTook(r)), statusCell(r), plain(r.Request.Method),
			plain(typeOf(r.Entry)), plain(bytesText(int64(sizeOf(r.Entry)))), plain(shortURL(r.Request.URL)))
	}
	return tb.print(env)
}

func requestTook(r *trace.Request) string {
	switch {
	case r.Pending():
		return "…"
	case r.Time <= 0:
		return "-"
	}
	return shortDuration(r.End.Sub(r.Start))
}

func statusCell(r *trace.Request) cell {
	switch s := r.Response; {
	case r.Pending():
		return colored(dim, "pending")
	case r.WasAborted:
		return colored(red, "aborted")
	case r.Failed():
		return colored(red, firstOf(strings.TrimPrefix(s.FailureText, "net::"), "failed"))
	case s.Status >= 400:
		return colored(red, fmt.Sprint(s.Status))
	case s.Status >= 300:
		return colored(dim, fmt.Sprint(s.Status))
	default:
		return plain(fmt.Sprint(s.Status))
	}
}

func typeOf(e *har.Entry) string {
	if e.ResourceType != "" {
		return e.ResourceType
	}
	mime, _, _ := strings.Cut(e.Response.Content.MimeType, ";")
	return mime
}

// sizeOf returns the bytes of the body, of whichever kind is known.
func sizeOf(e *har.Entry) int {
	for _, n := range []int{e.Response.Content.Size, e.Response.TransferSize, e.Response.BodySize} {
		if n > 0 {
			return n
		}
	}
	return e.Response.Content.Size
}

// shortURL writes an address without its scheme, and data addresses without
// their data.
func shortURL(s string) string {
	u, err := url.Parse(s)
	switch {
	case strings.HasPrefix(s, "data:"):
		head, _, _ := strings.Cut(s, ",")
		return head + ",…"
	case err != nil || u.Host == "":
		return s
	}
	rest := u.Host + u.EscapedPath()
	if u.RawQuery != "" {
		rest += "?" + u.RawQuery
	}
	return rest
}

// requestRecord is one request in the answer of "network --json".
type requestRecord struct {
	Method       string           `json:"method"`
	URL          string           `json:"url"`
	Status       int              `json:"status"` // 0 or -1 where no answer came
	StatusText   string           `json:"statusText,omitempty"`
	Failure      string           `json:"failure,omitempty"`
	Failed       bool             `json:"failed"`
	Pending      bool             `json:"pending,omitempty"`
	Type         string           `json:"type,omitempty"`
	MimeType     string           `json:"mimeType,omitempty"`
	Start        float64          `json:"start"`    // milliseconds since the start of the trace
	Duration     float64          `json:"duration"` // milliseconds; -1 if it was never answered
	Size         int              `json:"size"`
	Page         string           `json:"page,omitempty"`
	Frame        string           `json:"frame,omitempty"`
	RequestBody  string           `json:"requestBody,omitempty"` // entry of the archive
	ResponseBody string           `json:"responseBody,omitempty"`
	Request      *[]har.NameValue `json:"requestHeaders,omitempty"`
	Response     *[]har.NameValue `json:"responseHeaders,omitempty"`
	Timings      har.Timings      `json:"timings"`
	Place        string           `json:"place"`
}

func requestRecords(list []*trace.Request) []requestRecord {
	records := make([]requestRecord, 0, len(list))
	for _, r := range list {
		rec := requestRecord{Method: r.Request.Method, URL: r.Request.URL, Status: r.Response.Status, StatusText: r.Response.StatusText,
			Failure: r.Response.FailureText, Failed: failedRequest(r.Entry), Pending: r.Pending(), Type: r.ResourceType, MimeType: r.Response.Content.MimeType,
			Start: r.Start.Milliseconds(), Duration: r.Time, Size: sizeOf(r.Entry), Page: r.PageRef, Frame: r.FrameRef,
			ResponseBody: r.Response.Content.File, Timings: r.Timings, Place: place(r.Position),
			Request: &r.Request.Headers, Response: &r.Response.Headers}
		if r.Request.PostData != nil {
			rec.RequestBody = r.Request.PostData.File
		}
		records = append(records, rec)
	}
	return records
}
