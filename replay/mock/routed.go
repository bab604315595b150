package mock

import (
	"context"
	"errors"
	"slices"
)

// routed answers a request to which the recorded program itself had answered,
// or which it had refused: the app under test knows nothing of that. ok is
// false for all others.
func (r *Router) routed(ctx context.Context, q *Request, origin string) (ans Answer, ok bool) {
	if r.policy(origin) != Mock {
		return Answer{}, false
	}
	a := r.ask(q)
	c := r.q.routed(a)
	if c == nil {
		return Answer{}, false
	}
	if _, err := r.rec.body(ctx, c.Entry); !c.WasAborted && errors.Is(err, errMissing) {
		r.note(Miss{Code: CodeMissPass, Method: q.Method, URL: q.URL, Type: q.Type, Nearest: c.method + " " + c.Request.URL, Reason: "the recorded program answered this itself, and the recording does not hold with what"})
		return Answer{}, false
	}
	r.mu.Lock()
	r.answered++
	r.levels[Exact]++
	r.mu.Unlock()
	return r.give(ctx, q, c, Exact), true
}

// routed takes the next answer to a request if it is one of the recorded
// program, and nil if it was the server's. Once all were given it is the last
// one's turn again.
func (q *queues) routed(a *asked) *recorded {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.address[a.method+" "+a.at.key()+"\n"+a.variant]
	if !slices.ContainsFunc(list, own) {
		return nil
	}
	next := list[len(list)-1]
	if i := slices.IndexFunc(list, func(c *recorded) bool { return c.used == 0 }); i >= 0 {
		next = list[i]
	}
	next.used++
	if !own(next) {
		return nil
	}
	return next
}

// own reports whether the recorded program dealt with a request itself.
func own(c *recorded) bool { return c.WasFulfilled || c.WasAborted }

// mostHeard is how many addresses are kept of what was asked for.
const mostHeard = 20_000

func (r *Router) hear(url string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.heard) < mostHeard {
		r.heard = append(r.heard, url)
	}
}

// Heard returns the addresses that pages asked for, in their order, from the
// given number of them on, and how many there are by now.
func (r *Router) Heard(from int) (list []string, all int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all = len(r.heard)
	return append(list, r.heard[min(max(from, 0), all):]...), all
}
