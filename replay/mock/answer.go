package mock

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/har/template"
)

// Request is a request that waits for a decision.
type Request struct {
	Method  string
	URL     string
	Headers map[string]string
	Body    []byte
	// NoBody tells that there is a body that the browser did not hand over.
	NoBody bool
	// Type is the browser's: Document, Script, XHR, Fetch, Ping, Preflight and so on.
	Type string
}

// Header returns the value of a header, whatever its case.
func (q *Request) Header(name string) string {
	for n, v := range q.Headers {
		if strings.EqualFold(n, name) {
			return v
		}
	}
	return ""
}

// Decision is what becomes of a request.
type Decision uint8

// What can become of a request.
const (
	Let    Decision = iota // it is let out, to Answer.URL
	Fulfil                 // it is answered with Status, Headers and Body
	Fail                   // it fails for Answer.Reason
	Hold                   // it is not answered, as it was recorded
)

// Answer says what becomes of a request.
type Answer struct {
	Decision Decision
	URL      string // where it is to go, if that is not where the page sends it
	Reason   string // in the words of the Fetch domain, such as ConnectionRefused
	Status   int
	Headers  []har.NameValue
	Body     []byte
	// Entry is the recorded request, where one fitted, and Level how well.
	Entry *har.Entry
	Level Level
	// Held is after how long a request that is not answered fails, where the
	// recorded page had taken it back; 0 is never.
	Held time.Duration
	// Wait is how long the recorded answer took to begin.
	Wait time.Duration
}

// Answer decides about a request.
func (r *Router) Answer(ctx context.Context, q *Request) Answer {
	if local(q.URL) {
		return Answer{Decision: Let}
	}
	if r.rec.files.holds(q.URL) {
		return r.let(q)
	}
	r.hear(q.URL)
	origin := Origin(q.URL)
	if r.policy(origin) == Blocked {
		return r.block(q, "its origin is blocked")
	}
	if !r.Allowed(Origin(r.origins.presentURL(q.URL))) && !r.movedToo(q) {
		return r.block(q, "its origin is neither recorded nor allowed")
	}
	if r.answers(q, origin) {
		return r.recall(ctx, q)
	}
	if ans, ok := r.routed(ctx, q, origin); ok {
		return ans
	}
	return r.let(q)
}

// answers reports whether the inner layer deals with a request.
func (r *Router) answers(q *Request, origin string) bool {
	if r.policy(origin) != Mock {
		return false
	}
	switch kinds[strings.ToLower(q.Type)] {
	case data, events:
		return true
	case part:
		return r.o.Offline
	case socket:
		return false
	}
	if strings.EqualFold(q.Type, "Preflight") || isPreflight(q) || isIcon(q) {
		return true
	}
	return r.o.Offline
}

// isIcon knows what a browser asks for at a moment of its own choice.
func isIcon(q *Request) bool {
	u, err := url.Parse(q.URL)
	return err == nil && u.Path == "/favicon.ico" && (q.Type == "Other" || q.Type == "Image" || q.Type == "")
}

func (r *Router) let(q *Request) Answer {
	to := r.origins.presentURL(q.URL)
	r.lets(q.Method, to)
	r.mu.Lock()
	r.passed++
	r.mu.Unlock()
	if to == q.URL {
		to = ""
	}
	return Answer{Decision: Let, URL: to}
}

func (r *Router) block(q *Request, why string) Answer {
	r.note(Miss{Code: CodeBlocked, Method: q.Method, URL: q.URL, Type: q.Type, Reason: why})
	return Answer{Decision: Fail, Reason: "BlockedByClient"}
}

func (r *Router) ask(q *Request) *asked {
	a := &asked{method: strings.ToUpper(q.Method), kind: kinds[strings.ToLower(q.Type)], variant: variantOf(q.Header), bodyLost: q.NoBody, hasBody: len(q.Body) > 0}
	if a.method == "" {
		a.method = "GET"
	}
	recorded := r.origins.recordedURL(q.URL)
	a.at, _ = parseAddress(recorded)
	canonical := Canonical(q.Header("Content-Type"), q.Body)
	a.body = fingerprint(canonical)
	a.facts, a.loose = digest(canonical)
	a.operation = template.Operation(recorded, q.Body)
	return a
}

