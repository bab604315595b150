package cdp

import (
	"encoding/json"
	"net/url"
	"strings"
)

type frameInfo struct {
	ID          string `json:"id"`
	Parent      string `json:"parentId"`
	Loader      string `json:"loaderId"`
	Name        string `json:"name"`
	URL         string `json:"url"`
	Fragment    string `json:"urlFragment"`
	Unreachable string `json:"unreachableUrl"`
}

func (f frameInfo) address() string {
	if f.Unreachable != "" {
		return f.Unreachable
	}
	return f.URL + f.Fragment
}

type frameTree struct {
	Frame    frameInfo   `json:"frame"`
	Children []frameTree `json:"childFrames"`
}

// frameTree takes in the frames that were there before.
func (r *Recorder) frameTree(s *session) func(raw, error) {
	return func(result raw, err error) {
		var tree struct {
			Root frameTree `json:"frameTree"`
		}
		if err != nil || json.Unmarshal(result, &tree) != nil {
			return
		}
		r.takeTree(s, tree.Root)
		if s.target.Type == "page" {
			r.storage(s, tree.Root.Frame.address())
		}
	}
}

func (r *Recorder) takeTree(s *session, t frameTree) {
	f := r.frameOf(s, t.Frame.ID, t.Frame.Parent)
	if f.loader == "" {
		f.url, f.loader = t.Frame.address(), t.Frame.Loader
	}
	for _, c := range t.Children {
		r.takeTree(s, c)
	}
}

// frameOf finds or makes a frame that the session tells of.
func (r *Recorder) frameOf(s *session, id, parent string) *frame {
	f := r.frames[id]
	if f == nil {
		f = &frame{id: id, page: s.page, session: s}
		r.frames[id] = f
	}
	if parent != "" {
		f.parent = parent
	}
	return f
}

func (f *frame) isMain() bool { return f.page != nil && f.id == f.page.target }

// within is the selector by which elements of the frame are found from the
// page's main frame: "" for that, or ways into frames.
func (r *Recorder) within(f *frame) string {
	way := ""
	for depth := 0; f != nil && !f.isMain() && depth < 20; depth++ {
		selector := f.selector
		if selector == "" {
			selector = "iframe"
		}
		way = selector + " >> internal:control=enter-frame >> " + way
		f = r.frames[f.parent]
	}
	return way
}

func frameAttached(r *Recorder, s *session, p *struct {
	ID     string `json:"frameId"`
	Parent string `json:"parentFrameId"`
}, _ event) {
	r.tellOwner(r.frameOf(s, p.ID, p.Parent))
}

func frameDetached(r *Recorder, s *session, p *struct {
	ID     string `json:"frameId"`
	Reason string `json:"reason"`
}, _ event) {
	// A frame that is swapped goes on in another process, whose session tells of it.
	if f := r.frames[p.ID]; f != nil && p.Reason != "swap" && f.session == s && !f.isMain() {
		delete(r.frames, p.ID)
	}
}

func frameNavigated(r *Recorder, s *session, p *struct {
	Frame frameInfo `json:"frame"`
	Type  string    `json:"type"`
}, e event) {
	f := r.frameOf(s, p.Frame.ID, p.Frame.Parent)
	f.session, f.url, f.loader = s, p.Frame.address(), p.Frame.Loader
	at := r.arrived(e.at)
	params := map[string]any{"frameId": f.ref(), "url": f.url, "name": p.Frame.Name, "isMainFrame": f.isMain(), "cause": p.Type}
	if p.Frame.Unreachable != "" {
		params["failed"] = true
	}
	r.happened(at, "navigated", pageOf(s), params)
	if f.isMain() {
		f.page.url = f.url
		r.yieldToWorkers()
		r.storage(s, f.url)
	}
	r.input.navigated(f, at)
}

func navigatedWithin(r *Recorder, s *session, p *struct {
	ID   string `json:"frameId"`
	URL  string `json:"url"`
	Type string `json:"navigationType"`
}, e event) {
	f := r.frameOf(s, p.ID, "")
	f.url = p.URL
	if f.isMain() {
		f.page.url = p.URL
	}
	at := r.arrived(e.at)
	r.happened(at, "navigated", pageOf(s), map[string]any{"frameId": f.ref(), "url": p.URL, "isMainFrame": f.isMain(), "sameDocument": true, "cause": p.Type})
}

func requestedNavigation(r *Recorder, s *session, p *struct {
	ID          string `json:"frameId"`
	Reason      string `json:"reason"`
	URL         string `json:"url"`
	Disposition string `json:"disposition"`
}, e event) {
	if p.Disposition == "newTab" || p.Disposition == "newWindow" {
		r.willOpen(p.URL, e.at)
	} else if f := r.frames[p.ID]; f != nil && f.isMain() {
		f.page.loading.asked = e.at
	}
	r.happened(r.arrived(e.at), "navigationRequested", pageOf(s), map[string]any{"frameId": frameRef(p.ID), "url": p.URL, "reason": p.Reason, "disposition": p.Disposition})
}

func startedNavigating(r *Recorder, s *session, p *struct {
	ID   string `json:"frameId"`
	URL  string `json:"url"`
	Type string `json:"navigationType"`
}, e event) {
	f := r.frames[p.ID]
	if f == nil || !f.isMain() || strings.HasSuffix(p.Type, "ameDocument") {
		return
	}
	l := &f.page.loading
	l.kind, l.url, l.started, l.under = p.Type, p.URL, r.arrived(e.at), true
	l.driven = r.input.drives(f.page)
	r.pauseCast(f.page)
}

func stoppedLoading(r *Recorder, s *session, p *struct {
	ID string `json:"frameId"`
}, _ event) {
	if f := r.frames[p.ID]; f != nil && f.isMain() {
		r.input.loaded(f.page)
	}
}

// documentOpened is for documents that scripts write anew.
func documentOpened(r *Recorder, s *session, p *struct {
	Frame frameInfo `json:"frame"`
}, _ event) {
	if f := r.frames[p.Frame.ID]; f != nil {
		r.input.listen(f)
	}
}

// milestones are the moments of a page's life that are worth an event.
var milestones = map[string]bool{"DOMContentLoaded": true, "load": true, "networkIdle": true, "firstPaint": true, "firstContentfulPaint": true}

func lifecycle(r *Recorder, s *session, p *struct {
	Frame  string  `json:"frameId"`
	Loader string  `json:"loaderId"`
	Name   string  `json:"name"`
	Time   float64 `json:"timestamp"`
}, e event) {
	f := r.frames[p.Frame]
	if f != nil && p.Name == "load" {
		r.later(f.page, func() { r.input.reveal(f) })
	}
	if f != nil && (p.Name == "DOMContentLoaded" || p.Name == "load") && f.page != nil && f.page.opener != "" {
		r.input.listen(f)
	}
	if f != nil && f.isMain() && (p.Name == "load" || p.Name == "networkIdle") {
		r.input.loaded(f.page)
		r.environment(f.page)
	}
	if f == nil || !f.isMain() || !milestones[p.Name] {
		return
	}
	r.happened(r.mono.past(p.Time, r.arrived(e.at)), "lifecycle", pageOf(s), map[string]any{"name": p.Name, "frameId": f.ref(), "url": f.url})
}

// ofBrowser reports whether an address is of the browser's own pages, such as
// that of an empty tab, which are no part of what is recorded.
func ofBrowser(address string) bool {
	return strings.HasPrefix(address, "chrome://") || strings.HasPrefix(address, "chrome-untrusted://") || strings.HasPrefix(address, "devtools://")
}

// originOf returns the origin of an address whose storage can be recorded, or "".
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
