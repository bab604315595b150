package cdp

import "github.com/tracedeck/tracedeck/trace"

// chunk is when a part of a body came, in milliseconds since the request was
// made, and its bytes.
type chunk [2]float64

const (
	maxChunks = 1000 // of one body; the rest is added to the last
	sameChunk = 4    // ms within which parts count as one
	streamed  = 30   // ms from the first to the last of a body that was worth noting
)

// came notes a part of the body.
func (h *hop) came(at trace.Time, bytes int64) {
	if bytes <= 0 {
		return
	}
	ms, n := round(max(0, (at-h.start).Milliseconds())), len(h.chunks)
	if n > 0 && (n >= maxChunks || ms-h.chunks[n-1][0] < sameChunk) {
		h.chunks[n-1][1] += float64(bytes)
		return
	}
	h.chunks = append(h.chunks, chunk{ms, float64(bytes)})
}

// inChunks returns in which parts a body came that a script asked for, and nil
// for one that came at once.
func (h *hop) inChunks() []chunk {
	n := len(h.chunks)
	if n < 2 || h.kind != "Fetch" && h.kind != "XHR" || h.chunks[n-1][0]-h.chunks[0][0] < streamed {
		return nil
	}
	return h.chunks
}
