package viewer

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// guard decides which requests are answered at all.
type guard struct {
	hosts map[string]bool
	token string
}

// newToken returns 128 random bits in hexadecimal.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails; see crypto/rand
	return hex.EncodeToString(b[:])
}

func newGuard(o Options) *guard {
	g := &guard{hosts: map[string]bool{"127.0.0.1": true, "localhost": true, "::1": true}, token: o.Token}
	if g.token == "" {
		g.token = newToken()
	}
	for _, h := range o.AllowHosts {
		g.hosts[strings.ToLower(strings.Trim(h, "[]"))] = true
	}
	return g
}

// knows reports whether token is the right one, in constant time.
func (g *guard) knows(token string) bool {
	return subtle.ConstantTimeCompare([]byte(g.token), []byte(token)) == 1
}

// host reports whether a Host header names us. One that cannot be read does
// not: answering it is how a rebound name, or a crash, gets in.
func (g *guard) host(header string) bool {
	name, ok := hostName(header)
	return ok && g.hosts[name]
}

func hostName(header string) (name string, ok bool) {
	if header == "" || len(header) > 300 || strings.ContainsAny(header, "/\\@?# \t%") {
		return "", false
	}
	name, port, err := net.SplitHostPort(header)
	if err != nil {
		name, port = header, "80"
		if strings.HasPrefix(name, "[") != strings.HasSuffix(name, "]") || strings.Contains(strings.Trim(name, "[]"), ":") != strings.HasPrefix(name, "[") {
			return "", false
		}
		name = strings.Trim(name, "[]")
	}
	for _, c := range port {
		if c < '0' || c > '9' {
			return "", false
		}
	}
	return strings.ToLower(name), name != "" && port != ""
}

// origin reports whether a page may speak to us. Origin must be the very
// origin that was asked. "null" is what a recorded page in its sandbox has.
// Programs send none; they have to bring the token in a header.
func (g *guard) origin(r *http.Request) bool {
	all := r.Header.Values("Origin")
	if len(all) == 0 {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		return ok && g.knows(token)
	}
	if len(all) > 1 || !g.host(r.Host) {
		return false
	}
	u, err := url.Parse(all[0])
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	return all[0] == u.Scheme+"://"+u.Host && strings.EqualFold(u.Host, r.Host)
}

// check wraps a handler so that it only sees requests that are meant for us.
func (g *guard) check(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.host(r.Host) {
			http.Error(w, "this name is not the viewer's: start it with --allow-host to add one", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
