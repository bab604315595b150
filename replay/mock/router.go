package mock

import (
	"context"
	"fmt"
	"net/url"
	"sort"
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/trace"
)

// Router decides about the requests of one session and answers them from the
// recording. It is used up by a session: the next one needs a new Router.
// It is safe for concurrent use.
type Router struct {
	o        Options
	rec      *recording
	q        *queues
	origins  mapping
	policies map[string]Mode
	allowed  []string
	script   string

	mu       sync.Mutex
	misses   []Miss
	noted    map[string]int // places in misses
	levels   map[Level]int
	shut     map[string]int // what a gate refused
	heard    []string       // what pages asked for
	out      map[string]int // requests that were let out and are on their way to the gate
	answered int
	passed   int
}

// New returns a Router for the recording in a, which must stay open while the
// Router is used. It goes wrong where a cannot be read and where an option is
// not what it should be.
func New(ctx context.Context, a *trace.Archive, o Options) (*Router, error) {
	o.settle()
	r := &Router{o: o, noted: map[string]int{}, shut: map[string]int{}, out: map[string]int{}, levels: map[Level]int{}, policies: map[string]Mode{}, origins: mapping{now: map[string]string{}, then: map[string]string{}}}
	if err := r.check(); err != nil {
		return nil, err
	}
	rec, err := readRecording(ctx, a, o.MaxBody)
	if err != nil {
		return nil, err
	}
	r.rec, r.q = rec, newQueues(rec.list, &o)
	r.rec.files.visit(o.Target)
	r.mapOrigins()
	r.allow()
	return r, r.makeScript(ctx)
}

func (r *Router) check() error {
	switch r.o.Mode {
	case Mock, Live:
	default:
		return fmt.Errorf("mode %q is neither mock nor live", r.o.Mode)
	}
	switch r.o.OnMiss {
	case Error, Warn, Pass:
	default:
		return fmt.Errorf("policy %q for misses is none of error, warn, pass", r.o.OnMiss)
	}
	if _, file := fileOf(r.o.Target); r.o.Target != "" && Origin(r.o.Target) == "" && !file {
		return fmt.Errorf("target %q is no address with a host", r.o.Target)
	}
	for from, to := range r.o.OriginMap {
		if Origin(from) == "" || Origin(to) == "" {
			return fmt.Errorf("origin map: %q → %q: both must be like http://host:port", from, to)
		}
	}
	for origin, m := range r.o.Policies {
		if Origin(origin) == "" {
			return fmt.Errorf("policy of %q: it must be like http://host:port", origin)
		}
		if m != Mock && m != Live && m != Blocked {
			return fmt.Errorf("policy of %s: %q is none of mock, live, blocked", origin, m)
		}
		r.policies[httpOrigin(Origin(origin))] = m
	}
	return nil
}

func (r *Router) mapOrigins() {
	for _, from := range sortedKeys(r.o.OriginMap) {
		r.origins.add(httpOrigin(Origin(from)), httpOrigin(Origin(r.o.OriginMap[from])))
	}
	first, target := r.rec.start(), Origin(r.o.Target)
	if target != "" && first != "" && first != target {
		r.origins.add(first, target)
	}
}

// start is the origin that the recording began at.
func (r *recording) start() string {
	for _, c := range r.list {
		if strings.EqualFold(c.ResourceType, "document") && strings.HasPrefix(c.at.origin, "http") {
			return c.at.origin
		}
	}
	for _, c := range r.list { // recorders that keep no types
		if strings.HasPrefix(c.at.origin, "http") && strings.Contains(c.Response.Content.MimeType, "html") {
			return c.at.origin
		}
	}
	return ""
}

func (r *Router) allow() {
	set := map[string]bool{}
	for _, c := range r.rec.list {
		o := httpOrigin(c.at.origin)
		if now, ok := r.origins.now[o]; ok {
			o = now
		}
		if strings.HasPrefix(o, "http") {
			set[o] = true
		}
	}
	for _, at := range r.rec.visited {
		if o := httpOrigin(Origin(r.origins.presentURL(at))); strings.HasPrefix(o, "http") {
			set[o] = true
		}
	}
	for _, now := range r.origins.now {
		set[now] = true
	}
	if o := Origin(r.o.Target); o != "" {
		set[o] = true
	}
	for _, a := range r.o.Allow {
		if o := Origin(a); o != "" {
			a = o
		}
		set[a] = true
	}
	r.allowed = sortedKeys(set)
}

func sortedKeys[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

// Lacking returns the addresses of what pages are made of whose bodies the
// recording does not hold: with Offline they cannot be answered.
func (r *Router) Lacking() (list []string) {
	seen := map[string]bool{}
	for _, c := range r.rec.list {
		e := c.Response
		if c.kind == part && !seen[c.Request.URL] && e.Status/100 == 2 && e.Status != 204 && e.Content.File == "" && e.Content.Text == "" && (e.Content.Size > 0 || e.Content.Size < 0 && e.BodySize > 0) {
			seen[c.Request.URL] = true
			list = append(list, c.Request.URL)
		}
	}
	return list
}

// Recorded returns the addresses that the recording holds, for saying what can
// be answered.
func (r *Router) Recorded() []*url.URL {
	var list []*url.URL
	for _, c := range r.rec.list {
		if u, err := url.Parse(c.Request.URL); err == nil {
			list = append(list, u)
		}
	}
	return list
}
