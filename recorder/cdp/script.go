package cdp

import (
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/recorder/inject"
)

const (
	worldName   = inject.World
	bindingName = "__deckReport"
)

// script is what runs in each frame, in a world of its own: the page cannot
// see it, and its rules for scripts do not bind it.
func (o Options) script() string {
	i := inject.DefaultOptions()
	i.Mask, i.Secrets, i.Snapshots, i.Canvas, i.Input = strings.Join(o.Mask, ", "), o.Secrets, o.Snapshots, o.Snapshots, o.Input
	i.Binding, i.Overlay = bindingName, o.Overlay
	if o.TestID != "" {
		i.TestID = o.TestID
	}
	return i.Script()
}

// enable puts the script into a target's frames, those there are and those to come.
func (c *capture) enable(s *session) {
	if !c.r.o.Input && !c.r.o.Snapshots {
		return
	}
	c.r.send(s, "Runtime.addBinding", object{"name": bindingName, "executionContextName": worldName})
	c.r.send(s, "Page.addScriptToEvaluateOnNewDocument", object{"source": c.script, "worldName": worldName, "runImmediately": true})
}

// world is where the script of a frame runs.
type world struct {
	session *session
	id      int
}

func worldMade(r *Recorder, s *session, p *struct {
	Context struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
		Aux  struct {
			Frame string `json:"frameId"`
		} `json:"auxData"`
	} `json:"context"`
}, _ event) {
	if p.Context.Name != worldName || s.page == nil {
		return
	}
	f := r.frameOf(s, p.Context.Aux.Frame, "")
	f.session, f.world = s, &world{s, p.Context.ID}
	// A world that was there before the session listened has no binding yet.
	r.send(s, "Runtime.addBinding", object{"name": bindingName, "executionContextId": p.Context.ID})
	r.evaluate(f.world, "globalThis.__deck?.flush()", nil)
	for _, child := range r.frames {
		if child.parent == f.id {
			r.tellOwner(child)
		}
	}
	r.tellOwner(f)
}

func worldGone(r *Recorder, s *session, p *struct {
	ID int `json:"executionContextId"`
}, _ event) {
	if f := r.frameIn(s, p.ID); f != nil {
		f.world = nil
	}
}

func worldsGone(r *Recorder, s *session, _ event) {
	for _, f := range r.frames {
		if f.world != nil && f.world.session == s {
			f.world = nil
		}
	}
}

// listen has the script of a frame listen again: windows that open empty and
// documents that are written anew lose their listeners.
func (c *capture) listen(f *frame) {
	if f.world != nil {
		c.r.evaluate(f.world, "globalThis.__deck?.again()", nil)
	}
}

func (r *Recorder) frameIn(s *session, world int) *frame {
	for _, f := range r.frames {
		if f.world != nil && f.world.session == s && f.world.id == world {
			return f
		}
	}
	return nil
}

// remote is a value in the browser.
type remote struct {
	ID      string `json:"objectId"`
	Subtype string `json:"subtype"`
	Value   raw    `json:"value"`
}

// text is the value of a string, or nothing.
func (o remote) text() (s string) {
	_ = json.Unmarshal(o.Value, &s) // what is none stays empty
	return s
}

// call gives the world's session a command that returns a value, and hands
// the value to then, unless the command went wrong or threw something.
func (r *Recorder) call(w *world, method string, params object, then func(remote, error)) {
	if then == nil {
		r.send(w.session, method, params)
		return
	}
	r.conn.Send(w.session.id, method, params, func(result raw, err error) {
		var got struct {
			Result remote `json:"result"`
			Object remote `json:"object"` // of DOM.resolveNode
			Thrown *struct {
				Text string `json:"text"`
			} `json:"exceptionDetails"`
		}
		if err == nil {
			err = json.Unmarshal(result, &got)
		}
		if err == nil && got.Thrown != nil {
			err = &ProtocolError{Method: method, Message: got.Thrown.Text}
		}
		if got.Object.ID != "" {
			got.Result = got.Object
		}
		then(got.Result, err)
	})
}

// evaluate has an expression evaluated; its value is copied.
func (r *Recorder) evaluate(w *world, expression string, then func(remote, error)) {
	r.call(w, "Runtime.evaluate", object{"expression": expression, "contextId": w.id, "returnByValue": true}, then)
}

// tellOwner tells the script of the parent frame which of its elements shows f.
func (r *Recorder) tellOwner(f *frame) {
	parent := r.frames[f.parent]
	if parent == nil || parent.world == nil || f.owner == parent.world {
		return
	}
	w := parent.world
	f.owner = w
	r.conn.Send(w.session.id, "DOM.getFrameOwner", object{"frameId": f.id}, func(result raw, err error) {
		var got struct {
			Node int `json:"backendNodeId"`
		}
		if err != nil || json.Unmarshal(result, &got) != nil {
			f.owner = nil
			return
		}
		r.resolve(w, got.Node, func(id string) {
			if id == "" {
				f.owner = nil
				return
			}
			r.call(w, "Runtime.callFunctionOn", object{"objectId": id, "functionDeclaration": "function (id) { return globalThis.__deck?.frame(this, id); }",
				"arguments": []object{{"value": f.ref()}}, "returnByValue": true}, func(v remote, err error) {
				if err == nil {
					f.selector = v.text()
				}
			})
			r.send(w.session, "Runtime.releaseObject", object{"objectId": id})
		})
	})
}

// resolve brings a node into a world. The id is "" if it is gone.
func (r *Recorder) resolve(w *world, node int, then func(id string)) {
	r.call(w, "DOM.resolveNode", object{"backendNodeId": node, "executionContextId": w.id}, func(v remote, err error) {
		if err != nil {
			v.ID = ""
		}
		then(v.ID)
	})
}
