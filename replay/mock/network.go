package mock

import (
	"context"
	"strings"

	"github.com/tracedeck/tracedeck/replay/determinism"
)

// Network returns the router as what decides about the requests of a
// deterministic session. [Router.Script] must be among the session's scripts,
// and [Router.Hear] what hears them.
func (r *Router) Network() determinism.Network { return network{r} }

type network struct{ r *Router }

func (n network) Answer(ctx context.Context, q *determinism.Request) determinism.Answer {
	ans := n.r.Answer(ctx, &Request{Method: q.Method, URL: q.URL, Headers: q.Headers, Body: q.Body, Type: q.Type})
	switch ans.Decision {
	case Fail:
		return determinism.Answer{Fail: ans.Reason}
	case Hold:
		if k := kinds[strings.ToLower(q.Type)]; k != data {
			return determinism.Answer{Fail: "TimedOut"}
		}
		// The script knows what this means: time would stand still for a request
		// that is held.
		held := ans.Held
		ans = Answer{Status: 200, Headers: expose(cors(&Request{URL: q.URL, Headers: q.Headers}, nil), chunkHeader)}
		ans.Headers = append(ans.Headers, kept(held))
	case Fulfil:
	default:
		return determinism.Answer{URL: ans.URL}
	}
	out := determinism.Answer{Status: ans.Status, Body: ans.Body, Headers: []determinism.Header{}}
	for _, h := range ans.Headers {
		out.Headers = append(out.Headers, determinism.Header{Name: h.Name, Value: h.Value})
	}
	return out
}
