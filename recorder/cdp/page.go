package cdp

import (
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// page is a tab or a popup.
type page struct {
	id      string // "page@…"
	target  string
	opener  string // page id
	session *session
	url     string
	closed  bool
	opened  time.Time
	overlay string // what its overlay was told last
	cast    screencast
	width   float64 // of the viewport, CSS pixels; 0 while unknown
	height  float64

	lastAct trace.Time // when the user's last act began
	act     *act       // what the user does; nil if nothing
	// keepsBodies says that bodies are kept by the page's process.
	keepsBodies bool
	described   bool    // whether its environment is recorded
	ending      *ending // of an action that waits for the page to load
	loading     navigation
	errands     []errand  // what waits until it has loaded
	left        time.Time // when it came to the document that it shows
	driven      time.Time // when an action that somebody else carried out ended
	drivenID    string    // of that action
}

// frame is a document's place in a page.
type frame struct {
	id       string // as the browser calls it
	parent   string
	url      string
	loader   string
	page     *page
	session  *session
	world    *world // where the scripts run; nil while there is none
	owner    *world // which knows the element that shows the frame
	selector string // of that element
}

// ref is how events mean the frame.
func (f *frame) ref() string { return frameRef(f.id) }

func frameRef(id string) string {
	if id == "" {
		return ""
	}
	return "frame@" + strings.ToLower(id)
}

func pageRef(target string) string { return "page@" + strings.ToLower(target) }

var pageEvents = map[string]func(*Recorder, *session, event){
	"Page.documentOpened":           on(documentOpened),
	"Page.windowOpen":               on(windowOpened),
	"Page.frameAttached":            on(frameAttached),
	"Page.frameDetached":            on(frameDetached),
	"Page.frameNavigated":           on(frameNavigated),
	"Page.navigatedWithinDocument":  on(navigatedWithin),
	"Page.frameRequestedNavigation": on(requestedNavigation),
	"Page.frameStartedNavigating":   on(startedNavigating),
	"Page.frameStoppedLoading":      on(stoppedLoading),
	"Page.lifecycleEvent":           on(lifecycle),
	"Page.javascriptDialogOpening":  on(dialogOpened),
	"Page.javascriptDialogClosed":   on(dialogClosed),
	"Page.downloadWillBegin":        on(downloadBegins),
	"Page.downloadProgress":         on(downloadGoesOn),
	"Page.screencastFrame":          screencastFrame,
	"Page.fileChooserOpened":        on(fileChooser),
	"Inspector.targetCrashed":       pageCrashed,
}

func (r *Recorder) openPage(s *session, e event) {
	p := &page{id: pageRef(s.target.ID), target: s.target.ID, session: s, url: s.target.URL, opened: e.at}
	if opener := r.pages[s.target.Opener]; opener != nil {
		p.opener = opener.id
	}
	s.page = p
	r.pages[p.target], r.paged = p, true
	r.frames[p.target] = &frame{id: p.target, url: p.url, page: p, session: s}
	r.announce(p, r.arrived(e.at))
	r.enablePage(s)
	r.startCast(p)
	r.send(s, "Runtime.runIfWaitingForDebugger", nil)
}

// announce says that a page is there, at the beginning of its life or of a chunk.
func (r *Recorder) announce(p *page, at trace.Time) {
	params := map[string]any{"url": p.url}
	if p.opener != "" {
		params["openerPageId"] = p.opener
	}
	r.happened(at, "page", p.id, params)
}

// openFrame records a frame whose site has a process of its own.
func (r *Recorder) openFrame(s *session) {
	if s.page == nil {
		r.leave(s)
		return
	}
	if f := r.frames[s.target.ID]; f != nil {
		f.session = s
	} else {
		r.frames[s.target.ID] = &frame{id: s.target.ID, url: s.target.URL, page: s.page, session: s}
	}
	r.enablePage(s)
	r.send(s, "Runtime.runIfWaitingForDebugger", nil)
}

// enablePage turns on what is recorded of a page or a frame with its own process.
func (r *Recorder) enablePage(s *session) {
	r.send(s, "Page.enable", nil)
	r.conn.Send(s.id, "Page.getFrameTree", nil, r.frameTree(s))
	r.send(s, "Page.setLifecycleEventsEnabled", object{"enabled": true})
	r.enableNetwork(s)
	r.input.enable(s)
	r.enableConsole(s)
	r.send(s, "Target.setAutoAttach", autoAttach())
}

func (r *Recorder) closePage(p *page, e event) {
	if p == nil || p.closed {
		return
	}
	p.closed = true
	r.settlePictures(p)
	r.runErrands(p)
	r.input.pageClosed(p, r.arrived(e.at))
	delete(r.pages, p.target)
	for id, f := range r.frames {
		if f.page == p {
			delete(r.frames, id)
		}
	}
	r.happened(r.arrived(e.at), "pageClosed", p.id, map[string]any{})
}

func pageCrashed(r *Recorder, s *session, e event) {
	if s != nil {
		r.happened(r.arrived(e.at), "crash", pageOf(s), map[string]any{"url": s.target.URL, "kind": s.target.Type})
		r.endRequests(s, r.arrived(e.at))
	}
}

func dialogOpened(r *Recorder, s *session, p *struct {
	URL     string `json:"url"`
	Message string `json:"message"`
	Type    string `json:"type"`
	Default string `json:"defaultPrompt"`
	Browser bool   `json:"hasBrowserHandler"`
}, e event) {
	r.happened(r.arrived(e.at), "dialog", pageOf(s), map[string]any{"type": p.Type, "message": p.Message, "defaultValue": p.Default, "url": p.URL})
	if r.o.Dialog == nil {
		return
	}
	accept, text := r.o.Dialog(p.Type, p.Message, p.Default)
	params := object{"accept": accept}
	if p.Type == "prompt" && accept {
		params["promptText"] = text
	}
	r.send(s, "Page.handleJavaScriptDialog", params)
}

func dialogClosed(r *Recorder, s *session, p *struct {
	Result bool   `json:"result"`
	Input  string `json:"userInput"`
}, e event) {
	r.happened(r.arrived(e.at), "dialogClosed", pageOf(s), map[string]any{"accepted": p.Result, "text": p.Input})
}

func downloadBegins(r *Recorder, s *session, p *struct {
	Frame string `json:"frameId"`
	GUID  string `json:"guid"`
	URL   string `json:"url"`
	Name  string `json:"suggestedFilename"`
}, e event) {
	r.happened(r.arrived(e.at), "download", pageOf(s), map[string]any{"url": p.URL, "suggestedFilename": p.Name, "guid": p.GUID, "frameId": frameRef(p.Frame)})
}

func downloadGoesOn(r *Recorder, s *session, p *struct {
	GUID     string  `json:"guid"`
	Total    float64 `json:"totalBytes"`
	Received float64 `json:"receivedBytes"`
	State    string  `json:"state"`
}, e event) {
	if p.State == "inProgress" {
		return
	}
	r.happened(r.arrived(e.at), "downloadEnded", pageOf(s), map[string]any{"guid": p.GUID, "state": p.State, "totalBytes": p.Total, "receivedBytes": p.Received})
}

func fileChooser(r *Recorder, s *session, p *struct {
	Frame string `json:"frameId"`
	Mode  string `json:"mode"`
}, e event) {
	r.happened(r.arrived(e.at), "fileChooser", pageOf(s), map[string]any{"frameId": frameRef(p.Frame), "mode": p.Mode})
}
