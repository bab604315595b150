package mock

import (
	"net"
	"net/url"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace/har/template"
)

// address is a request's address in the form in which addresses are compared.
type address struct {
	origin string
	path   string
	query  []param // by name; those of one name in their order
}

type param struct{ name, value string }

// origin returns scheme, host and port of an address, without the port that
// the scheme has anyway, and "" where it has none.
func originOf(u *url.URL) string {
	if u == nil || u.Host == "" {
		return ""
	}
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	if port == "" || standard[scheme] == port {
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		return scheme + "://" + host
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

var standard = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}

// Origin returns the origin of an address as a router names it: scheme, host,
// and the port where it is not the scheme's own. It is "" for addresses without
// a host.
func Origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return originOf(u)
}

// httpOrigin is the origin that a web socket's handshake goes to.
func httpOrigin(origin string) string {
	if rest, ok := strings.CutPrefix(origin, "ws://"); ok {
		return "http://" + rest
	}
	if rest, ok := strings.CutPrefix(origin, "wss://"); ok {
		return "https://" + rest
	}
	return origin
}

func parseAddress(raw string) (address, bool) {
	u, err := url.Parse(raw)
	if err != nil {
		return address{}, false
	}
	a := address{origin: originOf(u), path: u.EscapedPath()}
	if a.origin == "" {
		return address{}, false
	}
	if a.path = strings.TrimRight(a.path, "/"); a.path == "" {
		a.path = "/"
	}
	for _, part := range strings.Split(u.RawQuery, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		a.query = append(a.query, param{unescape(name), unescape(value)})
	}
	sort.SliceStable(a.query, func(i, j int) bool { return a.query[i].name < a.query[j].name })
	return a, true
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// key is the same for all spellings of an address.
func (a address) key() string { return a.origin + a.path + "?" + encode(a.query) }

func encode(query []param) string {
	var b strings.Builder
	for i, p := range query {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(p.name) + "=" + url.QueryEscape(p.value))
	}
	return b.String()
}

// fleeting are parameters that are there so that no two requests are alike.
var fleeting = []string{"_", "_t", "_ts", "t", "ts", "timestamp", "nonce", "cb", "_cb", "cachebust", "cachebuster", "cache_bust", "_nocache", "nocache", "rand", "random", "rnd", "_rsc",
	"utm_*", "requestid", "request_id", "_requestid", "traceid"}

// without returns the address without parameters that do not matter.
func (a address) without(names []string) address {
	b := a
	b.query = nil
	for _, p := range a.query {
		if !listed(names, p.name) {
			b.query = append(b.query, p)
		}
	}
	return b
}

func listed(names []string, name string) bool {
	name = strings.ToLower(name)
	for _, n := range names {
		n = strings.ToLower(n)
		if head, ok := strings.CutSuffix(n, "*"); ok && strings.HasPrefix(name, head) || n == name {
			return true
		}
	}
	return false
}

// alike reports whether two addresses differ only in what a program makes up
// anew for each request, or in what the templates leave open.
func (a address) alike(b address, templates []string) bool {
	if a.origin != b.origin || len(a.query) != len(b.query) {
		return false
	}
	for i, p := range a.query {
		if q := b.query[i]; p.name != q.name || p.value != q.value && !bothVolatile(p.value, q.value) {
			return false
		}
	}
	if a.path == b.path {
		return true
	}
	for _, t := range templates {
		if template.Match(t, a.path) && template.Match(t, b.path) {
			return true
		}
	}
	x, y := strings.Split(a.path, "/"), strings.Split(b.path, "/")
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && !bothVolatile(x[i], y[i]) {
			return false
		}
	}
	return true
}

// bothVolatile reports whether two values are of a kind that programs make up:
// UUIDs, long hex or base64 ids, dates of a clock. Plain numbers are not: they
// are ids that a server gave, and another number is another thing.
func bothVolatile(a, b string) bool {
	k := volatile(a)
	return k != "" && k == volatile(b)
}

func volatile(s string) string {
	switch {
	case s == "" || len(s) > 200:
		return ""
	case digits(s):
		if len(s) == 13 && (s[0] == '1' || s[0] == '2') || len(s) == 10 && s[0] == '1' && s[1] >= '5' {
			return "clock"
		}
		return ""
	case isDate(s):
		return "date"
	case len(s) == 36 && strings.Count(s, "-") == 4 && template.Variable(s):
		return "uuid"
	case len(s) >= 12 && !strings.ContainsAny(s, " @") && template.Variable(s):
		return "id"
	}
	return ""
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// isDate knows the form in which programs print a moment, 2026-01-01T00:00:00.000Z.
// A date without a time is not one: it is more often data.
func isDate(s string) bool {
	return len(s) >= 19 && len(s) <= 35 && s[4] == '-' && s[7] == '-' && s[10] == 'T' && s[13] == ':' && s[16] == ':' && digits(s[:4]) && digits(s[5:7])
}
