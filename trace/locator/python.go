package locator

import "strings"

type python struct{ literals }

func (python) locator(body string) string { return "locator(" + quote(body, '"') + ")" }

func (python) nested(method, inner string) string {
	if method == "and" || method == "or" { // reserved words
		method += "_"
	}
	return method + "(" + inner + ")"
}

func (python) nth(index string) string {
	switch index {
	case "0":
		return "first"
	case "-1":
		return "last"
	}
	return "nth(" + index + ")"
}

func (python) visible(_ receiver, visible bool) string {
	if visible {
		return "visible"
	}
	return "filter(visible=False)"
}

func (python) frame(any bool) string {
	if any {
		return "frame_locator()"
	}
	return "content_frame"
}

func (d python) role(_ receiver, role string, options []option) string {
	var b strings.Builder
	b.WriteString("get_by_role(" + quote(role, '"'))
	for _, o := range options {
		b.WriteString(", " + snakeCase(o.name) + "=" + d.value(o.value))
	}
	b.WriteString(")")
	return b.String()
}

func pythonRegexp(r Regexp) string {
	source := strings.Replace(r.plain(), `\/`, "/", 1) // one only: both mean the same, and so does Playwright
	source = strings.ReplaceAll(source, `"`, `\"`)
	return `re.compile(r"` + source + `"` +
		r.flags(" | ", [3]string{"re.IGNORECASE", "re.MULTILINE", "re.DOTALL"}) + ")"
}

func (d python) testID(t Text) string { return "get_by_test_id(" + d.text(t) + ")" }

func (d python) by(_ receiver, method string, t Text) string {
	if t.Exact {
		return snakeCase(method) + "(" + d.text(t) + ", exact=True)"
	}
	return snakeCase(method) + "(" + d.text(t) + ")"
}

func (d python) filterText(_ receiver, name string, t Text) string {
	return "filter(" + snakeCase(name) + "=" + d.text(t) + ")"
}

func (python) filterInner(_ receiver, name, inner string) string {
	return "filter(" + snakeCase(name) + "=" + inner + ")"
}

func snakeCase(name string) string {
	var b strings.Builder
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}
