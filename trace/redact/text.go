package redact

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/assignment"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// style says what a text is written in, and so what in it can be a secret.
type style uint8

const (
	prose  style = iota // messages, addresses, forms, markup
	script              // a program: its assignments hold more names than secrets
)

// maxNested is how many texts inside texts are looked into.
const maxNested = 5

// text returns a text without its secrets.
func (r *redactor) text(s string, kind style, depth int) string {
	if len(s) < 2 || markerForm.MatchString(s) {
		return s
	}
	if depth < maxNested && (s[0] == '{' || s[0] == '[') && len(s) > 4 {
		if out, ok := r.json([]byte(s), depth); ok {
			return r.known(string(out))
		}
	}
	if len(s) >= 8 && !packedAddress(s) {
		s = r.forms(s)
		if strings.Contains(s, "://") && strings.Contains(s, "@") {
			s = replaceGroup(userInfo, s, 2, func(m []string) string { return r.secret(unescape(m[2]), "password in an address", false) })
		}
		if r.gate.open(s) {
			s = r.assignments(s, kind)
			if kind == prose && strings.Contains(s, "<") {
				s = r.markup(s)
			}
		}
		s = r.given(s, kind)
		if kind == script {
			s = r.sourceTyped(s)
		}
		s = r.escaped(s, depth)
		s = r.encoded(s, depth)
	}
	return r.known(s)
}

// packedAddress holds for pictures and fonts that are written as addresses:
// only a secret that is known can be found in them.
func packedAddress(s string) bool {
	if !strings.HasPrefix(s, "data:") {
		return false
	}
	head := s[:min(len(s), 100)]
	return strings.Contains(head, ";base64,") && !strings.Contains(head, "text/") && !strings.Contains(head, "json")
}

// known replaces secrets that are known from elsewhere.
func (r *redactor) known(s string) string {
	return r.finder.replace(s, func(found spelling) {
		what := "known value"
		if found.base64 {
			what = "known value in base64"
		}
		r.vault.seen[found.number] = true
		r.count(what, found.with)
	})
}

// forms replaces what has the form of a secret.
func (r *redactor) forms(s string) string {
	for i := range r.patterns {
		p := &r.patterns[i]
		places := p.places(s)
		for k := len(places) - 1; k >= 0; k-- {
			from, to := places[k][0], places[k][1]
			s = s[:from] + r.secret(s[from:to], p.name, true) + s[to:]
		}
	}
	return s
}

var (
	userInfo     = lazyregexp.New(`(://[^\s/@:"'<>?#]*:)([^\s/@"'<>]+)(@)`)
	queryPair    = lazyregexp.New(`(^|[?&;#\s])([A-Za-z0-9_.\-\[\]%]{1,100})=([^&\s;"'<>\\]+)`)
	headerLine   = lazyregexp.New(`(?i)\b((?:proxy-)?authorization|(?:set-)?cookie|x-[a-z0-9-]{1,40}|[a-z0-9-]{1,40}(?:token|secret|api-?key))(["']?\s*:\s*["']?)([^\r\n"'<>{}]+)`)
	bearer       = lazyregexp.New(`(?i)\b(bearer|basic)(\s+)([A-Za-z0-9._~+/=-]{8,})`)
	quotedMember = lazyregexp.New(`(\\*["'])([A-Za-z0-9_.\- ]{1,100})(\\*["']\s*:\s*\\*["'])((?:[^"'\\]|\\[^"'])+)`)
	assigned     = lazyregexp.New("\\b([A-Za-z0-9_$]{1,100})(\\s*[:=]\\s*[\"'`])([^\"'`\\\\\\s]{4,})([\"'`])")
	formPart     = lazyregexp.New(`(?i)(content-disposition:\s*form-data;[^\r\n]*\bname="([^"\r\n]{1,100})"[^\r\n]*(?:\r?\n[^\r\n]+)*\r?\n\r?\n)([^\r\n]+)`)
)

// assignments replaces values whose name in the text gives them away.
func (r *redactor) assignments(s string, kind style) string {
	if strings.Contains(s, "=") {
		s = replaceGroup(queryPair, s, 3, func(m []string) string { return r.queryValue(m, kind) })
	}
	if strings.Contains(s, ":") {
		if kind == prose {
			s = replaceGroup(headerLine, s, 3, func(m []string) string { return r.headerText(m[1], m[3]) })
		}
		if strings.ContainsAny(s, "\"'") {
			s = replaceGroup(quotedMember, s, 4, func(m []string) string { return r.member(m[2], m[4], kind) })
		}
		if strings.Contains(s, "form-data") {
			s = replaceGroup(formPart, s, 3, func(m []string) string { return r.member(m[2], m[3], prose) })
		}
	}
	if strings.ContainsAny(s, "\"'`") {
		s = replaceGroup(assigned, s, 3, func(m []string) string { return r.member(m[1], m[3], script) })
	}
	return replaceGroup(bearer, s, 3, func(m []string) string {
		if !distinctive(m[3]) {
			return m[3]
		}
		return r.secret(m[3], "authorization", true)
	})
}

