package cdp

import (
	"encoding/json"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// patience is how long an action waits for a page to hand over its DOM. A page
// that shows a dialog or computes does not; its snapshot is written when it comes.
const patience = 1500 * time.Millisecond

// taken is a snapshot as the script makes it.
type taken struct {
	HTML      raw     `json:"html"`
	Doctype   string  `json:"doctype"`
	URL       string  `json:"url"`
	Width     float64 `json:"width"`
	Height    float64 `json:"height"`
	Wall      float64 `json:"wall"`
	Took      float64 `json:"took"`
	Overrides []struct {
		URL  string `json:"url"`
		Text string `json:"text"`
	} `json:"overrides"`
}

// snapshot takes the DOM of all frames of a page, and calls then when they are
// written or the wait is over. found says whether there is anything to take.
func (c *capture) snapshot(p *page, id string, phase trace.Phase, then func(found int)) {
	var frames []*frame
	if c.r.o.Snapshots && !p.closed {
		for _, f := range c.r.frames {
			if f.page == p && f.world != nil {
				frames = append(frames, f)
			}
		}
	}
	left, found, over := len(frames), 0, false
	finish := func() {
		if !over {
			over = true
			then(found)
		}
	}
	if left == 0 {
		finish()
		return
	}
	c.working++
	late := time.AfterFunc(patience, func() { c.r.post(finish) })
	for _, f := range frames {
		c.take(f, func(t *taken) {
			if t != nil {
				found++
				c.write(f, t, id, phase)
			}
			if left--; left == 0 {
				late.Stop()
				c.working--
				finish()
			}
		})
	}
}

// take asks the script of a frame for a snapshot; nil is what it did not give.
func (c *capture) take(f *frame, then func(*taken)) {
	params := object{"expression": "JSON.stringify(__deck.snapshot())", "contextId": f.world.id, "returnByValue": true}
	c.r.conn.Send(f.world.session.id, "Runtime.evaluate", params, func(result raw, err error) {
		var got struct {
			Result struct {
				Value string `json:"value"`
			} `json:"result"`
		}
		var t taken
		if err != nil || json.Unmarshal(result, &got) != nil || json.Unmarshal([]byte(got.Result.Value), &t) != nil {
			then(nil)
			return
		}
		then(&t)
	})
}

// write writes a frame's snapshot. All of them have to be, in the order in
// which they were taken: later ones refer to them.
func (c *capture) write(f *frame, t *taken, id string, phase trace.Phase) {
	s := &trace.FrameSnapshot{CallID: id, Phase: phase, PageID: f.page.id, FrameID: f.ref(), FrameURL: t.URL, Doctype: t.Doctype, HTML: t.HTML,
		Viewport: &trace.Size{Width: t.Width, Height: t.Height}, Timestamp: c.r.sink.Now(), WallTime: t.Wall, CollectionTime: round(t.Took),
		ResourceOverrides: []trace.ResourceOverride{}, IsMainFrame: f.isMain()}
	for _, o := range t.Overrides {
		if file, err := c.r.sink.AddResource([]byte(o.Text), ".css"); err == nil {
			s.ResourceOverrides = append(s.ResourceOverrides, trace.ResourceOverride{URL: o.URL, File: file})
		}
	}
	c.put(f.page, s)
}

// put writes what belongs to an action of a page: behind the action's first
// line, which is written when the user's act is over.
func (c *capture) put(p *page, b trace.Body) {
	if p.act != nil {
		p.act.held = append(p.act.held, b)
		return
	}
	c.r.sink.Write(b)
}
