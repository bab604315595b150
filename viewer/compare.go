package viewer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/verdict"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

// comparisons are the pairs of recordings that pages look at, the last ones.
type comparisons struct {
	mu   sync.Mutex
	list []*comparison
}

const mostComparisons = 4

// comparison is two recordings side by side.
type comparison struct {
	a, b  *recording
	sizes [2]int64 // how much of each had been read
	rules string   // JSON, as the page sent it
	token string   // opens its pictures

	once  sync.Once
	err   error
	diff  *diff.Comparer
	pairs *diff.Alignment
	rows  [2]map[linePlace]index.Row

	mu    sync.Mutex
	whole *wholeAnswer
}

var errSame = errors.New("a trace is not compared with itself")

// compare returns the comparison of two recordings by some rules, and makes
// it if nobody has asked for it before.
func (s *Server) compare(ctx context.Context, a, b *recording, rules string) (*comparison, error) {
	if a == b {
		return nil, errSame
	}
	sizes := [2]int64{a.progress().batch.Bytes, b.progress().batch.Bytes}
	s.comparisons.mu.Lock()
	all := &s.comparisons.list
	at := slices.IndexFunc(*all, func(c *comparison) bool { return c.a == a && c.b == b && c.rules == rules && c.sizes == sizes })
	if at < 0 {
		*all = append(*all, &comparison{a: a, b: b, sizes: sizes, rules: rules, token: newToken()})
		at = len(*all) - 1
		if at >= mostComparisons {
			*all = slices.Delete(*all, 0, 1)
			at--
		}
	}
	c := (*all)[at]
	s.comparisons.mu.Unlock()
	c.once.Do(func() { c.err = c.begin(s.ctx) }) // not by the context of one question: others wait for it too
	if c.err != nil {
		s.comparisons.forget(c)
		return nil, c.err
	}
	return c, ctx.Err()
}

// compareAhead aligns two recordings as soon as both are read: the page that
// is being opened asks for it first of all. What goes wrong the page is told
// when it asks.
func (s *Server) compareAhead(a, b *recording) {
	for _, r := range []*recording{a, b} {
		if !r.wait(s.ctx) {
			return
		}
	}
	_, _ = s.compare(s.ctx, a, b, "") // the page gets the error when it asks
}

func (l *comparisons) forget(c *comparison) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(o *comparison) bool { return o == c })
}

func (l *comparisons) byToken(token string) *comparison {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at := slices.IndexFunc(l.list, func(c *comparison) bool { return c.token == token }); at >= 0 {
		return l.list[at]
	}
	return nil
}

func (c *comparison) begin(ctx context.Context) error {
	ta, rowsA, err := c.a.load(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", c.a.name, err)
	}
	tb, rowsB, err := c.b.load(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", c.b.name, err)
	}
	o := diff.Options{}
	if c.rules != "" {
		if o.Rules, err = diff.ReadRules(strings.NewReader(c.rules)); err != nil {
			return err
		}
	}
	c.rows = [2]map[linePlace]index.Row{rowsA, rowsB}
	c.diff, err = diff.New(ctx, diff.Side{Name: c.a.name, Archive: c.a.archive, Trace: ta}, diff.Side{Name: c.b.name, Archive: c.b.archive, Trace: tb}, o)
	if err == nil {
		c.pairs = c.diff.Alignment()
	}
	return err
}

// alignedPair is what the page gets of a pair of steps.
type alignedPair struct {
	Kind    diff.PairKind `json:"kind"`
	A       index.Row     `json:"a"` // in its table of actions; -1 where it has none
	B       index.Row     `json:"b"`
	Depth   int           `json:"depth"`
	Changes []diff.Change `json:"changes,omitempty"`
}

// alignedAnswer is a part of the pairs, and, with the last ones, what holds
// for all.
type alignedAnswer struct {
	Pairs []alignedPair `json:"pairs"`
	First *int          `json:"first,omitempty"` // that is not the same; -1 if all are
	Token string        `json:"token,omitempty"` // in addresses of its pictures
}

// pairsAtOnce is how many pairs travel in one answer.
const pairsAtOnce = 2000

