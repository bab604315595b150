package diff

import (
	"net/url"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

// Path returns the path of an address with its ids masked: what calls of the
// same page or operation have in common on any host.
func (m *Masks) Path(address string) string { return m.pathOf(address) }

// Endpoint names what a request asks for: method, host, path with its ids
// masked, and the GraphQL operation, for which body is called where the request
// does not hold it. Hosts that are the machine itself are one.
func (m *Masks) Endpoint(r *har.Request, body func() string) string {
	name := r.Method + " " + m.Path(r.URL)
	if u, err := url.Parse(r.URL); err == nil && u.Host != "" {
		host := m.Text(InURL, u.Scheme+"://"+u.Host)
		host = strings.TrimPrefix(strings.TrimPrefix(host, "https://"), "http://")
		name = r.Method + " " + strings.Replace(host, "[local]", "", 1) + m.Path(r.URL)
	}
	if op := operation(r.PostData, body); op != "" {
		name += " (" + op + ")"
	}
	return name
}

// Message returns the text of an error or message without what differs from
// run to run, colours, and the log that Playwright adds to it.
func (m *Masks) Message(text string) string {
	return m.Text(InMessage, withoutLog(strings.TrimSpace(sgr.ReplaceAllString(text, ""))))
}

// TopFrame returns the function and the script at the top of a stack, without
// the place in it; "" where there is none.
func (m *Masks) TopFrame(stack string) string { return topFrame(m, stack) }

// StepName returns what tells an action from others in any recording of the
// session: its method and the element or address it is about.
func (m *Masks) StepName(a *trace.Action) string {
	s := Step{Title: a.Title().String(), action: a}
	return methodOf(a.Before.Method) + " " + m.Text(InStep, s.Title)
}

// IsSocket reports whether a request opened a WebSocket.
func IsSocket(r *trace.Request) bool { return isSocket(r) }

// RecordsNetwork reports whether a trace holds requests, or would if there had
// been any.
func RecordsNetwork(t *trace.Trace) bool { return recordsNetwork(t) }
