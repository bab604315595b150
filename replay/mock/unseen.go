package mock

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"time"
)

// Scripts of shared workers make requests that no session of the browser's
// protocol gets to see: they come to the gate without having been let out, and
// are answered here. Of what is encrypted the gate sees nothing.

// mostSent is how many bytes of a request's body are read for telling which it
// is; a longer one is let out.
const mostSent = 16 << 20

// answered answers a request of a script that nobody has decided about yet,
// and reports whether it did.
func (g *Gate) answered(w http.ResponseWriter, q *http.Request) bool {
	address := q.URL.String()
	if g.r.wasLet(q.Method, address) || q.Header.Get("Sec-Fetch-Dest") != "empty" || q.Header.Get("Upgrade") != "" {
		return false
	}
	if g.r.o.Mode != Mock && len(g.r.policies) == 0 {
		return false
	}
	body, err := io.ReadAll(io.LimitReader(q.Body, mostSent+1))
	rest := q.Body
	q.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), rest), rest}
	if err != nil || len(body) > mostSent {
		return false
	}
	asked := &Request{Method: q.Method, URL: address, Type: "Fetch", Body: body, Headers: map[string]string{}}
	for name := range q.Header {
		asked.Headers[name] = strings.Join(q.Header.Values(name), ", ")
	}
	ans := g.r.Answer(q.Context(), asked)
	switch ans.Decision {
	case Let:
		g.r.wasLet(q.Method, address) // it goes on from here
		return false
	case Hold:
		g.hold(q, ans.Held)
		drop(w)
	case Fail:
		drop(w)
	default:
		give(w, q, ans)
	}
	return true
}

// hold waits until whoever asked is gone, or for as long as is to be waited.
func (g *Gate) hold(q *http.Request, held time.Duration) {
	var over <-chan time.Time
	if held > 0 {
		over = time.After(held)
	}
	select {
	case <-q.Context().Done():
	case <-g.ctx.Done():
	case <-over:
	}
}

func give(w http.ResponseWriter, q *http.Request, ans Answer) {
	for _, h := range ans.Headers {
		if !strings.EqualFold(h.Name, chunkHeader) {
			w.Header().Add(h.Name, strings.Map(printable, h.Value))
		}
	}
	w.WriteHeader(ans.Status)
	if q.Method != http.MethodHead {
		_, _ = w.Write(ans.Body)
	}
}

// mostLet is how many requests are remembered that were let out and have not
// come to the gate: the browser's cache answers some.
const mostLet = 20_000

// lets remembers that a request may go out.
func (r *Router) lets(method, address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if key := letKey(method, address); len(r.out) < mostLet || r.out[key] > 0 {
		r.out[key]++
	}
}

// wasLet reports whether a request that comes to the gate was let out, which
// is used up by it.
func (r *Router) wasLet(method, address string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := letKey(method, address)
	if r.out[key] == 0 {
		return false
	}
	if r.out[key]--; r.out[key] == 0 {
		delete(r.out, key)
	}
	return true
}

func letKey(method, address string) string {
	address, _, _ = strings.Cut(address, "#")
	return strings.ToUpper(method) + " " + address
}
