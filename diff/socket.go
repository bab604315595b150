package diff

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/tracedeck/tracedeck/trace"
)

// socket is one WebSocket connection, or all of one address together.
type socket struct {
	show     string
	pair     int
	count    int
	status   string
	messages []string // masked, with their direction in front: "→ hello"
	raw      []string
	close    string
	at       trace.Time
}

// maxMessages is how many messages of one address are compared.
const maxMessages = 2000

// sockets compares WebSocket connections, paired by the path of their address.
func (c *Comparer) sockets(ctx context.Context) Section {
	inA, inB := recordsNetwork(c.sides[0].Trace), recordsNetwork(c.sides[1].Trace)
	if !inA || !inB {
		return unrecorded(WebSocket, inA, inB)
	}
	a, b := c.socketsOf(ctx, 0), c.socketsOf(ctx, 1)
	var changes []Change
	for _, k := range sortedKeys(union(a, b)) {
		x, y := a[k], b[k]
		switch {
		case x == nil:
			changes = append(changes, c.at(y.pair, Change{Kind: Added, Effect: neutral, What: y.show, B: y.status, CountB: y.count}))
		case y == nil:
			changes = append(changes, c.at(x.pair, Change{Kind: Removed, Effect: neutral, What: x.show, A: x.status, CountA: x.count}))
		default:
			changes = append(changes, c.socket(x, y)...)
		}
	}
	return section(WebSocket, changes)
}

func (c *Comparer) socketsOf(ctx context.Context, side int) map[string]*socket {
	all := map[string]*socket{}
	for _, r := range c.sides[side].Trace.Network {
		if !isSocket(r) {
			continue
		}
		path := c.masks.pathOf(r.Request.URL)
		s := all[path]
		if s == nil {
			s = &socket{show: "WebSocket " + path, pair: c.lines[side].pairAt(r.Start), at: r.Start}
			all[path] = s
		}
		s.count++
		e := exchange{Request: r, side: side}
		if s.status == "" || e.bad() {
			s.status = e.answer()
		}
		c.messages(ctx, side, r, s)
	}
	return all
}

// messages reads what went over a socket: a JSON object a line.
func (c *Comparer) messages(ctx context.Context, side int, r *trace.Request, s *socket) {
	if r.Response.Content.File == "" {
		return
	}
	lines := bufio.NewScanner(bytes.NewReader(c.resource(ctx, side, r.Response.Content.File)))
	lines.Buffer(nil, maxBody)
	for lines.Scan() && len(s.messages) < maxMessages {
		var m struct {
			Type   string `json:"type"`
			Data   string `json:"data"`
			Code   int    `json:"code"`
			Reason string `json:"reason"`
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			continue
		}
		switch m.Type {
		case "send", "receive":
			sign := map[string]string{"send": "→ ", "receive": "← "}[m.Type]
			s.messages = append(s.messages, sign+c.maskedBody(m.Data))
			s.raw = append(s.raw, sign+m.Data)
		case "close":
			s.close = fmt.Sprint(m.Code)
		}
	}
}

// maskedBody masks a body as a text: JSON by its members, so that their names
// can tell what is volatile.
func (c *Comparer) maskedBody(text string) string {
	var v any
	if !looksJSON([]byte(text)) || !unmarshal([]byte(text), &v) {
		return c.masks.Text(InBody, text)
	}
	b, err := json.Marshal(c.maskedValue("", v))
	if err != nil {
		return c.masks.Text(InBody, text)
	}
	return string(b)
}

func (c *Comparer) maskedValue(field string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, w := range v {
			v[k] = c.maskedValue(k, w)
		}
		return v
	case []any:
		for i, w := range v {
			v[i] = c.maskedValue(field, w)
		}
		return v
	case nil, bool:
		return v
	}
	return c.masks.Field(InBody, field, scalar(v))
}

func (c *Comparer) socket(x, y *socket) []Change {
	var changes []Change
	pair := c.joint(x.pair, y.pair)
	add := func(ch Change) { changes = append(changes, c.at(pair, ch)) }
	if x.status != y.status {
		add(Change{Kind: ChangeValue, Effect: neutral, What: y.show + " status", A: x.status, B: y.status})
	}
	if x.close != y.close {
		add(Change{Kind: ChangeValue, Effect: neutral, What: y.show + " close code", A: x.close, B: y.close})
	}
	if x.count != y.count {
		add(Change{Kind: ChangeValue, Effect: told, What: y.show + " connections", CountA: x.count, CountB: y.count})
	}
	for _, ch := range c.talk(x, y) {
		add(ch)
	}
	return changes
}

// maxTalk is how many messages that differ are told of one address.
const maxTalk = 50

// talk compares what was said, each direction for itself: which of two
// messages in opposite directions came first is a matter of timing.
func (c *Comparer) talk(x, y *socket) []Change {
	var changes []Change
	for _, sign := range []string{"→ ", "← "} {
		a, rawA := x.direction(sign)
		b, rawB := y.direction(sign)
		known := map[string]int{}
		number := func(list []string) []int {
			ids := make([]int, len(list))
			for i, m := range list {
				if _, ok := known[m]; !ok {
					known[m] = len(known)
				}
				ids[i] = known[m]
			}
			return ids
		}
		ids, idsB := number(a), number(b)
		s := &matcher{ctx: context.Background()}
		i, j := 0, 0
		for _, p := range append(s.common(span{0, len(a), 0, len(b)}, ids, idsB), [2]int{len(a), len(b)}) {
			for ; (i < p[0] || j < p[1]) && len(changes) < maxTalk; i, j = min(i+1, p[0]), min(j+1, p[1]) {
				ch := Change{Effect: neutral, What: y.show + " message", Kind: kindOf(i < p[0], j < p[1])}
				if i < p[0] {
					ch.A = clip(rawA[i], maxShown)
				}
				if j < p[1] {
					ch.B = clip(rawB[j], maxShown)
				}
				changes = append(changes, ch)
			}
			if p[0] < len(a) {
				c.hid.hid(c.masks, InBody, "", rawA[p[0]], rawB[p[1]])
			}
			i, j = p[0]+1, p[1]+1
		}
	}
	return changes
}

func (s *socket) direction(sign string) (masked, raw []string) {
	for i, m := range s.messages {
		if m[:len(sign)] == sign {
			masked, raw = append(masked, m), append(raw, s.raw[i])
		}
	}
	return masked, raw
}
