package diff

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// recordsNetwork reports whether a trace holds requests, or would if there had
// been any: Playwright records them together with snapshots.
func recordsNetwork(t *trace.Trace) bool {
	return len(t.Network) > 0 || len(t.Snapshots) > 0 || strings.HasPrefix(t.Producer(), "tracedeck")
}

// network compares the requests, paired by method, path template and GraphQL
// operation: first inside the same step, then anywhere.
func (c *Comparer) network(ctx context.Context) Section {
	inA, inB := recordsNetwork(c.sides[0].Trace), recordsNetwork(c.sides[1].Trace)
	if !inA || !inB {
		return unrecorded(Network, inA, inB)
	}
	groups := map[string]*[2][]*exchange{}
	for side := range c.sides {
		for _, e := range c.exchanges(ctx, side) {
			if groups[e.endpoint] == nil {
				groups[e.endpoint] = &[2][]*exchange{}
			}
			groups[e.endpoint][side] = append(groups[e.endpoint][side], e)
		}
	}
	var changes []Change
	for _, name := range sortedKeys(groups) {
		changes = append(changes, c.endpoint(ctx, groups[name])...)
	}
	sort.SliceStable(changes, func(i, j int) bool { return order(changes[i]) < order(changes[j]) })
	return section(Network, changes)
}

func order(c Change) int {
	if c.Pair == nil {
		return -1
	}
	return *c.Pair
}

// endpoint compares the exchanges of one endpoint.
func (c *Comparer) endpoint(ctx context.Context, g *[2][]*exchange) []Change {
	var changes []Change
	pairs, left := matchExchanges(g)
	failing := anyBad(g[0]) && anyBad(g[1]) // then which call it is decides nothing
	for _, p := range pairs {
		for _, ch := range c.exchange(ctx, p[0], p[1]) {
			if failing && ch.Effect != told {
				ch.Effect = neutral
			}
			changes = append(changes, ch)
		}
	}
	for side, list := range left {
		changes = append(changes, c.unmatched(g, side, list)...)
	}
	return append(changes, c.timing(g)...)
}

func anyBad(list []*exchange) bool {
	for _, e := range list {
		if e.bad() {
			return true
		}
	}
	return false
}

// matchExchanges pairs exchanges of one endpoint. It goes by what they are and
// not by the order in which they came, which overlapping ones change.
func matchExchanges(g *[2][]*exchange) (pairs [][2]*exchange, left [2][]*exchange) {
	for side := range left {
		left[side] = append(left[side], g[side]...)
		sort.SliceStable(left[side], func(i, j int) bool {
			x, y := left[side][i], left[side][j]
			if x.pair != y.pair {
				return x.pair < y.pair
			}
			return x.print < y.print
		})
	}
	for _, same := range []func(x, y *exchange) bool{
		func(x, y *exchange) bool { return x.pair == y.pair && x.print == y.print },
		func(x, y *exchange) bool { return x.pair == y.pair && x.query == y.query },
		func(x, y *exchange) bool { return x.pair == y.pair },
		func(x, y *exchange) bool { return x.print == y.print },
		func(x, y *exchange) bool { return x.query == y.query },
		func(x, y *exchange) bool { return true },
	} {
		pairs = append(pairs, take(&left, same)...)
	}
	return pairs, left
}

// maxTries is how many others an exchange is held against.
const maxTries = 2000

func take(left *[2][]*exchange, same func(x, y *exchange) bool) (pairs [][2]*exchange) {
	rest := left[0][:0:0]
	for _, x := range left[0] {
		found := false
		for i, y := range left[1][:min(len(left[1]), maxTries)] {
			if same(x, y) {
				pairs = append(pairs, [2]*exchange{x, y})
				left[1] = append(left[1][:i:i], left[1][i+1:]...)
				found = true
				break
			}
		}
		if !found {
			rest = append(rest, x)
		}
	}
	left[0] = rest
	return pairs
}

// unmatched are exchanges that only one trace has. Where the endpoint was
// called on both sides, how often says nothing, but whether it failed does.
func (c *Comparer) unmatched(g *[2][]*exchange, side int, list []*exchange) []Change {
	var changes []Change
	other := g[1-side]
	failed := anyBad(other)
	for _, e := range list {
		ch := Change{Kind: Added, Effect: neutral, What: e.show, B: e.answer(), CountA: len(g[0]), CountB: len(g[1])}
		if side == 0 {
			ch.Kind, ch.A, ch.B = Removed, e.answer(), ""
		}
		switch {
		case len(other) > 0 && (!e.bad() || failed):
			ch.Effect, ch.Note = told, "the address was called more or less often"
		case e.bad() && len(other) == 0 && !c.done(side, e.pair, e.path):
			ch.Effect, ch.Note = unclear, "not exercised: "+otherSide(side)+" has neither the step nor the page"
		case e.bad() && side == 1:
			ch.Effect = worse
		case e.bad():
			ch.Effect = better
		}
		changes = append(changes, c.at(e.pair, ch))
	}
	return changes
}

