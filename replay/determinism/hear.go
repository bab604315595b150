package determinism

import (
	"encoding/json"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

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
		p.inspected(m)
	case "Page.windowOpen":
		var e proto.PageWindowOpen
		if m.Load(&e) {
			p.s.windowed(e.URL)
		}
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
			delete(p.outside, work{int(e.ExecutionContextID), false})
			delete(p.outside, work{int(e.ExecutionContextID), true})
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
