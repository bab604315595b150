package codegen

import (
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/trace"
)

// vibium makes a step of a call of Vibium's, whose methods are its own.
func (r *stepReader) vibium(a *trace.Action, method string, p params) *Step {
	name := method
	for _, prefix := range []string{"el.", "element."} {
		name = strings.TrimPrefix(name, prefix)
	}
	if make, ok := vibiumElement()[name]; ok {
		step := make(p)
		step.Target.Selector = vibiumSelector(p)
		if name == "dragTo" {
			step.To.Selector = vibiumTarget(p)
		}
		if !step.Target.Some() {
			r.byPlace(step, a)
		}
		return step
	}
	if make, ok := vibiumPage()[name]; ok {
		return make(p)
	}
	return nil
}

func vibiumTarget(p params) string {
	if t := p.text("target"); t != "" {
		return t
	}
	return vibiumSelector(paramsOf(p["target"]))
}

var vibiumElement = sync.OnceValue(func() map[string]maker {
	return map[string]maker{
		"click": plain(Click), "dblclick": plain(DoubleClick), "tap": plain(Tap), "hover": plain(Hover), "focus": plain(Focus), "clear": plain(Clear),
		"check": plain(CheckBox), "uncheck": plain(UncheckBox), "fill": typed(Fill, "value"), "type": typed(TypeText, "text"), "press": typed(Press, "key"),
		"scrollIntoView": plain(ScrollTo), "dragTo": plain(Drag),
		"dispatchEvent": func(p params) *Step {
			return &Step{Verb: Dispatch, Text: orDefault(p.text("eventType"), p.text("type"))}
		},
		"waitFor": func(p params) *Step { return elementCalls()["waitForSelector"](p) },
		"selectOption": func(p params) *Step {
			if v := p.text("value"); v != "" {
				return &Step{Verb: Choose, Items: []Item{{Text: v}}}
			}
			return &Step{Verb: Choose, Items: p.chosen()}
		},
		"setFiles": func(p params) *Step { return &Step{Verb: SetFiles, Files: p.uploads()} },
	}
})

var vibiumPage = sync.OnceValue(func() map[string]maker {
	return map[string]maker{
		"page.navigate": typed(Goto, "url"), "page.reload": plain(Reload), "page.back": plain(Back), "page.forward": plain(Forward), "page.setContent": typed(SetContent, "html"),
		"page.close": plain(ClosePage), "page.activate": plain(ToFront), "page.setViewport": plain(Resize, "width", "height"), "page.eval": evaluate(Evaluate),
		"page.waitFor": func(p params) *Step {
			step := elementCalls()["waitForSelector"](p)
			step.Target.Selector = vibiumSelector(p)
			if !step.Target.Some() {
				return nil
			}
			return step
		},
		"keyboard.press": typed(KeyPress, "key"), "keyboard.type": typed(KeyType, "text"), "keyboard.down": typed(KeyDown, "key"), "keyboard.up": typed(KeyUp, "key"),
		"mouse.click": plain(MouseClick, "x", "y", "button"), "mouse.move": plain(MouseMove, "x", "y"), "mouse.down": plain(MouseDown, "button"), "mouse.up": plain(MouseUp, "button"),
		"mouse.wheel": plain(MouseWheel, "deltaX", "deltaY"), "touch.tap": plain(TouchTap, "x", "y"), "page.emulateMedia": plain(Media, "media", "colorScheme", "reducedMotion"),
	}
})