// diff answers a question about two traces.
func (c *connection) diff(ctx context.Context, a *stream, m wire.Diff) ([]byte, error) {
	c.mu.Lock()
	b := c.streams[m.B]
	c.mu.Unlock()
	if b == nil {
		return nil, errors.New("that trace is not open")
	}
	rules, text, _ := strings.Cut(m.Text, "\x00")
	d, err := c.server.compare(ctx, a.rec, b.rec, rules)
	if err != nil {
		return nil, err
	}
	var v any
	switch m.What {
	case "align":
		return d.aligned(m.Ref, c.put), nil
	case "pair":
		v, err = d.pair(ctx, m.Row)
	case "all":
		v, err = d.all(ctx)
	case "noise":
		v, err = d.noise(ctx, m.Row)
	case "pixels":
		v, err = d.pictures(ctx, text)
	default:
		err = fmt.Errorf("nothing is known of %.40q", m.What)
	}
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return answer(m.Ref, body)
}

func (c *comparison) pair(ctx context.Context, n int) (*diff.PairResult, error) {
	if n < 0 || n >= len(c.pairs.Pairs) {
		return nil, errNoRow
	}
	return c.diff.Pair(ctx, n)
}

// wholeAnswer is how the traces differ as a whole, and, now that pages and
// pictures were compared too, which steps do.
type wholeAnswer struct {
	Verdict  verdict.Outcome `json:"verdict"`
	First    int             `json:"first"`
	Kinds    []diff.PairKind `json:"kinds"`
	Sections []diff.Section  `json:"sections"`
}

// all compares everything, once.
func (c *comparison) all(ctx context.Context) (*wholeAnswer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.whole != nil {
		return c.whole, nil
	}
	r, err := c.diff.Result(ctx)
	if err != nil {
		return nil, err
	}
	w := &wholeAnswer{Verdict: r.Verdict, First: r.FirstDivergence, Sections: r.Sections}
	for _, p := range r.Pairs {
		w.Kinds = append(w.Kinds, p.Kind)
	}
	c.whole = w
	return w, nil
}

// noiseAnswer is the rules, and what they hid so far.
type noiseAnswer struct {
	Rules    []diff.Rule   `json:"rules"`
	Defaults []diff.Rule   `json:"defaults"`
	Hidden   []diff.Hidden `json:"hidden"`
}

// noise compares a pair first, so that there is something to tell.
func (c *comparison) noise(ctx context.Context, n int) (*noiseAnswer, error) {
	if n >= 0 && n < len(c.pairs.Pairs) {
		if _, err := c.diff.Pair(ctx, n); err != nil {
			return nil, err
		}
	}
	return &noiseAnswer{c.diff.Rules(), diff.DefaultRules(), c.diff.Hidden()}, nil
}

// aligned sends all pairs but the last lot, which it returns.
func (c *comparison) aligned(ref uint32, put func([]byte)) []byte {
	var last []byte
	for lot := range c.lots() {
		if last != nil {
			put(last)
		}
		b, err := json.Marshal(lot)
		if err != nil {
			b = []byte(`{"pairs":[]}`) // strings and numbers always have a form
		}
		last = wire.NewEncoder().Answer(ref, b, lot.First != nil)
	}
	return last
}

// lots are the pairs, some at a time. The last lot has a First.
func (c *comparison) lots() iter.Seq[alignedAnswer] {
	return func(yield func(alignedAnswer) bool) {
		lot := alignedAnswer{Pairs: []alignedPair{}}
		for i := range c.pairs.Pairs {
			p := &c.pairs.Pairs[i]
			one := alignedPair{Kind: p.Kind, A: index.NoRow, B: index.NoRow, Depth: p.Depth(), Changes: p.Changes}
			if p.A != nil {
				one.A = rowOf(c.rows[0], p.A.Action())
			}
			if p.B != nil {
				one.B = rowOf(c.rows[1], p.B.Action())
			}
			lot.Pairs = append(lot.Pairs, one)
			if len(lot.Pairs) == pairsAtOnce {
				if !yield(lot) {
					return
				}
				lot.Pairs = []alignedPair{}
			}
		}
		lot.First, lot.Token = &c.pairs.FirstDivergence, c.token
		yield(lot)
	}
}
