package cdp

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// masker replaces credentials by markers. That there was one is kept, and
// equal ones have equal markers, which later analysis needs.
type masker struct {
	on bool

	mu   sync.Mutex
	seen map[[32]byte]int
}

func newMasker(on bool) *masker { return &masker{on: on, seen: map[[32]byte]int{}} }

func (m *masker) secret(value string) string {
	if !m.on || value == "" {
		return value
	}
	sum := sha256.Sum256([]byte(value))
	m.mu.Lock()
	defer m.mu.Unlock()
	n, ok := m.seen[sum]
	if !ok {
		n = len(m.seen) + 1
		m.seen[sum] = n
	}
	return fmt.Sprintf("redacted-%d", n)
}

// secretHeaders are those whose values are credentials.
var secretHeaders = map[string]bool{
	"authorization": true, "proxy-authorization": true, "cookie": true, "set-cookie": true,
	"x-api-key": true, "x-auth-token": true, "x-csrf-token": true, "x-xsrf-token": true,
}

// header returns what is recorded of a header's value.
func (m *masker) header(name, value string) string {
	lower := strings.ToLower(name)
	if !m.on || !secretHeaders[lower] {
		return value
	}
	switch lower {
	case "cookie":
		return m.each(value, ";", -1)
	case "set-cookie":
		lines := strings.Split(value, "\n")
		for i, l := range lines {
			lines[i] = m.each(l, ";", 1)
		}
		return strings.Join(lines, "\n")
	case "authorization", "proxy-authorization":
		if scheme, rest, ok := strings.Cut(value, " "); ok {
			return scheme + " " + m.secret(rest)
		}
	}
	return m.secret(value)
}

// each masks the values of the first n name=value pairs; -1 means all.
func (m *masker) each(text, sep string, n int) string {
	parts := strings.Split(text, sep)
	for i, p := range parts {
		if n >= 0 && i >= n {
			break
		}
		if name, value, ok := strings.Cut(p, "="); ok {
			parts[i] = name + "=" + m.secret(value)
		} else {
			parts[i] = m.secret(p)
		}
	}
	return strings.Join(parts, sep)
}

// authOf says which kind of credentials a request carried, as JSON, or nil.
func authOf(headers []headerField) json.RawMessage {
	for _, h := range headers {
		switch strings.ToLower(h.name) {
		case "authorization":
			scheme, _, _ := strings.Cut(h.value, " ")
			return mustJSON(map[string]string{"scheme": scheme, "source": "header"})
		case "x-api-key", "x-auth-token":
			return mustJSON(map[string]string{"scheme": h.name, "source": "header"})
		}
	}
	for _, h := range headers {
		if strings.EqualFold(h.name, "cookie") {
			return mustJSON(map[string]string{"scheme": "cookie", "source": "cookie"})
		}
	}
	return nil
}

// mustJSON is for values that cannot fail to be written.
func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
