package userflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/inject"
	"github.com/tracedeck/tracedeck/trace"
)

// asked are the parameters of those steps.
type asked struct {
	Source string       `json:"source"`
	Target string       `json:"target"`
	From   *trace.Point `json:"sourcePosition"`
	To     *trace.Point `json:"targetPosition"`
	URL    string       `json:"url"` // of a step in the history
}

// custom carries out the steps that [From] writes for what flows have no type
// for. Others are for whoever made them: they are recorded, and do nothing.
func (r *run) custom(t *term, page, frame *rod.Page, s *Step) error {
	var p asked
	if len(s.Parameters) > 0 && json.Unmarshal(s.Parameters, &p) != nil {
		return errors.New("the parameters are no object")
	}
	switch s.Name {
	case "reload": // recorded by what is between rod and the browser
		wait := page.WaitNavigation(proto.PageLifecycleEventNameDOMContentLoaded)
		if err := (proto.PageReload{}).Call(page); err != nil {
			return err
		}
		wait()
		return page.GetContext().Err()
	case "goToHistoryEntry":
		c := recorder.Call{Class: "Page", Method: "goToHistoryEntry", Title: "Go back or forward", Params: map[string]any{"url": p.URL}}
		return r.do(t, page, c, func() error { return travel(t, page, p.URL) })
	case "dragAndDrop":
		c := recorder.Call{Class: "Frame", Method: "dragAndDrop", Params: map[string]any{"source": p.Source, "target": p.Target}}
		return r.do(t, page, c, func() error { return drag(t, page, frame, p) })
	}
	return r.do(t, page, recorder.Call{Class: "Flow", Method: "customStep", Title: "Custom step " + s.Name, Params: map[string]any{"parameters": s.Parameters}},
		func() error { return nil })
}

// travel goes back or forward to the nearest entry of an address; back, if none is named.
func travel(t *term, page *rod.Page, address string) error {
	history, err := proto.PageGetNavigationHistory{}.Call(page)
	if err != nil {
		return err
	}
	to := history.CurrentIndex - 1
	for away := 1; address != "" && away < len(history.Entries); away++ {
		if i := history.CurrentIndex - away; i >= 0 && history.Entries[i].URL == address {
			to = i
			break
		}
		if i := history.CurrentIndex + away; i < len(history.Entries) && history.Entries[i].URL == address {
			to = i
			break
		}
	}
	if to < 0 {
		return fmt.Errorf("the history of the page has no entry to go to (%s)", address)
	}
	if _, err = page.Eval("n => { history.go(n) }", to-history.CurrentIndex); err != nil {
		return err
	}
	return t.poll(page, func() (bool, error) {
		now, err := proto.PageGetNavigationHistory{}.Call(page)
		return err == nil && now.CurrentIndex == to, err
	})
}

// drag moves the mouse from one element to another as a person does.
func drag(t *term, page, frame *rod.Page, p asked) error {
	from, err := spot(t, frame, p.Source, p.From)
	if err != nil {
		return err
	}
	to, err := spot(t, frame, p.Target, p.To)
	if err != nil {
		return err
	}
	if err := page.Mouse.MoveTo(from); err != nil {
		return err
	}
	if err := page.Mouse.Down(proto.InputMouseButtonLeft, 1); err != nil {
		return err
	}
	if err := page.Mouse.MoveLinear(proto.Point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2}, 8); err != nil {
		return err
	}
	if err := page.Mouse.MoveLinear(to, 8); err != nil {
		return err
	}
	return page.Mouse.Up(proto.InputMouseButtonLeft, 1)
}

// spotJS finds the one element that a selector of traces means.
var spotJS = sync.OnceValue(func() string {
	return "function (selector) { const own = {document, __deckOptions: {}}; (function (globalThis) {" + inject.SelectorScript() +
		"\n})(own); const list = own.__deckSelector.find(selector); return list.length === 1 ? list[0] : null }"
})

// spot awaits the element of a selector, and says where in the page it is.
func spot(t *term, frame *rod.Page, selector string, at *trace.Point) (proto.Point, error) {
	if i := strings.LastIndex(selector, "internal:control=enter-frame >> "); i >= 0 {
		selector = selector[i+len("internal:control=enter-frame >> "):] // the step names the frame
	}
	var found proto.Point
	err := t.poll(frame, func() (bool, error) {
		e, err := frame.Sleeper(rod.NotFoundSleeper).ElementByJS(rod.Eval(spotJS(), selector))
		if err != nil {
			return false, err
		}
		e = e.Context(t)
		if err := e.ScrollIntoView(); err != nil {
			return false, err
		}
		shape, err := e.Shape()
		if err != nil || shape.Box() == nil {
			return false, err
		}
		box := shape.Box()
		found = proto.Point{X: box.X + box.Width/2, Y: box.Y + box.Height/2}
		if at != nil && at.X <= box.Width && at.Y <= box.Height {
			found = proto.Point{X: box.X + at.X, Y: box.Y + at.Y}
		}
		return true, nil
	})
	if err != nil {
		return found, fmt.Errorf("%s: %w", selector, err)
	}
	return found, nil
}
