package redact

import (
	"net/url"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/assignment"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// given replaces what a text gives to names of secrets, in whatever way
// programs, settings and messages write that.
func (r *redactor) given(s string, kind style) string {
	var out strings.Builder
	written := 0
	assignment.Each(s, func(name, value string, at int) {
		if at < written || !r.isGiven(name, value, kind) {
			return
		}
		out.WriteString(s[written:at] + r.secret(unescape(value), "value of "+name, false))
		written = at + len(value)
	})
	if written == 0 {
		return s
	}
	return out.String() + s[written:]
}

// isGiven reports whether the value of that name is a secret. In a program most
// of what stands behind such a name is more program.
func (r *redactor) isGiven(name, value string, kind style) bool {
	if strings.Contains(value, "redacted-") || !r.names.gives(name, value) {
		return false
	}
	if kind == script {
		return len(value) >= 12 && assignment.KeyLike(value) && !strings.ContainsAny(value, ".:[]$*?|!") || strings.Contains(value, "%") && assignment.KeyLike(value)
	}
	return distinctive(value) && !strings.ContainsAny(value, "[]$") && !strings.HasPrefix(value, "http") && hasDigit(value)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

var (
	percent = lazyregexp.New(`[A-Za-z0-9._~!*'()+-]*(?:%[0-9A-Fa-f]{2}[A-Za-z0-9._~!*'()+-]*)+`)
	typeIn  = lazyregexp.New("(?m)\\b(?:fill|type|pressSequentially|press_sequentially|send_?[kK]eys|insertText|insert_text)\\(\\s*((?:\"[^\"\\n]*\"|'[^'\\n]*'|`[^`\\n]*`)\\s*,\\s*)?(\"[^\"\\n]+\"|'[^'\\n]+'|`[^`\\n]+`)")
)

// escaped looks into what is written as addresses and forms write it: a form of
// a secret cannot be seen there where its signs are escaped.
func (r *redactor) escaped(s string, depth int) string {
	if depth >= maxNested || !strings.Contains(s, "%") {
		return s
	}
	return percent.ReplaceAllStringFunc(s, func(run string) string {
		if len(run) < 16 {
			return run
		}
		if plain, err := url.QueryUnescape(run); err == nil {
			if clean := r.text(plain, prose, depth+1); clean != plain {
				return url.QueryEscape(clean)
			}
		}
		return run
	})
}

// sourceTyped replaces what the source of a test types into fields that its
// selectors call secret.
func (r *redactor) sourceTyped(s string) string {
	matches := typeIn.FindAllStringSubmatchIndex(s, -1)
	var out strings.Builder
	written := 0
	for _, m := range matches {
		line := strings.LastIndexAny(s[:m[0]], ";\n") + 1
		from, to := m[4]+1, m[5]-1
		if !r.names.mentions(s[line:from]) || strings.Contains(s[from:to], "${") {
			continue
		}
		out.WriteString(s[written:from] + r.secret(s[from:to], "typed text", false))
		written = to
	}
	if written == 0 {
		return s
	}
	return out.String() + s[written:]
}
