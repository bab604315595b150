package determinism

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// Page is a tab or a popup of a session.
type Page struct {
	s        *Session
	session  string // the browser's name of ours with it
	target   string
	opener   string
	ready    chan struct{} // closed when it is set up
	left     chan struct{} // closed when it is gone
	gone     bool          // under the session's lock
	setupErr error

	mu       sync.Mutex
	url      string
	contexts map[string]string // a frame's main world, by the frame's id
	worlds   map[string]string // a frame's world of ours
	numbers  map[string]int    // of worlds, which some commands want
	frames   map[string]*Frame
	scripted map[string]bool // worlds that have the driver's script
	loads    int
	aligned  int             // for which of them off is
	off      float64         // by how many ms frames are behind the clock
	chooser  int             // the node that asked for files last
	drag     json.RawMessage // what is being dragged
	barriers map[int]chan struct{}
	asked    int               // how many barriers there were
	outside  map[int]time.Time // realms that wait for what they do outside of their thread, and since when
	travels  []int             // how it wants to go in its history
	ways     int               // how often something was sent by way of the browser
	moves    int               // how often the mouse was heard to have moved
}

// Frame is a document inside a page.
type Frame struct {
	ID, Parent, URL, Name string
}

func newPage(s *Session, session, target, opener string) *Page {
	return &Page{s: s, session: session, target: target, opener: opener, ready: make(chan struct{}), left: make(chan struct{}),
		contexts: map[string]string{}, worlds: map[string]string{}, numbers: map[string]int{}, outside: map[int]time.Time{}, scripted: map[string]bool{}, frames: map[string]*Frame{}}
}

// Target is the browser's id of the page.
func (p *Page) Target() string { return p.target }

// Opener is the target of the page that opened this one, or "".
func (p *Page) Opener() string { return p.opener }

// Session is the browser's name of the protocol session in which the page is
// driven.
func (p *Page) Session() string { return p.session }

// URL is the address of the page.
func (p *Page) URL() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.url
}

// Loads counts how many documents the page has had.
func (p *Page) Loads() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.loads
}

func (p *Page) closed() bool {
	select {
	case <-p.left:
		return true
	default:
		return false
	}
}

// Closed reports whether the page is gone.
func (p *Page) Closed() bool { return p.closed() }

func (p *Page) call(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-p.left: // it does not answer any more
			cancel(errorf("E_PAGE_GONE", "the page %s is gone", p.URL()))
		case <-ctx.Done():
		}
	}()
	err := p.s.b.call(ctx, p.session, method, params, result)
	if err != nil && strings.Contains(err.Error(), "Session with given id not found") {
		p.s.detached(p.session) // the event that tells it comes by another way
	}
	return err
}

// Call gives the page a command of the browser's protocol.
func (p *Page) Call(ctx context.Context, method string, params, result any) error {
	if err := p.call(ctx, method, params, result); err != nil {
		return p.s.gone(p, err)
	}
	return nil
}

// setUp prepares the page before it runs anything, and once: time runs double
// in a page that is set up twice.
func (p *Page) setUp() {
	defer close(p.ready)
	ctx, cancel := p.s.ctx()
	defer cancel()
	p.prepare(ctx)
	p.tree(ctx)
}

// prepare gives the page the commands of its preparation and then lets it go.
// A page that is opened without its opener's knowledge has no process before
// that, and answers none of them: they are sent one after the other without
// waiting for answers, and the process carries them out when it comes.
func (p *Page) prepare(ctx context.Context) {
	list := append(p.preparation(), command{"Runtime.runIfWaitingForDebugger", nil, false})
	answers := make([]chan error, len(list))
	patient := 500 * time.Millisecond
	for i, c := range list {
		answer := make(chan error, 1)
		answers[i] = answer
		p.s.background(func() { answer <- p.call(ctx, c.method, c.params, nil) })
		select {
		case err := <-answer:
			answer <- err
		case <-time.After(patient):
			patient = 10 * time.Millisecond // long enough to be sent
		case <-p.left:
			return
		}
	}
	for i, answer := range answers {
		select {
		case err := <-answer:
			if err != nil && list[i].needed && !p.closed() {
				p.setupErr = err
				p.s.log("page %s: %s: %v", p.target, list[i].method, err)
			}
		case <-p.left:
			return
		case <-ctx.Done():
			p.setupErr = ctx.Err()
			return
		}
	}
}

