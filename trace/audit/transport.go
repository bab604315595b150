package audit

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace/verdict"
)

// exposed is a request that could be read on the way. Whether it is mixed content
// is known when all frames are.
type exposed struct {
	frame    string
	endpoint string
	evidence verdict.Evidence
	page     string
	active   bool // runs in the page, or is read by what does
	blocked  bool
	upgraded bool
	socket   bool
	secret   bool
	document bool
}

const maxExposed = 20_000

func (s *scan) transport(x *exchange) {
	if s.endpointOf(x); !x.exposed() {
		return
	}
	if len(s.exposed) >= maxExposed {
		s.dropped++
		return
	}
	e := exposed{frame: x.FrameRef, endpoint: x.endpoint, evidence: x.evidence("request"), page: x.page, socket: x.scheme == "ws" || x.ResourceType == "websocket",
		document: isDocument(x.Entry), blocked: strings.Contains(strings.ToLower(x.Response.FailureText), "blocked") || strings.Contains(strings.ToLower(x.Response.FailureText), "mixed")}
	e.upgraded = x.Response.Status == 307 && strings.HasPrefix(strings.ToLower(x.Response.Header("Location")), "https:") && x.Response.Header("Non-Authoritative-Reason") != ""
	e.secret = x.secret || x.auth && !e.upgraded
	switch x.ResourceType {
	case "script", "stylesheet", "xhr", "fetch", "document", "eventsource", "websocket":
		e.active = true
	case "":
		k := kindOf(x.Response.Content.MimeType)
		e.active = k == script || k == data
	}
	s.exposed = append(s.exposed, e)
}

func (s *scan) lateTransport() {
	for _, e := range s.exposed {
		page := e.page
		if page == "" {
			page = s.pages[e.frame]
		}
		a := parseAddress(page)
		code, severity := "http-request", verdict.Warning
		switch {
		case e.secret && !e.blocked:
			code, severity = "secret-over-http", verdict.Critical
		case e.socket:
			code = "insecure-websocket"
		case !a.bad && a.secure() && !e.document:
			if code = "mixed-content"; e.active {
				severity = verdict.Critical
			}
		case page == "":
			e.evidence.Notes = append(e.evidence.Notes, "the page that asked is not known, so it is not told whether this is mixed content")
		}
		if e.blocked {
			severity = verdict.Info
			e.evidence.Notes = append(e.evidence.Notes, "the browser blocked it")
		}
		if e.upgraded {
			severity = verdict.Info
			e.evidence.Notes = append(e.evidence.Notes, "the browser went to https by itself")
		}
		if e.evidence.Page == "" && !a.bad {
			e.evidence.Page = a.shown()
		}
		s.add(code, severity, e.evidence, e.endpoint, "")
	}
}
