package cdp

import "time"

// longestLater is how long something waits at most for a page to load.
const longestLater = 600 * time.Millisecond

// errand is what need not be done at once.
type errand struct {
	due time.Time
	do  func()
}

// later has do done by the loop at once, or soon after a page that is loading
// has loaded: what the browser does for a recorder it cannot do for the page.
func (r *Recorder) later(p *page, do func()) {
	if p == nil || p.closed || !p.loading.under {
		do()
		return
	}
	p.errands = append(p.errands, errand{time.Now().Add(longestLater), do})
	if len(p.errands) == 1 {
		time.AfterFunc(longestLater, func() { r.post(func() { r.runErrands(p) }) })
	}
}

// runErrands does what has waited for a page to load.
func (r *Recorder) runErrands(p *page) {
	for len(p.errands) > 0 && (p.closed || !p.loading.under || time.Now().After(p.errands[0].due)) {
		e := p.errands[0]
		p.errands = p.errands[1:]
		e.do()
	}
}

// patientKinds are the kinds of requests whose bodies wait until a page has
// loaded. The others tell what the page did.
var patientKinds = map[string]bool{"Script": true, "Stylesheet": true, "Image": true, "Font": true, "Media": true}

// mayWait reports whether a body can be had later as well: the browser keeps it,
// not the page.
func mayWait(s *session, h *hop) bool {
	return s.durable && s.page != nil && !s.page.keepsBodies && patientKinds[h.kind]
}
