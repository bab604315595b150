package userflow

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/trace"
)

// run is the carrying out of a flow.
type run struct {
	s       *recorder.Session
	browser *rod.Browser
	main    *rod.Page
	flow    *Flow
}

// Run carries out a flow in a page of a browser, and records each step as an
// action. The session must record that browser. It ends at the first step that
// cannot be carried out.
func Run(ctx context.Context, s *recorder.Session, browser *rod.Browser, page *rod.Page, f *Flow) error {
	r := &run{s: s, browser: browser, main: page, flow: f}
	for i := range f.Steps {
		step := &f.Steps[i]
		if err := r.step(ctx, step); err != nil {
			return fmt.Errorf("step %d (%s): %w", i+1, step.Type, err)
		}
	}
	return nil
}

func (r *run) step(ctx context.Context, s *Step) error {
	t, cancel := newTerm(ctx, r.flow.timeout(s))
	defer cancel()
	page, frame, err := place(t, r.browser, r.main, s)
	if err != nil {
		return err
	}
	page = page.Context(t)
	arrived := r.expect(t, page, frame, s)
	if err := r.perform(t, page, frame.Context(t), s); err != nil {
		return err
	}
	return arrived()
}

// expect returns what waits for the navigations that the step causes: to another
// document, or within one. A step that closes its page causes none in it.
func (r *run) expect(t *term, page, frame *rod.Page, s *Step) func() error {
	for _, a := range s.Asserted {
		if a.Type == "navigation" && s.Type != "close" {
			soon, cancel := context.WithCancel(t)
			wait := page.Context(soon).EachEvent(func(e *proto.PageFrameNavigated) bool { return e.Frame.ID == frame.FrameID },
				func(e *proto.PageNavigatedWithinDocument) bool { return e.FrameID == frame.FrameID })
			return func() error {
				defer time.AfterFunc(t.looks, cancel).Stop() // as long again, from the act on
				wait()
				if soon.Err() != nil {
					return fmt.Errorf("the navigation to %s did not come: %w", a.URL, context.DeadlineExceeded)
				}
				return ready(t, frame)
			}
		}
	}
	return func() error { return nil }
}

// ready waits until the document of a frame has been read.
func ready(t *term, frame *rod.Page) error {
	frame = frame.Context(t)
	return t.poll(frame, func() (bool, error) {
		v, err := frame.Eval("() => document.readyState !== 'loading'")
		return err == nil && v.Value.Bool(), err
	})
}

func (r *run) perform(t *term, page, frame *rod.Page, s *Step) error {
	switch s.Type {
	case "navigate": // recorded by what is between rod and the browser, as are the next two
		return page.Navigate(s.URL)
	case "setViewport":
		return page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: s.Width, Height: s.Height, DeviceScaleFactor: s.Scale, Mobile: s.Mobile})
	case "close":
		return page.Close()
	case "keyDown", "keyUp":
		return r.do(t, page, key(s), func() error { return pressKey(page, s.Key, s.Type == "keyDown") })
	case "waitForExpression":
		return r.do(t, page, recorder.Call{Class: "Frame", Method: "waitForFunction", Params: map[string]any{"expression": s.Expression}}, func() error {
			return t.poll(frame, func() (bool, error) {
				v, err := frame.Eval("async () => !!(await (" + strings.TrimRight(s.Expression, "; \n\t") + "\n))")
				return err == nil && v.Value.Bool(), err
			})
		})
	case "waitForElement":
		return r.waitForElement(t, page, frame, s)
	case "emulateNetworkConditions":
		c := recorder.Call{Class: "BrowserContext", Method: "emulateNetworkConditions", Title: "Emulate network conditions",
			Params: map[string]any{"download": s.Download, "upload": s.Upload, "latency": s.Latency}}
		return r.do(t, page, c, func() error {
			return proto.NetworkEmulateNetworkConditions{Offline: s.Download == 0 && s.Upload == 0 && s.Latency == 0,
				DownloadThroughput: s.Download, UploadThroughput: s.Upload, Latency: s.Latency}.Call(page)
		})
	case "customStep":
		return r.custom(t, page, frame, s)
	case "scroll":
		return r.scroll(t, page, frame, s)
	}
	return r.point(t, page, frame, s)
}

// do carries out what acts on a page, as an action.
func (r *run) do(ctx context.Context, page *rod.Page, c recorder.Call, do func() error) error {
	c.PageID = cdp.PageID(string(page.TargetID))
	return r.s.Do(ctx, c, func(context.Context) error { return do() })
}

func key(s *Step) recorder.Call {
	method := "keyboardDown"
	if s.Type == "keyUp" {
		method = "keyboardUp"
	}
	return recorder.Call{Class: "Page", Method: method, Params: map[string]any{"key": s.Key}}
}

