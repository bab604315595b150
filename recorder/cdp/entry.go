package cdp

import (
	"math"
	"net/url"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

// maxInitiator is how many bytes of a request's initiator, with its call
// stack, are recorded.
const maxInitiator = 16 << 10

// writeHop writes the entry of a request, once.
func (r *Recorder) writeHop(h *hop) {
	if h.written {
		return
	}
	h.written = true
	if ofBrowser(h.sentInfo.URL) {
		return
	}
	r.sink.Write(&trace.ResourceSnapshot{Entry: r.entry(h)})
	if h.stream != nil {
		h.stream.close()
	}
}

func (r *Recorder) entry(h *hop) har.Entry {
	sent, received := h.wire()
	s := h.request.session
	e := har.Entry{
		StartedDateTime: isoTime(h.wall), Time: -1, Cache: raw("{}"),
		FrameRef: frameRef(h.frame), MonotonicTime: h.start.Milliseconds(), HasMonotonicTime: true,
		ResourceType: strings.ToLower(h.kind),
	}
	r.place(&e, s, h)
	headers := fieldsOf(h.sentInfo.Headers)
	if sent != nil {
		headers = fieldsOf(sent.Headers)
	} else if h.response != nil && len(h.response.Sent) > 0 {
		headers = fieldsOf(h.response.Sent)
	}
	e.Request = r.harRequest(h, headers)
	if a := authOf(headers); a != nil {
		e.SetExtra("_auth", a)
	}
	e.Response = r.harResponse(h, received)
	e.Timings = har.Timings{Blocked: -1, DNS: -1, Connect: -1, SSL: -1, Send: -1, Wait: -1, Receive: -1}
	if h.ended {
		e.Time = round(math.Max(0, (h.end - h.start).Milliseconds()))
	}
	r.measure(&e, h)
	r.origin(&e, h)
	return e
}

// place says in which page or worker the request was made.
func (r *Recorder) place(e *har.Entry, s *session, h *hop) {
	if f := r.frames[h.frame]; f != nil && f.page != nil {
		e.PageRef = f.page.id
	} else {
		e.PageRef = pageOf(s)
	}
	if s != nil && s.target.Type == "service_worker" {
		e.ServiceWorkerRef, e.PageRef = s.worker, ""
	} else if s != nil && s.worker != "" {
		e.SetExtra("_workerRef", mustJSON(s.worker))
	}
}

func (r *Recorder) harRequest(h *hop, headers []headerField) har.Request {
	q := har.Request{Method: h.sentInfo.Method, URL: h.sentInfo.URL, HTTPVersion: httpVersion(h.response),
		Headers: r.harHeaders(headers), Cookies: r.requestCookies(headers), QueryString: queryOf(h.sentInfo.URL), HeadersSize: -1, BodySize: 0}
	if h.post.state == bodyNone {
		return q
	}
	q.BodySize = int(h.post.size)
	if h.post.state != bodyFull {
		q.BodySize = -1
	}
	mime := headerOf(headers, "Content-Type")
	q.PostData = &har.PostData{MimeType: mime, Params: []har.NameValue{}, File: h.post.file}
	return q
}

func (r *Recorder) harResponse(h *hop, wire *wireResponse) har.Response {
	a := har.Response{Status: -1, HTTPVersion: httpVersion(h.response), Cookies: []har.Cookie{}, Headers: []har.NameValue{},
		Content: har.Content{Size: -1, MimeType: "x-unknown"}, HeadersSize: -1, BodySize: -1, TransferSize: -1}
	if h.failure != nil {
		a.FailureText = h.failure.text()
	}
	p := h.response
	if p == nil {
		return a
	}
	headers := fieldsOf(p.Headers)
	a.Status, a.StatusText = p.Status, p.StatusText
	if wire != nil {
		headers = fieldsOf(wire.Headers)
		if wire.Text != "" {
			a.HeadersSize = len(wire.Text)
		}
		if wire.Status != 0 && wire.Status != 304 { // a cached answer that was confirmed is shown as the page saw it
			a.Status = wire.Status
		}
	}
	a.Headers, a.Cookies = r.harHeaders(headers), r.responseCookies(headers)
	a.RedirectURL = h.redirect
	a.TransferSize = int(h.transfer)
	a.BodySize = int(h.wireBytes)
	if h.transfer >= 0 && a.HeadersSize > 0 && h.transfer >= int64(a.HeadersSize) {
		a.BodySize = int(h.transfer) - a.HeadersSize
	}
	a.Content = contentOf(h)
	return a
}

func contentOf(h *hop) har.Content {
	c := har.Content{Size: int(h.body.size), MimeType: mimeOf(h.response), File: h.body.file}
	if c.Size == 0 {
		c.Size = int(h.bytes)
	}
	if saved := c.Size - int(h.wireBytes); h.wireBytes > 0 && saved > 0 {
		c.Compression = saved
	}
	return c
}

func mimeOf(p *response) string {
	if t := headerValue(p.Headers, "Content-Type"); t != "" {
		return t
	}
	if p.MimeType != "" {
		return p.MimeType
	}
	return "x-unknown"
}

// text is the failure with what the browser knows of its cause.
func (f *failure) text() string {
	text := f.Text
	if f.Blocked != "" {
		text += " (blocked: " + f.Blocked + ")"
	}
	if f.CORS != nil && f.CORS.Error != "" {
		text += " (CORS: " + f.CORS.Error + ")"
	}
	return text
}

// measure fills in the phases, which are measured from the moment the request
// was issued.
func (r *Recorder) measure(e *har.Entry, h *hop) {
	if h.response == nil || h.response.Timing == nil {
		return
	}
	t := h.response.Timing
	span := func(from, to float64) float64 {
		if from < 0 || to < from {
			return -1
		}
		return round(to - from)
	}
	first := t.SendStart
	for _, v := range []float64{t.ConnectStart, t.DNSStart} {
		if v >= 0 {
			first = v
		}
	}
	e.Timings.Blocked = round(math.Max(0, (t.RequestTime-h.issued)*1000+math.Max(0, first)))
	e.Timings.DNS = span(t.DNSStart, t.DNSEnd)
	e.Timings.Connect = span(t.ConnectStart, t.ConnectEnd)
	e.Timings.SSL = span(t.SSLStart, t.SSLEnd)
	e.Timings.Send = span(t.SendStart, t.SendEnd)
	e.Timings.Wait = span(t.SendEnd, t.HeadersEnd)
	if h.ended {
		e.Timings.Receive = round(math.Max(0, (h.end-h.start).Milliseconds()-((t.RequestTime-h.issued)*1000+t.HeadersEnd)))
	}
}

// origin fills in from where the answer came and why it was asked for.
func (r *Recorder) origin(e *har.Entry, h *hop) {
	if h.sentInfo.Fragment != "" {
		e.SetExtra("_fragment", mustJSON(h.sentInfo.Fragment)) // addresses in HAR have none
	}
	if len(h.initiator) > 0 && len(h.initiator) <= maxInitiator {
		e.SetExtra("_initiator", h.initiator)
	}
	if h.sentInfo.Priority != "" {
		e.SetExtra("_priority", mustJSON(h.sentInfo.Priority))
	}
	if h.body.state != bodyNone {
		e.SetExtra("_bodyState", mustJSON(h.body.state))
	}
	if h.body.note != "" {
		e.SetExtra("_bodyNote", mustJSON(h.body.note))
	}
	if h.post.state != bodyNone && h.post.state != bodyFull {
		e.SetExtra("_postDataState", mustJSON(h.post.state))
	}
	if c := h.inChunks(); c != nil {
		e.SetExtra("_chunks", mustJSON(c))
	}
	if h.failure != nil && h.failure.Canceled {
		e.WasAborted = true
	}
	p := h.response
	if p == nil {
		return
	}
	e.ServerIPAddress, e.ServerPort = strings.Trim(p.IP, "[]"), p.Port
	if p.Connection > 0 {
		e.Connection = trimFloat(p.Connection)
	}
	if from := cacheOf(h); from != "" {
		e.SetExtra("_fromCache", mustJSON(from))
	}
	e.SecurityDetails = raw("{}")
	if d := p.Security; d != nil {
		e.SecurityDetails = mustJSON(map[string]any{"protocol": d.Protocol, "subjectName": d.Subject, "issuer": d.Issuer, "validFrom": d.From, "validTo": d.To})
	}
}

func cacheOf(h *hop) string {
	switch {
	case h.memoryCache:
		return "memory"
	case h.response.DiskCache:
		return "disk"
	case h.response.Prefetch:
		return "prefetch"
	case h.response.ServiceWorker:
		return "serviceWorker"
	}
	return ""
}

func httpVersion(p *response) string {
	if p == nil {
		return "HTTP/1.1"
	}
	switch p.Protocol {
	case "h2":
		return "HTTP/2.0"
	case "h3":
		return "HTTP/3.0"
	case "", "http/1.1":
		return "HTTP/1.1"
	}
	return strings.ToUpper(p.Protocol)
}

func queryOf(address string) []har.NameValue {
	list := []har.NameValue{}
	u, err := url.Parse(address)
	if err != nil {
		return list
	}
	for _, pair := range strings.FieldsFunc(u.RawQuery, func(c rune) bool { return c == '&' }) {
		name, value, _ := strings.Cut(pair, "=")
		list = append(list, har.NameValue{Name: unescape(name), Value: unescape(value)})
	}
	return list
}

func unescape(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}

// isoTime writes seconds since the epoch as HAR wants them.
func isoTime(seconds float64) string {
	t := time.Now()
	if seconds > 0 {
		t = time.UnixMicro(int64(seconds * 1e6))
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

func round(ms float64) float64 { return math.Round(ms*1000) / 1000 }
