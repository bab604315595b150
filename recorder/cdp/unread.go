package cdp

import (
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// Pages read the bodies of answers as they like: as a stream, in part, or not
// at all. The browser says "finished" only of those that it read for them.

// takePart asks for the bytes of an answer of which the browser says that it was
// broken off: it says so too when a page has read a stream to its end, and
// then it has all of them.
func (r *Recorder) takePart(s *session, h *hop) {
	if h.response == nil || h.stream != nil {
		return
	}
	if !s.durable || !r.o.Bodies || h.bytes > r.o.MaxBody {
		if h.bytes > 0 {
			h.body = h.part(body{})
		}
		return
	}
	h.body = body{state: bodyFetching, size: h.bytes}
	ext, taken := extensionOf(h.response.MimeType), h.bytes
	r.fetch(h, &h.body, s.id, "Network.getResponseBody", func(data []byte) body {
		b := r.keep(data[:min(taken, int64(len(data)))], ext)
		b.whole = int64(len(data))
		return b
	})
}

// part is the body of an answer that ended as if it was broken off, of which
// got could be had.
func (h *hop) part(got body) body {
	switch {
	case got.state == bodyFull && got.size == got.whole:
		h.failure = nil
		return got
	case got.state == bodyFull:
		got.state, got.note = bodyCut, "the page took no more of it"
		return got
	case h.bytes == 0:
		return body{}
	}
	return body{state: bodyCut, size: h.bytes, note: "the request failed before its end"}
}

// takeUnread asks for the bytes of an answer of which nothing comes any more
// although it has not ended: the page does not read it, but the browser may
// have all of it.
func (r *Recorder) takeUnread(h *hop) {
	s := h.request.session
	if h.ended || h.response == nil || h.kind != "Fetch" || s == nil || !s.durable || !r.o.Bodies || h.idle.state != bodyNone {
		return
	}
	h.asked = min(h.asked+1, 10)
	h.idle.state = bodyFetching
	ext := extensionOf(h.response.MimeType)
	r.fetch(h, &h.idle, s.id, "Network.getResponseBody", func(data []byte) body { return r.keep(data, ext) })
}

// takeAllUnread does that for what is unread when the recording ends.
func (r *Recorder) takeAllUnread() {
	for _, q := range r.requests {
		for _, h := range q.hops {
			r.takeUnread(h)
			r.takeScript(h)
		}
	}
}

// unread takes what could be had of such an answer; if that is not all of it,
// it is still awaited.
func (h *hop) unread(got body) {
	h.idle = body{}
	if got.state != bodyFull || h.ended {
		return
	}
	got.note = "the page did not read all of it"
	h.body, h.ended, h.endedAt, h.end = got, true, time.Now(), h.head
	for _, c := range h.chunks {
		h.end = max(h.end, h.start+trace.Milliseconds(c[0]))
	}
}
