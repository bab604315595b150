package determinism

import (
	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// mostShared is how many scripts may come of what others tell.
const mostShared = 2000

// scripts are what runs in each document and worker that begins now.
func (s *Session) scripts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(append([]string{}, s.o.Scripts...), s.shared...)
}

// told gives the listener what a script has told, and all realms what comes of
// it.
func (s *Session) told(m *rod.Message) {
	var e proto.RuntimeBindingCalled
	if s.o.Hear == nil || !m.Load(&e) || e.Name != Teller {
		return
	}
	script := s.o.Hear(e.Payload)
	s.mu.Lock()
	if script == "" || len(s.shared) >= mostShared {
		s.mu.Unlock()
		return
	}
	s.shared = append(s.shared, script)
	s.mu.Unlock()
	s.background(func() { s.share(script) })
}

// share runs a script in all documents and workers that there are, and has it
// run in the documents to come.
func (s *Session) share(script string) {
	ctx, cancel := s.ctx()
	defer cancel()
	for _, p := range s.Pages() {
		_ = s.b.call(ctx, p.session, "Page.addScriptToEvaluateOnNewDocument", object{"source": script, "runImmediately": false}, nil)
		_ = p.everyFrame(ctx, script)
	}
	for _, session := range s.working.sessions() {
		_ = s.b.call(ctx, session, "Runtime.evaluate", object{"expression": script}, nil)
	}
}
