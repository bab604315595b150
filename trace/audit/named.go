package audit

import (
	"encoding/base64"
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/trace/internal/assignment"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
	"github.com/tracedeck/tracedeck/trace/redact"
)

var passwordNames = []string{"password", "passwd", "passphrase", "passcode", "pwd"}

// harmless are names that are told apart from those of secrets by what they
// are for: protection against forged requests, public keys, signed addresses.
var harmless = []string{"csrf", "xsrf", "requestverificationtoken", "authenticitytoken", "pagetoken", "cursortoken", "publickey", "sitekey",
	"xalgoliaapikey", "signature", "xamzcredential", "sentrykey", "recaptcha", "idempotency", "credentials", "assertion", "codeverifier", "publictoken", "jsonwebtoken"}

// namedHit says what a value is that is known by its name.
func namedHit(name, value string, url bool) (h hit, ok bool) {
	p := assignment.Plain(name)
	if !(redact.SecretName(name) || url && (p == "key" || p == "auth" || p == "accesskey")) || value == "" || redact.IsMarker(value) || assignment.Masked(value) {
		return h, false
	}
	h = hit{form: "value of " + shownName(name), value: value, class: named}
	switch {
	case contains(harmless, p) || p == "sig" || strings.HasPrefix(value, "pk.") || strings.HasPrefix(value, "pk_"):
		h.class, h.notes = weak, []string{"of a kind that is made to be sent like this"}
	case !strong(value):
		h.class, h.notes = weak, []string{"short or too regular to be a secret by its look"}
	case contains(passwordNames, p):
		h.class = password
	case strings.Contains(p, "secret") && looksAWS(value):
		h.class, h.form = certain, "AWS secret key"
	}
	return h, true
}

// passwordHit says whether a value in an answer is a password rather than a
// text about passwords.
func passwordHit(value string) bool {
	digits, upper, lower := assignment.Mix(value)
	return strong(value) && digits > 0 && upper+lower > 0
}

func contains(list []string, name string) bool {
	for _, part := range list {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

var bearer = lazyregexp.New(`(?i)\b(bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})`)

// inProse calls emit with what a message names like a secret.
func inProse(text string, emit func(hit)) {
	assignment.Each(text, func(name, value string, at int) {
		if h, ok := namedHit(name, value, false); ok && h.class != weak && !assignment.Alphabet(value) && !(strings.HasSuffix(value, "=") && strings.Contains(value, ".")) {
			h.from = at
			emit(h)
		} else if assignment.Loose(name) && assignment.KeyLike(value) {
			emit(hit{class: named, form: "value of " + shownName(name), value: value, from: at})
		}
	})
	for _, m := range bearer.FindAllStringSubmatchIndex(text, maxHits) {
		value := text[m[4]:m[5]]
		if authorization(text[m[2]:m[3]], value) {
			emit(hit{class: certain, form: "authorization", value: value, from: m[4]})
		}
	}
}

// authorization reports whether what stands behind the scheme is a credential
// and not a word: "basic authentication" is none.
func authorization(scheme, value string) bool {
	if assignment.Masked(value) {
		return false
	}
	if strings.EqualFold(scheme, "basic") {
		b, err := base64.StdEncoding.DecodeString(value)
		return err == nil && strings.Contains(string(b), ":")
	}
	digits, _, _ := assignment.Mix(value)
	return digits > 0 && strong(value)
}

var scriptNames = []string{"token", "secret", "apikey", "api_key", "api-key", "password", "passwd", "accesskey", "access_key"}

var scriptHeads = sync.OnceValue(func() *[1 << 16]bool {
	heads := new([1 << 16]bool)
	for _, n := range scriptNames {
		heads[uint16(n[0])<<8|uint16(n[1])] = true
	}
	return heads
})

// inScript calls emit with what a program assigns to something that is named
// like a secret, where it looks like one too.
func inScript(text string, emit func(hit)) {
	heads := scriptHeads()
	for i := 0; i+8 < len(text); i++ {
		if !heads[uint16(text[i]|0x20)<<8|uint16(text[i+1]|0x20)] {
			continue
		}
		for _, n := range scriptNames {
			if len(text)-i < len(n) || !strings.EqualFold(text[i:i+len(n)], n) {
				continue
			}
			if name, value, at := assigned(text, i, i+len(n)); generated(value) && !assignment.Masked(value) && !contains(harmless, assignment.Plain(name)) {
				emit(hit{class: named, form: "value of " + shownName(name), value: value, from: at})
				i = at
			}
			break
		}
	}
}

// assigned returns the name around text[from:to] and the string that is
// assigned to it.
func assigned(text string, from, to int) (name, value string, at int) {
	for k := 0; from > 0 && k < 40 && isWord(text[from-1]); k++ {
		from--
	}
	for k := 0; to < len(text) && k < 40 && (isWord(text[to]) || text[to] == '-'); k++ {
		to++
	}
	name = text[from:to]
	if to < len(text) && (text[to] == '"' || text[to] == '\'') {
		to++
	}
	to = blanks(text, to)
	if to >= len(text) || text[to] != ':' && text[to] != '=' {
		return name, "", to
	}
	to = blanks(text, to+1)
	if to >= len(text) || text[to] != '"' && text[to] != '\'' && text[to] != '`' {
		return name, "", to
	}
	end := strings.IndexByte(text[to+1:min(len(text), to+600)], text[to])
	if end < 0 {
		return name, "", to
	}
	return name, text[to+1 : to+1+end], to + 1
}

func blanks(text string, i int) int {
	for k := 0; k < 4 && i < len(text) && (text[i] == ' ' || text[i] == '\t'); k++ {
		i++
	}
	return i
}
