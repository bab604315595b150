package title

import (
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

var defaultPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21", "file": ""}

// shortURL shows an address by host, path and query, as a browser would write them; data: and about:
// addresses by what tells them apart. What is no address stays as it is.
func shortURL(address string) string {
	s := strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	scheme, rest, ok := strings.Cut(s, ":")
	scheme = strings.ToLower(scheme)
	switch {
	case !ok || !isScheme(scheme):
		return address
	case scheme == "data":
		return "data:"
	case scheme == "about" || scheme == "chrome":
		return address
	}
	rest, _, _ = strings.Cut(rest, "#")
	if port, special := defaultPorts[scheme]; special {
		return specialURL(address, scheme, port, rest)
	}
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		host, path := cutHost(after)
		return host + path
	}
	return rest
}

func isScheme(s string) bool {
	for i, c := range []byte(s) {
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || strings.IndexByte("0123456789+-.", c) < 0) {
			return false
		}
	}
	return s != ""
}

func specialURL(address, scheme, port, rest string) string {
	path, query, asked := strings.Cut(rest, "?")
	path = strings.ReplaceAll(path, `\`, "/")
	host := ""
	if scheme == "file" {
		if after, ok := strings.CutPrefix(path, "//"); ok {
			host, path = cutHost(after)
		}
	} else {
		host, path = cutHost(strings.TrimLeft(path, "/"))
	}
	host, ok := canonicalHost(host, port, scheme == "file")
	if !ok {
		return address
	}
	short := host + escape(removeDots(path), pathEscapes)
	if asked && query != "" {
		short += "?" + escape(query, queryEscapes)
	}
	return short
}

// cutHost splits "user@host:port/path" and drops the user.
func cutHost(s string) (host, path string) {
	host = s
	if i := strings.IndexAny(s, "/?"); i >= 0 {
		host, path = s[:i], s[i:]
	}
	return host[strings.LastIndexByte(host, '@')+1:], path
}

func canonicalHost(host, defaultPort string, mayBeEmpty bool) (string, bool) {
	name, port := host, ""
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		name, port = host[:i], host[i+1:]
	}
	if strings.Trim(port, "0123456789") != "" || name == "" && !mayBeEmpty {
		return "", false
	}
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	if strings.ContainsAny(name, " <>^|%\\/?#@") {
		return "", false
	}
	if !strings.HasPrefix(name, "[") && strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyz-.") != "" {
		ascii, err := idna.Lookup.ToASCII(name)
		if err != nil {
			ascii = strings.ToLower(name) // underscores and the like: browsers are laxer than the profile
		}
		name = ascii
	}
	port = strings.TrimLeft(port, "0")
	if port == "" || port == defaultPort {
		return name, true
	}
	return name + ":" + port, true
}

// removeDots resolves "." and ".." in a path.
func removeDots(path string) string {
	if path == "" {
		return "/"
	}
	if !strings.Contains(path, "/.") && !strings.Contains(strings.ToLower(path), "%2e") {
		return path
	}
	var out []string
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, s := range segments {
		last := i == len(segments)-1
		switch strings.ReplaceAll(strings.ToLower(s), "%2e", ".") {
		case ".":
		case "..":
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
		default:
			out = append(out, s)
			continue
		}
		if last {
			out = append(out, "")
		}
	}
	return "/" + strings.Join(out, "/")
}

const (
	queryEscapes = " \"<>'"
	pathEscapes  = " \"<>`{}"
)

// escape writes what an address must not hold as percent codes.
func escape(s, more string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if c > ' ' && c < 0x7f && strings.IndexByte(more, c) < 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}
