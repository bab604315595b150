package mock

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

// movedToo reports whether a request goes to a server that was on the machine
// of the recording under another port. Where the application under test has
// moved to another port of this machine, the servers beside it have too, and
// its documents name their new addresses. Such a server is known by its host
// and by a path that the recording asked of it; from then on its origin is
// mapped. Nothing else of this machine is reached that way, and nothing of
// another.
func (r *Router) movedToo(q *Request) bool {
	origin := httpOrigin(Origin(q.URL))
	if !r.moved() || !loopback(origin) {
		return false
	}
	at, ok := parseAddress(q.URL)
	if !ok {
		return false
	}
	for _, c := range r.rec.list {
		then := httpOrigin(c.at.origin)
		if c.at.path == at.path && strings.EqualFold(c.method, q.Method) && sameHost(then, origin) && r.unmapped(then) {
			r.origins.add(then, origin)
			r.mu.Lock()
			r.allowed = append(slices.Clone(r.allowed), origin)
			r.mu.Unlock()
			return true
		}
	}
	return false
}

// moved reports whether the application under test was and is on the machine
// itself, under another name or port.
func (r *Router) moved() bool {
	first, target := r.rec.start(), Origin(r.o.Target)
	return first != target && loopback(first) && loopback(target)
}

// unmapped reports whether nobody has said where a recorded origin is now. One
// that a replayed step goes to is where it was.
func (r *Router) unmapped(then string) bool {
	r.origins.mu.RLock()
	defer r.origins.mu.RUnlock()
	if r.origins.now[then] != "" {
		return false
	}
	for _, at := range r.rec.visited {
		if httpOrigin(Origin(at)) == then {
			return false
		}
	}
	return true
}

func sameHost(a, b string) bool {
	x, err := url.Parse(a)
	if err != nil {
		return false
	}
	y, err := url.Parse(b)
	return err == nil && x.Hostname() == y.Hostname() && x.Scheme == y.Scheme
}

func loopback(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
