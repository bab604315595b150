package replay

import (
	"strings"
)

// kinds are the codes of errors by what Playwright and browsers say, the first
// that fits.
var kinds = []struct{ says, code string }{
	{"strict mode violation", "E_NOT_UNIQUE"},
	{"net::ERR_", "E_NAVIGATION"}, {"NS_ERROR_", "E_NAVIGATION"}, {"Could not connect", "E_NAVIGATION"}, {"interrupted by another navigation", "E_NAVIGATION"}, {"Cannot navigate to invalid URL", "E_NAVIGATION"},
	{"Unexpected token", "E_SELECTOR"}, {"Unknown engine", "E_SELECTOR"}, {"is not a valid selector", "E_SELECTOR"}, {"while parsing", "E_SELECTOR"}, {"Malformed selector", "E_SELECTOR"}, {"is not a valid XPath", "E_SELECTOR"},
	{"did not find some options", "E_NO_ELEMENT"},
	{"Unknown key", "E_KEY"},
	{"has been closed", "E_PAGE_GONE"}, {"Page crashed", "E_PAGE_CRASHED"}, {"Target crashed", "E_PAGE_CRASHED"},
	{"intercepts pointer events", "E_NOT_ACTIONABLE"}, {"element is not", "E_NOT_ACTIONABLE"}, {"Element is not", "E_NOT_ACTIONABLE"}, {"element is outside of the viewport", "E_NOT_ACTIONABLE"},
	{"Malformed value", "E_NOT_ACTIONABLE"}, {"Cannot type text", "E_NOT_ACTIONABLE"}, {"cannot be filled", "E_NOT_ACTIONABLE"}, {"Not a checkbox or radio", "E_NOT_ACTIONABLE"}, {"did not change its state", "E_NOT_ACTIONABLE"},
}

// kindOf is the code that the error of a recorded action would have here, or
// "" where nothing tells.
func kindOf(p *planned) string {
	a := p.action
	if a.Error == nil {
		return ""
	}
	if p.verb == "expect" || p.verb == "waitForFunction" || p.verb == "awaited" || p.verb == "expectScreenshot" {
		return "E_ASSERTION"
	}
	var said strings.Builder
	said.WriteString(a.Error.Message)
	for _, l := range a.Logs {
		said.WriteString("\n" + l.Message)
	}
	text := said.String()
	for _, k := range kinds {
		if strings.Contains(text, k.says) {
			return k.code
		}
	}
	switch {
	case p.verb == "evaluateExpression" || p.verb == "evaluateExpressionHandle" || strings.HasPrefix(p.verb, "evalOn"):
		return "E_SCRIPT"
	case navigates[p.verb] && strings.Contains(text, "Timeout"):
		return "E_NAVIGATION_LIMIT"
	case p.verb == "waitForSelector" && (p.params.text("state") == "hidden" || p.params.text("state") == "detached"):
		return "E_ASSERTION"
	case strings.Contains(text, "resolved to hidden"):
		return "E_NOT_ACTIONABLE"
	case strings.Contains(text, "waiting for") && !strings.Contains(text, "resolved to"):
		return "E_NO_ELEMENT"
	}
	return ""
}
