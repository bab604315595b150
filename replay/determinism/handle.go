package determinism

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// world is the name of the world in which the driver's scripts run: they see
// the document, and the page does not see them.
const world = "tracedeck-replay"

// Handle is something inside of a document: an element, or a list of them.
type Handle struct {
	page *Page
	ID   string // the browser's
	// Frame is the frame whose document it is in.
	Frame string
}

// World makes sure that a frame has the driver's world with the script in it,
// and returns the browser's name for it.
func (p *Page) World(ctx context.Context, frame, script string) (string, error) {
	p.mu.Lock()
	id := p.worlds[frame]
	has := p.scripted[id]
	p.mu.Unlock()
	if id != "" {
		if has {
			return id, nil
		}
		return id, p.inject(ctx, id, script)
	}
	var r struct {
		ID int `json:"executionContextId"`
	}
	if err := p.Call(ctx, "Page.createIsolatedWorld", object{"frameId": frame, "worldName": world, "grantUniveralAccess": true}, &r); err != nil {
		return "", err
	}
	for range 100 { // the event that names it comes by another way
		p.mu.Lock()
		for unique, number := range p.numbers {
			if number == r.ID && p.worlds[frame] == unique {
				id = unique
			}
		}
		p.mu.Unlock()
		if id != "" {
			return id, p.inject(ctx, id, script)
		}
		if err := sleep(ctx, 2*time.Millisecond); err != nil {
			return "", err
		}
	}
	return "", errorf("E_PAGE_GONE", "the frame is gone")
}

// inject runs the driver's script in one of its worlds.
func (p *Page) inject(ctx context.Context, id, script string) error {
	var run struct {
		Exception *exception `json:"exceptionDetails"`
	}
	if err := p.Call(ctx, "Runtime.evaluate", object{"expression": script, "uniqueContextId": id}, &run); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scripted[id] = true
	return run.Exception.err()
}

// EvaluateIn runs a script in the main world of a frame.
func (p *Page) EvaluateIn(ctx context.Context, frame, script string) (json.RawMessage, error) {
	p.mu.Lock()
	id := p.contexts[frame]
	p.mu.Unlock()
	params := object{"expression": script, "returnByValue": true, "awaitPromise": true}
	if id != "" {
		params["uniqueContextId"] = id
	}
	return p.evaluate(ctx, params)
}

type remote struct {
	Type    string
	Subtype string
	Class   string `json:"className"`
	ID      string `json:"objectId"`
	Value   json.RawMessage
}

// Run evaluates an expression in a world. What it yields is a handle if it is
// an object, and a value otherwise.
func (p *Page) Run(ctx context.Context, frame, world, expression string) (*Handle, json.RawMessage, error) {
	var r struct {
		Result    remote
		Exception *exception `json:"exceptionDetails"`
	}
	if err := p.Call(ctx, "Runtime.evaluate", object{"expression": expression, "uniqueContextId": world}, &r); err != nil {
		return nil, nil, err
	}
	if err := r.Exception.err(); err != nil {
		return nil, nil, err
	}
	return p.handle(frame, r.Result), r.Result.Value, nil
}

func (p *Page) handle(frame string, r remote) *Handle {
	if r.ID == "" {
		return nil
	}
	return &Handle{page: p, ID: r.ID, Frame: frame}
}

// Call calls a function with the handle as its this, and decodes what it
// returns into result unless that is nil. Arguments that are handles are passed
// as what they stand for.
func (h *Handle) Call(ctx context.Context, function string, result any, args ...any) error {
	r, err := h.invoke(ctx, function, true, args)
	if err != nil || result == nil || len(r.Value) == 0 {
		return err
	}
	return json.Unmarshal(r.Value, result)
}

// Get calls a function that returns an object.
func (h *Handle) Get(ctx context.Context, function string, args ...any) (*Handle, error) {
	r, err := h.invoke(ctx, function, false, args)
	if err != nil {
		return nil, err
	}
	return h.page.handle(h.Frame, r), nil
}

func (h *Handle) invoke(ctx context.Context, function string, byValue bool, args []any) (remote, error) {
	list := []object{}
	for _, a := range args {
		if other, ok := a.(*Handle); ok {
			list = append(list, object{"objectId": other.ID})
			continue
		}
		list = append(list, object{"value": a})
	}
	var r struct {
		Result    remote
		Exception *exception `json:"exceptionDetails"`
	}
	err := h.page.Call(ctx, "Runtime.callFunctionOn", object{"objectId": h.ID, "functionDeclaration": function, "arguments": list,
		"returnByValue": byValue, "awaitPromise": byValue, "userGesture": true}, &r)
	if err != nil {
		return remote{}, err
	}
	return r.Result, r.Exception.err()
}