// recall answers from the recording.
func (r *Router) recall(ctx context.Context, q *Request) Answer {
	a := r.ask(q)
	c, level, again := r.q.take(a)
	if isPreflight(q) { // recorders have no bodies of these, and the origin is another
		return preflight(q)
	}
	if c == nil && isIcon(q) {
		return Answer{Decision: Fulfil, Status: 404}
	}
	if c == nil {
		if ans, ok := r.piece(ctx, q, a); ok {
			return ans
		}
		return r.miss(q, a)
	}
	if again && a.kind == data {
		r.note(Miss{Code: CodeAgain, Method: q.Method, URL: q.URL, Type: q.Type, Reason: "it was asked for more often than it was recorded; the last answer was given again"})
	}
	r.mu.Lock()
	r.answered++
	r.levels[level]++
	r.mu.Unlock()
	return r.give(ctx, q, c, level)
}

func (r *Router) miss(q *Request, a *asked) Answer {
	m := Miss{Code: CodeMiss, Method: q.Method, URL: q.URL, Type: q.Type}
	near, reason := r.q.nearest(a)
	if m.Reason = reason; near != nil {
		m.Nearest = near.method + " " + near.Request.URL
	}
	switch r.o.OnMiss {
	case Warn:
		m.Code = CodeMissWarn
	case Pass:
		m.Code = CodeMissPass
	}
	// Nothing that is drawn depends on the answer to a beacon.
	if t := strings.ToLower(q.Type); m.Code == CodeMiss && (t == "ping" || t == "cspviolationreport") {
		m.Code = CodeMissWarn
	}
	r.note(m)
	if r.o.OnMiss == Pass {
		return r.let(q)
	}
	return Answer{Decision: Fail, Reason: "ConnectionRefused"}
}

// give makes the answer of a recorded request.
func (r *Router) give(ctx context.Context, q *Request, c *recorded, level Level) Answer {
	ans := Answer{Entry: c.Entry, Level: level, Wait: wait(c.Entry)}
	e := c.Entry
	if e.Response.Status == 304 {
		if whole := r.whole(c); whole != nil {
			e = whole
		}
	}
	if e.Pending() && e.Response.Status <= 0 {
		ans.Decision = Hold
		return ans
	}
	end := endOf(c, e, q)
	switch {
	case strings.HasPrefix(end, taken) && e.Response.Status < 100:
		ans.Decision, ans.Held = Hold, held(e)
		return ans
	case e.Response.Status < 100, e.Failed() && end == "":
		ans.Decision, ans.Reason = Fail, reasonOf(e)
		return ans
	}
	body, err := r.rec.body(ctx, e)
	if errors.Is(err, errMissing) && end != "" { // nothing had come
		body, err = nil, nil
	}
	if errors.Is(err, errMissing) && r.rec.bodiless && r.o.OnMiss == Pass {
		r.note(Miss{Code: CodeMissPass, Method: q.Method, URL: q.URL, Type: q.Type, Nearest: c.method + " " + c.Request.URL, Reason: "the recorder kept no bodies at all"})
		return r.let(q)
	}
	if err != nil {
		r.note(Miss{Code: CodeBodyMissing, Method: q.Method, URL: q.URL, Type: q.Type, Nearest: c.method + " " + c.Request.URL, Reason: err.Error()})
		ans.Decision, ans.Reason = Fail, "Failed"
		return ans
	}
	if bodyState(e) == "truncated" {
		r.note(Miss{Code: CodeBodyCut, Method: q.Method, URL: q.URL, Type: q.Type, Reason: "only a part of the body was recorded"})
	}
	if c.kind == events {
		body = eventText(body)
	}
	ans.Decision, ans.Status, ans.Body = Fulfil, e.Response.Status, body
	ans.Headers = r.headers(q, e)
	if c.kind != events { // the script hides it from the page
		chunks := chunksOf(e, body)
		if end != "" && bodied(e) {
			if chunks == "" {
				chunks = "0:" + strconv.Itoa(len(body))
			}
			chunks += "," + end
		}
		if chunks != "" {
			ans.Headers = append(ans.Headers, har.NameValue{Name: chunkHeader, Value: chunks})
			ans.Headers = expose(ans.Headers, chunkHeader)
		}
	}
	return ans
}

// How the body of an answer ended, if not as it should, in the words of the
// script in the page.
const (
	taken  = "held" // the page took its request back; how long it is waited for in milliseconds follows
	broken = "fail" // the network failed in the middle
)

// held is how long it is waited for that the page takes a request back, as it
// did when it was recorded.
func held(e *har.Entry) time.Duration {
	const longer = 2 * time.Second
	return time.Duration(max(0, min(e.Time, 1e7))*float64(time.Millisecond)) + longer
}

