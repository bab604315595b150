package mock

import (
	"fmt"
	"strings"
	"sync"
)

// Level says how well a recorded request fits the one that is answered.
type Level string

// The levels, best first.
const (
	Exact Level = "exact" // method, address and body
	Loose Level = "loose" // the body differs only in ids and times that programs make up
	ByURL Level = "url"   // the body differs
	Fuzzy Level = "fuzzy" // the address differs in what does not matter
)

// asked is a request in the form in which it is compared.
type asked struct {
	method    string
	kind      kind
	at        address // with the origin that it has in the recording
	variant   string
	operation string
	body      string
	loose     string
	facts     []string
	hasBody   bool
	bodyLost  bool
}

// queues hold what was recorded, each in the order in which it was asked for.
type queues struct {
	mu        sync.Mutex
	list      []*recorded
	exact     map[string][]*recorded // by method, address, variant and body
	loose     map[string][]*recorded
	address   map[string][]*recorded
	short     map[string][]*recorded // by the address without what is ignored
	shape     map[string][]*recorded // by method, origin and number of parts of the path
	ignore    []string
	templates []string
}

func newQueues(list []*recorded, o *Options) *queues {
	q := &queues{list: list, exact: map[string][]*recorded{}, loose: map[string][]*recorded{}, address: map[string][]*recorded{}, short: map[string][]*recorded{}, shape: map[string][]*recorded{},
		ignore: append(append([]string(nil), fleeting...), o.IgnoreParams...), templates: o.Templates}
	for _, c := range list {
		if c.kind == socket {
			continue
		}
		k := c.method + " " + c.at.key() + "\n" + c.variant
		s := c.method + " " + c.at.without(q.ignore).key() + "\n" + c.variant
		q.exact[k+c.body] = append(q.exact[k+c.body], c)
		q.loose[k+c.loose] = append(q.loose[k+c.loose], c)
		q.address[k] = append(q.address[k], c)
		q.short[s] = append(q.short[s], c)
		q.shape[shapeOf(c.method, c.at)] = append(q.shape[shapeOf(c.method, c.at)], c)
	}
	return q
}

func shapeOf(method string, a address) string {
	return fmt.Sprintf("%s %s %d", method, a.origin, strings.Count(a.path, "/"))
}

// take returns the answer for a request and marks it as given; nil where there
// is none. Answers of one request are given in their order; where all were, the
// last is given again, as to one who asks more often than the recording did.
func (q *queues) take(a *asked) (c *recorded, l Level, again bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c, l = q.find(a, false); c == nil {
		c, l = q.find(a, true)
		again = c != nil
	}
	if c != nil {
		c.used++
	}
	return c, l, again
}

func (q *queues) find(a *asked, again bool) (*recorded, Level) {
	k := a.method + " " + a.at.key() + "\n" + a.variant
	if !a.bodyLost {
		if c := pick(q.exact[k+a.body], a, again); c != nil {
			return c, Exact
		}
		if c := pick(q.loose[k+a.loose], a, again); c != nil {
			return c, Loose
		}
	}
	// Another body is another question once its own answer was given.
	if again && a.hasBody && !a.bodyLost {
		return q.fuzzy(a, again, true)
	}
	if c := closest(q.address[k], a, again); c != nil {
		return c, ByURL
	}
	return q.fuzzy(a, again, false)
}

func (q *queues) fuzzy(a *asked, again, same bool) (*recorded, Level) {
	short := a.at.without(q.ignore)
	list := q.short[a.method+" "+short.key()+"\n"+a.variant]
	if same {
		list = sameBody(list, a)
	}
	if c := closest(list, a, again); c != nil {
		return c, Fuzzy
	}
	var alike []*recorded
	for _, c := range q.shape[shapeOf(a.method, a.at)] {
		if c.variant == a.variant && short.alike(c.at.without(q.ignore), q.templates) {
			alike = append(alike, c)
		}
	}
	if same {
		alike = sameBody(alike, a)
	}
	if c := closest(alike, a, again); c != nil {
		return c, Fuzzy
	}
	return nil, ""
}

func sameBody(list []*recorded, a *asked) (out []*recorded) {
	for _, c := range list {
		if c.loose == a.loose {
			out = append(out, c)
		}
	}
	return out
}

// pick returns the first that was not given yet, of the kind that is asked for
// if there is one.
func pick(list []*recorded, a *asked, again bool) *recorded {
	var other *recorded
	for _, c := range list {
		if !again && c.used > 0 || again && c.used == 0 {
			continue
		}
		if c.kind == a.kind || c.kind == unknown || a.kind == unknown {
			if !again {
				return c
			}
			other = c
		} else if other == nil {
			other = c
		}
	}
	return other
}

// closest returns the one whose body is most like the one that was sent, the
// first of several. One that is for another operation is none.
func closest(list []*recorded, a *asked, again bool) *recorded {
	var best *recorded
	score := -1.0
	for _, c := range list {
		if !again && c.used > 0 || again && c.used == 0 || c.operation != a.operation {
			continue
		}
		s := 1.0
		if !c.bodyLost && !a.bodyLost {
			s = shared(c.facts, a.facts)
		}
		if c.kind == a.kind {
			s += 0.001
		}
		if s > score || again && s == score {
			best, score = c, s
		}
	}
	return best
}

// nearest returns the recorded request that is most like one that found no
// answer, and why it was not taken.
func (q *queues) nearest(a *asked) (*recorded, string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var best *recorded
	score := 0.0
	for _, c := range q.list {
		if s := q.likeness(c, a); s > score {
			best, score = c, s
		}
	}
	if best == nil {
		return nil, "the recording holds no request like it"
	}
	return best, q.reason(best, a)
}

func (q *queues) likeness(c *recorded, a *asked) float64 {
	if c.kind == socket {
		return 0
	}
	s := 0.0
	if c.at.origin == a.at.origin {
		s += 3
	}
	x, y := strings.Split(c.at.path, "/")[1:], strings.Split(a.at.path, "/")[1:]
	same := 0
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] == y[i] {
			same++
		}
	}
	s += 4 * float64(same) / float64(max(len(x), len(y)))
	if s < 3.5 && c.at.path != a.at.path {
		return 0
	}
	if c.method == a.method {
		s++
	}
	if encode(c.at.query) == encode(a.at.query) {
		s++
	}
	if c.operation == a.operation {
		s++
	}
	return s + shared(c.facts, a.facts)
}

// reason says why a recorded request is not the one that was asked for.
func (q *queues) reason(c *recorded, a *asked) string {
	switch {
	case c.at.origin != a.at.origin:
		return "it went to " + c.at.origin
	case c.at.path != a.at.path:
		return "its path is " + c.at.path
	case c.method != a.method:
		return "its method is " + c.method
	case encode(c.at.query) != encode(a.at.query):
		return "its parameters are ?" + encode(c.at.query)
	case c.variant != a.variant:
		return "its headers ask for something else: " + strings.ReplaceAll(strings.TrimSpace(c.variant), "\n", ", ")
	case c.operation != a.operation:
		return "its operation is " + c.operation
	case c.loose != a.loose:
		return "its body differs: " + difference(a.facts, c.facts)
	}
	return "all recorded answers of it were given"
}