type command struct {
	method string
	params any
	needed bool
}

func (p *Page) preparation() []command {
	o := p.s.o
	list := []command{
		{"Inspector.enable", nil, false}, {"Page.enable", nil, true}, {"Network.enable", nil, true}, {"Runtime.enable", nil, true}, {"Performance.enable", nil, false},
		{"Runtime.addBinding", object{"name": "__tracedeckTell"}, true},
		{"Page.addScriptToEvaluateOnNewDocument", object{"source": p.s.script("", 0), "runImmediately": true}, true},
		{"Fetch.enable", object{"patterns": []object{{"urlPattern": "*"}}}, true},
		{"Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}, true},
		{"Page.setInterceptFileChooserDialog", object{"enabled": true}, false}, {"Input.setInterceptDrags", object{"enabled": true}, false},
	}
	for _, script := range o.Scripts {
		list = append(list, command{"Page.addScriptToEvaluateOnNewDocument", object{"source": script, "runImmediately": true}, true})
	}
	list = append(list, p.emulation()...)
	if !o.ServiceWorkers {
		list = append(list, command{"Network.setBypassServiceWorker", object{"bypass": true}, false})
	}
	if o.Coverage {
		list = append(list, command{"Profiler.enable", nil, true},
			command{"Profiler.startPreciseCoverage", object{"callCount": true, "detailed": true, "allowTriggeredUpdates": false}, true})
	}
	return list
}

func (p *Page) emulation() []command {
	o := p.s.o
	metrics := object{"width": o.Width, "height": o.Height, "deviceScaleFactor": o.Scale, "mobile": o.Mobile}
	o.screen(metrics)
	list := []command{{"Emulation.setFocusEmulationEnabled", object{"enabled": true}, false},
		{"Emulation.setLocaleOverride", object{"locale": o.Locale}, false}, {"Emulation.setTimezoneOverride", object{"timezoneId": o.Timezone}, false},
		{"Network.setCacheDisabled", object{"cacheDisabled": true}, true}}
	if p.opener == "" || p.s.b.Regime != Frames {
		list = append(list, command{"Emulation.setDeviceMetricsOverride", metrics, true})
	}
	media := []object{}
	if o.ColorScheme != "" {
		media = append(media, object{"name": "prefers-color-scheme", "value": o.ColorScheme})
	}
	if o.ReducedMotion {
		media = append(media, object{"name": "prefers-reduced-motion", "value": "reduce"})
	}
	list = append(list, command{"Emulation.setEmulatedMedia", object{"features": media}, false})
	agent := o.UserAgent
	if agent == "" && p.s.b.Version.UserAgent != "" {
		agent = reducedAgent(p.s.b.Version.UserAgent)
	}
	languages := o.Locale
	if len(o.Languages) > 0 {
		languages = strings.Join(o.Languages, ",")
	}
	list = append(list, command{"Emulation.setUserAgentOverride", object{"userAgent": agent, "acceptLanguage": languages}, false})
	if o.Touch {
		list = append(list, command{"Emulation.setTouchEmulationEnabled", object{"enabled": true, "maxTouchPoints": 1}, false})
	}
	return list
}

// tree learns which frames are there already.
func (p *Page) tree(ctx context.Context) {
	var r struct {
		Tree frameTree `json:"frameTree"`
	}
	if p.call(ctx, "Page.getFrameTree", nil, &r) == nil {
		p.mu.Lock()
		p.take(&r.Tree)
		p.mu.Unlock()
	}
}

type frameTree struct {
	Frame struct {
		ID       string `json:"id"`
		ParentID string `json:"parentId"`
		URL      string `json:"url"`
		Name     string `json:"name"`
	} `json:"frame"`
	Children []*frameTree `json:"childFrames"`
}

func (p *Page) take(t *frameTree) {
	p.frames[t.Frame.ID] = &Frame{t.Frame.ID, t.Frame.ParentID, t.Frame.URL, t.Frame.Name}
	if t.Frame.ParentID == "" {
		p.url = t.Frame.URL
	}
	for _, c := range t.Children {
		p.take(c)
	}
}

// Frames returns the frames of the page, the main one first and the others by
// parents.
func (p *Page) Frames() []Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []Frame
	for _, f := range p.frames {
		list = append(list, *f)
	}
	return list
}

