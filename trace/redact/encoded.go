package redact

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// in64 are the signs of base64, in either alphabet.
var in64 = func() (signs [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_") {
		signs[c] = true
	}
	return
}()

const (
	shortest64 = 32       // signs of a text that is looked into
	longest64  = 64 << 10 // signs of one that is parted
)

// encoded looks into texts that are written as base64, and writes them again
// without the secrets in them: what stands nowhere else is not known otherwise.
func (r *redactor) encoded(s string, depth int) string {
	if depth >= maxNested {
		return s
	}
	var out strings.Builder
	written := 0
	for i := 0; i+shortest64 <= len(s); i++ {
		if !in64[s[i+shortest64-1]] {
			i += shortest64 - 1 // no run that is long enough begins before
			continue
		}
		from := i
		for i < len(s) && in64[s[i]] {
			i++
		}
		if i-from < shortest64 {
			continue
		}
		padding := paddingOf(s[i:])
		if clean, ok := r.run64(s[from:i], padding, depth); ok {
			out.WriteString(s[written:from] + clean)
			i += len(padding)
			written = i
		}
	}
	if written == 0 {
		return s
	}
	return out.String() + s[written:]
}

// paddingOf is what ends a text in base64, also as addresses have it.
func paddingOf(rest string) string {
	n := 0
	for k := 0; k < 2; k++ {
		switch {
		case strings.HasPrefix(rest[n:], "="):
			n++
		case strings.HasPrefix(rest[n:], "%3D"), strings.HasPrefix(rest[n:], "%3d"):
			n += 3
		}
	}
	return rest[:n]
}

// run64 returns signs of base64, with the padding behind them, without secrets. A
// "/" may part them from the path before.
func (r *redactor) run64(run, padding string, depth int) (string, bool) {
	if out, ok := r.decoded(run, padding, depth); ok || len(run) > longest64 {
		return out, ok
	}
	parts, changed := strings.Split(run, "/"), false
	for i, part := range parts {
		end := ""
		if i == len(parts)-1 {
			end = padding
		}
		if out, ok := r.decoded(part, end, depth); ok {
			parts[i], changed = out, true
		} else {
			parts[i] += end
		}
	}
	return strings.Join(parts, "/"), changed && len(parts) > 1
}

// decoded returns one text in base64 without its secrets; ok is false where it is
// none, or holds none.
func (r *redactor) decoded(body, padding string, depth int) (string, bool) {
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(body, "-_") {
		encoding = base64.RawURLEncoding
	}
	if len(body) < 24 || !readable(encoding, body[:24]) {
		return "", false
	}
	plain, err := encoding.DecodeString(body)
	if err != nil || !utf8.Valid(plain) {
		return "", false
	}
	clean := r.text(string(plain), prose, depth+1)
	if clean == string(plain) {
		return "", false
	}
	out := encoding.EncodeToString([]byte(clean))
	if padding == "" {
		return out, true
	}
	sign := padding[:1]
	if sign == "%" {
		sign = padding[:3]
	}
	return out + strings.Repeat(sign, (4-len(out)%4)%4), true
}

// readable reports whether the beginning of a text in base64 is text.
func readable(encoding *base64.Encoding, head string) bool {
	b, err := encoding.DecodeString(head)
	if err != nil {
		return false
	}
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
