package redact

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/assignment"
)

// names knows which names give their value away as a secret.
type names struct {
	secret map[string]bool
	keep   map[string]bool
}

func newNames(more, keep []string) *names {
	n := &names{secret: map[string]bool{}, keep: map[string]bool{}}
	for _, list := range [][]string{secretNames, more} {
		for _, name := range list {
			n.secret[plain(name)] = true
		}
	}
	for _, name := range notSecret {
		n.keep[name] = true
	}
	for _, name := range more {
		delete(n.keep, plain(name))
	}
	for _, name := range keep {
		n.keep[plain(name)] = true
	}
	return n
}

// plain is the name without what differs between ways to write it.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 0x80:
			return r
		}
		return -1
	}, name)
}

// has reports whether the value of something of that name is a secret.
func (n *names) has(name string) bool {
	if len(name) == 0 || len(name) > 100 {
		return false
	}
	p := plain(name)
	if n.keep[p] {
		return false
	}
	if n.secret[p] {
		return true
	}
	for _, end := range secretEnds {
		if strings.HasSuffix(p, end) {
			return true
		}
	}
	return false
}

var secretNames = []string{
	"authorization", "proxy-authorization", "password", "passwd", "pwd", "pw", "pass", "passphrase", "passcode", "secret", "token", "jwt", "bearer",
	"api-key", "apikey", "x-api-key", "access-key", "access-key-id", "secret-access-key", "private-key", "client-secret", "credential", "credentials",
	"session", "session-id", "sessid", "sid", "connect.sid", "jsessionid", "phpsessid", "asp.net_sessionid", "sessionid", "csrf", "xsrf", "_csrf",
	"otp", "totp", "mfa-code", "one-time-code", "pin", "pincode", "pin-code", "cvv", "cvc", "csc", "card-number", "cardnumber", "cc-number", "cc-csc",
	"credit-card", "ssn", "social-security-number", "iban", "connection-string", "dsn", "x-amz-signature", "x-amz-credential", "x-goog-signature",
	"sig", "ocp-apim-subscription-key", "x-functions-key", "x-goog-api-key", "x-vault-token", "dpop", "code_verifier", "samlresponse", "assertion",
}

// secretEnds are ends of names: "userPassword", "X-Auth-Token".
var secretEnds = []string{"password", "passwd", "passphrase", "secret", "token", "apikey", "privatekey", "secretkey", "accesskey", "signingkey", "encryptionkey", "sessionid", "cookie"}

// notSecret are names that end like one of a secret and are none.
var notSecret = []string{
	"nextpagetoken", "pagetoken", "prevpagetoken", "continuationtoken", "synctoken", "nexttoken", "maxtoken", "tokentype", "httponlycookie", "setcookie", "cookie",
	"showpassword", "togglepassword", "forgotpassword", "resetpassword", "changepassword",
}

// gives reports whether a name and what it is given are a secret together: the
// name may mean one, and the value can hardly be anything else.
func (n *names) gives(name, value string) bool {
	if n.has(name) {
		return true
	}
	if len(name) == 0 || len(name) > 100 || len(value) < 12 || n.keep[plain(name)] || !assignment.Holds(name) || !assignment.Loose(name) || !assignment.KeyLike(value) {
		return false
	}
	return len(value) >= 16 || !strings.ContainsAny(value, ".:/ ")
}

// authHeaders are headers of which a part says what kind of secret the rest is.
var authHeaders = map[string]bool{"authorization": true, "proxyauthorization": true}

// secretField reports whether a form field's attributes give it away.
func (n *names) secretField(attribute func(string) string) bool {
	if strings.EqualFold(attribute("type"), "password") {
		return true
	}
	switch strings.ToLower(attribute("autocomplete")) {
	case "current-password", "new-password", "one-time-code", "cc-number", "cc-csc":
		return true
	}
	for _, a := range []string{"name", "id", "data-testid", "formcontrolname"} {
		if n.has(attribute(a)) {
			return true
		}
	}
	return false
}

// mentions reports whether a selector, such as "#password" or a role with the
// name "Your password", speaks of a secret field.
func (n *names) mentions(selector string) bool {
	s := strings.ToLower(selector)
	for _, word := range []string{"password", "passwd", "passwort", "passphrase", "passcode", "one-time-code", "[type=password", "cvv", "cvc", "card-number", "cardnumber", "cc-number"} {
		if strings.Contains(s, word) {
			return true
		}
	}
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_') }) {
		if n.secret[plain(word)] {
			return true
		}
	}
	return false
}
