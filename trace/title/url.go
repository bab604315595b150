package title

import (
	"net/netip"
	"net/url"
	"strconv"
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
	path, query, _ := strings.Cut(rest, "?")
	var short string
	if port, special := defaultPorts[scheme]; special {
		short, ok = specialURL(scheme, port, strings.ReplaceAll(path, `\`, "/"))
		query = escape(query, queryEscapes+"'")
	} else {
		short, ok = otherURL(path)
		query = escape(query, queryEscapes)
	}
	if !ok {
		return address
	}
	if query != "" {
		short += "?" + query
	}
	return short
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

// specialURL shows what follows the scheme of a web or file address, up to its query.
func specialURL(scheme, port, rest string) (string, bool) {
	host, path := "", rest
	if scheme == "file" {
		if after, ok := strings.CutPrefix(rest, "//"); ok {
			host, path = cutHost(after)
		}
	} else {
		host, path = cutHost(strings.TrimLeft(rest, "/"))
	}
	name, number, ok := cutPort(host)
	if !ok || name == "" && scheme != "file" {
		return "", false
	}
	if name, ok = domain(name); !ok {
		return "", false
	}
	if number != "" && number != port {
		name += ":" + number
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return name + escape(removeDots(path), pathEscapes), true
}

// otherURL does it for every other scheme; such an address may have no host, or not even a path.
func otherURL(rest string) (string, bool) {
	if !strings.HasPrefix(rest, "/") {
		return escape(rest, ""), true
	}
	after, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return escape(removeDots(rest), pathEscapes), true
	}
	host, path := cutHost(after)
	name, port, ok := cutPort(host)
	if !ok || strings.ContainsAny(name, forbiddenInHost) {
		return "", false
	}
	if name = escape(strings.TrimSpace(name), ""); port != "" {
		name += ":" + port
	}
	if strings.HasPrefix(name, "[") {
		name = strings.ToLower(name)
	}
	return name + escape(removeDots(path), pathEscapes), true
}

// cutHost splits "user@host:port/path" and drops the user.
func cutHost(s string) (host, path string) {
	host = s
	if i := strings.IndexAny(s, "/?"); i >= 0 {
		host, path = s[:i], s[i:]
	}
	return host[strings.LastIndexByte(host, '@')+1:], path
}

// cutPort splits "name:port" and writes the port without leading zeros.
func cutPort(host string) (name, port string, ok bool) {
	name = host
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		name, port = host[:i], host[i+1:]
	}
	if port == "" {
		return name, "", true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return name, strconv.FormatUint(n, 10), err == nil
}

const forbiddenInHost = " <>^|\\/?#@"

// domain writes a host name as the network knows it: in lower case and ASCII, addresses in full.
func domain(name string) (string, bool) {
	if strings.HasPrefix(name, "[") {
		addr, err := netip.ParseAddr(strings.Trim(name, "[]"))
		return "[" + addr.String() + "]", err == nil
	}
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	if strings.ContainsAny(name, forbiddenInHost+"%") {
		return "", false
	}
	if strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyz-.") != "" {
		ascii, err := idna.Lookup.ToASCII(name)
		if err != nil {
			ascii = strings.ToLower(name) // underscores and the like: browsers are laxer than the profile
		}
		name = ascii
	}
	labels := strings.Split(strings.TrimSuffix(name, "."), ".")
	if _, err := strconv.ParseUint(labels[len(labels)-1], 0, 64); err == nil {
		return ipv4(labels)
	}
	return name, true
}

// ipv4 reads the shortened and hexadecimal forms of an address too: 127.1, 0x7f.1.
func ipv4(labels []string) (string, bool) {
	if len(labels) > 4 {
		return "", false
	}
	var addr uint64
	for i, l := range labels {
		n, err := strconv.ParseUint(l, 0, 32)
		last := i == len(labels)-1
		if err != nil || !last && n > 255 || last && n >= 1<<(8*(5-len(labels))) {
			return "", false
		}
		if last {
			addr |= n
		} else {
			addr |= n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(addr >> 24), byte(addr >> 16), byte(addr >> 8), byte(addr)}).String(), true
}

// removeDots resolves "." and ".." in a path.
func removeDots(path string) string {
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
	queryEscapes = " \"<>"
	pathEscapes  = " \"<>`{}"
)

// escape writes what an address must not hold as percent codes.
func escape(s, more string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= ' ' && c < 0x7f && strings.IndexByte(more, c) < 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}
