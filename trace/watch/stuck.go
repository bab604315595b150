package watch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/locator"
)

// click is a click whose effect is awaited.
type click struct {
	call, page, target string
	at                 trace.Time
	point              *trace.Point
	ended              trace.Time
	effect             bool // something came of it
	known              bool // it is recorded whether the page changed
}

// burst is a series of clicks on one element.
type burst struct {
	target string
	times  []trace.Time
	point  *trace.Point
	told   bool
}

// submit is a form that was sent off.
type submit struct {
	at     trace.Time
	action string
}

// call notes clicks.
func (d *Detector) call(b *trace.Before) {
	switch strings.ToLower(b.Method) {
	case "click", "dblclick", "tap":
	default:
		if b.Class != "CDP" && b.Class != "BiDi" {
			d.effectOn(b.PageID) // the session went on by other means
		}
		return
	}
	var p struct{ Selector string }
	_ = json.Unmarshal(b.Params, &p) // without a selector the place says which
	c := &click{call: b.CallID, page: b.PageID, target: p.Selector, at: b.StartTime}
	d.open.put(b.CallID, c)
	if p.Selector != "" {
		d.repeated(c)
	}
}

// input knows where a click acted, which says what it meant if nothing else does.
func (d *Detector) input(i *trace.Input) {
	c, ok := d.open.get(i.CallID)
	if !ok || i.Point == nil || c.point != nil {
		return
	}
	c.point = i.Point
	if c.target == "" {
		d.repeated(c)
	}
}

// repeated tells of three clicks on one element within five seconds, once for
// each burst, which five seconds of silence end.
func (d *Detector) repeated(c *click) {
	key := c.page + "\x00" + c.target
	b, ok := d.clicks.get(key)
	if !ok || len(b.times) > 0 && c.at.Sub(b.times[len(b.times)-1]) > rageSpan || !near(b.point, c.point) {
		b = &burst{target: c.target, point: c.point}
		d.clicks.put(key, b)
	}
	b.times = append(b.times, c.at)
	for len(b.times) > 0 && c.at.Sub(b.times[0]) > rageSpan {
		b.times = b.times[1:]
	}
	if len(b.times) >= rageClicks && !b.told {
		b.told = true
		d.tell(Finding{Category: Frustration, Severity: Warning, Rule: "repeated-clicks", Action: c.call,
			Message: fmt.Sprintf("Repeated clicks on %s: %d within 5 s; does it do anything?", d.name(c), len(b.times))}, "")
	}
}

func near(a, b *trace.Point) bool {
	return a == nil || b == nil || math.Hypot(a.X-b.X, a.Y-b.Y) <= ragePixels
}

func (d *Detector) name(c *click) string {
	if c.target == "" {
		if c.point == nil {
			return "the page"
		}
		return fmt.Sprintf("(%.0f, %.0f)", c.point.X, c.point.Y)
	}
	if s, err := locator.Parse(c.target); err == nil {
		if code, err := s.Code(locator.JavaScript); err == nil {
			return code
		}
	}
	return c.target
}

// snapshot tells whether the page changed: an unchanged one is nothing but a
// reference to the one before.
func (d *Detector) snapshot(s *trace.FrameSnapshot) {
	c, ok := d.open.get(s.CallID)
	if !ok || s.Phase != trace.PhaseAfter {
		return
	}
	c.known = true
	if !bytes.HasPrefix(bytes.TrimSpace(s.HTML), []byte("[[")) {
		c.effect = true
	}
}

func (d *Detector) ended(a *trace.After) {
	if c, ok := d.open.get(a.CallID); ok {
		c.ended = a.EndTime
		c.effect = c.effect || a.Error != nil // that tells enough
	}
	if a.Error != nil {
		d.tell(Finding{Category: Errors, Severity: Error, Rule: "action-failed", Action: a.CallID, Message: "Action failed: " + firstLine(a.Error.Message)}, "")
	}
}

func (d *Detector) submitted(e *trace.ContextEvent) {
	var p struct{ Action, Selector string }
	if json.Unmarshal(e.Params, &p) != nil {
		return
	}
	if p.Action == "" {
		p.Action = p.Selector
	}
	d.submits.put(e.PageID, &submit{e.Time, p.Action})
}

// advance moves the clock, which may step back a little between files, and
// tells what did not happen in time.
func (d *Detector) advance(now trace.Time) {
	if !now.Known() || now <= d.now {
		return
	}
	if !d.begun {
		d.zero, d.begun = now, true
	}
	d.now = now
	for _, page := range slices.Clone(d.submits.order) {
		if s := d.submits.values[page]; now.Sub(s.at) > formWait {
			d.submits.drop(page)
			d.tell(Finding{Category: Frustration, Severity: Warning, Rule: "form-unanswered", at: s.at.Add(formWait),
				Message: fmt.Sprintf("Form submit to %s: no response after 5 s", s.action)}, "")
		}
	}
	for _, call := range slices.Clone(d.open.order) {
		c := d.open.values[call]
		if c.ended == 0 || now.Sub(max(c.ended, c.at)) <= clickWait {
			continue
		}
		d.open.drop(call)
		if !c.effect && c.known {
			d.tell(Finding{Category: Frustration, Severity: Info, Rule: "dead-click", Action: call, at: c.at,
				Message: fmt.Sprintf("A click on %s changed nothing", d.name(c))}, c.page+c.target)
		}
	}
}
