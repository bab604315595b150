package cdp

import (
	"encoding/json"
	"path"
	"time"

	"github.com/tracedeck/tracedeck/recorder/inject"
	"github.com/tracedeck/tracedeck/trace"
)

// patience is how long an action waits for a page to hand over its DOM. A page
// that shows a dialog or computes does not; its snapshot is written when it comes.
const patience = 1500 * time.Millisecond

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
		c.take(f, func(t *inject.Snapshot) {
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
func (c *capture) take(f *frame, then func(*inject.Snapshot)) {
	c.r.evaluate(f.world, "JSON.stringify(__deck.snapshot())", func(v remote, err error) {
		var t inject.Snapshot
		if err != nil || json.Unmarshal([]byte(v.text()), &t) != nil {
			then(nil)
			return
		}
		then(&t)
	})
}

// write writes a frame's snapshot. All of them have to be, in the order in
// which they were taken: later ones refer to them.
func (c *capture) write(f *frame, t *inject.Snapshot, id string, phase trace.Phase) {
	if ofBrowser(f.url) {
		return
	}
	s := &trace.FrameSnapshot{CallID: id, Phase: phase, PageID: f.page.id, FrameID: f.ref(), FrameURL: t.URL, Doctype: t.Doctype, HTML: t.HTML,
		Viewport: &trace.Size{Width: t.Width, Height: t.Height}, Timestamp: c.r.sink.Now(), WallTime: t.Wall, CollectionTime: round(t.Took),
		ResourceOverrides: []trace.ResourceOverride{}, IsMainFrame: f.isMain()}
	for _, o := range t.Overrides {
		if file, err := c.r.sink.AddResource([]byte(o.Text), ".css"); err == nil {
			s.ResourceOverrides = append(s.ResourceOverrides, trace.ResourceOverride{URL: o.URL, File: file})
		}
	}
	c.pictures(s, t)
	c.put(f.page, s)
	if t.Suspects {
		c.reveal(f)
	}
}

// pictures writes what canvases and videos showed. Attributes name them; who
// copies a trace finds them among the overrides.
func (c *capture) pictures(s *trace.FrameSnapshot, t *inject.Snapshot) {
	for _, p := range t.Pictures {
		if file, err := c.r.sink.AddResource(p.Data, path.Ext(p.Name)); err == nil {
			s.ResourceOverrides = append(s.ResourceOverrides, trace.ResourceOverride{URL: "tracedeck-picture:" + p.Name, File: file})
		}
	}
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
