package snapshot

import (
	"net/url"
	"strings"
)

// canonical returns one spelling for all spellings of an address that mean
// the same to a browser, without the fragment. It is only for comparing.
func canonical(address string) string {
	if i := strings.IndexByte(address, '#'); i >= 0 {
		address = address[:i]
	}
	if opaque(address) {
		return address
	}
	u, ok := parseAddress(address)
	if !ok {
		return address
	}
	u.Host = strings.ToLower(u.Host)
	switch {
	case u.Scheme == "http":
		u.Host = strings.TrimSuffix(u.Host, ":80")
	case u.Scheme == "https":
		u.Host = strings.TrimSuffix(u.Host, ":443")
	}
	if u.Path == "" && u.Host != "" {
		u.Path = "/"
	}
	u.Fragment = ""
	return u.String()
}

// opaque reports whether an address has no parts that could be resolved.
func opaque(address string) bool {
	s := scheme(address)
	return s == "data" || s == "blob" || s == "about" || s == "javascript"
}

// scheme returns the scheme of an address in lower case, and "" for a
// relative one. Browsers skip blanks and control characters in front, and
// tabs and line ends anywhere.
func scheme(address string) string {
	address = tidy(address)
	i := strings.IndexByte(address, ':')
	if i <= 0 || strings.IndexFunc(address[:i], notScheme) >= 0 {
		return ""
	}
	return strings.ToLower(address[:i])
}

func notScheme(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '+' || r == '-' || r == '.')
}

// tidy removes what browsers do not look at in an address.
func tidy(address string) string {
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	if strings.ContainsAny(address, "\t\n\r") {
		address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address)
	}
	return address
}

// parseAddress reads an address as leniently as browsers do.
func parseAddress(address string) (*url.URL, bool) {
	address = tidy(address)
	if u, err := url.Parse(address); err == nil {
		return u, true
	}
	u, err := url.Parse(escapeOdd(address))
	return u, err == nil
}

// escapeOdd encodes what Go's parser refuses and browsers do not.
func escapeOdd(address string) string {
	var b strings.Builder
	for i := 0; i < len(address); i++ {
		switch c := address[i]; {
		case c == '%' && !(i+2 < len(address) && hex(address[i+1]) && hex(address[i+2])):
			b.WriteString("%25")
		case c <= ' ' || c == 0x7f || c >= 0x80:
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		case c == '\\':
			b.WriteByte('/')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func hex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// resolve returns the absolute address that ref means in a document or style
// sheet at base, and "" if it means none that could be looked up.
func resolve(base, ref string) string {
	ref = tidy(ref)
	if opaque(ref) {
		return ref
	}
	r, ok := parseAddress(ref)
	if !ok {
		return ""
	}
	if r.Scheme != "" {
		return r.String()
	}
	b, ok := parseAddress(base)
	if !ok || b.Scheme == "" || b.Opaque != "" {
		return ""
	}
	return b.ResolveReference(r).String()
}
