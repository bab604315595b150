package replay

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/replay/heal"
	"github.com/tracedeck/tracedeck/trace/locator"
)

// document is a frame in which an element is looked for. It is a heal.Page.
type document struct {
	page  *determinism.Page
	frame string
}

// Evaluate runs an expression in the driver's world of the frame.
func (d document) Evaluate(ctx context.Context, expression string) (json.RawMessage, error) {
	_, value, err := d.run(ctx, "JSON.stringify("+expression+")")
	if err != nil {
		return nil, err
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return nil, fmt.Errorf("looking for an element: %w", err)
	}
	return json.RawMessage(text), nil
}

func (d document) run(ctx context.Context, expression string) (*determinism.Handle, json.RawMessage, error) {
	world, err := d.page.World(ctx, d.frame, finder())
	if err != nil {
		return nil, nil, err
	}
	_, there, err := d.page.Run(ctx, d.frame, world, "typeof __deckHeal")
	if err != nil {
		return nil, nil, err
	}
	if string(there) == `"undefined"` {
		if _, _, err := d.page.Run(ctx, d.frame, world, heal.Script()+";0"); err != nil {
			return nil, nil, err
		}
	}
	return d.page.Run(ctx, d.frame, world, expression)
}

// healed looks for the element of an action by what else is known of it, after
// its selector has found none. It answers nil where nothing is certain enough.
func (r *run) healed(ctx context.Context, d *doing, selector string, why error) *determinism.Handle {
	if why == nil && selector == d.described() && r.o.Overlay != nil && r.o.Overlay.Proposes(selector) {
		if t := r.known(ctx, d); t != nil { // it is not healed any more
			r.o.Overlay.Note(t, nil, r.name)
		}
	}
	if why == nil || !r.o.Heal || CodeOf(why) != "E_NO_ELEMENT" || d.planned.action.Error != nil || selector != d.described() {
		return nil
	}
	t := r.described(ctx, d)
	if t == nil {
		return nil
	}
	frame, ok := r.frameOf(ctx, d, selector)
	if !ok {
		return nil
	}
	o := heal.DefaultOptions()
	o.NoPrimary, o.Patience, o.Overlay = true, 0, r.o.Overlay
	if r.o.Floor > 0 {
		o.Floor = r.o.Floor
	}
	in := document{d.page, frame}
	m, err := heal.Find(ctx, in, t, o)
	if err != nil {
		d.action.Log("no other element is certain to be the one: " + err.Error())
		r.o.Log("%s: %v", d.planned.action.ID(), err)
		return nil
	}
	h, _, err := in.run(ctx, m.Element)
	if err != nil || h == nil {
		return nil
	}
	r.mended(d, t, m)
	return h
}

// described is the selector of the element that the recording describes: of a
// drag, this recorder describes where it ended.
func (d *doing) described() string {
	if d.verb == "dragAndDrop" && d.recordedAsOne() {
		return d.params.text("target")
	}
	return d.params.text("selector")
}

// mended says what was healed in the report and in the new trace.
func (r *run) mended(d *doing, t *heal.Target, m *heal.Match) {
	d.step.Heal = m
	text := fmt.Sprintf("%s: found by %s with confidence %.2f instead of %s: %s", heal.CodeUsed, m.Strategy, m.Confidence, t.Selector, m.Selector)
	d.action.Log(text)
	r.o.Log("%s %s", d.planned.action.ID(), text)
	r.event("heal", map[string]any{"callId": d.action.ID(), "recorded": d.planned.action.ID(), "target": t.Selector, "match": m})
	if r.o.Overlay != nil {
		r.o.Overlay.Note(t, m, r.name)
	}
}

// known is what the recording knows of an action's element.
func (r *run) known(ctx context.Context, d *doing) *heal.Target {
	if t, ok := heal.TargetOf(d.planned.action); ok {
		return t
	}
	return r.shown(ctx, d.planned.action)
}

// described is that, and what the snapshots show of what was like it.
func (r *run) described(ctx context.Context, d *doing) *heal.Target {
	if t := r.shown(ctx, d.planned.action); t != nil {
		return t
	}
	return r.known(ctx, d)
}

// blank is a session for looking at recorded pages.
func (r *run) blank() determinism.SessionOptions {
	o, now := determinism.DefaultSession(), r.surroundings()
	o.Width, o.Height = now.Width, now.Height
	return o
}

// frameOf is the frame in which a selector ends.
func (r *run) frameOf(ctx context.Context, d *doing, selector string) (frame string, ok bool) {
	s, err := locator.Parse(selector)
	if err != nil {
		return "", false
	}
	p := d.page
	if frame = r.frameNow(p, d.scene.frame); frame == "" {
		frame = p.Target()
	}
	ways := s.Frames()
	for _, way := range ways[:len(ways)-1] {
		parts, err := compile(way)
		if err != nil {
			return "", false
		}
		list, err := find(ctx, p, frame, parts)
		if err != nil || len(list) == 0 {
			return "", false
		}
		if frame, err = list[0].ContentFrame(ctx); err != nil || frame == "" {
			return "", false
		}
	}
	return frame, true
}
