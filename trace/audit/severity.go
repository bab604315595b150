package audit

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace/verdict"
)

// where is in what part of a trace a text stands.
type where uint8

const (
	inURL where = iota
	inSent
	inReceived
	inProgram
	inSocket
	inLog
	inHeader
	inPage
	inAction
)

var codes = map[where]string{inURL: "secret-in-url", inSent: "secret-in-request", inReceived: "secret-in-response",
	inProgram: "secret-in-script", inSocket: "secret-in-websocket", inLog: "secret-in-console",
	inHeader: "secret-in-header", inPage: "secret-in-page", inAction: "secret-in-action"}

// spot is where a text was found.
type spot struct {
	where    where
	x        *exchange // nil for messages
	evidence verdict.Evidence
}

// credentials makes findings of the credentials in a text.
func (s *scan) credentials(c *content, at spot) {
	for i := range c.hits {
		h := &c.hits[i]
		severity, notes := at.severity(h.hit)
		if severity == "" {
			continue
		}
		s.hide(h.value)
		if at.x != nil && h.class != public && h.class != weak && h.class != sample && at.where != inReceived && at.where != inProgram && at.where != inHeader {
			at.x.secret = true
		}
		e := at.evidence
		e.Field, e.Pattern, e.RedactedValue = h.field, h.form, mask(h.value)
		e.Notes = append(append(append([]string(nil), e.Notes...), h.notes...), notes...)
		endpoint := e.Source
		if at.x != nil {
			endpoint = at.x.endpoint
		}
		s.add(codes[at.where], severity, e, endpoint, h.value, h.also...)
	}
}

// severity says how bad it is that a value stands there, and "" that it is not
// worth a word.
func (at spot) severity(h hit) (v verdict.Severity, notes []string) {
	switch h.class {
	case public, sample:
		return verdict.Info, nil
	case weak:
		if at.where != inURL {
			return "", nil
		}
		return verdict.Info, nil
	case certain:
		v = verdict.Critical
	case likely:
		v = verdict.Warning
	case jwt:
		v, notes = at.token(h)
	case named, password:
		v, notes = at.named(h)
	}
	if v != "" && placeholder(h.value) {
		return v.Lower(), append(notes, "looks like an example: one step less severe")
	}
	return v, notes
}

func (at spot) token(hit) (verdict.Severity, []string) {
	switch at.where {
	case inURL, inLog:
		return verdict.Critical, nil
	case inSent:
		if at.x.third {
			return verdict.Critical, []string{"sent to another site than the page's"}
		}
	case inReceived:
		if at.x.issuesTokens() {
			return verdict.Info, []string{"an answer that issues tokens"}
		}
	case inHeader:
		if at.x.third {
			return verdict.Critical, []string{"sent to another site than the page's"}
		}
	}
	return verdict.Warning, nil
}

func (at spot) named(h hit) (verdict.Severity, []string) {
	switch at.where {
	case inURL, inHeader:
		return verdict.Critical, nil
	case inLog:
		if h.class == password || generated(h.value) {
			return verdict.Critical, nil
		}
	case inSent:
		if at.x.issuesTokens() && !at.x.third {
			return verdict.Info, []string{"a sign-in sends its credentials"}
		}
	case inReceived:
		switch {
		case at.x.issuesTokens():
			return verdict.Info, []string{"an answer that issues tokens"}
		case h.class == password && passwordHit(h.value):
			return verdict.Critical, nil
		case !generated(h.value):
			return verdict.Info, nil
		}
	case inProgram:
		if !generated(h.value) {
			return "", nil
		}
	case inAction:
		return verdict.Info, []string{"typed where it belongs; it is in the trace for whoever gets it"}
	case inPage:
		if h.class == password {
			return verdict.Info, []string{"typed where it belongs; it is in the trace for whoever gets it"}
		}
		if !generated(h.value) {
			return "", nil
		}
	}
	return verdict.Warning, nil
}

var issuers = []string{"login", "logon", "signin", "sign-in", "sign_in", "token", "oauth", "/auth", "session", "sso", "refresh", "register", "signup", "sign-up", "password"}

// issuesTokens reports whether the request is one that is answered with a token
// as it should be.
func (x *exchange) issuesTokens() bool {
	if x.Request.Method != "POST" && x.Request.Method != "PUT" || x.exposed() {
		return false
	}
	path := strings.ToLower(x.path)
	for _, word := range issuers {
		if strings.Contains(path, word) {
			return true
		}
	}
	return false
}
