package determinism

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Buttons of a mouse.
const (
	Left   = "left"
	Middle = "middle"
	Right  = "right"
)

var pressedBits = map[string]int{Left: 1, Right: 2, Middle: 4, "back": 8, "forward": 16}

// Modifiers are keys that are held while something else is done.
type Modifiers int

// The modifiers, as the browser's protocol numbers them.
const (
	Alt Modifiers = 1 << iota
	Control
	Meta
	Shift
)

// Mouse is one event of a mouse, at a place in CSS pixels of the viewport.
type Mouse struct {
	X, Y      float64
	Button    string // of presses and releases
	Held      string // of moves: the button that is down
	Clicks    int    // which click of a row this is
	Modifiers Modifiers
}

// Move moves the mouse. It is heard with the frame that follows.
func (p *Page) Move(ctx context.Context, m Mouse) error {
	if data := p.dragged(); data != nil {
		return p.dragEvent(ctx, "dragOver", m, data)
	}
	params := object{"type": "mouseMoved", "x": m.X, "y": m.Y, "modifiers": m.Modifiers}
	if m.Held != "" {
		params["button"], params["buttons"] = m.Held, pressedBits[m.Held]
	}
	if err := p.input(ctx, "Input.dispatchMouseEvent", params, true); err != nil || m.Held == "" {
		return err
	}
	if data := p.beginning(ctx); data != nil { // it began with this move
		return p.dragEvent(ctx, "dragEnter", m, data)
	}
	return nil
}

// beginning is what a move begins to drag. The browser tells of it beside its
// answer to the move, and on a busy machine after it: the first move after a
// press waits a moment for that.
func (p *Page) beginning(ctx context.Context) json.RawMessage {
	p.mu.Lock()
	first := p.pressed
	p.pressed = false
	p.mu.Unlock()
	data := p.dragged()
	for began := time.Now(); data == nil && first && time.Since(began) < p.s.pace.of(60*time.Millisecond); data = p.dragged() {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(3 * time.Millisecond):
		}
	}
	return data
}

func (p *Page) dragged() json.RawMessage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.drag
}

func (p *Page) dragEvent(ctx context.Context, kind string, m Mouse, data json.RawMessage) error {
	if err := p.input(ctx, "Input.dispatchDragEvent", object{"type": kind, "x": m.X, "y": m.Y, "data": data, "modifiers": m.Modifiers}, true); err != nil {
		return err
	}
	return p.s.advance(ctx, 17)
}

// Press presses a button of the mouse.
func (p *Page) Press(ctx context.Context, m Mouse) error {
	p.mu.Lock()
	p.pressed = true
	p.mu.Unlock()
	return p.input(ctx, "Input.dispatchMouseEvent", m.button("mousePressed", pressedBits[m.Button]), false)
}

// Release lets a button of the mouse go.
func (p *Page) Release(ctx context.Context, m Mouse) error {
	if data := p.dragged(); data != nil {
		if err := p.dragEvent(ctx, "dragOver", m, data); err != nil {
			return err
		}
		if err := p.dragEvent(ctx, "drop", m, data); err != nil {
			return err
		}
		p.mu.Lock()
		p.drag = nil
		p.mu.Unlock()
	}
	return p.input(ctx, "Input.dispatchMouseEvent", m.button("mouseReleased", 0), false)
}

func (m Mouse) button(kind string, held int) object {
	return object{"type": kind, "x": m.X, "y": m.Y, "button": m.Button, "buttons": held, "clickCount": max(1, m.Clicks), "modifiers": m.Modifiers}
}

// Wheel turns the wheel, by CSS pixels.
func (p *Page) Wheel(ctx context.Context, x, y, dx, dy float64) error {
	defer p.s.turns(ctx, detour) // the browser makes scrolling of it
	return p.input(ctx, "Input.dispatchMouseEvent", object{"type": "mouseWheel", "x": x, "y": y, "deltaX": dx, "deltaY": dy}, true)
}

// Tap touches the page with a finger.
func (p *Page) Tap(ctx context.Context, x, y float64, m Modifiers) error {
	p.turned(false)
	start := object{"type": "touchStart", "touchPoints": []object{{"x": x, "y": y}}, "modifiers": m}
	if err := p.input(ctx, "Input.dispatchTouchEvent", start, false); err != nil {
		return err
	}
	err := p.input(ctx, "Input.dispatchTouchEvent", object{"type": "touchEnd", "touchPoints": []object{}, "modifiers": m}, false)
	p.s.turns(ctx, 2*detour) // the browser makes a tap of it, and of that a click
	return err
}

// Key is one event of the keyboard, in the words of the browser's protocol.
type Key struct {
	Key, Code, Text string
	Number          int // the virtual key's
	Location        int
	Modifiers       Modifiers
	Commands        []string // of an editor, such as selectAll
}

