package cdp

import (
	"encoding/json"
	"strings"
	"time"
)

// The browser does not always tell what the request for a service worker's own
// script was answered. A worker that runs tells what it runs.

var scriptEvents = map[string]func(*Recorder, *session, event){"Debugger.scriptParsed": on(scriptParsed)}

// untold reports whether nothing was told of what a worker's script was
// answered, so that the worker is to be asked.
func (h *hop) untold(s *session) bool {
	return h.response == nil && h.failure == nil && s != nil && s.target.Type == "service_worker" && sameFile(h.sentInfo.URL, s.target.URL)
}

// takeScript asks a service worker for its script where the answer to the
// request for it was not told.
func (r *Recorder) takeScript(h *hop) {
	s := h.request.session
	if h.ended || r.o.VirtualTime || s == nil || s.script != nil || s.target.Type != "service_worker" || r.sessions[s.id] != s || !sameFile(h.sentInfo.URL, s.target.URL) {
		return
	}
	h.asked = min(h.asked+1, 10)
	s.script, h.idle.state = h, bodyFetching
	r.conn.Send(s.id, "Debugger.enable", nil, func(_ raw, err error) {
		if err != nil {
			s.script, h.idle = nil, body{}
		}
	})
	r.send(s, "Debugger.setSkipAllPauses", object{"skip": true})
	r.conn.Send(s.id, "Runtime.getIsolateId", nil, func(raw, error) { // the scripts that there are have been told by now
		if s.script == h && h.idle.note == "" {
			s.script, h.idle = nil, body{}
			r.send(s, "Debugger.disable", nil)
		}
	})
}

func scriptParsed(r *Recorder, s *session, p *struct {
	ID  string `json:"scriptId"`
	URL string `json:"url"`
}, _ event) {
	h := s.script
	if h == nil || !sameFile(p.URL, h.sentInfo.URL) || h.idle.note != "" {
		return
	}
	h.idle.note = "asked for"
	r.conn.Send(s.id, "Debugger.getScriptSource", object{"scriptId": p.ID}, func(result raw, err error) {
		var got struct {
			Source string `json:"scriptSource"`
		}
		s.script, h.idle = nil, body{}
		if err == nil && json.Unmarshal(result, &got) == nil && !h.ended {
			h.ran(r, got.Source)
		}
	})
	r.send(s, "Debugger.disable", nil)
}

// ran makes the script that a worker ran the answer to the request for it. That
// it ran says that the answer was good and a script.
func (h *hop) ran(r *Recorder, source string) {
	if h.response == nil {
		h.response, h.hasExtra = &response{Status: 200, MimeType: "text/javascript", Headers: map[string]string{"Content-Type": "text/javascript"}}, false
	}
	h.ended, h.end, h.endedAt = true, max(h.start, h.head), time.Now()
	h.body = body{state: bodySkipped, size: int64(len(source)), note: "bodies are not recorded"}
	if r.o.Bodies {
		h.body = r.keep([]byte(source), ".js")
		h.body.note = "what the worker ran: the browser did not tell what it was answered"
	}
	r.writeWhole(h.request)
}

// sameFile reports whether two addresses are one but for their fragments.
func sameFile(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}
