package mock

import (
	"context"
	"encoding/base64"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace/har"
)

type object = map[string]any

// Attachment is a Router at work in a browser. Close it.
type Attachment struct {
	r       *Router
	b       *rod.Browser
	context string
	stop    context.CancelFunc
	done    chan struct{}
	calls   sync.WaitGroup
	ready   sync.WaitGroup

	mu      sync.Mutex
	targets map[string]string // sessions by target
	mine    map[string]bool   // sessions
}

// Attach has the router decide about all requests of a browser, or, if contextID
// is not "", of one of its contexts: of pages, frames in other processes, and
// workers, those that are there and those that come. It runs the script in every
// document that is loaded from now on.
func (r *Router) Attach(ctx context.Context, b *rod.Browser, contextID string) (*Attachment, error) {
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	a := &Attachment{r: r, b: b.Context(life), context: contextID, stop: stop, done: make(chan struct{}), targets: map[string]string{}, mine: map[string]bool{}}
	messages := a.b.Event()
	go func() {
		defer close(a.done)
		for m := range messages {
			a.hear(life, m)
		}
	}()
	if err := a.autoAttach(ctx, ""); err != nil {
		_ = a.Close()
		return nil, err
	}
	a.ready.Wait()
	return a, nil
}

// Close lets the browser's requests go again.
func (a *Attachment) Close() error {
	a.mu.Lock()
	var sessions []string
	for s := range a.mine {
		sessions = append(sessions, s)
	}
	a.mu.Unlock()
	err := a.call(a.b.GetContext(), "", "Target.setAutoAttach", object{"autoAttach": false, "waitForDebuggerOnStart": false, "flatten": true})
	for _, s := range sessions {
		_ = a.call(a.b.GetContext(), s, "Fetch.disable", object{})
	}
	a.stop()
	<-a.done
	a.calls.Wait()
	return err
}

func (a *Attachment) call(ctx context.Context, session, method string, params object) error {
	_, err := a.b.Call(ctx, session, method, params)
	return err
}

func (a *Attachment) autoAttach(ctx context.Context, session string) error {
	return a.call(ctx, session, "Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
}

func (a *Attachment) hear(ctx context.Context, m *rod.Message) {
	switch m.Method {
	case "Target.attachedToTarget":
		var e proto.TargetAttachedToTarget
		if m.Load(&e) {
			a.attached(ctx, &e)
		}
	case "Target.detachedFromTarget":
		var e proto.TargetDetachedFromTarget
		if m.Load(&e) {
			a.detached(string(e.SessionID))
		}
	case "Fetch.requestPaused":
		var e proto.FetchRequestPaused
		if a.owns(string(m.SessionID)) && m.Load(&e) {
			a.spawn(func() { a.answer(ctx, string(m.SessionID), &e) })
		}
	case "Runtime.bindingCalled":
		var e proto.RuntimeBindingCalled
		if a.owns(string(m.SessionID)) && m.Load(&e) && e.Name == determinism.Teller {
			a.share(ctx, a.r.Hear(e.Payload))
		}
	}
}

// share has a script run in the documents to come, after the router's.
func (a *Attachment) share(ctx context.Context, script string) {
	if script == "" {
		return
	}
	a.mu.Lock()
	var list []string
	for s := range a.mine {
		list = append(list, s)
	}
	a.mu.Unlock()
	a.spawn(func() {
		for _, s := range list {
			_ = a.call(ctx, s, "Page.addScriptToEvaluateOnNewDocument", object{"source": script})
		}
	})
}

func (a *Attachment) spawn(do func()) {
	a.calls.Add(1)
	go func() { defer a.calls.Done(); do() }()
}

func (a *Attachment) owns(session string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mine[session]
}

func (a *Attachment) detached(session string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.mine, session)
	for t, s := range a.targets {
		if s == session {
			delete(a.targets, t)
		}
	}
}

