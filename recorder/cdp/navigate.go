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
	asked := now.Sub(l.asked) < 10*time.Second || l.driven || c.drives(p)
	l.asked, l.driven = time.Time{}, false
	if !c.r.o.Input || asked || f.url == "about:blank" {
		return
	}
	// Scripts that go back are not told from people who do.
	if history[l.kind] && p.act != nil && now.Sub(p.act.began) < 2*time.Second {
		return
	}
	c.cutShort(p)
	id, parent := c.r.sink.NewCall()
	a := &act{params: map[string]any{"url": f.url}, method: "goto", began: now, due: now.Add(calmAfter), end: at, input: &trace.Input{CallID: id}}
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
