package cdp

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/tracedeck/tracedeck/recorder/inject"
	"github.com/tracedeck/tracedeck/trace"
)

// How long after an act of the user its effects are awaited.
const (
	calmAfter  = 150 * time.Millisecond  // after most
	fillAfter  = 1500 * time.Millisecond // after text, of which more may come
	askedAfter = time.Second             // after one for which the page asked for a navigation
	loadAfter  = 4 * time.Second         // after one that began a navigation
)

// tellAgain is between two announcements of an act of which ever more is known,
// such as a text that is being typed.
const tellAgain = 500 * time.Millisecond

// capture makes actions of what the user does, and takes the snapshots and
// pictures that belong to actions.
type capture struct {
	r       *Recorder
	script  string
	driven  map[string]*page // actions under way that somebody else carries out
	working int              // snapshots and pictures under way
}

// act is what the user does at the moment: one action, of which the first line
// is written when it is known in full.
type act struct {
	before   trace.Before
	params   map[string]any
	input    *trace.Input
	held     []trace.Body // snapshots that were taken since it began
	method   string
	selector string
	began    time.Time
	due      time.Time // when it is over, unless something else happens
	end      trace.Time
	closing  bool
	told     time.Time // when it was announced
	more     bool      // is known by now than was announced
	clicks   int       // of a row
	clicked  time.Time
}

// navigation is where a page is going.
type navigation struct {
	kind    string // as the browser calls it
	url     string
	started trace.Time
	under   bool      // it is under way
	asked   time.Time // when a script or a link of the page asked for one
	driven  bool      // an action that somebody else carries out is why
}

var inputEvents = map[string]func(*Recorder, *session, event){
	"Runtime.bindingCalled":             on(bindingCalled),
	"Runtime.executionContextCreated":   on(worldMade),
	"Runtime.executionContextDestroyed": on(worldGone),
	"Runtime.executionContextsCleared":  worldsGone,
}

func newCapture(r *Recorder) *capture {
	return &capture{r: r, script: r.o.script(), driven: map[string]*page{}}
}

// report is what the script says.
type report struct {
	Frame    []int            `json:"frame"` // numbers of frames in their parents, from the page inwards
	Name     string           `json:"name"`
	Number   int              `json:"number"`
	Op       string           `json:"op"`
	Method   string           `json:"method"`
	Class    string           `json:"class"` // "" is Frame
	Params   map[string]any   `json:"params"`
	Target   raw              `json:"target"`
	Point    *trace.Point     `json:"point"`
	Age      float64          `json:"age"`  // milliseconds
	Sent     float64          `json:"sent"` // milliseconds since 1970, by the page's clock
	Snapshot *inject.Snapshot `json:"snapshot"`
	Earlier  *inject.Snapshot `json:"earlier"` // taken before Snapshot: how the act before left the frame
	Title    string           `json:"title"`
	Masked   bool             `json:"masked"` // the value is not the real one
	Offset   *trace.Point     `json:"offset"` // of the frame in the page; nil if it cannot be known
	Value    *string          `json:"value"`
	Position *trace.Point     `json:"position"`
	Duration float64          `json:"duration"` // milliseconds
}

func bindingCalled(r *Recorder, s *session, p *struct {
	Name    string `json:"name"`
	Payload string `json:"payload"`
	Context int    `json:"executionContextId"`
}, e event) {
	f := r.frameIn(s, p.Context)
	var list []raw
	if p.Name != bindingName || f == nil || json.Unmarshal([]byte(p.Payload), &list) != nil {
		return
	}
	for _, data := range list {
		r.told(f, data, e)
	}
}

// told takes in one message of the script.
func (r *Recorder) told(f *frame, data raw, e event) {
	var m report
	if ofBrowser(f.url) || json.Unmarshal(data, &m) != nil {
		return
	}
	at := r.wall.page(m.Sent/1000, r.arrived(e.at)) - trace.Milliseconds(m.Age)
	if m.Params == nil {
		m.Params = map[string]any{}
	}
	switch m.Op {
	case "act":
		r.input.act(f, &m, at, e.at)
	case "value":
		r.input.value(f.page, &m, at, e.at)
	case "again":
		r.input.again(f.page, e.at)
	case "done":
		if a := f.page.act; a != nil {
			a.due = e.at
		}
	case "note":
		r.input.note(f, data, at, e.at)
	case "command":
		if r.o.Overlay && r.o.Asked != nil {
			r.o.Asked(Command{Name: m.Name, Number: m.Number})
		}
	case "throttled":
		r.throttled(f, data, at)
	case "vitals", "longtask":
		r.performance(f, m.Op, data, at)
	}
}

