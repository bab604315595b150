package cdp

import (
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// navigated makes an action of a navigation that neither the page nor an
// action of ours asked for: somebody typed an address, reloaded, went back, or
// a driver did.
func (c *capture) navigated(f *frame, at trace.Time) {
	if !f.isMain() {
		return
	}
	p, now := f.page, time.Now()
	l := &p.loading
	// What a page asks for is no step in the history, but may be told of late.
	asked := now.Sub(l.asked) < 10*time.Second && !history[l.kind] || l.driven || c.drives(p)
	first := p.left.IsZero()
	if first {
		asked = asked || p.opener != "" || c.r.wasOpened(f.url, now)
	}
	stays := p.act != nil && p.left.Before(p.act.began)
	p.left = now
	l.asked, l.driven = time.Time{}, false
	if !c.r.o.Input || asked || f.url == "about:blank" || ofBrowser(f.url) {
		return
	}
	// A script that goes back answers an act on the page that it leaves.
	if history[l.kind] && stays && now.Sub(p.act.began) < 2*time.Second {
		return
	}
	c.cutShort(p)
	id, parent := c.r.sink.NewCall()
	a := &act{params: map[string]any{"url": c.addressAsked(f)}, method: "goto", began: now, due: now.Add(calmAfter), end: at, input: &trace.Input{CallID: id}}
	a.before = trace.Before{CallID: id, StartTime: at, Class: "Frame", Method: "goto", PageID: p.id, ParentID: parent}
	if l.started > 0 && l.started < at {
		a.before.StartTime = l.started
	}
	switch {
	case l.kind == "reload", l.kind == "reloadBypassingCache":
		a.before.Class, a.before.Method, a.params = "Page", "reload", map[string]any{}
	case history[l.kind]:
		a.before.Class, a.before.Method, a.before.Title = "Page", "goToHistoryEntry", "Go back or forward"
	}
	l.under = true
	p.act = a
	c.announce(a)
}

// addressAsked is the address that led to a frame's document, before servers
// sent the browser on to another: a replay begins where the user did.
func (c *capture) addressAsked(f *frame) string {
	q := c.r.requests[f.loader] // a document's request goes by the name of its loader
	if q == nil || len(q.hops) < 2 || q.hops[0].sentInfo.Method != "GET" {
		return f.url
	}
	return q.hops[0].sentInfo.URL + q.hops[0].sentInfo.Fragment
}

// awaited reports whether an act that began then is about to lead to another
// page, or leads there now.
func (l *navigation) awaited(began, now time.Time) bool {
	if l.under {
		return now.Sub(began) < loadAfter
	}
	return l.asked.After(began) && now.Sub(l.asked) < askedAfter
}

// history are the kinds of navigation through what was visited before.
var history = map[string]bool{"historyDifferentDocument": true, "restore": true, "restoreWithPost": true}

// loaded is called when a page has loaded.
func (c *capture) loaded(p *page) { p.loading.under = false }

// opening is a window or tab that a page asked for.
type opening struct {
	url string
	at  time.Time
}

func windowOpened(r *Recorder, s *session, p *struct {
	URL string `json:"url"`
}, e event) {
	r.willOpen(p.URL, e.at)
}

// willOpen remembers a window that is to come, of which the browser does not
// always say who opened it.
func (r *Recorder) willOpen(url string, at time.Time) {
	if len(r.openings) >= 20 {
		r.openings = r.openings[1:]
	}
	r.openings = append(r.openings, opening{url, at})
}

func (r *Recorder) wasOpened(url string, now time.Time) bool {
	for i, o := range r.openings {
		if o.url == url && now.Sub(o.at) < 30*time.Second {
			r.openings = append(r.openings[:i:i], r.openings[i+1:]...)
			return true
		}
	}
	return false
}
