package locator

import (
	"strings"
)

type java struct{ literals }

func (java) locator(body string) string { return "locator(" + quote(body, '"') + ")" }

func (java) nested(method, inner string) string { return method + "(" + inner + ")" }

func (java) nth(index string) string { return javaScript{}.nth(index) }

func (java) visible(on receiver, visible bool) string {
	if visible {
		return "visible()"
	}
	return "filter(new " + string(on) + ".FilterOptions().setVisible(false))"
}

func (java) frame(any bool) string { return javaScript{}.frame(any) }

func (d java) role(on receiver, role string, options []option) string {
	var b strings.Builder
	b.WriteString("getByRole(AriaRole." + strings.ToUpper(role))
	if len(options) > 0 {
		b.WriteString(", new " + string(on) + ".GetByRoleOptions()")
	}
	for _, o := range options {
		b.WriteString(".set" + capital(o.name) + "(" + d.value(o.value) + ")")
	}
	b.WriteString(")")
	return b.String()
}

func javaRegexp(r Regexp) string {
	return "Pattern.compile(" + quote(r.plain(), '"') +
		r.flags(" | ", [3]string{"Pattern.CASE_INSENSITIVE", "Pattern.MULTILINE", "Pattern.DOTALL"}) + ")"
}

func (d java) testID(t Text) string { return "getByTestId(" + d.text(t) + ")" }

func (d java) by(on receiver, method string, t Text) string {
	if t.Exact {
		options := ", new " + string(on) + "." + capital(method) + "Options().setExact(true)"
		return method + "(" + d.text(t) + options + ")"
	}
	return method + "(" + d.text(t) + ")"
}

func (d java) filterText(on receiver, name string, t Text) string {
	return d.filterInner(on, name, d.text(t))
}

func (java) filterInner(on receiver, name, inner string) string {
	return "filter(new " + string(on) + ".FilterOptions().set" + capital(name) + "(" + inner + "))"
}

// capital writes the first letter large.
func capital(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