// KeyDown presses a key.
func (p *Page) KeyDown(ctx context.Context, k Key) error {
	params := k.params("rawKeyDown")
	if k.Text != "" {
		params["type"], params["text"], params["unmodifiedText"] = "keyDown", k.Text, k.Text
	}
	if len(k.Commands) > 0 {
		params["commands"] = k.Commands
	}
	return p.input(ctx, "Input.dispatchKeyEvent", params, false)
}

// KeyUp lets a key go.
func (p *Page) KeyUp(ctx context.Context, k Key) error {
	return p.input(ctx, "Input.dispatchKeyEvent", k.params("keyUp"), false)
}

func (k Key) params(kind string) object {
	return object{"type": kind, "key": k.Key, "code": k.Code, "windowsVirtualKeyCode": k.Number, "location": k.Location, "modifiers": k.Modifiers}
}

// InsertText writes text as an input method does, without keys.
func (p *Page) InsertText(ctx context.Context, text string) error {
	return p.input(ctx, "Input.insertText", object{"text": text}, false)
}

// input gives the page an event and waits until it has been dealt with. Where
// frames are ours, some are dealt with when the next one is made.
func (p *Page) input(ctx context.Context, method string, params object, withFrame bool) error {
	if err := p.s.Err(); err != nil {
		return err
	}
	p.s.stirred()
	moves := p.moved()
	given := []<-chan error{p.give(ctx, method, params)}
	if p.s.b.Regime != Frames {
		return p.inputInTime(ctx, given[0])
	}
	if params["type"] == "mouseWheel" { // only a move tells that it has come, and what was sent before it
		given = append(given, p.give(ctx, method, object{"type": "mouseMoved", "x": params["x"], "y": params["y"]}))
	}
	has := func() bool { return withFrame && p.moved() > moves }
	for i := range 40 {
		for len(given) > 0 {
			over, err := p.taken(ctx, given[0], patient(withFrame, i), has)
			if err != nil || p.closed() {
				return p.lost(err)
			}
			if !over {
				break
			}
			given = given[1:]
		}
		if len(given) == 0 {
			return nil
		}
		if err := p.s.step(ctx, steps[p.s.time.frames%len(steps)]); err != nil {
			return err
		}
		has = func() bool { return false }
	}
	return p.s.stuck(fmt.Errorf("the page did not take the input"))
}

// give gives the page a command whose answer may need frames.
func (p *Page) give(ctx context.Context, method string, params object) <-chan error {
	done := make(chan error, 1)
	p.s.background(func() { done <- p.s.b.callFor(ctx, p.session, method, params, &struct{}{}) })
	return done
}

// patient is for how long an input is waited for before the i-th frame: one that
// needs no frame for long.
func patient(withFrame bool, i int) time.Duration {
	switch {
	case i > 0:
		return 50 * time.Millisecond
	case withFrame:
		return 150 * time.Millisecond
	}
	return time.Second
}

// taken waits until an input is dealt with, which is over, or has come to where
// it waits for a frame.
func (p *Page) taken(ctx context.Context, done <-chan error, limit time.Duration, has func() bool) (over bool, err error) {
	for began := time.Now(); time.Since(began) < p.s.pace.of(limit); {
		select {
		case err := <-done:
			return true, err
		case <-p.left:
			return true, nil // it was closed by this
		case <-ctx.Done():
			return false, p.s.stuck(fmt.Errorf("the page did not take the input: %w", context.Cause(ctx)))
		case <-p.s.net.wake:
		case <-time.After(5 * time.Millisecond):
		}
		if has() {
			return false, nil
		}
		if len(done) == 0 {
			p.barrier(ctx, 2*time.Second)
		}
	}
	return false, nil
}

// inputInTime waits where frames come by themselves. The page may need time to
// pass before it can take the input.
func (p *Page) inputInTime(ctx context.Context, done <-chan error) error {
	limit := time.Now().Add(p.s.o.Stuck)
	for {
		select {
		case err := <-done:
			return p.lost(err)
		case <-p.left:
			return nil
		case <-ctx.Done():
			return p.s.stuck(fmt.Errorf("the page did not take the input: %w", context.Cause(ctx)))
		case <-time.After(p.s.pace.of(300 * time.Millisecond)):
		}
		if time.Now().After(limit) {
			return p.s.stuck(fmt.Errorf("the page did not take the input"))
		}
		if err := p.s.advance(ctx, 16); err != nil {
			return err
		}
	}
}

// lost forgives that a page was closed, or went elsewhere, by what it was
// given.
func (p *Page) lost(err error) error {
	if err == nil || p.closed() {
		return nil
	}
	return p.s.gone(p, err)
}
