package codegen

import (
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// jsValue writes JSON as JavaScript in the way people do: names without quotes
// where they need none.
func jsValue(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return "undefined"
	}
	return jsOf(v, func(s string) string { return jsString(s) }, "")
}

var identifier = lazyregexp.New(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// jsOf writes a value that came of JSON. Lists and objects that hold more than
// fits on a line are spread over several; indent is that of the first.
func jsOf(v any, text func(string) string, indent string) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		if v {
			return "true"
		}
		return "false"
	case float64:
		return number(v)
	case string:
		return text(v)
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, jsOf(item, text, indent+"  "))
		}
		return jsList("[", items, "]", indent, "")
	case map[string]any:
		var items []string
		for _, name := range sortedKeys(v) {
			items = append(items, jsName(name)+": "+jsOf(v[name], text, indent+"  "))
		}
		return jsList("{", items, "}", indent, " ")
	}
	return "undefined"
}

func jsName(name string) string {
	if name == "__proto__" {
		return "['__proto__']" // otherwise it would set the prototype
	}
	if identifier.MatchString(name) {
		return name
	}
	return jsString(name)
}

func jsList(open string, items []string, shut, indent, space string) string {
	if len(items) == 0 {
		return open + shut
	}
	line := open + space + strings.Join(items, ", ") + space + shut
	if len(line) <= 120 && !strings.Contains(line, "\n") {
		return line
	}
	return open + "\n" + indent + "  " + strings.Join(items, ",\n"+indent+"  ") + ",\n" + indent + shut
}
