package locator

import (
	"strings"
)

type cSharp struct{ literals }

func (cSharp) locator(body string) string { return "Locator(" + quote(body, '"') + ")" }

func (cSharp) nested(method, inner string) string { return capital(method) + "(" + inner + ")" }

func (cSharp) nth(index string) string {
	switch index {
	case "0":
		return "First"
	case "-1":
		return "Last"
	}
	return "Nth(" + index + ")"
}

func (cSharp) visible(_ receiver, visible bool) string {
	if visible {
		return "Visible"
	}
	return "Filter(new() { Visible = false })"
}

func (cSharp) frame(any bool) string {
	if any {
		return "FrameLocator()"
	}
	return "ContentFrame"
}

func (d cSharp) role(_ receiver, role string, options []option) string {
	args := make([]string, len(options))
	for i, o := range options {
		name := capital(o.name)
		if o.value.Kind == RegexpValue {
			name += "Regex"
		}
		args[i] = name + " = " + d.value(o.value)
	}
	if len(args) == 0 {
		return "GetByRole(AriaRole." + capital(role) + ")"
	}
	return "GetByRole(AriaRole." + capital(role) + ", new() { " + strings.Join(args, ", ") + " })"
}

func cSharpRegexp(r Regexp) string {
	return "new Regex(" + quote(r.plain(), '"') +
		r.flags(" | ", [3]string{"RegexOptions.IgnoreCase", "RegexOptions.Multiline", "RegexOptions.Singleline"}) + ")"
}

func (d cSharp) testID(t Text) string { return "GetByTestId(" + d.text(t) + ")" }

func (d cSharp) by(_ receiver, method string, t Text) string {
	if t.Exact {
		return capital(method) + "(" + d.text(t) + ", new() { Exact = true })"
	}
	return capital(method) + "(" + d.text(t) + ")"
}

func (d cSharp) filterText(_ receiver, name string, t Text) string {
	name = capital(name)
	if t.Regexp != nil {
		name += "Regex"
	}
	return "Filter(new() { " + name + " = " + d.text(t) + " })"
}

func (cSharp) filterInner(_ receiver, name, inner string) string {
	return "Filter(new() { " + capital(name) + " = " + inner + " })"
}
