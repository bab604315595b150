package contract

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har/template"
)

// Version is the version of the files that contracts are kept in.
const Version = 1

const (
	maxEndpoints = 500
	enough       = 3 // answers that make a shape
)

// Contract is what was learnt of an API. The zero value knows nothing. It is not
// safe for concurrent use.
type Contract struct {
	Version   int         `json:"version"`
	Depth     int         `json:"depth"`
	AnyHost   bool        `json:"any_host,omitempty"`
	Endpoints []*Endpoint `json:"endpoints"`
	Untracked []string    `json:"untracked,omitempty"` // endpoints beyond the first 500
}

// Endpoint is what was learnt of one operation.
type Endpoint struct {
	template.Endpoint
	Calls      int            `json:"calls"`
	Statuses   map[string]int `json:"statuses"`
	Samples    int            `json:"samples"` // good answers that Shape was learnt from
	Steady     int            `json:"steady"`  // of those, the last ones without a change of kind
	Shape      *Shape         `json:"shape,omitempty"`
	Unparsable map[string]int `json:"unparsable,omitempty"` // answers without a shape, by why
	LastCalled string         `json:"last_called,omitempty"`
	LastError  *ErrorBody     `json:"last_error,omitempty"`
}

// Established reports whether enough was seen of the endpoint to tell what breaks
// with it: three good answers in a row of which none changed the kind of a value.
func (e *Endpoint) Established() bool { return e.Steady >= enough }

// Read reads a contract that [Contract.Write] wrote.
func Read(r io.Reader) (*Contract, error) {
	var c Contract
	if err := json.NewDecoder(io.LimitReader(r, 256<<20)).Decode(&c); err != nil {
		return nil, fmt.Errorf("it is no contract: %w", err)
	}
	if c.Version != Version {
		return nil, fmt.Errorf("it is a contract of version %d, and this program knows version %d", c.Version, Version)
	}
	c.Endpoints = slices.DeleteFunc(c.Endpoints, func(e *Endpoint) bool { return e == nil })
	for _, e := range c.Endpoints {
		e.settle()
	}
	return &c, nil
}

// settle makes an endpoint from a file safe to go on with.
func (e *Endpoint) settle() {
	if e.Statuses == nil {
		e.Statuses = map[string]int{}
	}
	e.Shape.settle()
	if e.Shape == nil {
		e.Steady, e.Samples = 0, 0
	}
}

func (s *Shape) settle() {
	if s == nil {
		return
	}
	for name, f := range s.Fields {
		if f == nil {
			delete(s.Fields, name)
			continue
		}
		if f.Shape == nil {
			f.Shape = &Shape{}
		}
		f.Shape.settle()
	}
	s.Items.settle()
}

// Write writes the contract as JSON, the same for the same contract.
func (c *Contract) Write(w io.Writer) error {
	c.sort()
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(c)
}

func (c *Contract) sort() {
	sort.SliceStable(c.Endpoints, func(i, j int) bool { return c.Endpoints[i].String() < c.Endpoints[j].String() })
	sort.Strings(c.Untracked)
	if c.Endpoints == nil {
		c.Endpoints = []*Endpoint{}
	}
}

// Learnt says what a trace added to a contract.
type Learnt struct {
	Calls     int `json:"calls"`
	Answers   int `json:"answers"` // good ones that a shape was learnt from
	Endpoints int `json:"endpoints"`
	New       int `json:"new_endpoints"`
}

// Learn adds the answers of a trace. Errors teach nothing but that they happened.
func (c *Contract) Learn(ctx context.Context, a *trace.Archive, o Options) (*Learnt, error) {
	c.settleOptions(&o)
	calls, err := collect(ctx, a, o, false)
	if err != nil {
		return nil, err
	}
	before := len(c.Endpoints)
	c.fold(calls)
	l := &Learnt{Calls: len(calls)}
	for _, x := range calls {
		if e := c.endpoint(x); e != nil && e.learn(x) {
			l.Answers++
		}
	}
	c.sort()
	l.Endpoints, l.New = len(c.Endpoints), len(c.Endpoints)-before
	return l, nil
}

