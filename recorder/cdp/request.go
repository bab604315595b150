package cdp

import (
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// overdue is how long an entry waits for headers that the browser promised.
const overdue = time.Second

// request is what the browser knows by one id: a request, and those to which
// it was redirected.
type request struct {
	id      string
	session *session
	seen    time.Time // when it was first heard of
	hops    []*hop
	// The headers that really went over the wire come in events of their own,
	// before or after the others, one for each hop that says it has some.
	sent     []*wireRequest
	received []*wireResponse
}

// hop is one request and its answer.
type hop struct {
	request     *request
	sentInfo    sentRequest
	initiator   raw
	kind        string // as the browser calls it: "Document", "XHR", …
	frame       string
	start       trace.Time
	wall        float64 // seconds since the epoch
	issued      float64 // seconds of the browser's clock
	response    *response
	head        trace.Time // when the answer began
	heard       time.Time  // when something of it was last told
	asked       int        // how often the browser was asked whether it has all of what nobody reads
	hasExtra    bool       // headers from the wire were promised
	memoryCache bool
	bytes       int64 // of the body, as far as they came
	wireBytes   int64 // of the body on the wire, as far as they came
	chunks      []chunk
	transfer    int64 // on the wire in all; -1 while unknown
	redirect    string
	failure     *failure
	ended       bool
	end         trace.Time
	endedAt     time.Time
	body        body
	idle        body // of an answer that nobody reads, while it is asked for
	post        body
	stream      *stream // of an event stream
	written     bool
}

// body is what became of the bytes of one direction.
type body struct {
	state bodyState
	file  string
	size  int64
	whole int64  // of what the browser had, if only a part of it was asked for
	note  string // why it is not there
}

type bodyState string

const (
	bodyNone     bodyState = ""          // there was none
	bodyFull     bodyState = "full"      // recorded
	bodyFetching bodyState = "fetching"  // under way
	bodySkipped  bodyState = "skipped"   // left out by the options
	bodyEvicted  bodyState = "evicted"   // the browser did not have it any more
	bodyCut      bodyState = "truncated" // a part is missing
)

func (q *request) last() *hop {
	if len(q.hops) == 0 {
		return nil
	}
	return q.hops[len(q.hops)-1]
}

// wire returns what is known of the hop's headers on the wire.
func (h *hop) wire() (sent *wireRequest, received *wireResponse) {
	if h.response != nil && !h.hasExtra {
		return nil, nil
	}
	n := 0
	for _, other := range h.request.hops {
		if other == h {
			break
		}
		if other.hasExtra {
			n++
		}
	}
	if n < len(h.request.sent) {
		sent = h.request.sent[n]
	}
	if n < len(h.request.received) {
		received = h.request.received[n]
	}
	return sent, received
}

// whole reports whether nothing more is to be waited for.
func (h *hop) whole() bool {
	if !h.ended || h.body.state == bodyFetching || h.post.state == bodyFetching {
		return false
	}
	if !h.hasExtra {
		return true
	}
	_, received := h.wire()
	return received != nil
}

// soon is within which a request that was just sent is expected to end.
const soon = 500 * time.Millisecond

// busy reports whether something is under way that will end soon.
func (r *Recorder) busy() bool {
	for _, q := range r.requests {
		for _, h := range q.hops {
			if h.ended && !h.written || h.idle.state == bodyFetching || !h.ended && h.stream == nil && time.Since(q.seen) < soon {
				return true
			}
		}
	}
	return r.input.busy()
}

// writeWhole writes the hops that are complete, and forgets the request when
// all of them are.
func (r *Recorder) writeWhole(q *request) {
	left := false
	for _, h := range q.hops {
		if h.whole() {
			r.writeHop(h)
		}
		left = left || !h.written
	}
	if !left && len(q.hops) > 0 && r.requests[q.id] == q {
		delete(r.requests, q.id)
	}
}

// writeOverdue writes hops for which the promised headers did not come.
func (r *Recorder) writeOverdue(q *request) {
	if len(q.hops) == 0 && time.Since(q.seen) > 10*overdue { // headers of a request that is written already
		delete(r.requests, q.id)
	}
	for _, h := range q.hops {
		if h.ended && !h.written && time.Since(h.endedAt) > overdue && h.body.state != bodyFetching && h.post.state != bodyFetching {
			h.hasExtra = false
		}
		if !h.ended && time.Since(h.heard) > overdue<<h.asked {
			r.takeUnread(h)
			r.takeScript(h)
		}
	}
	r.writeWhole(q)
}

// endRequests writes what a target that is gone had under way.
func (r *Recorder) endRequests(s *session, at trace.Time) {
	for _, q := range r.requests {
		if q.session != s {
			continue
		}
		for _, h := range q.hops {
			if !h.ended {
				h.ended, h.end, h.endedAt = true, at, time.Now()
				if h.failure == nil {
					h.failure = &failure{Text: "net::ERR_ABORTED", Canceled: true}
				}
			}
		}
		r.writeWhole(q)
	}
	for _, k := range r.sockets {
		if k.session == s {
			r.endSocket(k, at, "the page is gone")
		}
	}
}

// writePending writes everything that is unfinished as it is.
func (r *Recorder) writePending() {
	for _, q := range r.requests {
		for _, h := range q.hops {
			if h.body.state == bodyFetching {
				h.body = body{state: bodyEvicted, note: "the recording ended"}
			}
			r.writeHop(h)
		}
	}
	for _, k := range r.sockets {
		r.endSocket(k, r.sink.Now(), "")
	}
	r.takeDropped()
	for _, s := range r.sessions {
		s.console.report(r, s, true)
	}
}
