package mock

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace/har"
)

// chunkHeader tells the script in the page in which pieces a body came, as
// "milliseconds:bytes" with commas between. Scripts of the page do not see it.
const chunkHeader = "X-Tracedeck-Chunks"

// kept is the header of an answer that is not to come, or that fails after a
// while.
func kept(held time.Duration) har.NameValue {
	if held == 0 {
		return har.NameValue{Name: chunkHeader, Value: "never"}
	}
	return har.NameValue{Name: chunkHeader, Value: taken + number(float64(held.Milliseconds()))}
}

const maxChunks = 500 // of one body; more are joined

// chunk is a piece of a body, with its time since the answer began.
type chunk struct {
	ms    float64
	bytes int
}

// chunksOf returns in which pieces a body came, in the form of the header, and
// "" for one that came at once. A recorder may keep them as "_chunks":
// [[ms, bytes], …] in the entry, with times since the request was made. Where it
// did not, a stream is cut where its format has its messages, evenly over the
// time that it took.
func chunksOf(e *har.Entry, body []byte) string {
	if len(body) == 0 {
		return ""
	}
	list := recordedChunks(e, len(body))
	if list == nil {
		list = evenChunks(e, body)
	}
	if len(list) < 2 {
		return ""
	}
	var b strings.Builder
	step := (len(list) + maxChunks - 1) / maxChunks
	for i := 0; i < len(list); i += step {
		n := 0
		for _, c := range list[i:min(i+step, len(list))] {
			n += c.bytes
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(number(float64(int(list[i].ms*10))/10) + ":" + number(float64(n)))
	}
	return b.String()
}

func recordedChunks(e *har.Entry, size int) []chunk {
	var pairs [][]float64
	if json.Unmarshal(e.Extra("_chunks"), &pairs) != nil || len(pairs) < 2 {
		return nil
	}
	var list []chunk
	begin, left := float64(wait(e).Microseconds())/1000, size
	for _, p := range pairs {
		if len(p) != 2 || p[1] < 0 || p[1] > float64(left) {
			return nil
		}
		left -= int(p[1])
		list = append(list, chunk{max(0, p[0]-begin), int(p[1])})
	}
	list[len(list)-1].bytes += left
	return list
}

// streams are formats that are sent as they come to be.
var streams = map[string]string{"text/event-stream": "\n\n", "application/x-ndjson": "\n", "application/ndjson": "\n", "application/jsonl": "\n", "application/stream+json": "\n",
	"application/json-seq": "\x1e", "text/x-component": "\n"}

func evenChunks(e *har.Entry, body []byte) []chunk {
	mime, _, _ := strings.Cut(strings.ToLower(e.Response.Content.MimeType), ";")
	sep := streams[strings.TrimSpace(mime)]
	if sep == "" || e.Timings.Receive < 50 {
		return nil
	}
	var sizes []int
	for rest := body; len(rest) > 0; {
		n := len(rest)
		if i := bytes.Index(rest[1:], []byte(sep)); i >= 0 {
			n = i + 1 + len(sep)
		}
		sizes, rest = append(sizes, n), rest[n:]
	}
	var list []chunk
	for i, n := range sizes {
		list = append(list, chunk{e.Timings.Receive * float64(i) / float64(max(1, len(sizes)-1)), n})
	}
	return list
}
