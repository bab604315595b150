package template

import (
	"fmt"
	"regexp"
	"strings"
)

// Filter selects addresses. The zero value selects all.
type Filter struct {
	text string
	re   *regexp.Regexp
}

// ParseFilter returns the filter that a text stands for: a part of the address,
// "glob:" with a pattern in which * is anything, or "re:" with a regular
// expression that is to be found in the address.
func ParseFilter(text string) (Filter, error) {
	if expr, ok := strings.CutPrefix(text, "re:"); ok {
		re, err := regexp.Compile(expr)
		if err != nil {
			return Filter{}, fmt.Errorf("filter %q: %w", text, err)
		}
		return Filter{re: re}, nil
	}
	if glob, ok := strings.CutPrefix(text, "glob:"); ok {
		expr := strings.NewReplacer(`\*\*`, ".*", `\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(glob))
		return Filter{re: regexp.MustCompile("^(?s:" + expr + ")$")}, nil
	}
	return Filter{text: text}, nil
}

// Match reports whether the filter selects an address.
func (f Filter) Match(url string) bool {
	if f.re != nil {
		return f.re.MatchString(url)
	}
	return strings.Contains(url, f.text)
}

// All reports whether the filter selects everything.
func (f Filter) All() bool { return f.re == nil && f.text == "" }
