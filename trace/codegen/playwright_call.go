package codegen

import (
	"fmt"
	"slices"
	"strings"
)

// call is the call that a step makes, without await.
func (w *playwright) call(step *Step) string {
	options := append([]Option(nil), step.Options...)
	if step.Error != "" && step.Verb != Expect {
		options = append(options, Option{"timeout", number(step.timeout())})
	}
	if step.Verb == Expect {
		return w.expectCall(step)
	}
	if step.Target.Some() {
		return w.elementCall(step, w.locator(step.Page, step.Target), options)
	}
	return w.pageCall(step, options)
}

// timeout is how long a step that failed was given, in milliseconds.
func (step *Step) timeout() float64 {
	if step.Action != nil {
		if n := paramsOf(step.Action.Before.Params).number("timeout"); n > 0 && n < 10000 {
			return n
		}
	}
	return 5000
}

func call(on, method string, args ...string) string {
	var list []string
	for _, a := range args {
		if a != "" {
			list = append(list, a)
		}
	}
	return on + "." + method + "(" + strings.Join(list, ", ") + ")"
}

func (w *playwright) elementCall(step *Step, on string, options []Option) string {
	o := optionsText(options)
	switch step.Verb {
	case Fill, TypeText, Press:
		return call(on, string(step.Verb), w.text(step.Text), o)
	case Dispatch:
		return call(on, "dispatchEvent", jsString(step.Text))
	case Choose:
		return call(on, "selectOption", w.items(step.Items), o)
	case SetFiles:
		return call(on, "setInputFiles", w.files(step.Files), o)
	case Drag:
		return call(on, "dragTo", w.locator(step.Page, step.To), o)
	case Scroll:
		return call(on, "evaluate", "(e, at) => e.scrollTo(at.x, at.y)", place(step))
	}
	return call(on, string(step.Verb), o)
}

// option returns the value of one of a step's parameters.
func (step *Step) option(name, or string) string {
	for _, o := range step.Options {
		if o.Name == name {
			return jsValue(o.Value)
		}
	}
	return or
}

func place(step *Step) string {
	return "{ x: " + step.option("x", "0") + ", y: " + step.option("y", "0") + " }"
}

func (w *playwright) items(items []Item) string {
	places := slices.ContainsFunc(items, func(i Item) bool { return i.ByIndex })
	var list []string
	for _, item := range items {
		switch {
		case item.ByIndex:
			list = append(list, fmt.Sprintf("{ index: %d }", item.Index))
		case places: // a list holds texts or objects
			list = append(list, "{ value: "+w.text(item.Text)+" }")
		default:
			list = append(list, w.text(item.Text))
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// files are stand-ins for files that were uploaded.
func (w *playwright) files(files []Upload) string {
	var list []string
	for _, f := range files {
		name := w.s.values.safe(f.Name)
		content := "Buffer.from(" + jsString("stands in for "+name) + ")"
		if f.Size > 0 {
			content = fmt.Sprintf("Buffer.alloc(%d, 'x')", f.Size)
		}
		list = append(list, fmt.Sprintf("{ name: %s, mimeType: %s, buffer: %s }", jsString(name), jsString(orDefault(f.Type, "application/octet-stream")), content))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func (w *playwright) pageCall(step *Step, options []Option) string {
	on, o := step.Page, optionsText(options)
	if step.Target.FrameURL != "" {
		on = w.locator(on, step.Target)
	}
	switch step.Verb {
	case Goto:
		return call(on, "goto", jsText(w.s.values.address(w.s.relative(step.Text))), o)
	case SetContent, KeyPress, KeyType, InsertText, KeyDown, KeyUp:
		return call(on, string(step.Verb), w.text(step.Text), o)
	case Evaluate, WaitScript:
		if step.Verb == WaitScript {
			return call(on, "waitForFunction", jsLines(w.s.values.text(step.Text)))
		}
		return call(on, "evaluate", jsLines(w.s.values.text(step.Text)))
	case MouseMove, MouseClick, TouchTap:
		return call(on, string(step.Verb), step.option("x", "0"), step.option("y", "0"), optionsText(without(options, "x", "y")))
	case MouseWheel:
		return call(on, string(step.Verb), step.option("deltaX", "0"), step.option("deltaY", "0"))
	case Resize:
		return call(on, "setViewportSize", "{ width: "+step.option("width", "1280")+", height: "+step.option("height", "720")+" }")
	case Scroll:
		return call(on, "evaluate", "at => window.scrollTo(at.x, at.y)", place(step))
	case Offline:
		w.context = true
		return call("context", "setOffline", step.option("offline", "true"))
	}
	return call(on, string(step.Verb), o)
}

// expectCall is an assertion of the recorded test.
func (w *playwright) expectCall(step *Step) string {
	x, on := step.Assert, step.Page
	if !x.OfPage {
		on = w.locator(step.Page, step.Target)
	}
	expect := "expect"
	if x.Soft {
		expect = "expect.soft"
	}
	not := ""
	if x.Not {
		not = "not."
	}
	var args []string
	for _, a := range x.Args {
		args = append(args, w.argument(a, x.Method))
	}
	if x.List {
		args = []string{"[" + strings.Join(args, ", ") + "]"}
	}
	options := append([]Option(nil), x.Options...)
	if step.Error != "" {
		options = append(options, Option{"timeout", number(step.timeout())})
	}
	args = append(args, optionsText(options))
	return call(expect+"("+on+")", not+x.Method, args...)
}

func (w *playwright) argument(a Argument, method string) string {
	switch {
	case a.JSON != "":
		return a.JSON
	case a.Regexp != "":
		return jsRegexp(a.Regexp, a.Flags)
	case method == "toHaveURL":
		return jsText(w.s.values.address(w.s.relative(a.Text)))
	}
	return w.text(a.Text)
}
