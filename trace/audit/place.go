package audit

import (
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/internal/assignment"
)

// address is a request's URL, taken apart.
type address struct {
	scheme, host, origin string // in lower case; host without port
	path, query          string // as they are in the URL
	fragment             string
	user                 *url.Userinfo
	bad                  bool // not to be taken apart; only the scheme is known
}

const maxAddress = 64 << 10

func parseAddress(raw string) address {
	u, err := url.Parse(raw[:min(len(raw), maxAddress)])
	if err != nil || u.Host == "" {
		scheme, _, _ := strings.Cut(raw[:min(len(raw), 20)], ":")
		return address{scheme: strings.ToLower(scheme), bad: true}
	}
	a := address{scheme: strings.ToLower(u.Scheme), host: strings.ToLower(u.Hostname()), path: u.EscapedPath(), query: u.RawQuery, fragment: u.EscapedFragment(), user: u.User}
	a.origin = a.scheme + "://" + strings.ToLower(u.Host)
	return a
}

func (a address) secure() bool { return a.scheme == "https" || a.scheme == "wss" }

// exposed reports whether what is sent can be read on the way.
func (a address) exposed() bool {
	return (a.scheme == "http" || a.scheme == "ws") && !a.bad && !template.Local(a.host)
}

// site is what a host shares with those of the same owner.
func site(host string) string {
	if net.ParseIP(host) != nil {
		return host
	}
	if s, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return s
	}
	return host
}

// endpoint is the address without its query, and with ids folded.
func (a address) endpoint() string {
	if a.bad {
		return a.scheme + ":"
	}
	return a.origin + folded(a.path)
}

// shown is the address as it may be printed: values of parameters left out,
// and parts of the path that look like ids or secrets folded.
func (a address) shown() string {
	if a.bad {
		return a.scheme + ":…"
	}
	s := a.origin + folded(a.path)
	if a.query == "" {
		return s
	}
	var names []string
	for _, pair := range strings.Split(a.query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if len(names) == 10 {
			names = append(names, "…")
			break
		}
		names = append(names, shownName(name)+"=…")
	}
	return s + "?" + strings.Join(names, "&")
}

// shownName returns a name of a parameter or member as it may be printed.
func shownName(name string) string {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; c <= ' ' || c >= 0x7f || c == '@' {
			return "…"
		}
	}
	if len(name) > 64 || random(name) {
		return "…"
	}
	return name
}

// folded is a path without the parts that name one thing of many, and without
// those that could be secrets.
func folded(path string) string {
	parts := strings.Split(template.Path(path), "/")
	for i, p := range parts {
		if plain, err := url.PathUnescape(p); err == nil && variable(plain) {
			parts[i] = template.ID
		}
	}
	if len(parts) > 40 {
		parts = append(parts[:40], "…")
	}
	return strings.Join(parts, "/")
}

func variable(s string) bool {
	digits, hex := 0, true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= '0' && c <= '9' {
			digits++
		} else if (c < 'a' || c > 'f') && (c < 'A' || c > 'F') && c != '-' {
			hex = false
		}
		if c == '@' || c == '=' || c >= 0x80 || c < ' ' {
			return true
		}
	}
	switch {
	case len(s) == 0:
		return false
	case digits == len(s), hex && digits > 0 && len(s) >= 8, len(s) > 100:
		return true
	}
	return random(s)
}

// random reports whether a part of an address or a name looks as if a machine
// had made it up.
func random(s string) bool {
	if len(s) < 16 {
		return false
	}
	digits, upper, lower := assignment.Mix(s)
	return (digits >= 3 || upper >= 2 && lower >= 2 && digits >= 1 || upper >= 4 && lower >= 4 && broken(s)) && assignment.Entropy(s) >= 3.3
}

// broken reports whether the words of a name, which begin with a capital, are
// so short that they are none.
func broken(s string) bool {
	words, last := 1, byte('a')
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 'A' && c <= 'Z' && (last < 'A' || last > 'Z') || c >= 'a' && c <= 'z' && i >= 2 && last <= 'Z' && s[i-2] >= 'A' && s[i-2] <= 'Z' {
			words++
		}
		last = s[i]
	}
	return len(s) < 4*words
}