// point carries out what acts on an element.
func (r *run) point(t *term, page, frame *rod.Page, s *Step) error {
	method := map[string]string{"click": "click", "doubleClick": "dblclick", "hover": "hover", "change": "fill"}[s.Type]
	began := r.s.Now()
	e, chain, err := await(t, frame, s, s.Type != "change")
	if err != nil {
		return r.missed(page, method, s, began, err)
	}
	n := name(e, s.Frame, chain, r.s.Options())
	params := n.params()
	if s.Button != "" && s.Button != "primary" {
		params["button"] = buttonNames[s.Button]
	}
	if s.Type == "change" {
		params["value"] = n.shown(s.Value)
		if isSelect, err := e.Matches("select"); err == nil && isSelect {
			method, params["options"] = "selectOption", []any{map[string]any{"valueOrLabel": n.shown(s.Value)}}
		}
		if n.Hidden {
			params["_masked"] = true
		}
	}
	a := r.s.Begin(recorder.Call{Class: "Frame", Method: method, Params: params, PageID: cdp.PageID(string(page.TargetID))})
	err = r.act(a, page, e.Context(t), s)
	a.End(err)
	return err
}

// missed records an action that found no element to act on.
func (r *run) missed(page *rod.Page, method string, s *Step, began trace.Time, err error) error {
	c := recorder.Call{Class: "Frame", Method: method, PageID: cdp.PageID(string(page.TargetID)), Since: began}
	if len(s.Selectors) > 0 {
		c.Params = map[string]any{"selector": Locator(s.Frame, s.Selectors[0])}
	}
	a := r.s.Begin(c)
	for _, chain := range s.Selectors {
		a.Log("waiting for " + Locator(s.Frame, chain))
	}
	a.End(err)
	return err
}

var buttonNames = map[string]string{"auxiliary": "middle", "secondary": "right", "back": "back", "forward": "forward"}

func (r *run) act(a *recorder.Action, page *rod.Page, e *rod.Element, s *Step) error {
	if err := e.ScrollIntoView(); err != nil {
		return err
	}
	if s.Type == "change" {
		return change(e, s.Value)
	}
	shape, err := e.Shape()
	if err != nil {
		return err
	}
	box := shape.Box()
	if box == nil {
		return fmt.Errorf("the element has no place on the page")
	}
	at := proto.Point{X: box.X + s.OffsetX, Y: box.Y + s.OffsetY}
	if s.OffsetX == 0 && s.OffsetY == 0 || s.OffsetX > box.Width || s.OffsetY > box.Height {
		at = proto.Point{X: box.X + box.Width/2, Y: box.Y + box.Height/2}
	}
	a.Input(trace.Point{X: at.X, Y: at.Y}, &trace.Rect{X: box.X, Y: box.Y, Width: box.Width, Height: box.Height})
	if err := page.Mouse.MoveTo(at); err != nil || s.Type == "hover" {
		return err
	}
	button := proto.InputMouseButton(buttonNames[s.Button])
	if button == "" {
		button = proto.InputMouseButtonLeft
	}
	clicks := 1
	if s.Type == "doubleClick" {
		clicks = 2
	}
	for i := 1; i <= clicks; i++ {
		if err := page.Mouse.Down(button, i); err != nil {
			return err
		}
		time.Sleep(time.Duration(s.Duration) * time.Millisecond)
		if err := page.Mouse.Up(button, i); err != nil {
			return err
		}
	}
	return nil
}

// changeJS sets the value of what cannot be typed into. It answers whether the
// text is to be typed.
const changeJS = `function (value) {
  const typed = this.isContentEditable || this.nodeName === 'TEXTAREA' ||
    this.nodeName === 'INPUT' && ['text', 'search', 'url', 'tel', 'email', 'password', 'number', ''].includes(this.type);
  this.focus();
  if (typed) {
    if (this.select) this.select(); else document.getSelection().selectAllChildren(this);
    return true;
  }
  if (this.type === 'checkbox' || this.type === 'radio') this.checked = value === 'true' || value === 'on' || value === this.value;
  else this.value = value;
  this.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
  this.dispatchEvent(new Event('change', {bubbles: true}));
  return false;
}`

func change(e *rod.Element, value string) error {
	typed, err := e.Eval(changeJS, value)
	if err != nil || !typed.Value.Bool() {
		return err
	}
	if value == "" {
		return pressAndRelease(e.Page(), "Delete")
	}
	return proto.InputInsertText{Text: value}.Call(e.Page())
}

func (r *run) scroll(t *term, page, frame *rod.Page, s *Step) error {
	params := map[string]any{"x": s.X, "y": s.Y}
	var e *rod.Element
	if len(s.Selectors) > 0 {
		var chain []string
		var err error
		began := r.s.Now()
		if e, chain, err = await(t, frame, s, false); err != nil {
			return r.missed(page, "scroll", s, began, err)
		}
		for k, v := range name(e, s.Frame, chain, r.s.Options()).params() {
			params[k] = v
		}
	}
	return r.do(t, page, recorder.Call{Class: "Frame", Method: "scroll", Title: "Scroll", Params: params}, func() error {
		if e != nil {
			_, err := e.Eval(`function (x, y) { this.scrollTo(x, y) }`, s.X, s.Y)
			return err
		}
		_, err := frame.Eval(`(x, y) => scrollTo(x, y)`, s.X, s.Y)
		return err
	})
}