// Quads are the corners of the element's boxes in CSS pixels of the page's
// viewport, eight numbers each. It has none while it is not drawn.
func (h *Handle) Quads(ctx context.Context) ([][]float64, error) {
	var r struct{ Quads [][]float64 }
	err := h.page.Call(ctx, "DOM.getContentQuads", object{"objectId": h.ID}, &r)
	if err != nil && strings.Contains(err.Error(), "Could not compute content quads") {
		return nil, nil
	}
	return r.Quads, err
}

// Reveal scrolls until the element can be seen.
func (h *Handle) Reveal(ctx context.Context) error {
	err := h.page.Call(ctx, "DOM.scrollIntoViewIfNeeded", object{"objectId": h.ID}, nil)
	if err != nil && strings.Contains(err.Error(), "does not have a layout object") {
		return nil
	}
	return err
}

// RevealAt scrolls until a place of the element can be seen, in CSS pixels from
// its corner: one that is larger than what shows it stays where it is if that
// can be seen now.
func (h *Handle) RevealAt(ctx context.Context, x, y float64) error {
	place := object{"x": x, "y": y, "width": 0, "height": 0}
	err := h.page.Call(ctx, "DOM.scrollIntoViewIfNeeded", object{"objectId": h.ID, "rect": place}, nil)
	if err != nil && strings.Contains(err.Error(), "does not have a layout object") {
		return nil
	}
	return err
}

// Viewport is how large what shows the page is, in CSS pixels, without scroll
// bars.
func (p *Page) Viewport(ctx context.Context) (width, height float64, err error) {
	var m struct {
		Viewport struct {
			Width  float64 `json:"clientWidth"`
			Height float64 `json:"clientHeight"`
		} `json:"cssLayoutViewport"`
	}
	err = p.Call(ctx, "Page.getLayoutMetrics", nil, &m)
	return m.Viewport.Width, m.Viewport.Height, err
}

// ContentFrame is the id of the frame that the element shows, or "".
func (h *Handle) ContentFrame(ctx context.Context) (string, error) {
	var r struct {
		Node struct {
			Frame string `json:"frameId"`
		}
	}
	err := h.page.Call(ctx, "DOM.describeNode", object{"objectId": h.ID}, &r)
	return r.Node.Frame, err
}

// At returns the element that is drawn at a place of the viewport, of whatever
// frame, or nil: for what a style drew, the element that it belongs to. in
// tells in which world its handle is to live.
func (p *Page) At(ctx context.Context, x, y float64, in func(frame string) (string, error)) (*Handle, error) {
	var r struct {
		Node  int    `json:"backendNodeId"`
		Frame string `json:"frameId"`
	}
	var m struct {
		Viewport struct {
			X float64 `json:"pageX"`
			Y float64 `json:"pageY"`
		} `json:"cssLayoutViewport"`
	}
	if err := p.Call(ctx, "Page.getLayoutMetrics", nil, &m); err != nil {
		return nil, err
	}
	err := p.Call(ctx, "DOM.getNodeForLocation", object{"x": int(x + m.Viewport.X), "y": int(y + m.Viewport.Y), "includeUserAgentShadowDOM": false}, &r)
	if err != nil {
		return nil, nil // nothing is there
	}
	world, err := in(r.Frame)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	id := p.numbers[world]
	p.mu.Unlock()
	var got struct{ Object remote }
	if err := p.Call(ctx, "DOM.resolveNode", object{"backendNodeId": r.Node, "executionContextId": id}, &got); err != nil {
		return nil, nil // it is gone again
	}
	h := p.handle(r.Frame, got.Object)
	if got.Object.Class == "CSSPseudoElement" { // what ::before and ::after draw is no node
		return h.Get(ctx, "function () { return this.element ?? null }")
	}
	return h, nil
}

// SetFiles gives files to an input element.
func (h *Handle) SetFiles(ctx context.Context, paths []string) error {
	if paths == nil {
		paths = []string{}
	}
	return h.page.Call(ctx, "DOM.setFileInputFiles", object{"objectId": h.ID, "files": paths}, nil)
}

// Free lets the browser forget what the handle stands for.
func (h *Handle) Free(ctx context.Context) {
	if h != nil {
		_ = h.page.call(ctx, "Runtime.releaseObject", object{"objectId": h.ID}, nil)
	}
}
