package replay

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace"
)

// doing is an action while it is carried out.
type doing struct {
	*planned
	page   *determinism.Page
	action *recorder.Action // of the new trace
	step   *Step
}

func (d *doing) before() *trace.Before { return d.planned.action.Before }

// verb carries out one kind of action.
type verb func(ctx context.Context, r *run, d *doing) error

// verbs are what can be carried out, by the names of Playwright's protocol.
var verbs func() map[string]verb

// Only here, as some of them ask for others.
func init() {
	verbs = sync.OnceValue(allVerbs)
}

func allVerbs() map[string]verb {
	verbs := map[string]verb{
		"goto": navigate, "reload": reload, "goBack": history(-1), "goForward": history(1), "navigateToHistoryEntry": history(-1), "goToHistoryEntry": historyEntry, "setContent": setContent,
		"click": click, "dblclick": click, "tap": tap, "hover": hover, "dragAndDrop": drag, "scroll": scroll, "scrollIntoViewIfNeeded": reveal,
		"fill": fill, "clear": fill, "type": typeText, "press": press, "focus": focus, "blur": blur, "dispatchEvent": dispatch,
		"check": check(true), "uncheck": check(false), "setChecked": nil, "selectOption": selectOption, "setInputFiles": setFiles, "selectText": selectText,
		"waitForSelector": waitFor, "awaited": awaitInVain, "waitForTimeout": pause, "waitForFunction": waitForFunction, "expect": expect,
		"evaluateExpression": evaluate, "evaluateExpressionHandle": evaluate, "evalOnSelector": evaluateOn, "evalOnSelectorAll": evaluateOnAll,
		"mouseMove": mouseMove, "mouseDown": mouseDown, "mouseUp": mouseUp, "mouseClick": mouseClick, "mouseWheel": mouseWheel, "touchscreenTap": touchTap,
		"keyboardDown": keyboardDown, "keyboardUp": keyboardUp, "keyboardPress": keyboardPress, "keyboardType": keyboardType, "keyboardInsertText": insertText,
		"close": closePage, "bringToFront": command("Page.bringToFront"), "screenshot": nothing, "newPage": nothing, "accept": nothing, "dismiss": nothing,
		"setViewportSize": resize, "addCookies": addCookies, "clearCookies": command("Network.clearBrowserCookies"), "addInitScript": initScript,
		"grantPermissions": grantPermissions, "clearPermissions": clearPermissions, "setGeolocation": setGeolocation, "exposeBinding": exposeBinding,
		"webStorageSetItem": webStorage("setItem(name, value)"), "webStorageRemoveItem": webStorage("removeItem(name)"), "webStorageClear": webStorage("clear()"),
		"addScriptTag": addTag("script", "src"), "addStyleTag": addTag("link", "href"), "drop": drop, "waitForElementState": waitForState, "expectScreenshot": expectPicture,
		"setExtraHTTPHeaders": extraHeaders, "setOffline": offline, "emulateMedia": emulateMedia,
	}
	maps.Copy(verbs, clocks())
	verbs["setChecked"] = func(ctx context.Context, r *run, d *doing) error {
		return check(d.params.truth("checked", true))(ctx, r, d)
	}
	return verbs
}

func nothing(context.Context, *run, *doing) error { return nil }

func command(method string) verb {
	return func(ctx context.Context, r *run, d *doing) error { return d.page.Call(ctx, method, nil, nil) }
}

// hold keeps modifiers down while do runs.
func hold(ctx context.Context, d *doing, names []string, do func() error) error {
	for _, n := range names {
		k, _ := keyNamed(n)
		if n == "ControlOrMeta" {
			k, _ = keyNamed("Control")
		}
		k.Modifiers = modifiersOf(names)
		if err := d.page.KeyDown(ctx, k); err != nil {
			return err
		}
	}
	err := do()
	for i := range names {
		k, _ := keyNamed(names[len(names)-1-i])
		if uerr := d.page.KeyUp(ctx, k); err == nil {
			err = uerr
		}
	}
	return err
}

func button(d *doing) string {
	if b := d.params.text("button"); b != "" {
		return b
	}
	return determinism.Left
}

