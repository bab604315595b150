package replay

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// planned is a recorded action that is to be carried out.
type planned struct {
	number  int // among the actions of the trace, from 1
	action  *trace.Action
	verb    string
	params  params
	think   time.Duration // between the end of the one before and this
	groups  []*trace.Action
	scene   scene
	awaited *awaited // what it waited for in vain
	lookup  string   // the selector of an element that the program had looked up just before
}

// lookups are the calls that give a program an element to hold.
var lookups = map[string]bool{"querySelector": true, "waitForSelector": true}

// params are the recorded parameters of an action.
type params map[string]any

func (p params) text(name string) string {
	s, _ := p[name].(string)
	return s
}

func (p params) number(name string) float64 {
	f, _ := p[name].(float64)
	return f
}

func (p params) truth(name string, usually bool) bool {
	if b, ok := p[name].(bool); ok {
		return b
	}
	return usually
}

func (p params) list(name string) []any {
	l, _ := p[name].([]any)
	return l
}

func (p params) texts(name string) []string {
	var out []string
	for _, v := range p.list(name) {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func (p params) point(name string) (x, y float64, ok bool) {
	m, ok := p[name].(map[string]any)
	if !ok {
		return 0, 0, false
	}
	at := params(m)
	return at.number("x"), at.number("y"), true
}

// timeout is how long the recorded action would have waited.
func (p params) timeout(usually time.Duration) time.Duration {
	if ms := p.number("timeout"); ms > 0 && time.Duration(ms)*time.Millisecond < usually {
		return time.Duration(ms * float64(time.Millisecond))
	}
	return usually
}

// vibium are the names of Vibium's commands, as far as they differ.
var vibium = map[string]string{"navigate": "goto", "eval": "evaluateExpression", "find": "waitForSelector", "back": "goBack", "forward": "goForward", "dblClick": "dblclick",
	"accept": "accept", "newPage": "newPage", "setViewport": "setViewportSize", "uploadFiles": "setInputFiles", "setFiles": "setInputFiles", "dragTo": "dragAndDrop", "select": "selectOption"}

// verbOf is what an action does, by the names of Playwright's protocol.
func verbOf(b *trace.Before) string {
	name, isVibium := strings.CutPrefix(b.Method, "vibium:")
	if v := inside[b.Title]; v != "" && b.Method == "waitForSelector" {
		return v
	}
	if !isVibium {
		return b.Method
	}
	if _, after, ok := strings.Cut(name, "."); ok {
		name = after
	}
	if v := vibium[name]; v != "" {
		return v
	}
	return name
}

// inside are the calls of Playwright's locators of which newer versions record
// only that the element was waited for, by their titles.
var inside = map[string]string{"Scroll into view": "scrollIntoViewIfNeeded", "Select text": "selectText", "Screenshot": "screenshot", "Bounding box": "boundingBox", "Evaluate": "lostEvaluate"}

// silent are the actions that do nothing to a page.
var silent = sync.OnceValue(func() map[string]bool {
	silent := map[string]bool{}
	for _, name := range strings.Fields(`textContent innerText innerHTML inputValue getAttribute isVisible isHidden isEnabled isDisabled isChecked isEditable title content url count queryCount
		text value attr html a11yTree frames pages bounds boundingBox ownerFrame contentFrame querySelector querySelectorAll ariaSnapshot resolveSelector highlight cookies storageState
		__waitInfo__ waitForEventInfo waitForLoadState waitForNavigation waitForURL waitForFrame expectDownload accessibilitySnapshot snapshotForAI consoleMessages pageErrors requests
		setDefaultTimeoutNoReply setDefaultNavigationTimeoutNoReply setNetworkInterceptionPatterns setWebSocketInterceptionPatterns updateSubscription registerLocatorHandler unregisterLocatorHandler
		newContext close_ dispose jsonValue screenshotRecording tracingStart tracingStop harStart harExport videoStart videoStop newCDPSession pdf saveAs saveAsStream path failure
		pause newBrowserCDPSession ariaSnapshotJSON frameElement getPropertyList getProperty getProperties webmcpTools hideHighlight pickLocator cancelPickLocator
		screencastShowOverlay screencastRemoveOverlay screencastChapter screencastSetOverlayVisible screencastShowActions screencastHideActions screencastStart screencastStop webStorageItems webStorageGetItem
		clearConsoleMessages clearPageErrors disconnect detach credentialsGet startTracing stopTracing
		cancel delete stream createReadStream requestGC startJSCoverage stopJSCoverage startCSSCoverage stopCSSCoverage bodyText finished body rawRequestHeaders securityDetails serverAddr sizes`) {
		silent[name] = true
	}
	return silent
})

// plan lists what is to be carried out, and what cannot be.
func plan(t *trace.Trace, until string) (steps []*planned, refused []Refusal) {
	var last trace.Time
	stepNumber, lookup := 0, ""
	for _, a := range through(t.Actions, until) {
		if a.Before == nil || !carried(a) {
			continue
		}
		b := a.Before
		stepNumber++
		verb := verbOf(b)
		p := params{}
		_ = json.Unmarshal(b.Params, &p) // what is no object has no members
		s := &planned{number: stepNumber, action: a, verb: verb, params: p, groups: groupsOf(a)}
		s.inVain()
		verb = s.verb
		if reason := s.refusal(t); reason != "" {
			refused = append(refused, Refusal{b.CallID, title(a), reason})
			continue
		}
		if lookups[verb] && b.Class == "Frame" && p.text("selector") != "" {
			lookup = p.text("selector")
		} else if !silent()[verb] {
			s.lookup = lookup
			if b.Class != "ElementHandle" {
				lookup = ""
			}
		}
		if !silent()[verb] {
			if last > 0 && a.Start > last {
				s.think = a.Start.Sub(last)
			}
			steps = append(steps, s)
		}
		last = max(last, a.End)
	}
	return inOrder(steps), refused
}

// through is the actions up to the one with a call id, that one included, and all
// where none has it.
func through(actions []*trace.Action, id string) []*trace.Action {
	for i, a := range actions {
		if id != "" && a.Before != nil && a.Before.CallID == id {
			return actions[:i+1]
		}
	}
	return actions
}

func hasCall(actions []*trace.Action, id string) bool {
	list := through(actions, id)
	return len(list) > 0 && list[len(list)-1].Before != nil && list[len(list)-1].Before.CallID == id
}

// inVain has a call that waited in vain do so again, for as long.
func (s *planned) inVain() {
	e := s.action.Error
	if e == nil {
		return
	}
	took, _ := s.action.Duration()
	if kindOf(s) == "E_PAGE_GONE" && took > 0 {
		s.params["timeout"] = float64(s.params.timeout(took).Milliseconds() + 1)
	}
	if !events[s.verb] || !strings.Contains(e.Message, "Timeout") {
		return
	}
	s.verb, s.awaited = "awaited", awaitedBy(s.action)
	s.params["timeout"] = float64(took.Milliseconds() + 1)
}

// events are the calls that wait for what comes by itself.
var events = map[string]bool{"__waitInfo__": true, "waitForEventInfo": true}

// carried reports whether an action is one of the browser's: groups, hooks and
// protocol commands come by themselves.
func carried(a *trace.Action) bool {
	b := a.Before
	if a.Kind != trace.KindCall || strings.HasPrefix(b.Method, "tracing") {
		return false
	}
	switch b.Class {
	case "BiDi", "Test", "Tracing", "CDP", "Flow", "Route", "WebSocketRoute", "Request", "Response", "LocalUtils", "Playwright", "Selectors", "JsonPipe":
		return false
	}
	return true
}

func groupsOf(a *trace.Action) []*trace.Action {
	var list []*trace.Action
	for p := a.Parent; p != nil; p = p.Parent {
		if p.Kind == trace.KindGroup || p.Kind == trace.KindStep {
			list = append(list, p)
		}
	}
	slices.Reverse(list)
	return list
}

func title(a *trace.Action) string {
	t := a.Title()
	return strings.TrimSpace(t.String())
}

// refusal says why an action cannot be carried out, or "".
func (s *planned) refusal(t *trace.Trace) string {
	b := s.action.Before
	switch {
	case silent()[s.verb]:
		return ""
	case b.Class == "APIRequestContext":
		return "the test program itself sent this request, and it is not sent again"
	case s.verb == "awaited" && s.awaited == nil:
		return "it waited in vain, and the trace does not say what would have been right"
	case s.verb == "lostEvaluate":
		return "the trace does not hold the script that was run on the element"
	case s.verb == "evaluateExpression" || s.verb == "evaluateExpressionHandle" || s.verb == "waitForFunction":
		if handles, _ := s.params["arg"].(map[string]any); len(params(handles).list("handles")) > 0 {
			return "it was given elements, and the trace does not say which"
		}
	}
	if verbs()[s.verb] == nil {
		return "there is no way to do " + b.Class + "." + b.Method + " from a trace"
	}
	return ""
}