// exchange compares two exchanges.
func (c *Comparer) exchange(ctx context.Context, x, y *exchange) []Change {
	var changes []Change
	pair := c.joint(x.pair, y.pair)
	add := func(ch Change) {
		ch.What = strings.TrimSpace(y.show + " " + ch.What)
		changes = append(changes, c.at(pair, ch))
	}
	c.hid.hid(c.masks, InURL, "", x.Request.Request.URL, y.Request.Request.URL)
	if a, b := x.answer(), y.answer(); a != b && !(cached(x) && cached(y)) {
		add(Change{Kind: ChangeValue, Effect: ratio(x.bad(), y.bad()), What: "status", A: a, B: b})
	}
	if x.query != y.query {
		add(Change{Kind: ChangeValue, Effect: neutral, What: "query", A: clip(x.query, maxShown), B: clip(y.query, maxShown)})
	}
	for _, ch := range c.bodies("request body", x.mimeSent(), c.sent(ctx, x), y.mimeSent(), c.sent(ctx, y)) {
		add(ch)
	}
	if x.bad() || y.bad() || x.Pending() || y.Pending() || x.Response.Status != y.Response.Status {
		return changes
	}
	for _, ch := range c.headers(x, y) {
		add(ch)
	}
	if contentKey(&x.Response.Content) == contentKey(&y.Response.Content) {
		return changes
	}
	a, okA := c.received(ctx, x)
	b, okB := c.received(ctx, y)
	if okA && okB {
		for _, ch := range c.bodies("body", x.Response.Content.MimeType, a, y.Response.Content.MimeType, b) {
			add(ch)
		}
	}
	return changes
}

// cached reports whether an answer is as good as 200.
func cached(e *exchange) bool { return e.Response.Status == 200 || e.Response.Status == 304 }

// ratio is what becomes of something that was bad or not, and is now.
func ratio(before, now bool) effect {
	switch {
	case now && !before:
		return worse
	case before && !now:
		return better
	}
	return neutral
}

func (e *exchange) mimeSent() string {
	if p := e.Request.Request.PostData; p != nil {
		return p.MimeType
	}
	return ""
}

// headers compares the headers of requests and of answers.
func (c *Comparer) headers(x, y *exchange) []Change {
	var changes []Change
	for _, h := range []struct {
		what   string
		scopes []Scope
		a, b   []headerField
	}{
		{"request header ", []Scope{InHeader, InRequest}, fields(x.Request.Request.Headers), fields(y.Request.Request.Headers)},
		{"header ", []Scope{InHeader}, fields(x.Response.Headers), fields(y.Response.Headers)},
	} {
		if len(h.a) == 0 || len(h.b) == 0 {
			continue // not recorded
		}
		a, b := joined(h.a), joined(h.b)
		asked := len(h.scopes) > 1 && provisional(a) != provisional(b)
		for _, name := range sortedKeys(union(a, b)) {
			v, inA := a[name]
			w, inB := b[name]
			if v == w && inA == inB {
				continue
			}
			if inA && inB && c.equalHeaders(h.scopes, name, v, w) {
				continue
			}
			if inA != inB && (c.volatile(h.scopes, name, v+w) || asked && ofBrowser[name]) {
				continue
			}
			changes = append(changes, Change{Kind: kindOf(inA, inB), Effect: neutral, What: h.what + name, A: clip(v, maxShown), B: clip(w, maxShown)})
		}
	}
	return changes
}

// equalHeaders reports whether rules make one of two values, and notes what
// they hid.
func (c *Comparer) equalHeaders(scopes []Scope, name, v, w string) bool {
	for _, s := range scopes {
		if c.masks.Field(s, name, v) == c.masks.Field(s, name, w) {
			c.hid.hid(c.masks, s, name, v, w)
			return true
		}
	}
	return false
}

// volatile reports whether a rule masks all of a header, so that it does not
// matter either whether it is there.
func (c *Comparer) volatile(scopes []Scope, name, value string) bool {
	return slices.ContainsFunc(scopes, func(s Scope) bool {
		m := c.masks.Field(s, name, value)
		return strings.HasPrefix(m, "[") && strings.HasSuffix(m, "]") && m != value
	})
}

// ofBrowser are the headers that a browser adds on the way to the network: a
// request that was answered before it got there is recorded without them.
var ofBrowser = map[string]bool{"accept": true, "accept-language": true, "cookie": true, "origin": true, "referer": true, "user-agent": true}

// provisional reports whether the headers of a request are those that it had
// before it was sent.
func provisional(headers map[string]string) bool {
	_, encoding := headers["accept-encoding"]
	_, host := headers["host"]
	_, authority := headers[":authority"]
	return !encoding && !host && !authority
}

// timing tells when an endpoint became slower or faster: by a fifth and a tenth
// of a second. It has no say in the verdict.
func (c *Comparer) timing(g *[2][]*exchange) []Change {
	a, okA := median(g[0])
	b, okB := median(g[1])
	if !okA || !okB || math.Abs(a-b) < 100 || math.Max(a, b) < 1.2*math.Min(a, b) {
		return nil
	}
	e := earliest(g[1])
	return []Change{c.at(c.joint(earliest(g[0]).pair, e.pair), Change{Kind: ChangeValue, Effect: told, What: e.show + " time", A: fmt.Sprintf("%.0f ms", a), B: fmt.Sprintf("%.0f ms", b), CountA: len(g[0]), CountB: len(g[1])})}
}

func earliest(list []*exchange) *exchange {
	first := list[0]
	for _, e := range list {
		if e.Start < first.Start || e.Start == first.Start && e.pair < first.pair {
			first = e
		}
	}
	return first
}

func median(list []*exchange) (float64, bool) {
	var all []float64
	for _, e := range list {
		if t, ok := e.took(); ok {
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	sort.Float64s(all)
	return all[len(all)/2], true
}