func click(ctx context.Context, r *run, d *doing) error {
	if d.params.text("selector") == "" { // known by its place only
		return clickPlace(ctx, r, d)
	}
	t, err := r.place(ctx, d, d.params.text("selector"), "position")
	if err != nil || d.params.truth("trial", false) {
		return err
	}
	d.action.Input(trace.Point{X: t.x, Y: t.y}, &t.box)
	count := max(1, int(d.params.number("clickCount")))
	if d.verb == "dblclick" {
		count = 2
	}
	names := d.params.texts("modifiers")
	first := 1
	alone := d.verb == "click" && d.params.number("_clicks") == 0 || d.verb == "dblclick" && d.params.number("clickCount") == 2
	if d.before().Class == "Frame" && count > 1 && alone && d.recordedAsOne() {
		first = count // the clicks before were recorded as actions of their own
	}
	return hold(ctx, d, names, func() error { return r.clicks(ctx, d, t.x, t.y, first, count, modifiersOf(names)|r.held) })
}

// recordedAsOne reports whether a click with a count stands for the last click
// of a row, as this recorder writes it.
func (d *doing) recordedAsOne() bool {
	c := d.planned.action.Context
	return c != nil && c.LibraryName == "tracedeck"
}

// foreign reports whether Playwright recorded the action.
func (d *doing) foreign() bool {
	return !d.recordedAsOne() && !strings.HasPrefix(d.before().Method, "vibium:")
}

func clickPlace(ctx context.Context, r *run, d *doing) error {
	at := d.planned.action.Point
	if at == nil && len(d.planned.action.Inputs) > 0 {
		at = d.planned.action.Inputs[0].Point
	}
	if at == nil {
		return errorf("E_SELECTOR", "the trace names neither the element nor the place")
	}
	d.action.Input(*at, nil)
	count := 1
	if d.verb == "dblclick" {
		count = 2
	}
	return r.clicks(ctx, d, at.X, at.Y, 1, count, r.held)
}

// clicks moves the mouse somewhere and clicks, the first-th to last-th time of
// a row.
func (r *run) clicks(ctx context.Context, d *doing, x, y float64, first, last int, m determinism.Modifiers) error {
	at := determinism.Mouse{X: x, Y: y, Button: button(d), Modifiers: m}
	r.mouse = at
	if err := d.page.Move(ctx, determinism.Mouse{X: x, Y: y, Modifiers: m}); err != nil {
		return err
	}
	for n := first; n <= last; n++ {
		at.Clicks = n
		if err := d.page.Press(ctx, at); err != nil {
			return err
		}
		if err := r.s.Advance(ctx, max(33, time.Duration(d.params.number("delay")))*time.Millisecond); err != nil {
			return err
		}
		if err := d.page.Release(ctx, at); err != nil {
			return err
		}
	}
	return nil
}

func tap(ctx context.Context, r *run, d *doing) error {
	t, err := r.place(ctx, d, d.params.text("selector"), "position")
	if err != nil {
		return err
	}
	d.action.Input(trace.Point{X: t.x, Y: t.y}, &t.box)
	return d.page.Tap(ctx, t.x, t.y, modifiersOf(d.params.texts("modifiers")))
}

func hover(ctx context.Context, r *run, d *doing) error {
	t, err := r.place(ctx, d, d.params.text("selector"), "position")
	if err != nil {
		return err
	}
	d.action.Input(trace.Point{X: t.x, Y: t.y}, &t.box)
	names := d.params.texts("modifiers")
	r.mouse = determinism.Mouse{X: t.x, Y: t.y, Held: r.mouse.Held} // it may be in the middle of a drag
	return hold(ctx, d, names, func() error {
		return d.page.Move(ctx, determinism.Mouse{X: t.x, Y: t.y, Held: r.mouse.Held, Modifiers: modifiersOf(names) | r.held})
	})
}

func drag(ctx context.Context, r *run, d *doing) error {
	from, to := d.params.text("source"), d.params.text("target")
	if from == "" { // files from outside, or a drag that began elsewhere
		return errorf("E_SELECTOR", "the trace does not say what was dragged")
	}
	a, err := r.place(ctx, d, from, "sourcePosition")
	if err != nil {
		return err
	}
	d.action.Input(trace.Point{X: a.x, Y: a.y}, &a.box)
	if err := d.page.Move(ctx, determinism.Mouse{X: a.x, Y: a.y}); err != nil {
		return err
	}
	if err := d.page.Press(ctx, determinism.Mouse{X: a.x, Y: a.y, Button: determinism.Left, Clicks: 1}); err != nil {
		return err
	}
	b, err := r.destination(ctx, d, to)
	if err == nil {
		d.action.Input(trace.Point{X: b.x, Y: b.y}, &b.box)
		steps := 5
		if d.foreign() { // which goes there at once unless it is told to
			steps = max(1, int(d.params.number("steps")))
		}
		err = r.pull(ctx, d, a.x, a.y, b.x, b.y, min(steps, 1000))
		a.x, a.y = b.x, b.y
	}
	if rerr := d.page.Release(ctx, determinism.Mouse{X: a.x, Y: a.y, Button: determinism.Left, Clicks: 1}); err == nil {
		err = rerr
	}
	r.mouse = determinism.Mouse{X: a.x, Y: a.y}
	return err
}

