package replay

import "strings"

// untold reports whether a recorded action failed though the trace does not say
// so: Vibium writes no errors. One that failed waited as long as it was to, or
// went to where nothing answered, though what answered was recorded.
func (r *run) untold(p *planned) bool {
	if !strings.HasPrefix(p.action.Before.Method, "vibium:") {
		return false
	}
	if took, over := p.action.Duration(); over && p.action.Before.Untold(took) {
		return true
	}
	if p.verb == "evaluateExpression" { // nothing else can come of it
		return strings.HasPrefix(strings.TrimSpace(p.params.text("expression")), "throw ")
	}
	if p.verb != "goto" || len(r.t.Network) == 0 {
		return false
	}
	to := withoutFragment(r.absolute(p))
	for _, q := range r.t.Network {
		if at := withoutFragment(q.Entry.Request.URL); strings.TrimSuffix(at, "/") == strings.TrimSuffix(to, "/") && q.Entry.Response.Status > 0 {
			return false
		}
	}
	return !strings.HasPrefix(to, "file:") && !strings.HasPrefix(to, "data:") && !strings.HasPrefix(to, "about:")
}