// attached sets a target up. Others attach to the same targets for reasons of
// their own; a request that is held twice would be answered twice.
func (a *Attachment) attached(ctx context.Context, e *proto.TargetAttachedToTarget) {
	session, target := string(e.SessionID), string(e.TargetInfo.TargetID)
	a.mu.Lock()
	foreign := a.targets[target] != "" || a.context != "" && string(e.TargetInfo.BrowserContextID) != a.context
	if !foreign {
		a.targets[target], a.mine[session] = session, true
	}
	a.mu.Unlock()
	a.ready.Add(1)
	a.spawn(func() {
		defer a.ready.Done()
		if !foreign {
			a.setUp(ctx, session, string(e.TargetInfo.Type))
		}
		if e.WaitingForDebugger {
			_ = a.call(ctx, session, "Runtime.runIfWaitingForDebugger", object{})
		}
	})
}

// setUp is done one call after the other; what a kind of target does not know
// it refuses, which does not matter.
func (a *Attachment) setUp(ctx context.Context, session, kind string) {
	_ = a.call(ctx, session, "Fetch.enable", object{"patterns": []object{{"urlPattern": "*"}}})
	_ = a.autoAttach(ctx, session)
	if kind != "page" && kind != "iframe" {
		return
	}
	_ = a.call(ctx, session, "Runtime.enable", object{}) // or else the binding is lost when the page gets another process
	_ = a.call(ctx, session, "Runtime.addBinding", object{"name": determinism.Teller})
	_ = a.call(ctx, session, "Network.enable", object{"maxTotalBufferSize": 0})
	_ = a.call(ctx, session, "Network.setBypassServiceWorker", object{"bypass": true}) // it would answer before the recording does
	_ = a.call(ctx, session, "Page.enable", object{})
	_ = a.call(ctx, session, "Page.addScriptToEvaluateOnNewDocument", object{"source": a.r.Script(), "runImmediately": true})
}

func (a *Attachment) answer(ctx context.Context, session string, e *proto.FetchRequestPaused) {
	q := &Request{Method: e.Request.Method, URL: e.Request.URL + e.Request.URLFragment, Type: string(e.ResourceType), Headers: map[string]string{}}
	for k, v := range e.Request.Headers {
		q.Headers[k] = v.String()
	}
	a.body(ctx, session, e, q)
	ans := a.r.Answer(ctx, q)
	id := e.RequestID
	switch ans.Decision {
	case Hold:
		if ans.Held == 0 {
			return
		}
		select {
		case <-time.After(ans.Held):
			_ = a.call(ctx, session, "Fetch.failRequest", object{"requestId": id, "errorReason": "Aborted"})
		case <-ctx.Done():
		}
	case Fail:
		_ = a.call(ctx, session, "Fetch.failRequest", object{"requestId": id, "errorReason": ans.Reason})
	case Fulfil:
		err := a.call(ctx, session, "Fetch.fulfillRequest", object{"requestId": id, "responseCode": ans.Status, "responseHeaders": pairs(ans.Headers), "body": base64.StdEncoding.EncodeToString(ans.Body)})
		if err != nil { // gone, or a header that the browser does not take
			_ = a.call(ctx, session, "Fetch.failRequest", object{"requestId": id, "errorReason": "Failed"})
		}
	default:
		params := object{"requestId": id}
		if ans.URL != "" {
			params["url"] = ans.URL
		}
		_ = a.call(ctx, session, "Fetch.continueRequest", params)
	}
}

// body puts together what was sent. Parts that are files come without bytes.
func (a *Attachment) body(ctx context.Context, session string, e *proto.FetchRequestPaused, q *Request) {
	whole := len(e.Request.PostDataEntries) > 0
	for _, p := range e.Request.PostDataEntries {
		q.Body = append(q.Body, p.Bytes...)
		whole = whole && len(p.Bytes) > 0
	}
	if !whole && e.Request.HasPostData {
		q.Body = []byte(e.Request.PostData)
		if len(q.Body) == 0 {
			r, err := proto.NetworkGetRequestPostData{RequestID: proto.NetworkRequestID(e.NetworkID)}.Call(a.b.PageFromSession(proto.TargetSessionID(session)).Context(ctx))
			if err != nil {
				q.NoBody = true
				return
			}
			q.Body = []byte(r.PostData)
		}
	}
}

func pairs(list []har.NameValue) []object {
	out := []object{}
	for _, h := range list {
		out = append(out, object{"name": h.Name, "value": strings.Map(printable, h.Value)})
	}
	return out
}

func printable(c rune) rune {
	if c == '\n' || c == '\r' || c == 0 {
		return ' '
	}
	return c
}