func (p *Page) hear(m *rod.Message) {
	switch m.Method {
	case "Emulation.virtualTimeBudgetExpired":
		if p == p.s.time.lead {
			select {
			case p.s.time.expired <- struct{}{}:
			default:
			}
		}
	case "Page.javascriptDialogOpening":
		var e proto.PageJavascriptDialogOpening
		if m.Load(&e) {
			p.s.background(func() { p.dialog(&e) })
		}
	case "Runtime.bindingCalled":
		p.told(m)
	case "Runtime.inspectRequested":
		p.reached(m)
	case "Page.fileChooserOpened":
		var e proto.PageFileChooserOpened
		if m.Load(&e) {
			p.mu.Lock()
			p.chooser = int(e.BackendNodeID)
			p.mu.Unlock()
		}
	case "Input.dragIntercepted":
		var e proto.InputDragIntercepted
		if m.Load(&e) {
			data, err := json.Marshal(e.Data)
			p.mu.Lock()
			if p.drag = data; err != nil {
				p.drag = nil
			}
			p.mu.Unlock()
		}
	default:
		p.hearFrames(m)
	}
}

// ChooseFiles answers the last file chooser that the page has opened.
func (p *Page) ChooseFiles(ctx context.Context, paths []string) error {
	p.mu.Lock()
	node := p.chooser
	p.mu.Unlock()
	if node == 0 {
		return errorf("E_NO_CHOOSER", "the page %s has not asked for files", p.URL())
	}
	if paths == nil {
		paths = []string{}
	}
	return p.Call(ctx, "DOM.setFileInputFiles", object{"backendNodeId": node, "files": paths}, nil)
}

// Resize changes the size of the viewport, in CSS pixels.
func (p *Page) Resize(ctx context.Context, width, height int) error {
	o := p.s.o
	metrics := object{"width": width, "height": height, "deviceScaleFactor": o.Scale, "mobile": o.Mobile}
	o.screen(metrics)
	return p.Call(ctx, "Emulation.setDeviceMetricsOverride", metrics, nil)
}

func (p *Page) hearFrames(m *rod.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch m.Method {
	case "Runtime.executionContextCreated":
		var e proto.RuntimeExecutionContextCreated
		if !m.Load(&e) {
			return
		}
		frame, isDefault := e.Context.AuxData["frameId"].Str(), e.Context.AuxData["isDefault"].Bool()
		switch {
		case isDefault:
			p.contexts[frame] = e.Context.UniqueID
		case e.Context.Name == world:
			p.worlds[frame] = e.Context.UniqueID
			p.numbers[e.Context.UniqueID] = int(e.Context.ID)
		}
	case "Runtime.executionContextDestroyed":
		var e proto.RuntimeExecutionContextDestroyed
		if m.Load(&e) {
			forget(p.contexts, e.ExecutionContextUniqueID)
			forget(p.worlds, e.ExecutionContextUniqueID)
			delete(p.outside, int(e.ExecutionContextID))
		}
	case "Runtime.executionContextsCleared":
		clear(p.contexts)
		clear(p.worlds)
		clear(p.outside)
	case "Page.frameAttached":
		var e proto.PageFrameAttached
		if m.Load(&e) {
			p.frames[string(e.FrameID)] = &Frame{ID: string(e.FrameID), Parent: string(e.ParentFrameID)}
		}
	case "Page.frameDetached":
		var e proto.PageFrameDetached
		if m.Load(&e) {
			delete(p.frames, string(e.FrameID))
		}
	case "Page.frameNavigated":
		var e proto.PageFrameNavigated
		if m.Load(&e) {
			p.frames[string(e.Frame.ID)] = &Frame{string(e.Frame.ID), string(e.Frame.ParentID), e.Frame.URL, e.Frame.Name}
			if e.Frame.ParentID == "" {
				p.url = e.Frame.URL + e.Frame.URLFragment
				p.loads++
			}
		}
	case "Page.navigatedWithinDocument":
		var e proto.PageNavigatedWithinDocument
		if m.Load(&e) && string(e.FrameID) == p.target {
			p.url = e.URL
		}
	}
}