// replaceGroup replaces one group of each match.
func replaceGroup(form *lazyregexp.Regexp, s string, group int, with func(m []string) string) string {
	matches := form.FindAllStringSubmatchIndex(s, -1)
	if matches == nil {
		return s
	}
	var out strings.Builder
	at := 0
	for _, m := range matches {
		groups := make([]string, len(m)/2)
		for i := range groups {
			if m[2*i] >= 0 {
				groups[i] = s[m[2*i]:m[2*i+1]]
			}
		}
		out.WriteString(s[at:m[2*group]])
		out.WriteString(with(groups))
		at = m[2*group+1]
	}
	out.WriteString(s[at:])
	return out.String()
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// queryValue replaces the value of a parameter or a form field.
func (r *redactor) queryValue(m []string, kind style) string {
	name, value := unescape(m[2]), m[3]
	if head, fragment, ok := strings.Cut(value, "#"); ok && strings.Contains(fragment, "=") {
		return r.queryValue([]string{"", m[1], m[2], head}, kind) + replaceGroup(queryPair, "#"+fragment, 3, func(m []string) string { return r.queryValue(m, kind) })
	}
	if !r.names.gives(name, unescape(value)) && !((m[1] == "?" || m[1] == "&") && strings.EqualFold(name, "key") && assignment.KeyLike(value)) || kind == script && m[1] != "?" && m[1] != "&" || kind == script && !distinctive(value) {
		return value
	}
	return r.secret(unescape(value), "parameter "+name, false)
}

// headerText replaces the value of a header in a message.
func (r *redactor) headerText(name, value string) string {
	if !cookieHeader(name) && !r.names.has(name) {
		return value
	}
	return r.named(name, value)
}

// member replaces a value that stands behind its name in quotes. In a program
// it must look like a secret too.
func (r *redactor) member(name, value string, kind style) string {
	if !r.names.has(name) || kind == script && !distinctive(value) {
		return value
	}
	plain := value
	if s, ok := rawjson.Unquote([]byte(`"` + value + `"`)); ok {
		plain = s
	}
	return r.secret(plain, "value of "+name, false)
}

func cookieHeader(name string) bool {
	switch plain(name) {
	case "cookie", "setcookie":
		return true
	}
	return false
}

// named replaces the value of a header, and keeps of it what is no secret:
// the scheme, the names of cookies, what a cookie is for.
func (r *redactor) named(name, value string) string {
	switch p := plain(name); {
	case value == "":
		return value
	case p == "cookie":
		return r.cookiePairs(value)
	case p == "setcookie":
		return r.setCookies(value)
	case authHeaders[p]:
		return r.authorization(value)
	}
	return r.secret(value, "value of "+name, false)
}

// authorization keeps the scheme. What "Basic" hides is two secrets.
func (r *redactor) authorization(value string) string {
	scheme, rest, ok := strings.Cut(value, " ")
	if !ok || rest == "" {
		return r.secret(value, "authorization", true)
	}
	if strings.EqualFold(scheme, "basic") {
		if both, err := base64.StdEncoding.DecodeString(rest); err == nil {
			if _, password, ok := strings.Cut(string(both), ":"); ok && password != "" {
				r.vault.marker(password, false)
			}
		}
	}
	return scheme + " " + r.secret(rest, "authorization", true)
}

// cookiePairs replaces the values in "a=1; b=2".
func (r *redactor) cookiePairs(value string) string {
	parts := strings.Split(value, ";")
	for i, part := range parts {
		if name, v, ok := strings.Cut(part, "="); ok && strings.TrimSpace(v) != "" {
			parts[i] = name + "=" + r.secret(strings.TrimSpace(v), "cookie "+strings.TrimSpace(name), false)
		}
	}
	return strings.Join(parts, ";")
}

// setCookies replaces the value in "a=1; Path=/"; several headers may be
// joined by line ends.
func (r *redactor) setCookies(value string) string {
	lines := strings.Split(value, "\n")
	for i, line := range lines {
		pair, rest, more := strings.Cut(line, ";")
		lines[i] = r.cookiePairs(pair)
		if more {
			lines[i] += ";" + rest
		}
	}
	return strings.Join(lines, "\n")
}

var (
	formTag   = lazyregexp.New(`(?i)<(?:input|meta|textarea)\b[^<>]*>`)
	attribute = lazyregexp.New(`(?i)([a-z_:][a-z0-9_:.-]*)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'<>]+)`)
)

// markup replaces the values of secret fields in HTML.
func (r *redactor) markup(s string) string {
	return formTag.ReplaceAllStringFunc(s, func(tag string) string {
		attributes := map[string]string{}
		for _, m := range attribute.FindAllStringSubmatch(tag, -1) {
			attributes[strings.ToLower(m[1])] = strings.Trim(m[3], `"'`)
		}
		value := "value"
		if strings.HasPrefix(strings.ToLower(tag), "<meta") {
			value = "content"
			if !r.names.has(attributes["name"]) {
				return tag
			}
		} else if !r.names.secretField(func(name string) string { return attributes[name] }) {
			return tag
		}
		return replaceGroup(attribute, tag, 3, func(m []string) string {
			text := strings.Trim(m[3], `"'`)
			if !strings.EqualFold(m[1], value) || text == "" {
				return m[3]
			}
			return `"` + r.secret(text, "form field", false) + `"`
		})
	})
}
