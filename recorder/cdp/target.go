package cdp

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// session is what is recorded of one target: a page, a frame in a process of
// its own, or a worker.
type session struct {
	id      string
	target  targetInfo
	page    *page    // it belongs to; nil for service and shared workers
	parent  *session // nil for what the browser itself announced
	console flood
	worker  string     // "worker@…" for workers
	told    bool       // the browser has repeated what was said before
	said    trace.Time // when the last message came
	durable bool       // bodies are kept outside of the target's process
	script  *hop       // the request for its script, while the worker is asked for that
}

type targetInfo struct {
	ID      string `json:"targetId"`
	Type    string `json:"type"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Opener  string `json:"openerId"`
	Context string `json:"browserContextId"`
}

var targetEvents = map[string]func(*Recorder, *session, event){
	"Target.attachedToTarget":   on(attached),
	"Target.detachedFromTarget": on(detached),
	"Target.targetDestroyed":    on(destroyed),
	"Target.targetInfoChanged":  on(infoChanged),
}

type attachedParams struct {
	SessionID string     `json:"sessionId"`
	Info      targetInfo `json:"targetInfo"`
	Waiting   bool       `json:"waitingForDebugger"`
}

type object = map[string]any

// autoAttach is what makes the browser hold new targets until they are recorded.
func autoAttach() object {
	return object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}
}

// attach asks for all pages, lets go of those outside of the scope, and waits
// until the others are recorded. The browser announces popups to nobody else.
func (r *Recorder) attach(ctx context.Context) error {
	if err := r.conn.Call(ctx, "", "Target.setDiscoverTargets", object{"discover": true}, nil); err != nil {
		return err
	}
	all := autoAttach()
	if r.o.VirtualTime { // who drives the clock brings shared workers to their first statement; two cannot
		all["filter"] = []object{{"type": "shared_worker", "exclude": true}, {"type": "browser", "exclude": true}, {"type": "tab", "exclude": true}, {}}
	}
	if err := r.conn.Call(ctx, "", "Target.setAutoAttach", all, nil); err != nil {
		return err
	}
	return r.ready(ctx)
}

// ready waits until everything sent so far has been answered.
func (r *Recorder) ready(ctx context.Context) error {
	var ids []string
	if err := r.caughtUp(ctx, func() {
		for id, s := range r.sessions {
			if s.target.Type == "page" {
				ids = append(ids, id)
			}
		}
	}); err != nil {
		return err
	}
	for _, id := range ids {
		// The page's process has to have what it was sent: if it is left before,
		// the next one does not get it. One that shows a dialog or hangs does not
		// answer, and is not waited for.
		wait, cancel := context.WithTimeout(ctx, 2*time.Second)
		_ = r.conn.Call(wait, id, "Page.getFrameTree", nil, nil)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func attached(r *Recorder, parent *session, p *attachedParams, e event) {
	if r.sessions[p.SessionID] != nil {
		return
	}
	s := &session{id: p.SessionID, target: p.Info, parent: parent}
	if parent != nil {
		s.page = parent.page
	}
	r.sessions[s.id] = s
	// Service workers are announced by the browser and by each page they serve.
	if r.recorded(s) || parent == nil && !r.wanted(p.Info) {
		r.leave(s)
		return
	}
	switch p.Info.Type {
	case "page":
		r.openPage(s, e)
	case "iframe":
		r.openFrame(s)
	case "worker", "shared_worker", "service_worker", "worklet", "shared_storage_worklet", "auction_worklet":
		r.openWorker(s, e)
	default:
		r.leave(s)
	}
}

// recorded reports whether another session records the same target.
func (r *Recorder) recorded(s *session) bool {
	for _, other := range r.sessions {
		if other != s && other.target.ID == s.target.ID {
			return true
		}
	}
	return false
}

// wanted reports whether a target that the browser announced is in the scope.
func (r *Recorder) wanted(t targetInfo) bool {
	switch {
	case strings.HasPrefix(t.URL, "devtools://"), strings.HasPrefix(t.URL, "chrome-extension://"):
		return false
	case r.scope.Target != "":
		return t.ID == r.scope.Target || r.pages[t.Opener] != nil
	case r.scope.BrowserContext != "":
		return t.Context == r.scope.BrowserContext
	}
	return true
}

// leave lets go of a target that is none of ours.
func (r *Recorder) leave(s *session) {
	r.send(s, "Runtime.runIfWaitingForDebugger", nil)
	delete(r.sessions, s.id)
	r.conn.Send("", "Target.detachFromTarget", object{"sessionId": s.id}, nil)
}

// send gives a session a command whose answer does not matter.
func (r *Recorder) send(s *session, method string, params any) {
	r.conn.Send(s.id, method, params, nil)
}

func (r *Recorder) openWorker(s *session, e event) {
	s.worker = "worker@" + strings.ToLower(s.target.ID)
	r.happened(r.arrived(e.at), "worker", pageOf(s), map[string]any{"workerId": s.worker, "url": s.target.URL, "kind": s.target.Type})
	r.enableNetwork(s)
	r.yieldToWorkers()
	r.enableConsole(s)
	r.send(s, "Target.setAutoAttach", autoAttach())
	r.send(s, "Runtime.runIfWaitingForDebugger", nil)
}

func pageOf(s *session) string {
	if s == nil || s.page == nil {
		return ""
	}
	return s.page.id
}

func detached(r *Recorder, _ *session, p *struct {
	SessionID string `json:"sessionId"`
}, e event) {
	s := r.sessions[p.SessionID]
	if s == nil {
		return
	}
	s.console.report(r, s, true)
	delete(r.sessions, s.id)
	r.endRequests(s, r.arrived(e.at))
	switch {
	case s.target.Type == "page":
		r.closePage(s.page, e)
	case s.worker != "":
		r.happened(r.arrived(e.at), "workerClosed", pageOf(s), map[string]any{"workerId": s.worker})
	}
}

func destroyed(r *Recorder, _ *session, p *struct {
	ID string `json:"targetId"`
}, e event) {
	if page := r.pages[p.ID]; page != nil {
		r.closePage(page, e)
	}
}

func infoChanged(r *Recorder, _ *session, p *struct {
	Info targetInfo `json:"targetInfo"`
}, _ event) {
	for _, s := range r.sessions {
		if s.target.ID == p.Info.ID {
			s.target = p.Info
		}
	}
}

// raw is for parameters that are written as they came.
type raw = json.RawMessage