func forget(m map[string]string, id string) {
	for k, v := range m {
		if v == id {
			delete(m, k)
		}
	}
}

// mostDialogs is how many dialogs may follow each other while no time passes.
const mostDialogs = 100

func (p *Page) dialog(e *proto.PageJavascriptDialogOpening) {
	ctx, cancel := p.s.ctx()
	defer cancel()
	p.s.mu.Lock()
	p.s.dialogs++
	n := p.s.dialogs
	p.s.mu.Unlock()
	if n > mostDialogs {
		p.s.fail(errorf("E_DIALOG_LOOP", "the page %s shows one dialog after the other; the last says %q", p.URL(), e.Message))
		_ = p.call(ctx, "Runtime.terminateExecution", nil, nil)
	}
	accept, text := true, e.DefaultPrompt
	if p.s.o.Dialog != nil && string(e.Type) != "beforeunload" {
		accept, text = p.s.o.Dialog(string(e.Type), e.Message, e.DefaultPrompt)
	}
	p.s.log("dialog %s %q: accept %v", e.Type, e.Message, accept)
	_ = p.call(ctx, "Page.handleJavaScriptDialog", object{"accept": accept, "promptText": text}, nil)
}

// Navigate goes to an address and waits until its document is loaded and
// settled.
func (p *Page) Navigate(ctx context.Context, url string) error {
	var r struct {
		Error    string `json:"errorText"`
		Loader   string `json:"loaderId"`
		Download bool   `json:"isDownload"`
	}
	if err := p.s.abreast(ctx); err != nil {
		return err
	}
	done := make(chan error, 1)
	p.s.background(func() { done <- p.s.b.callFor(ctx, p.session, "Page.navigate", object{"url": url}, &r) })
	if err := p.during(ctx, done); err != nil {
		return p.s.gone(p, err)
	}
	if r.Error != "" && !r.Download {
		return errorf("E_NAVIGATION", "%s at %s", r.Error, url)
	}
	return p.Loaded(ctx)
}

// Loaded waits until the document of the page is complete, and settles. Time
// passes only while a document is not waiting for something to load.
func (p *Page) Loaded(ctx context.Context) error {
	if err := p.s.advance(ctx, 1000, 1000); err != nil {
		return err
	}
	for i := 0; i < 40; i++ {
		v, err := p.Evaluate(ctx, "document.readyState")
		if err == nil && bytes.Equal(v, []byte(`"complete"`)) {
			break
		}
		if err := p.s.advance(ctx, 100, 100); err != nil {
			return err
		}
	}
	if p.s.virtual() {
		return nil
	}
	return p.s.quiet(ctx)
}

