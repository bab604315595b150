package diff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

type effect = verdict.Outcome

type headerField struct{ name, value string }

func fields(list []har.NameValue) []headerField {
	out := make([]headerField, 0, len(list))
	for _, h := range list {
		if !strings.HasPrefix(h.Name, ":") {
			out = append(out, headerField{strings.ToLower(h.Name), h.Value})
		}
	}
	return out
}

// joined returns headers by name; several of one name are one, in their order.
func joined(list []headerField) map[string]string {
	m := make(map[string]string, len(list))
	for _, h := range list {
		if v, ok := m[h.name]; ok {
			m[h.name] = v + ", " + h.value
		} else {
			m[h.name] = h.value
		}
	}
	return m
}

// maxBodyChanges is how many changes inside one body are told.
const maxBodyChanges = 50

// bodies compares two bodies: JSON and forms by their members, other text
// masked, the rest byte for byte.
func (c *Comparer) bodies(what, mimeA string, a []byte, mimeB string, b []byte) []Change {
	if bytes.Equal(a, b) {
		return nil
	}
	if va, vb, ok := decoded(mimeA, a, mimeB, b); ok {
		d := &jsonDiff{c: c, what: what}
		d.values("$", "", va, vb)
		return d.changes
	}
	whole := Change{Kind: kindOf(len(a) > 0, len(b) > 0), Effect: neutral, What: what, A: size(len(a)), B: size(len(b))}
	if !utf8.Valid(a) || !utf8.Valid(b) {
		return []Change{whole}
	}
	x, y := c.masks.Text(InBody, string(a)), c.masks.Text(InBody, string(b))
	if x == y {
		c.hid.hid(c.masks, InBody, "", string(a), string(b))
		return nil
	}
	if la, lb := firstUnlikeLine(x, y); la != "" || lb != "" {
		la, lb = fromDifference(la, lb)
		whole.Note = fmt.Sprintf("first at %q, now %q", clip(la, 80), clip(lb, 80))
	}
	return []Change{whole}
}

// fromDifference leaves out most of what two long lines begin with alike.
func fromDifference(a, b string) (string, string) {
	const before = 30 // bytes that show where it is
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n -= before; n > 0 && !(utf8.RuneStart(a[n])); n-- {
	}
	if n <= 0 {
		return a, b
	}
	return "…" + a[n:], "…" + b[n:]
}

func size(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d bytes", n)
}

func firstUnlikeLine(a, b string) (string, string) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		var la, lb string
		if i < len(x) {
			la = strings.TrimSpace(x[i])
		}
		if i < len(y) {
			lb = strings.TrimSpace(y[i])
		}
		if la != lb {
			return la, lb
		}
	}
	return "", ""
}

// decoded returns what two bodies hold where both are JSON, or forms.
func decoded(mimeA string, a []byte, mimeB string, b []byte) (va, vb any, ok bool) {
	if looksJSON(a) && looksJSON(b) && unmarshal(a, &va) && unmarshal(b, &vb) {
		return va, vb, true
	}
	if strings.Contains(mimeA, "x-www-form-urlencoded") && strings.Contains(mimeB, "x-www-form-urlencoded") {
		return form(a), form(b), true
	}
	return nil, nil, false
}

func looksJSON(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 0 && (b[0] == '{' || b[0] == '[')
}

func unmarshal(b []byte, v *any) bool {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	return dec.Decode(v) == nil && !dec.More()
}

func form(b []byte) any {
	m := map[string]any{}
	q, _ := url.ParseQuery(string(b))
	for k, v := range q {
		m[k] = strings.Join(v, ", ")
	}
	return m
}
