package failures

import (
	"fmt"
	"io"
	"math"
	"net/url"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// window returns the span in which something may have to do with a failure.
func (f *finder) window(e *trace.Failure) (from, to trace.Time) {
	from, to = e.Time.Add(-f.o.Before), e.Time
	if e.Action != nil {
		from = min(from, e.Action.Start.Add(-f.o.Before))
	}
	return from, to
}

// around collects requests that failed or hang, and errors of the page.
func (f *finder) around(out *Failure, e *trace.Failure) {
	from, to := f.window(e)
	for _, r := range f.t.Network {
		hangs := r.Pending() && r.Start <= to
		if !hangs && (!bad(r) || r.End < from || r.End > to) {
			continue
		}
		text := fmt.Sprintf("%s %s: %s", r.Request.Method, f.clean(ShortURL(r.Request.URL), 120), outcome(r))
		switch {
		case noise.MatchString(r.Request.URL):
			out.Noise = append(out.Noise, text)
		case len(out.Requests) >= f.o.MaxList:
			out.Left++
		default:
			out.Requests = append(out.Requests, f.request(r, e))
		}
	}
	f.messages(out, e, from, to)
	out.Noise = out.Noise[:min(len(out.Noise), 5)]
}

func (f *finder) messages(out *Failure, e *trace.Failure, from, to trace.Time) {
	add := func(m Message) {
		switch {
		case noise.MatchString(m.Source) && strings.HasPrefix(m.Text, "Failed to load resource"):
			out.Noise = append(out.Noise, m.Text)
		case len(out.Console) >= f.o.MaxList:
			out.Left++
		default:
			out.Console = append(out.Console, m)
		}
	}
	for _, o := range f.t.Errors {
		if o != e && o.Kind == trace.FailedPage && o.Time >= from && o.Time <= to {
			text := firstLine(plain(o.Message))
			if o.Name != "" && !strings.HasPrefix(text, o.Name) {
				text = o.Name + ": " + text
			}
			add(Message{ms(o.Time, e.Time), f.clean(text, 300), f.clean(sourceOf(o.Location), 200), true})
		}
	}
	for _, m := range f.t.Console {
		if (m.Kind == "error" || m.Kind == "assert") && m.Time >= from && m.Time <= to {
			add(Message{After: ms(m.Time, e.Time), Text: f.clean(firstLine(m.Text), 300), Source: f.clean(sourceOf(m.Location), 200)})
		}
	}
	sort.SliceStable(out.Console, func(i, j int) bool { return out.Console[i].After < out.Console[j].After })
}

func sourceOf(l trace.Location) string {
	if l.URL == "" {
		return ""
	}
	return place(l.URL, l.Line+1)
}

func bad(r *trace.Request) bool {
	return !r.Pending() && (r.Failed() || r.Response.Status >= 400)
}

// noise are requests that fail everywhere and hardly ever matter.
var noise = lazyregexp.New(`(?i)/favicon\.ico|apple-touch-icon|\.map(\?|$|:)|google-analytics\.com|googletagmanager\.com|doubleclick\.net|/gtag/|hotjar\.|segment\.(io|com)|sentry\.io|browser-intake|datadoghq|newrelic|nr-data\.net|fullstory|clarity\.ms|facebook\.com/tr|/collect\?|mixpanel|amplitude\.com|posthog`)

func outcome(r *trace.Request) string {
	switch {
	case r.Pending():
		return "no answer yet"
	case r.WasAborted:
		return "aborted by the test"
	case r.Failed() && r.Response.FailureText != "":
		return strings.TrimPrefix(r.Response.FailureText, "net::")
	case r.Failed():
		return "no answer"
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", r.Response.Status, r.Response.StatusText))
}

func (f *finder) request(r *trace.Request, e *trace.Failure) Request {
	out := Request{After: ms(r.End, e.Time), Method: r.Request.Method, URL: f.clean(r.Request.URL, 300), Status: max(0, r.Response.Status),
		Pending: r.Pending(), Took: -1, Line: place(r.Position.File, r.Position.Line)}
	if !r.Pending() {
		out.Took = round(float64(r.End.Sub(r.Start)) / 1e6)
	}
	if r.Failed() && !r.Pending() {
		out.Failure = f.clean(outcome(r), 120)
	}
	if f.o.NoBodies {
		return out
	}
	if p := r.Request.PostData; p != nil {
		out.Sent = f.body(p.Text, p.File, p.MimeType)
	}
	c := r.Response.Content
	if c.Encoding == "" || c.File != "" {
		out.Received = f.body(c.Text, c.File, c.MimeType)
	}
	return out
}

// mostBody is how much of a body is read for its beginning to be shown.
const mostBody = 256 << 10

func (f *finder) body(text, file, mime string) string {
	if text == "" && file != "" && f.a != nil && textual(mime) {
		rc, err := f.a.Resource(f.ctx, file)
		if err != nil {
			return ""
		}
		defer rc.Close()
		b, _ := io.ReadAll(io.LimitReader(rc, mostBody)) // the good part of a damaged one is what there is
		text = string(b)
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	if m := strings.TrimSpace(text); strings.HasPrefix(m, "<") {
		return f.clean(strings.Join(strings.Fields(tags.ReplaceAllString(f.o.Mask(m), " ")), " "), f.o.MaxBody)
	}
	return f.clean(strings.Join(strings.Fields(f.o.Mask(text)), " "), f.o.MaxBody)
}

var tags = lazyregexp.New(`(?is)<(script|style)\b.*?</(script|style)>|<[^>]*>`)

func textual(mime string) bool {
	m := strings.ToLower(mime)
	for _, part := range []string{"json", "text/plain", "html", "xml", "form", "graphql", "text/event"} {
		if strings.Contains(m, part) {
			return true
		}
	}
	return m == ""
}

func ms(at, of trace.Time) float64 { return round(float64(at.Sub(of)) / 1e6) }

func round(v float64) float64 { return math.Round(v*10) / 10 }

// ShortURL writes an address without its scheme, and data addresses without
// their data.
func ShortURL(s string) string {
	if strings.HasPrefix(s, "data:") {
		head, _, _ := strings.Cut(s, ",")
		return head + ",…"
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return s
	}
	rest := u.Host + u.EscapedPath()
	if u.RawQuery != "" {
		rest += "?" + u.RawQuery
	}
	return rest
}

// Outcome is what came of the request, in a word or two.
func (r *Request) Outcome() string {
	switch {
	case r.Pending:
		return "no answer yet"
	case r.Failure != "":
		return r.Failure
	}
	return fmt.Sprint(r.Status)
}
