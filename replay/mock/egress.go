package mock

import (
	"net"
	"net/url"
	"strings"
	"sync"
)

// mapping ties recorded origins to those they are at now.
type mapping struct {
	mu   sync.RWMutex
	now  map[string]string // by the recorded origin
	then map[string]string // by the origin of now
}

func (m *mapping) add(then, now string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if then == "" || now == "" || m.now[then] != "" {
		return
	}
	m.now[then] = now
	if m.then[now] == "" {
		m.then[now] = then
	}
}

// recordedURL is what the recording calls the address.
func (m *mapping) recordedURL(raw string) string { return m.swap(raw, m.then) }

// presentURL is where what was recorded at the address is now.
func (m *mapping) presentURL(raw string) string { return m.swap(raw, m.now) }

func (m *mapping) swap(raw string, by map[string]string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return raw
	}
	origin := originOf(u)
	m.mu.RLock()
	to, ok := by[httpOrigin(origin)]
	m.mu.RUnlock()
	if !ok {
		return raw
	}
	t, err := url.Parse(to)
	if err != nil {
		return raw
	}
	secure := t.Scheme == "https"
	switch u.Scheme {
	case "ws", "wss":
		u.Scheme = map[bool]string{false: "ws", true: "wss"}[secure]
	default:
		u.Scheme = t.Scheme
	}
	u.Host = t.Host
	return u.String()
}

// PresentURL returns where what was recorded at an address is now.
func (r *Router) PresentURL(recorded string) string { return r.origins.presentURL(recorded) }

// RecordedURL returns what the recording calls an address of now.
func (r *Router) RecordedURL(present string) string { return r.origins.recordedURL(present) }

// Origins are those that requests may reach.
func (r *Router) Origins() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.allowed
}

// Allowed reports whether a request may leave for an origin.
func (r *Router) Allowed(origin string) bool {
	origin = httpOrigin(origin)
	if origin == "" || r.policy(origin) == Blocked {
		return false
	}
	for _, pattern := range r.Origins() {
		if pattern == "*" || pattern == origin || wildcard(pattern, origin) {
			return true
		}
	}
	return false
}

func wildcard(pattern, origin string) bool {
	scheme, host, ok := strings.Cut(pattern, "://*.")
	if !ok {
		return false
	}
	rest, ok := strings.CutPrefix(origin, scheme+"://")
	return ok && strings.HasSuffix(rest, "."+host)
}

// allowsHost reports whether a connection may be made, of which only host and
// port are known.
func (r *Router) allowsHost(hostport string) bool {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		host, port = hostport, ""
	}
	for _, scheme := range []string{"http", "https"} {
		h := host
		if strings.Contains(h, ":") {
			h = "[" + h + "]"
		}
		if port != "" {
			h += ":" + port
		}
		if r.Allowed(Origin(scheme + "://" + h + "/")) {
			return true
		}
	}
	return false
}

func (r *Router) policy(origin string) Mode {
	origin = httpOrigin(origin)
	r.origins.mu.RLock()
	places := []string{origin, r.origins.then[origin], r.origins.now[origin]}
	r.origins.mu.RUnlock()
	for _, o := range places {
		if m, ok := r.policies[o]; ok && o != "" {
			return m
		}
	}
	return r.o.Mode
}

// local reports whether an address needs no network.
func local(raw string) bool {
	scheme, _, _ := strings.Cut(raw, ":")
	switch strings.ToLower(scheme) {
	case "data", "blob", "about", "javascript", "chrome", "chrome-error", "devtools":
		return true
	}
	return false
}
