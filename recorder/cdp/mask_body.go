package cdp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/textproto"
	"net/url"
	"strings"

	"github.com/tracedeck/tracedeck/trace/redact"
)

// mostMasked is how long the body of a request may be to be looked into.
const mostMasked = 4 << 20

// body masks what a page sent under names such as "password", and leaves the
// rest byte for byte as it was: replays compare what they send with it.
func (m *masker) body(contentType string, data []byte) []byte {
	if !m.on || len(data) == 0 || len(data) > mostMasked {
		return data
	}
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind = strings.ToLower(strings.TrimSpace(contentType))
	}
	switch trimmed := bytes.TrimLeft(data, " \t\r\n"); {
	case kind == "multipart/form-data" && params["boundary"] != "":
		return m.parts(data, params["boundary"])
	case kind == "application/x-www-form-urlencoded":
		return m.form(data)
	case strings.Contains(kind, "json") || len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '['):
		return m.members(data)
	}
	return data
}

func (m *masker) form(data []byte) []byte {
	fields := strings.Split(string(data), "&")
	for i, field := range fields {
		name, value, ok := strings.Cut(field, "=")
		plain, err := url.QueryUnescape(name)
		if !ok || err != nil || !redact.SecretName(plain) {
			continue
		}
		if text, err := url.QueryUnescape(value); err == nil {
			value = text
		}
		fields[i] = name + "=" + m.secret(value)
	}
	return []byte(strings.Join(fields, "&"))
}

// members masks texts that are members of JSON objects.
func (m *masker) members(data []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var out []byte
	copied, before := 0, 0 // how far data is in out, and where the token before ended
	var open []json.Delim
	name, isName := "", false
	for {
		token, err := d.Token()
		if err != nil {
			break // the end, or what follows is no JSON: it stays as it is
		}
		end := int(d.InputOffset())
		inObject := len(open) > 0 && open[len(open)-1] == '{'
		switch v := token.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				open = append(open, v)
			} else {
				open = open[:len(open)-1]
			}
			isName = len(open) > 0 && open[len(open)-1] == '{'
		case string:
			if inObject && isName {
				name, isName = v, false
				break
			}
			if inObject && v != "" && redact.SecretName(name) {
				start := before + bytes.IndexByte(data[before:end], '"')
				out = append(append(out, data[copied:start]...), fmt.Sprintf("%q", m.secret(v))...)
				copied = end
			}
			isName = inObject
		default:
			isName = inObject
		}
		before = end
	}
	if copied == 0 {
		return data
	}
	return append(out, data[copied:]...)
}

// parts masks the fields of a form that is sent with files.
func (m *masker) parts(data []byte, boundary string) []byte {
	pieces := bytes.Split(data, []byte("--"+boundary))
	for i, piece := range pieces {
		head, value, ok := bytes.Cut(piece, []byte("\r\n\r\n"))
		if !ok || !bytes.HasSuffix(value, []byte("\r\n")) {
			continue
		}
		_, disposition, err := mime.ParseMediaType(headerLine(head, "Content-Disposition"))
		_, file := disposition["filename"]
		if err != nil || file || !redact.SecretName(disposition["name"]) {
			continue
		}
		text := m.secret(strings.TrimSuffix(string(value), "\r\n"))
		pieces[i] = []byte(string(head) + "\r\n\r\n" + text + "\r\n")
	}
	return bytes.Join(pieces, []byte("--"+boundary))
}

func headerLine(head []byte, name string) string {
	for line := range strings.SplitSeq(string(head), "\r\n") {
		if n, value, ok := strings.Cut(line, ":"); ok && textproto.CanonicalMIMEHeaderKey(n) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