// performance writes what the page measured of itself.
func (r *Recorder) performance(f *frame, kind string, data raw, at trace.Time) {
	var params map[string]any
	if json.Unmarshal(data, &params) != nil {
		return
	}
	delete(params, "op")
	delete(params, "age")
	delete(params, "sent")
	params["pageId"] = f.page.id
	r.sink.Write(&trace.ContextEvent{Time: at, Class: "Performance", Method: kind, Params: mustJSON(params), PageID: f.page.id})
}

// act begins an action of the user, or tells more of one that somebody else
// carries out.
func (c *capture) act(f *frame, m *report, at trace.Time, now time.Time) {
	p := f.page
	id := c.drivenOn(p)
	if id == "" && now.Add(-time.Duration(m.Age*1e6)).Before(p.driven.Add(50*time.Millisecond)) {
		id = p.drivenID // it is over, and its effects are told late
	}
	if id != "" {
		in := m.place(id)
		if m.Snapshot != nil {
			in.ExpectSnapshot()
		}
		c.r.sink.Write(in)
		if m.Earlier != nil {
			c.write(f, m.Earlier, id, trace.PhaseBefore)
		}
		if m.Snapshot != nil {
			c.write(f, m.Snapshot, id, trace.PhaseAction)
		}
		return
	}
	if c.doubled(p, f, m, now) {
		return
	}
	told := m.Earlier != nil && p.act != nil
	if told {
		c.write(f, m.Earlier, p.act.before.CallID, trace.PhaseAfter)
	}
	// Ages are measured in the page: two acts of one event keep their order.
	at = max(at, p.lastAct+trace.Time(time.Microsecond))
	if p.act != nil {
		c.complete(p, told, at)
	}
	p.lastAct = at
	c.r.actBegan(p, at)
	id, parent := c.r.sink.NewCall()
	a := &act{params: m.Params, method: m.Method, began: now, due: now.Add(calmAfter), end: at, input: m.place(id)}
	a.selector, _ = m.Params["selector"].(string)
	a.before = trace.Before{CallID: id, StartTime: at, Class: cmp.Or(m.Class, "Frame"), Method: m.Method, Title: m.Title, PageID: p.id, ParentID: parent}
	if m.Position != nil && a.params["position"] == nil {
		a.params["position"] = m.Position
	}
	if m.Masked {
		a.params["_masked"] = true
	}
	if way := c.r.within(f); way != "" {
		for _, name := range []string{"selector", "source", "target"} {
			if v, ok := a.params[name].(string); ok {
				a.params[name] = way + v
			}
		}
	}
	if !f.isMain() {
		a.params["_frame"] = map[string]any{"frameId": f.ref(), "url": f.url, "index": m.Frame}
	}
	if len(m.Target) > 0 {
		a.params["_target"] = m.Target
	}
	if m.Method == "click" {
		a.clicks, a.clicked = 1, now
	}
	if m.Method == "fill" || m.Method == "type" || m.Method == "scroll" {
		a.due = now.Add(fillAfter)
	}
	p.act = a
	if m.Earlier != nil && !told {
		a.before.ExpectSnapshot()
		c.write(f, m.Earlier, id, trace.PhaseBefore)
	}
	c.announce(a)
	if m.Snapshot != nil {
		a.input.ExpectSnapshot()
		c.write(f, m.Snapshot, id, trace.PhaseAction)
	}
}

// announce says that an act is under way, for those who watch.
func (c *capture) announce(a *act) {
	b := a.before
	b.Params = mustJSON(a.params)
	a.told, a.more = time.Now(), false
	c.r.sink.Write(&trace.Begun{Before: b})
}

// place says where on the page the user acted, if that is known.
func (m *report) place(id string) *trace.Input {
	in := &trace.Input{CallID: id}
	if m.Offset == nil {
		return in
	}
	if m.Point != nil {
		in.Point = &trace.Point{X: m.Point.X + m.Offset.X, Y: m.Point.Y + m.Offset.Y}
	}
	var t struct {
		Box *trace.Rect `json:"box"`
	}
	if len(m.Target) > 0 && json.Unmarshal(m.Target, &t) == nil && t.Box != nil {
		t.Box.X, t.Box.Y = t.Box.X+m.Offset.X, t.Box.Y+m.Offset.Y
		in.Box = t.Box
	}
	return in
}

// doubled makes a double click of the click before, or one of three clicks of those.
func (c *capture) doubled(p *page, f *frame, m *report, now time.Time) bool {
	a := p.act
	selector, _ := m.Params["selector"].(string)
	count, _ := m.Params["clickCount"].(float64)
	if a == nil || count < 2 || a.selector != selector || a.clicks != int(count)-1 || now.Sub(a.clicked) > time.Second {
		return false
	}
	a.clicks, a.clicked, a.closing, a.due = int(count), now, false, now.Add(calmAfter)
	a.method, a.params["clickCount"], a.params["_clicks"] = "click", a.clicks, a.clicks
	if a.clicks == 2 {
		a.method = "dblclick"
		delete(a.params, "clickCount")
		delete(a.params, "_clicks")
	}
	a.before.Method = a.method
	c.announce(a)
	if m.Earlier != nil { // they may be referred to
		c.write(f, m.Earlier, a.before.CallID, trace.PhaseAction)
	}
	if m.Snapshot != nil {
		c.write(f, m.Snapshot, a.before.CallID, trace.PhaseAction)
	}
	return true
}

