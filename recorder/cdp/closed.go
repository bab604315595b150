package cdp

import "encoding/json"

// reveal hands the script of a frame the closed shadow roots of its elements:
// the browser knows them, and scripts do not. Each element is asked about once.
func (c *capture) reveal(f *frame) {
	w := f.world
	if w == nil || !c.r.o.Snapshots {
		return
	}
	const group = "tracedeck-suspects"
	params := object{"expression": "globalThis.__deck ? __deck.suspects() : []", "contextId": w.id, "objectGroup": group}
	c.r.call(w, "Runtime.evaluate", params, func(list remote, err error) {
		if err != nil || list.ID == "" {
			return
		}
		c.r.conn.Send(w.session.id, "Runtime.getProperties", object{"objectId": list.ID, "ownProperties": true}, func(result raw, err error) {
			var got struct {
				Items []struct {
					Value *remote `json:"value"`
				} `json:"result"`
			}
			if err == nil && json.Unmarshal(result, &got) == nil {
				for _, item := range got.Items {
					if item.Value != nil && item.Value.Subtype == "node" && item.Value.ID != "" {
						c.revealIn(w, item.Value.ID)
					}
				}
			}
			c.r.send(w.session, "Runtime.releaseObjectGroup", object{"objectGroup": group})
		})
	})
}

// revealIn asks whether one element has a closed shadow root.
func (c *capture) revealIn(w *world, element string) {
	c.r.conn.Send(w.session.id, "DOM.describeNode", object{"objectId": element}, func(result raw, err error) {
		var got struct {
			Node struct {
				Roots []struct {
					Kind string `json:"shadowRootType"`
					Node int    `json:"backendNodeId"`
				} `json:"shadowRoots"`
			} `json:"node"`
		}
		if err != nil || json.Unmarshal(result, &got) != nil {
			return
		}
		for _, root := range got.Node.Roots {
			if root.Kind != "closed" {
				continue
			}
			c.r.resolve(w, root.Node, func(id string) {
				if id == "" {
					return
				}
				c.r.send(w.session, "Runtime.callFunctionOn", object{"objectId": id, "functionDeclaration": "function () { globalThis.__deck?.shadow(this); }"})
				c.r.send(w.session, "Runtime.releaseObject", object{"objectId": id})
			})
		}
	})
}
