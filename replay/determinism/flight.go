package determinism

import (
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// flight is a request that is not over.
type flight struct {
	url     string
	kind    string
	told    time.Time // when it was announced
	passed  time.Time // when it was let out or answered
	headers bool      // the beginning of the answer is there
	moved   time.Time // when something of the answer came last
	loose   bool      // not waited for
}

// How long, in real time, a request that was let out is waited for before the
// next one is, and before it is taken for one without an end.
const (
	lonely  = 250 * time.Millisecond // one that was announced and does not come
	silent  = 4 * time.Second        // one that does not begin to be answered
	endless = 1500 * time.Millisecond
	unread  = 1200 * time.Millisecond // one whose answer the page does not take
)

// without reports whether a request that was let out is not to be waited for
// any longer.
//
// slow is by how much the machine is slower than usual.
func (f *flight) without(waited time.Duration, slow float64) bool {
	since := func(t time.Time) time.Duration { return time.Duration(float64(time.Since(t)) / slow) }
	if f.kind == string(proto.NetworkResourceTypeCSPViolationReport) { // the browser does not tell its end
		return true
	}
	if !f.headers {
		return float64(waited) > float64(silent)*slow && f.kind != "Document" // which the page cannot do without
	}
	switch f.kind {
	case "EventSource":
		return true
	case "Fetch": // it ends when its body is read, which may never be
		return since(f.moved) > unread
	}
	return since(f.moved) > endless
}
