package audit

import (
	"fmt"

	"github.com/tracedeck/tracedeck/trace/verdict"
)

// What the checks look at.
const (
	srcURLs     = "request_urls"
	srcSent     = "request_bodies"
	srcReceived = "response_bodies"
	srcScripts  = "scripts"
	srcConsole  = "console"
	srcSockets  = "websocket_messages"
	srcHeaders  = "page_headers"
	srcCookies  = "response_headers"
	srcAsked    = "request_headers"
	srcPages    = "dom_snapshots"
	srcActions  = "actions"
)

// looksAt says which check looks at what.
var looksAt = map[string][]string{
	Credentials: {srcURLs, srcAsked, srcSent, srcReceived, srcScripts, srcConsole, srcSockets, srcPages, srcActions},
	Auth:        {srcReceived},
	Personal:    {srcURLs, srcSent, srcReceived, srcConsole, srcSockets, srcPages, srcActions},
	Transport:   {srcURLs},
	Headers:     {srcHeaders},
	Cookies:     {srcCookies},
}

var sourceNouns = map[string]string{srcURLs: "addresses", srcSent: "request bodies", srcReceived: "response bodies", srcScripts: "scripts",
	srcConsole: "messages of the console", srcSockets: "connections' messages", srcHeaders: "pages' headers", srcCookies: "responses' headers",
	srcAsked: "requests' headers", srcPages: "DOM snapshots", srcActions: "actions"}

func (s *scan) source(name string) *verdict.Source {
	src := s.sources[name]
	if src == nil {
		src = &verdict.Source{Name: name}
		s.sources[name] = src
	}
	return src
}

// states says what became of each check.
func (s *scan) states() (list []verdict.Check) {
	for _, name := range Checks {
		if !s.checks[name] {
			continue
		}
		c := verdict.Check{Name: name, Sources: []verdict.Source{}}
		for _, src := range looksAt[name] {
			c.Sources = append(c.Sources, s.settled(src))
		}
		c.State = verdict.StateOf(c.Sources)
		list = append(list, c)
	}
	return list
}

// settled is a source with its state: that there was nothing to look at is told
// apart from that nothing was recorded.
func (s *scan) settled(name string) verdict.Source {
	src := *s.source(name)
	noun := sourceNouns[name]
	requests := s.sources[srcURLs] != nil && s.sources[srcURLs].Looked > 0
	switch {
	case src.Looked == 0 && src.Missing > 0:
		src.State, src.Reason = verdict.NotRecorded, fmt.Sprintf("the %s are not in the trace", noun)
	case src.Missing > 0:
		src.State, src.Reason = verdict.Partial, fmt.Sprintf("%d of %d %s are not in the trace", src.Missing, src.Missing+src.Looked, noun)
	case src.Skipped > 0:
		src.State, src.Reason = verdict.Partial, fmt.Sprintf("of %d %s only the beginning was looked at", src.Skipped, noun)
	case src.Looked > 0:
		src.State = verdict.Clean
	case name == srcConsole:
		if src.State = verdict.Clean; !s.listens {
			src.State, src.Reason = verdict.NotRecorded, "no message of the console is in the trace, and its recorder may not have listened"
		}
	case name == srcPages || name == srcActions:
		src.State, src.Reason = verdict.NotRecorded, fmt.Sprintf("no %s are in the trace", noun)
	case !requests:
		src.State, src.Reason = verdict.NotRecorded, "no requests are in the trace"
		if !s.o.URL.All() {
			src.Reason = "no requests that the filter selects are in the trace"
		}
	default:
		src.State = verdict.Clean
	}
	return src
}
