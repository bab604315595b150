package locator

import (
	"strings"
)

type javaScript struct{ literals }

func (javaScript) locator(body string) string { return "locator(" + quote(body, '\'') + ")" }

func (javaScript) nested(method, inner string) string { return method + "(" + inner + ")" }

func (javaScript) nth(index string) string {
	switch index {
	case "0":
		return "first()"
	case "-1":
		return "last()"
	}
	return "nth(" + index + ")"
}

func (javaScript) visible(_ receiver, visible bool) string {
	if visible {
		return "visible()"
	}
	return "filter({ visible: false })"
}

func (javaScript) frame(any bool) string {
	if any {
		return "frameLocator()"
	}
	return "contentFrame()"
}

func (d javaScript) role(_ receiver, role string, options []option) string {
	args := make([]string, len(options))
	for i, o := range options {
		args[i] = o.name + ": " + d.value(o.value)
	}
	if len(args) == 0 {
		return "getByRole(" + quote(role, '\'') + ")"
	}
	return "getByRole(" + quote(role, '\'') + ", { " + strings.Join(args, ", ") + " })"
}

func javaScriptRegexp(r Regexp) string { return Regexp{r.plain(), r.Flags}.String() }

func (d javaScript) testID(t Text) string { return "getByTestId(" + d.text(t) + ")" }

func (d javaScript) by(_ receiver, method string, t Text) string {
	if t.Exact {
		return method + "(" + d.text(t) + ", { exact: true })"
	}
	return method + "(" + d.text(t) + ")"
}

func (d javaScript) filterText(_ receiver, name string, t Text) string {
	return "filter({ " + name + ": " + d.text(t) + " })"
}

func (javaScript) filterInner(_ receiver, name, inner string) string {
	return "filter({ " + name + ": " + inner + " })"
}
