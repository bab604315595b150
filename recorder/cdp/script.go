package cdp

import (
	_ "embed"
	"encoding/json"
	"strings"
)

// The scripts run in each frame, in a world of their own: the page cannot see
// them, and its rules for scripts do not bind them.
var (
	//go:embed script/snapshot.js
	snapshotScript string
	//go:embed script/target.js
	targetScript string
	//go:embed script/input.js
	inputScript string
)

const (
	worldName   = "tracedeck"
	bindingName = "__deckReport"
)

// script puts the parts together that the options ask for.
func (o Options) script() string {
	var b strings.Builder
	b.WriteString("(() => { if (globalThis.__deck) return;\n")
	b.WriteString(snapshotScript)
	b.WriteString(targetScript)
	b.WriteString("deck.mask = " + string(mustJSON(strings.Join(o.Mask, ", "))) + "; deck.snapshots = " + string(mustJSON(o.Snapshots)) + ";\n")
	if o.TestID != "" {
		b.WriteString("deck.testId = " + string(mustJSON(o.TestID)) + ";\n")
	}
	if o.Input {
		b.WriteString(inputScript)
	}
	b.WriteString("})()")
	return b.String()
}

// enable puts the scripts into a target's frames, those there are and those to come.
func (c *capture) enable(s *session) {
	if !c.r.o.Input && !c.r.o.Snapshots {
		return
	}
	c.r.send(s, "Runtime.addBinding", object{"name": bindingName, "executionContextName": worldName})
	c.r.send(s, "Page.addScriptToEvaluateOnNewDocument", object{"source": c.script, "worldName": worldName, "runImmediately": true})
}

// world is where the scripts of a frame run.
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
	r.send(s, "Runtime.evaluate", object{"expression": "__deck.flush?.()", "contextId": p.Context.ID})
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

func (r *Recorder) frameIn(s *session, world int) *frame {
	for _, f := range r.frames {
		if f.world != nil && f.world.session == s && f.world.id == world {
			return f
		}
	}
	return nil
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
		r.conn.Send(w.session.id, "DOM.resolveNode", object{"backendNodeId": got.Node, "executionContextId": w.id}, func(result raw, err error) {
			var got struct {
				Object struct {
					ID string `json:"objectId"`
				} `json:"object"`
			}
			if err != nil || json.Unmarshal(result, &got) != nil {
				f.owner = nil
				return
			}
			r.conn.Send(w.session.id, "Runtime.callFunctionOn", object{"objectId": got.Object.ID, "functionDeclaration": "function (id) { return globalThis.__deck?.frame(this, id); }",
				"arguments": []object{{"value": f.ref()}}, "returnByValue": true}, func(result raw, err error) {
				var got struct {
					Result struct {
						Value string `json:"value"`
					} `json:"result"`
				}
				if err == nil && json.Unmarshal(result, &got) == nil {
					f.selector = got.Result.Value
				}
			})
			r.send(w.session, "Runtime.releaseObject", object{"objectId": got.Object.ID})
		})
	})
}