// again waits for another click at the same place, of which the button is down.
func (c *capture) again(p *page, now time.Time) {
	if a := p.act; a != nil && a.clicks > 0 {
		a.due, a.closing = now.Add(time.Second), false
	}
}

// value takes in more text of the field that is being filled.
func (c *capture) value(p *page, m *report, at trace.Time, now time.Time) {
	a := p.act
	if a == nil || a.closing {
		return
	}
	a.end, a.due, a.more = at, now.Add(fillAfter), true
	if m.Value != nil {
		name := "value"
		if a.method == "type" {
			name = "text"
		}
		a.params[name] = *m.Value
	}
	if m.Position != nil {
		a.params["x"], a.params["y"] = m.Position.X, m.Position.Y
		a.due = now.Add(calmAfter)
	}
}

// tick ends acts that are over.
func (c *capture) tick() {
	now := time.Now()
	for _, p := range c.r.pages {
		if p.ending != nil && (!p.loading.under || now.After(p.ending.due)) {
			c.conclude(p, func() {})
		}
		a := p.act
		if a != nil && a.more && now.Sub(a.told) > tellAgain {
			c.announce(a)
		}
		if a == nil || a.closing || now.Before(a.due) || p.loading.awaited(a.began, now) {
			continue
		}
		a.closing = true
		c.snapshot(p, a.before.CallID, trace.PhaseAfter, func(found int) {
			if p.act == a && a.closing {
				c.complete(p, found > 0, c.r.sink.Now())
				c.picture(p)
			}
		})
	}
}

// cutShort ends the act of a page at once, because something else begins.
func (c *capture) cutShort(p *page) {
	if p.act != nil {
		c.complete(p, false, c.r.sink.Now())
	}
}

// complete writes the act of a page, which was over at that time.
func (c *capture) complete(p *page, after bool, at trace.Time) {
	a := p.act
	p.act = nil
	a.before.Params = mustJSON(a.params)
	c.r.sink.Write(&a.before)
	c.r.sink.Write(a.input)
	end := &trace.After{CallID: a.before.CallID, EndTime: max(a.end, at), Point: a.input.Point}
	if after {
		end.ExpectSnapshot()
	}
	for _, b := range a.held {
		c.r.sink.Write(b)
	}
	c.r.sink.Write(end)
}

func (c *capture) picture(p *page) {
	c.working++
	c.r.shoot(p, func() { c.working-- })
}

func (c *capture) drivenOn(p *page) (id string) {
	for call, on := range c.driven {
		if on == p && call > id {
			id = call
		}
	}
	return id
}

func (c *capture) finish() {
	for _, p := range c.r.pages {
		c.cutShort(p)
		if e := p.ending; e != nil {
			p.ending = nil
			c.r.sink.Write(e.after)
		}
		c.r.endActs(p)
	}
}

// lastWords has the scripts tell what they held back.
func (c *capture) lastWords() {
	for _, p := range c.r.pages {
		if f := c.r.frames[p.target]; f != nil && f.world != nil {
			c.working++
			c.r.evaluate(f.world, "globalThis.__deck?.end()", func(remote, error) { c.working-- })
		}
	}
}

func (c *capture) busy() bool {
	if c.working > 0 {
		return true
	}
	for _, p := range c.r.pages {
		if p.act != nil {
			p.act.due = time.Time{} // nothing more will come
			return true
		}
		if p.ending != nil {
			return true
		}
	}
	return false
}

func (c *capture) pageClosed(p *page, _ trace.Time) {
	c.cutShort(p)
	if p.ending != nil {
		c.conclude(p, func() {})
	}
}

// restart makes the next snapshots whole: those before are in another chunk.
func (c *capture) restart() {
	for _, f := range c.r.frames {
		if f.world != nil {
			c.r.evaluate(f.world, "globalThis.__deck?.reset()", nil)
		}
	}
}

func (c *capture) began(id string, p *page) {
	c.cutShort(p)
	c.r.actBegan(p, c.r.sink.Now())
	c.driven[id] = p
}

func (c *capture) over(id string) {
	if p := c.driven[id]; p != nil {
		p.driven, p.drivenID = time.Now(), id
	}
	delete(c.driven, id)
}

// drives reports whether somebody else acts on the page, or did a moment ago:
// events come later than answers on another connection.
func (c *capture) drives(p *page) bool {
	return c.drivenOn(p) != "" || time.Since(p.driven) < 500*time.Millisecond
}