// destination is where something is dropped. What is dragged may lie over it.
func (r *run) destination(ctx context.Context, d *doing, selector string) (*target, error) {
	e, err := r.element(ctx, d, selector, needs{visible: true, one: true})
	if err != nil {
		return nil, err
	}
	box, err := boxOf(ctx, e)
	if err != nil {
		return nil, err
	}
	if box == nil {
		return nil, errorf("E_NOT_ACTIONABLE", "the element has no place on the page")
	}
	t := &target{e: e, box: *box, x: box.X + box.Width/2, y: box.Y + box.Height/2}
	if x, y, ok := d.params.point("targetPosition"); ok {
		t.x, t.y = box.X+x, box.Y+y
		if !d.recordedAsOne() {
			left, top := borderOf(ctx, e)
			t.x, t.y = t.x+left, t.y+top
		}
	}
	return t, nil
}

// pull moves the mouse with the left button down.
func (r *run) pull(ctx context.Context, d *doing, x1, y1, x2, y2 float64, steps int) error {
	for i := 1; i <= steps; i++ {
		f := float64(i) / float64(steps)
		if err := d.page.Move(ctx, determinism.Mouse{X: x1 + (x2-x1)*f, Y: y1 + (y2-y1)*f, Held: determinism.Left}); err != nil {
			return err
		}
		if err := r.rest(ctx, d, steps); err != nil {
			return err
		}
	}
	return nil
}

// rest lets the time pass that the mouse rests at each of the steps of a
// movement.
func (r *run) rest(ctx context.Context, d *doing, steps int) error {
	if pace := d.pace(steps); pace > 0 {
		return r.s.Advance(ctx, pace)
	}
	return nil
}

// pace is how long that is, so that a movement takes as long as it did: what is dragged may move others on its way, which
// take their time.
func (d *doing) pace(steps int) time.Duration {
	a := d.planned.action
	if a.Unfinished || a.Error != nil || a.End <= a.Start {
		return 0
	}
	const frame, most = 17 * time.Millisecond, 150 * time.Millisecond
	return min(most, max(0, a.End.Sub(a.Start)/time.Duration(max(1, steps))-frame))
}

func scroll(ctx context.Context, r *run, d *doing) error {
	x, y := d.params.number("x"), d.params.number("y")
	if d.params.text("selector") == "" {
		world, err := d.page.World(ctx, d.page.Target(), finder())
		if err != nil {
			return err
		}
		_, _, err = d.page.Run(ctx, d.page.Target(), world, fmt.Sprintf("__deckReplay.scrolled(null, %g, %g)", x, y))
		return err
	}
	e, err := r.element(ctx, d, d.params.text("selector"), needs{one: true})
	if err != nil {
		return err
	}
	return e.Call(ctx, "function (x, y) { __deckReplay.scrolled(this, x, y) }", nil, x, y)
}

func reveal(ctx context.Context, r *run, d *doing) error {
	e, err := r.element(ctx, d, d.params.text("selector"), needs{one: true})
	if err != nil {
		return err
	}
	return e.Reveal(ctx)
}

func pause(ctx context.Context, r *run, d *doing) error {
	ms := d.params.number("waitTimeout")
	if ms <= 0 {
		ms = d.params.number("timeout")
	}
	rest := time.Duration(min(ms, 300000) * float64(time.Millisecond))
	if d.planned.action.Error == nil {
		return r.s.Advance(ctx, rest)
	}
	took, _ := d.planned.action.Duration()
	if err := r.s.Advance(ctx, max(0, min(rest, took))); err != nil {
		return err
	}
	return errorf("E_PAGE_GONE", "the recorded program came to its end while it waited")
}

func closePage(ctx context.Context, r *run, d *doing) error {
	if d.before().Class != "Page" {
		return nil // the context, which ends with the session
	}
	if len(r.s.Pages()) == 1 {
		return nil // there would be nothing left to take a picture of
	}
	return d.page.Close(ctx)
}
