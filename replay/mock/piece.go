package mock

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace/har"
)

// span is a part of a file, in bytes; to is that of its last byte.
type span struct{ from, to, whole int64 }

// wantedSpan reads a Range header of one part. What has no end has to -1, and
// what counts from the end has from -1.
func wantedSpan(header string) (s span, ok bool) {
	list, ok := strings.CutPrefix(strings.ReplaceAll(header, " ", ""), "bytes=")
	first, last, two := strings.Cut(list, "-")
	if !ok || !two || strings.Contains(list, ",") || first == "" && last == "" {
		return span{}, false
	}
	s.from, s.to = -1, -1
	for _, x := range []struct {
		text string
		to   *int64
	}{{first, &s.from}, {last, &s.to}} {
		if x.text == "" {
			continue
		}
		n, err := strconv.ParseInt(x.text, 10, 64)
		if err != nil || n < 0 {
			return span{}, false
		}
		*x.to = n
	}
	return s, s.to < 0 || s.from <= s.to
}

// givenSpan is what part of a file a recorded answer holds.
func givenSpan(e *har.Entry, size int64) (s span, ok bool) {
	if e.Response.Status == 200 {
		return span{0, size - 1, size}, size > 0
	}
	var n int
	if e.Response.Status == 206 {
		n, _ = fmt.Sscanf(e.Response.Header("Content-Range"), "bytes %d-%d/%d", &s.from, &s.to, &s.whole)
	}
	return s, n == 3 && s.from >= 0 && s.from <= s.to && s.to < s.whole && s.to-s.from < size
}

// in resolves what was asked for in a file of which s is there.
func (s span) in(asked span) (part span, ok bool) {
	switch {
	case asked.from < 0:
		asked.from, asked.to = max(0, s.whole-asked.to), s.whole-1
	case asked.to < 0 || asked.to >= s.whole:
		asked.to = s.whole - 1
	}
	if asked.from < s.from || asked.from > s.to || asked.from > asked.to {
		return span{}, false
	}
	return span{asked.from, min(asked.to, s.to), s.whole}, true
}

// piece answers a request for a part of a file with a part of what was recorded
// of the file, and one for the whole file with a part that is the whole. Which
// parts a player asks for depends on how fast it is.
func (r *Router) piece(ctx context.Context, q *Request, a *asked) (Answer, bool) {
	asked, ranged := wantedSpan(q.Header("Range"))
	if !ranged {
		if q.Header("Range") != "" {
			return Answer{}, false
		}
		asked = span{0, -1, 0}
	}
	for _, c := range r.q.of(a) {
		body, err := r.rec.body(ctx, c.Entry)
		if err != nil {
			continue
		}
		there, ok := givenSpan(c.Entry, int64(len(body)))
		if !ok {
			continue
		}
		part, ok := there.in(asked)
		if !ok || !ranged && part.to != part.whole-1 {
			continue
		}
		ans := r.give(ctx, q, c, Fuzzy)
		ans.Body = body[part.from-there.from : part.to-there.from+1]
		if ans.Status = 200; ranged {
			ans.Status = 206
		}
		ans.Headers = partial(ans.Headers, part, ranged)
		r.mu.Lock()
		r.answered++
		r.levels[Fuzzy]++
		r.mu.Unlock()
		return ans, true
	}
	return Answer{}, false
}

// partial has the headers of an answer say which part it holds.
func partial(list []har.NameValue, part span, ranged bool) []har.NameValue {
	var out []har.NameValue
	for _, h := range list {
		if name := strings.ToLower(h.Name); name != "content-range" && name != strings.ToLower(chunkHeader) {
			out = append(out, h)
		}
	}
	if ranged {
		out = append(out, har.NameValue{Name: "Content-Range", Value: fmt.Sprintf("bytes %d-%d/%d", part.from, part.to, part.whole)})
	}
	return append(out, har.NameValue{Name: "Content-Length", Value: strconv.FormatInt(part.to-part.from+1, 10)})
}

// of lists what was recorded of an address, whatever part was asked for, and
// takes it as asked for.
func (q *queues) of(a *asked) (list []*recorded) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if a.method != "GET" {
		return nil
	}
	for _, c := range q.list {
		if c.method == a.method && c.kind != socket && c.at.key() == a.at.key() && (c.Response.Status == 200 || c.Response.Status == 206) {
			c.used++
			list = append(list, c)
		}
	}
	return list
}