// endOf says how the answer to a script ended. One that the page took back is
// held until it does so again.
func endOf(c *recorded, e *har.Entry, q *Request) string {
	asks := strings.ToLower(q.Type)
	switch {
	case !e.Failed() || c.kind != data && c.kind != unknown || asks != "fetch" && asks != "xhr":
		return ""
	case strings.Contains(e.Response.FailureText, "ERR_ABORTED"):
		return taken + number(float64(held(e).Milliseconds()))
	case e.Response.Status >= 100 && asks == "fetch":
		return broken
	}
	return ""
}

// bodied reports whether an answer has a body at all.
func bodied(e *har.Entry) bool {
	return e.Request.Method != "HEAD" && e.Response.Status >= 200 && e.Response.Status != 204 && e.Response.Status/100 != 3
}

// whole finds the full answer that a recorded "not modified" was about.
func (r *Router) whole(c *recorded) *har.Entry {
	r.q.mu.Lock()
	defer r.q.mu.Unlock()
	var best *har.Entry
	for _, o := range r.q.address[c.method+" "+c.at.key()+"\n"+c.variant] {
		if o.Response.Status == 200 && (o.number < c.number || best == nil) {
			best = o.Entry
		}
	}
	return best
}

func wait(e *har.Entry) time.Duration {
	ms := 0.0
	for _, t := range []float64{e.Timings.Blocked, e.Timings.DNS, e.Timings.Connect, e.Timings.Send, e.Timings.Wait} {
		if t > 0 {
			ms += t
		}
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// reasons are errors of the network in the words of the Fetch domain.
var reasons = []struct{ has, reason string }{{"ABORTED", "Aborted"}, {"CONNECTION_REFUSED", "ConnectionRefused"}, {"CONNECTION_RESET", "ConnectionReset"}, {"CONNECTION_CLOSED", "ConnectionClosed"},
	{"CONNECTION_ABORTED", "ConnectionAborted"}, {"CONNECTION_FAILED", "ConnectionFailed"}, {"NAME_NOT_RESOLVED", "NameNotResolved"}, {"INTERNET_DISCONNECTED", "InternetDisconnected"},
	{"ADDRESS_UNREACHABLE", "AddressUnreachable"}, {"TIMED_OUT", "TimedOut"}, {"ACCESS_DENIED", "AccessDenied"}, {"BLOCKED_BY_RESPONSE", "BlockedByResponse"}, {"BLOCKED_BY_CLIENT", "BlockedByClient"},
	{"blocked: inspector", "BlockedByClient"}, {"blocked: csp", "BlockedByResponse"}, {"blocked: origin", "BlockedByResponse"}, {"blocked: co", "BlockedByResponse"}}

func reasonOf(e *har.Entry) string {
	for _, x := range reasons {
		if strings.Contains(e.Response.FailureText, x.has) {
			return x.reason
		}
	}
	if e.WasAborted {
		return "Aborted"
	}
	return "Failed"
}

// hopping are headers that are about the connection or about how the body was
// packed, which is not how it is recorded.
var hopping = map[string]bool{"content-encoding": true, "content-length": true, "transfer-encoding": true, "connection": true, "keep-alive": true, "proxy-connection": true, "upgrade": true,
	"trailer": true, "te": true, "alt-svc": true, "report-to": true, "nel": true, "strict-transport-security": true, "clear-site-data": true}

func (r *Router) headers(q *Request, e *har.Entry) []har.NameValue {
	var list []har.NameValue
	typed := false
	for _, h := range e.Response.Headers {
		name := strings.ToLower(h.Name)
		if hopping[name] || strings.HasPrefix(name, ":") || strings.ContainsAny(h.Name, " \r\n:") {
			continue
		}
		value := strings.ReplaceAll(h.Value, "\r", "")
		if name == "location" {
			value = r.origins.presentURL(value)
		}
		for _, line := range strings.Split(value, "\n") { // lines of one header
			list = append(list, har.NameValue{Name: h.Name, Value: line})
		}
		typed = typed || name == "content-type"
	}
	if m := e.Response.Content.MimeType; !typed && m != "" && m != "x-unknown" {
		list = append(list, har.NameValue{Name: "Content-Type", Value: m})
	}
	if e.Response.Status/100 == 3 && e.Response.RedirectURL != "" && !has(list, "Location") {
		list = append(list, har.NameValue{Name: "Location", Value: r.origins.presentURL(e.Response.RedirectURL)})
	}
	return cors(q, list)
}

func has(list []har.NameValue, name string) bool {
	for _, h := range list {
		if strings.EqualFold(h.Name, name) {
			return true
		}
	}
	return false
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
