package recorder

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/go-rod/rod"
	rodcdp "github.com/go-rod/rod/lib/cdp"

	"github.com/tracedeck/tracedeck/recorder/cdp"
)

// tap is between rod and the browser and records what the program does. Input
// is not among it: that is recorded where it arrives, in the page, which knows
// the element that it meets.
type tap struct {
	s       *Session
	scope   cdp.Scope
	browser *rod.Browser
	old     *rod.Browser // speaks through the client that was there before

	mu      sync.Mutex
	targets map[string]string // page id by rod's session
	removed bool
}

// newTap puts a tap between browser and its client. rod has no way to ask for
// the client, but a copy of the browser goes on speaking through it.
func newTap(s *Session, browser *rod.Browser, scope cdp.Scope) *tap {
	old := *browser
	t := &tap{s: s, scope: scope, browser: browser, old: &old, targets: map[string]string{}}
	browser.Client(t)
	return t
}

// remove stops recording. The tap stays where it is: commands may be passing
// through it at this moment.
func (t *tap) remove() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.removed = true
}

func (t *tap) recording() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.removed
}

// Event is not called: rod subscribed to the client that was there before.
func (t *tap) Event() <-chan *rodcdp.Event { return nil }

// Call passes a command on, and records it if it is something a program does.
func (t *tap) Call(ctx context.Context, session, method string, params any) ([]byte, error) {
	pass := func() ([]byte, error) { return t.old.Call(ctx, session, method, params) }
	if !t.recording() {
		return pass()
	}
	driven, known := drivenCalls[method]
	if !known && !t.s.o.Protocol {
		return pass()
	}
	page := t.page(ctx, session)
	members := membersOf(params)
	if !t.ours(page, members) {
		return pass()
	}
	c := Call{Class: classCDP, Method: method, Title: method, Params: members}
	if known {
		c = driven(members)
	}
	c.PageID = page
	a := t.s.Begin(c)
	result, err := pass()
	a.End(failureOf(result, err))
	return result, err
}

// ours reports whether a command concerns what is recorded.
func (t *tap) ours(page string, params map[string]any) bool {
	if page != "" {
		return t.s.rec.Records(page)
	}
	if id, ok := params["targetId"].(string); ok {
		return t.s.rec.Records(cdp.PageID(id))
	}
	id, _ := params["browserContextId"].(string)
	return t.scope.Target == "" && id == t.scope.BrowserContext
}

// failureOf is why a command went wrong: a navigation that found nothing is
// told in an answer that is no error.
func failureOf(result []byte, err error) error {
	var r struct {
		Text     string `json:"errorText"`
		Download bool   `json:"isDownload"`
	}
	if err != nil || json.Unmarshal(result, &r) != nil || r.Text == "" || r.Download {
		return err
	}
	return navigationError(r.Text)
}

type navigationError string

func (e navigationError) Error() string { return string(e) }

// page finds the page of one of rod's sessions.
func (t *tap) page(ctx context.Context, session string) string {
	if session == "" {
		return ""
	}
	t.mu.Lock()
	id, ok := t.targets[session]
	t.mu.Unlock()
	if ok {
		return id
	}
	var info struct {
		Info struct {
			ID string `json:"targetId"`
		} `json:"targetInfo"`
	}
	if data, err := t.old.Call(ctx, session, "Target.getTargetInfo", nil); err == nil && json.Unmarshal(data, &info) == nil {
		id = cdp.PageID(info.Info.ID)
	}
	t.mu.Lock()
	t.targets[session] = id
	t.mu.Unlock()
	return id
}

func membersOf(params any) map[string]any {
	m := map[string]any{}
	if data, err := json.Marshal(params); err == nil && params != nil {
		_ = json.Unmarshal(data, &m) // commands whose parameters are no object have none
	}
	return m
}

// drivenCalls are the commands by which a program does something, and what
// they are called in traces.
var drivenCalls = map[string]func(map[string]any) Call{
	"Page.navigate": func(p map[string]any) Call {
		return Call{Class: "Frame", Method: "goto", Params: only(p, "url", "referrer")}
	},
	"Page.reload":          plain("Page", "reload"),
	"Page.close":           plain("Page", "close"),
	"Page.bringToFront":    plain("Page", "bringToFront"),
	"Page.printToPDF":      plain("Page", "pdf"),
	"Target.createTarget":  plain("BrowserContext", "newPage", "url"),
	"Target.closeTarget":   plain("Page", "close"),
	"Storage.setCookies":   plain("BrowserContext", "addCookies"),
	"Storage.clearCookies": plain("BrowserContext", "clearCookies"),
	"Page.captureScreenshot": func(p map[string]any) Call {
		return Call{Class: "Page", Method: "screenshot", Params: only(p, "format", "quality", "clip")}
	},
	"Page.setDocumentContent": func(p map[string]any) Call {
		return Call{Class: "Frame", Method: "setContent", Params: only(p, "html")}
	},
	"Emulation.setDeviceMetricsOverride": func(p map[string]any) Call {
		return Call{Class: "Page", Method: "setViewportSize", Params: map[string]any{"viewportSize": only(p, "width", "height")}}
	},
	"Page.navigateToHistoryEntry": func(p map[string]any) Call {
		return Call{Class: "Page", Method: "navigateToHistoryEntry", Title: "Go to an entry of the history", Params: p}
	},
	"Page.handleJavaScriptDialog": func(p map[string]any) Call {
		if accept, _ := p["accept"].(bool); !accept {
			return Call{Class: "Dialog", Method: "dismiss"}
		}
		return Call{Class: "Dialog", Method: "accept", Params: only(p, "promptText")}
	},
}

func plain(class, method string, keep ...string) func(map[string]any) Call {
	return func(p map[string]any) Call { return Call{Class: class, Method: method, Params: only(p, keep...)} }
}

func only(p map[string]any, names ...string) map[string]any {
	m := map[string]any{}
	for _, n := range names {
		if v, ok := p[n]; ok {
			m[n] = v
		}
	}
	return m
}