// during waits for an answer that may need frames or time before it comes.
func (p *Page) during(ctx context.Context, done <-chan error) error {
	for {
		select {
		case err := <-done:
			return err
		case <-p.left:
			return errorf("E_PAGE_GONE", "the page was closed")
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// callFor is call without a limit of its own.
func (b *Browser) callFor(ctx context.Context, session, method string, params, result any) error {
	data, err := b.Rod.Call(ctx, session, method, params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return json.Unmarshal(data, result)
}

// Evaluate runs a script in the main document, as one of the page's own, and
// returns its value as JSON. A promise is awaited, which takes the time that it
// takes only if nothing has to pass for it.
func (p *Page) Evaluate(ctx context.Context, script string) (json.RawMessage, error) {
	return p.evaluate(ctx, object{"expression": script, "returnByValue": true, "awaitPromise": true})
}

func (p *Page) evaluate(ctx context.Context, params object) (json.RawMessage, error) {
	var r struct {
		Result    struct{ Value json.RawMessage }
		Exception *exception `json:"exceptionDetails"`
	}
	if err := p.Call(ctx, "Runtime.evaluate", params, &r); err != nil {
		return nil, err
	}
	return r.Result.Value, r.Exception.err()
}

type exception struct {
	Text      string
	Exception struct{ Description, Value any }
}

func (e *exception) err() error {
	switch {
	case e == nil:
		return nil
	case e.Exception.Description != nil:
		return errorf("E_SCRIPT", "%v", e.Exception.Description)
	}
	return errorf("E_SCRIPT", "%s %v", e.Text, e.Exception.Value)
}

// everyFrame runs a script in all frames; those that are gone do not count.
func (p *Page) everyFrame(ctx context.Context, script string) error {
	p.mu.Lock()
	var list []string
	for _, id := range p.contexts {
		list = append(list, id)
	}
	p.mu.Unlock()
	for _, id := range list {
		one, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := p.call(one, "Runtime.evaluate", object{"expression": script, "uniqueContextId": id, "awaitPromise": true}, nil)
		cancel()
		if err != nil && errors.Is(err, context.DeadlineExceeded) {
			return p.s.stuck(fmt.Errorf("the page did not answer: %w", err))
		}
	}
	return nil
}

// Picture takes a picture of the viewport, as PNG.
func (p *Page) Picture(ctx context.Context) ([]byte, error) {
	switch p.s.b.Regime {
	case Frames:
		if err := p.s.grant(ctx, 1); err != nil {
			return nil, err
		}
		data, err := p.frame(ctx, true)
		if err == nil && len(data) == 0 { // there was nothing to draw with: the first frame brings that
			data, err = p.frame(ctx, true)
		}
		if err == nil && len(data) == 0 {
			err = errorf("E_NO_PICTURE", "the browser gave no picture of %s", p.URL())
		}
		if err != nil {
			return nil, p.s.gone(p, err)
		}
		return data, nil
	case Timers:
		if err := p.everyFrame(ctx, "globalThis.__tracedeck?.settle?.()"); err != nil {
			return nil, err
		}
		return p.shoot(ctx)
	case Clock:
		if err := p.everyFrame(ctx, "globalThis.__tracedeck?.settle?.()"); err != nil {
			return nil, err
		}
	}
	return p.stable(ctx)
}

// Glimpse takes a picture of what is to be seen without letting time pass, of
// a session that cannot go on too.
func (p *Page) Glimpse(ctx context.Context) ([]byte, error) {
	if p.s.b.Regime == Frames {
		return p.frame(ctx, true)
	}
	return p.shoot(ctx)
}

// stable takes pictures until two in a row are the same.
func (p *Page) stable(ctx context.Context) ([]byte, error) {
	before, err := p.shoot(ctx)
	for i := 0; i < 8 && err == nil; i++ {
		if err = sleep(ctx, 60*time.Millisecond); err != nil {
			break
		}
		var now []byte
		if now, err = p.shoot(ctx); bytes.Equal(now, before) {
			break
		}
		before = now
	}
	return before, err
}

func (p *Page) shoot(ctx context.Context) ([]byte, error) {
	var r struct{ Data string }
	if err := p.Call(ctx, "Page.captureScreenshot", object{"format": "png", "optimizeForSpeed": true}, &r); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(r.Data)
}

// Coverage returns what the browser counted since the page was opened, as its
// protocol tells it. The session must have been asked for it.
func (p *Page) Coverage(ctx context.Context) (json.RawMessage, error) {
	var r struct{ Result json.RawMessage }
	err := p.Call(ctx, "Profiler.takePreciseCoverage", nil, &r)
	return r.Result, err
}

// Close closes the page.
func (p *Page) Close(ctx context.Context) error {
	if err := p.s.b.call(ctx, "", "Target.closeTarget", object{"targetId": p.target}, nil); err != nil {
		return err
	}
	for i := 0; i < 100; i++ {
		select {
		case <-p.left:
			return nil
		case <-time.After(20 * time.Millisecond):
		}
		if err := p.s.advance(ctx, 17, 17); err != nil && !p.closed() { // what it does on leaving may take time
			return err
		}
	}
	return errorf("E_PAGE_GONE", "the page %s does not close", p.URL())
}