// settleOptions makes later traces be read as the first one was.
func (c *Contract) settleOptions(o *Options) {
	if c.Version == 0 {
		c.Version, c.Depth, c.AnyHost = Version, o.depth(), o.AnyHost
	}
	if o.Depth == 0 {
		o.Depth = c.Depth
	}
	o.AnyHost = o.AnyHost || c.AnyHost
}

// fold finds the parameters of paths that only their many values give away.
func (c *Contract) fold(calls []*call) {
	var seen []template.Seen
	for _, x := range calls {
		if x.good() && x.shape != nil {
			seen = append(seen, template.Seen{Path: x.endpoint.Path, Kind: x.endpoint.Method + x.endpoint.Host + x.endpoint.Operation + x.shape.String()})
		}
	}
	paths := map[string]string{}
	for s, to := range template.Fold(seen) {
		paths[s.Path] = to
	}
	for _, x := range calls {
		if to := paths[x.endpoint.Path]; to != "" {
			x.endpoint.Path = to
		}
	}
}

// find returns the endpoint of a call: one of its own path before one with
// parameters.
func (c *Contract) find(x template.Endpoint) *Endpoint {
	var near *Endpoint
	for _, e := range c.Endpoints {
		if e.Endpoint == x {
			return e
		}
		if near == nil && e.Method == x.Method && e.Host == x.Host && e.Operation == x.Operation && template.Match(e.Path, x.Path) {
			near = e
		}
	}
	return near
}

// endpoint returns the endpoint of a call, which is made unless there are too many.
func (c *Contract) endpoint(x *call) *Endpoint {
	e := c.find(x.endpoint)
	if e == nil && len(c.Endpoints) >= maxEndpoints {
		if name := x.endpoint.String(); !slices.Contains(c.Untracked, name) && len(c.Untracked) < maxEndpoints {
			c.Untracked = append(c.Untracked, name)
		}
		return nil
	}
	if e == nil {
		e = &Endpoint{Endpoint: x.endpoint, Statuses: map[string]int{}}
		c.Endpoints = append(c.Endpoints, e)
	}
	return e
}

// count adds what every call adds.
func (e *Endpoint) count(x *call) {
	e.Calls++
	e.Statuses[strconv.Itoa(x.status)]++
	if !x.at.IsZero() {
		e.LastCalled = x.at.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	if x.state != "" {
		if e.Unparsable == nil {
			e.Unparsable = map[string]int{}
		}
		e.Unparsable[x.state]++
	}
	if x.failed() && x.failure != nil {
		e.LastError = x.failure
	}
}

// learn adds a call, and reports whether it taught a shape.
func (e *Endpoint) learn(x *call) bool {
	e.count(x)
	return e.teach(x)
}

func (e *Endpoint) teach(x *call) bool {
	if !x.good() || x.failed() || x.shape == nil {
		return false
	}
	if e.Shape == nil {
		e.Shape = &Shape{}
	}
	if slices.ContainsFunc(Compare(e.Shape, x.shape), func(c Change) bool { return c.Type == TypeChange || c.Type == ArrayShapeChange }) {
		e.Steady = 0
	}
	e.Shape.Merge(x.shape)
	e.Samples++
	e.Steady++
	return true
}

// Clear forgets endpoints whose name, as [template.Endpoint.String] writes it, holds
// the text, all of them for "", and returns how many.
func (c *Contract) Clear(filter template.Filter) int {
	before := len(c.Endpoints)
	c.Endpoints = slices.DeleteFunc(c.Endpoints, func(e *Endpoint) bool { return filter.Match(e.String()) })
	c.Untracked = nil
	return before - len(c.Endpoints)
}

// clone returns a copy that can be learnt into.
func (c *Contract) clone() *Contract {
	if c == nil {
		return &Contract{}
	}
	b, err := json.Marshal(c)
	if err != nil {
		return &Contract{}
	}
	copied := &Contract{}
	_ = json.Unmarshal(b, copied)
	for _, e := range copied.Endpoints {
		e.settle()
	}
	return copied
}
