package cdp

import (
	"encoding/json"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// note writes what accompanies the acts of the user and is none: focus, blur,
// submit, copy, cut, paste. A window that got another size is an action.
func (c *capture) note(f *frame, data raw, at trace.Time, now time.Time) {
	var params map[string]any
	if json.Unmarshal(data, &params) != nil {
		return
	}
	kind, _ := params["kind"].(string)
	for _, name := range []string{"op", "kind", "age", "sent"} {
		delete(params, name)
	}
	if kind == "resize" {
		c.resized(f.page, params, at, now)
		return
	}
	params["pageId"], params["frameId"] = f.page.id, f.ref()
	c.r.sink.Write(&trace.ContextEvent{Time: at, Class: "Input", Method: kind, Params: mustJSON(params), PageID: f.page.id})
}

// newWindow is how long the size of a new page is not the user's doing.
const newWindow = time.Second

// resized writes that the user made the window larger or smaller.
func (c *capture) resized(p *page, params map[string]any, at trace.Time, now time.Time) {
	if c.drives(p) || p.act != nil || now.Sub(p.opened) < newWindow || originOf(p.url) == "" {
		c.r.sink.Write(&trace.ContextEvent{Time: at, Class: "Input", Method: "resize", Params: mustJSON(params), PageID: p.id})
		return
	}
	id, parent := c.r.sink.NewCall()
	c.r.sink.Write(&trace.Before{CallID: id, StartTime: at, Class: "Page", Method: "setViewportSize", PageID: p.id, ParentID: parent,
		Params: mustJSON(map[string]any{"viewportSize": params})})
	c.r.sink.Write(&trace.After{CallID: id, EndTime: max(at, c.r.sink.Now())})
}
