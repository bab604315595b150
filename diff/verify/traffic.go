package verify

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/failures"
)

func (c *capturer) network() {
	for _, r := range c.t.Network {
		if diff.IsSocket(r) || !c.o.URL.Match(r.Request.URL) || r.Pending() {
			continue
		}
		name := c.stable(c.masks.Endpoint(&r.Request, func() string { return c.sent(r) }))
		e := c.calls[name]
		if e == nil {
			if len(c.calls) >= mostKinds {
				c.lost++
				continue
			}
			e = &Endpoint{Name: name, last: -1}
			c.calls[name] = e
		}
		e.Calls++
		e.Bytes += int64(max(0, r.Response.TransferSize, r.Response.Content.Size))
		if r.Time > 0 {
			e.took = append(e.took, r.Time)
		}
		status := r.Response.Status
		if r.Failed() {
			status = 0
		}
		if end := float64(r.End); end >= e.last {
			e.last, e.Status, e.Type = end, status, mime(r.Response.Content.MimeType)
		}
		if status >= 400 || status == 0 && !aborted(r) {
			e.Failed++
			c.failed(r, name, status)
		}
	}
	for name, e := range c.calls {
		for _, kind := range []string{"status", "no answer"} {
			if i := c.issues[key("network", name, kind)]; i != nil {
				i.Calls = e.Calls
			}
		}
	}
}

// aborted reports whether the page itself gave the request up, as it does when
// it is left.
func aborted(r *trace.Request) bool {
	return r.WasAborted || strings.Contains(r.Response.FailureText, "ABORTED") || r.Response.Status > 0
}

// failed notes that an endpoint failed: with a status, or without an answer,
// which is a kind of its own. Which status it was does not matter.
func (c *capturer) failed(r *trace.Request, name string, status int) {
	kind, text := "status", fmt.Sprintf("%s → %d", name, status)
	if status == 0 {
		kind, text = "no answer", name+" → no answer"
		if r.Response.FailureText != "" {
			text += " (" + strings.TrimPrefix(r.Response.FailureText, "net::") + ")"
		}
	}
	i := Issue{Key: key("network", name, kind), Category: Network, Message: c.clean(text), Endpoint: name, Status: status}
	c.add(c.issues, r.Start, r.PageRef, i)
	if old := c.issues[i.Key]; old != nil && float64(r.Start) >= old.at { // the last answer is what it came to
		old.Status, old.Message, old.at = i.Status, i.Message, float64(r.Start)
	}
}

func mime(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return failures.Cut(strings.TrimSpace(s), 80)
}

// sent reads the body of a request, for its GraphQL operation.
func (c *capturer) sent(r *trace.Request) string {
	p := r.Request.PostData
	switch {
	case p == nil:
		return ""
	case p.Text != "" || p.File == "" || c.a == nil:
		return p.Text
	}
	return c.resource(p.File)
}

func (c *capturer) resource(file string) string {
	rc, err := c.a.Resource(c.ctx, file)
	if err != nil {
		return ""
	}
	defer rc.Close()
	b, _ := io.ReadAll(io.LimitReader(rc, mostBody)) // the good part of a damaged one is what there is
	return string(b)
}

func (c *capturer) sockets() {
	all := map[string]*Socket{}
	spans := map[string]float64{}
	for _, r := range c.t.Network {
		if !diff.IsSocket(r) || !c.o.URL.Match(r.Request.URL) {
			continue
		}
		path := c.stable(c.masks.Path(r.Request.URL))
		s := all[path]
		if s == nil {
			if len(all) >= MostEndpoints {
				continue
			}
			s = &Socket{Path: path}
			all[path] = s
		}
		s.Connections++
		s.State = "closed"
		if r.Pending() {
			s.State = "open"
		}
		spans[path] += max(r.Time, ms(time.Duration(r.End-r.Start)))
		c.talk(r, s)
	}
	c.state.Sockets = []Socket{}
	for path, s := range all {
		if spans[path] > 0 {
			s.Rate = float64(int(float64(s.Messages)/spans[path]*1e5)) / 100
		}
		c.state.Sockets = append(c.state.Sockets, *s)
	}
	slices.SortFunc(c.state.Sockets, func(a, b Socket) int { return cmp.Compare(a.Path, b.Path) })
}

// talk counts what went over a socket: a JSON object a line.
func (c *capturer) talk(r *trace.Request, s *Socket) {
	if r.Response.Content.File == "" || c.a == nil {
		return
	}
	rc, err := c.a.Resource(c.ctx, r.Response.Content.File)
	if err != nil {
		return
	}
	defer rc.Close()
	lines := bufio.NewScanner(io.LimitReader(rc, 64<<20))
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var m struct {
			Type string
			Code int
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			continue
		}
		switch m.Type {
		case "send", "receive":
			s.Messages++
		case "close":
			s.State, s.CloseCode = "closed", m.Code
		}
	}
}
