package mock

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace/redact"
)

// most is how long a body may be, in bytes, to be taken apart. A longer one is
// compared as it is.
const most = 8 << 20

// Canonical returns a request's body in a form that is the same for all bodies
// that say the same: members of JSON in order, GraphQL without blanks that
// mean nothing, fields of forms in order, and multipart bodies without their
// boundaries. What cannot be read as its type says comes back as it is.
func Canonical(contentType string, body []byte) []byte {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind, params = strings.ToLower(strings.TrimSpace(contentType)), nil
	}
	if len(body) > most {
		return body
	}
	var out []byte
	switch trimmed := bytes.TrimSpace(body); {
	case strings.HasPrefix(kind, "multipart/"):
		out = canonicalParts(params["boundary"], body)
	case kind == "application/x-www-form-urlencoded":
		out = canonicalForm(body)
	case strings.Contains(kind, "json") || len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '['):
		out = canonicalJSON(body)
	}
	if out == nil {
		return body
	}
	return out
}

// fingerprint of a canonical body.
func fingerprint(canonical []byte) string {
	if len(canonical) == 0 {
		return ""
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:12])
}

func canonicalJSON(body []byte) []byte {
	v, ok := decode(body)
	if !ok {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(graphQL(v)) != nil { // sorts the members
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func decode(body []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, false
	}
	return v, true
}

// graphQL closes up the query of a request, or of each of a batch.
func graphQL(v any) any {
	switch x := v.(type) {
	case []any:
		for i := range x {
			if m, ok := x[i].(map[string]any); ok {
				x[i] = graphQL(m)
			}
		}
	case map[string]any:
		if q, ok := x["query"].(string); ok && strings.Contains(q, "{") {
			x["query"] = closeUp(q)
		}
	}
	return v
}

// closeUp takes out of a GraphQL document what means nothing: comments, commas,
// and blanks except one between words. Strings stay as they are.
func closeUp(q string) string {
	var b strings.Builder
	gap := false
	for i := 0; i < len(q); {
		switch c := q[i]; {
		case c == '"':
			n := stringEnd(q[i:])
			if gap && b.Len() > 0 && word(b.String()[b.Len()-1]) {
				b.WriteByte(' ')
			}
			b.WriteString(q[i : i+n])
			i, gap = i+n, false
		case c == '#':
			for i < len(q) && q[i] != '\n' && q[i] != '\r' {
				i++
			}
			gap = true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',':
			gap, i = true, i+1
		default:
			if gap && b.Len() > 0 && word(c) && word(b.String()[b.Len()-1]) {
				b.WriteByte(' ')
			}
			b.WriteByte(c)
			gap, i = false, i+1
		}
	}
	return b.String()
}

func word(c byte) bool {
	return c == '_' || c == '-' || c == '"' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func stringEnd(s string) int {
	if strings.HasPrefix(s, `"""`) {
		if i := strings.Index(s[3:], `"""`); i >= 0 {
			return i + 6
		}
		return len(s)
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"', '\n':
			return i + 1
		}
	}
	return len(s)
}

func canonicalForm(body []byte) []byte {
	var list []param
	for _, part := range strings.Split(string(body), "&") {
		name, value, _ := strings.Cut(part, "=")
		n, err := url.QueryUnescape(name)
		v, err2 := url.QueryUnescape(value)
		if err != nil || err2 != nil {
			return nil
		}
		if n != "" || v != "" {
			list = append(list, param{n, v})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].name < list[j].name })
	return []byte(encode(list))
}

// canonicalParts writes each part as a line: its name, its file's name, its
// type, and what it holds, by hash where that is long.
func canonicalParts(boundary string, body []byte) []byte {
	if boundary == "" { // recorders do not always keep the header
		line, _, _ := bytes.Cut(body, []byte("\r\n"))
		boundary = strings.TrimPrefix(string(line), "--")
	}
	if boundary == "" || len(boundary) > 200 {
		return nil
	}
	r, lines := multipart.NewReader(bytes.NewReader(body), boundary), []string{}
	for len(lines) < 10000 {
		p, err := r.NextRawPart()
		if err == io.EOF {
			sort.Strings(lines)
			return []byte("multipart\n" + strings.Join(lines, "\n"))
		}
		if err != nil {
			return nil
		}
		data, err := io.ReadAll(p)
		if err != nil {
			return nil
		}
		kind := p.Header.Get("Content-Type")
		if strings.HasPrefix(kind, "multipart/") { // one level is enough for what browsers send
			kind = ""
		}
		data = Canonical(kind, data)
		text := string(data)
		if len(data) > 256 {
			text = fingerprint(data)
		}
		lines = append(lines, fmt.Sprintf("%q %q %q %q", p.FormName(), p.FileName(), kind, text))
	}
	return nil
}

// facts are what a canonical body says, one thing a piece: the leaves of JSON
// with their paths, the fields of a form, or the lines of anything else. With
// loose set, values that programs make up are replaced by their kind.
func facts(canonical []byte, loose bool) []string {
	if len(canonical) == 0 || len(canonical) > most {
		return nil
	}
	var list []string
	if v, ok := decode(canonical); ok {
		leaves("$", v, loose, &list)
	} else {
		sep := "\n"
		if !bytes.HasPrefix(canonical, []byte("multipart\n")) && bytes.ContainsRune(canonical, '=') {
			sep = "&"
		}
		for _, part := range strings.Split(string(canonical), sep) {
			name, value, found := strings.Cut(part, "=")
			if k := changing(name, value); found && loose && k != "" {
				part = name + "=<" + k + ">"
			}
			list = append(list, part)
		}
	}
	sort.Strings(list)
	return list
}

// changing names the kind of a value that programs make up, or that recordings
// do not hold, or returns "".
func changing(name, value string) string {
	if value != "" && redact.SecretName(name) {
		return "secret"
	}
	return volatile(value)
}

const maxFacts = 20000

func leaves(path string, v any, loose bool, list *[]string) {
	if len(*list) >= maxFacts || len(path) > 2000 {
		return
	}
	switch x := v.(type) {
	case map[string]any:
		if len(x) == 0 {
			*list = append(*list, path+"={}")
		}
		names := make([]string, 0, len(x))
		for name := range x {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			leaves(path+"."+name, x[name], loose, list)
		}
	case []any:
		if len(x) == 0 {
			*list = append(*list, path+"=[]")
		}
		for i, e := range x {
			leaves(fmt.Sprintf("%s[%d]", path, i), e, loose, list)
		}
	default:
		text := fmt.Sprint(x)
		if k := changing(path[strings.LastIndexByte(path, '.')+1:], text); loose && k != "" {
			text = "<" + k + ">"
		}
		*list = append(*list, fmt.Sprintf("%s=%T %s", path, x, text))
	}
}

// shared is the part of all facts that two sorted lists have in common, from 0
// to 1.
func shared(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// difference names the first thing in which two bodies differ.
func difference(asked, recorded []string) string {
	has := map[string]bool{}
	for _, f := range recorded {
		has[f] = true
	}
	for _, f := range asked {
		if !has[f] {
			return "asked for " + short(f) + counterpart(f, recorded)
		}
	}
	return "the recording has more in it"
}

func counterpart(fact string, list []string) string {
	name, _, _ := strings.Cut(fact, "=")
	for _, f := range list {
		if other, _, _ := strings.Cut(f, "="); other == name {
			return ", recorded is " + short(f)
		}
	}
	return ", which the recorded body does not have"
}

func short(s string) string {
	for _, kind := range []string{"=string ", "=json.Number ", "=bool ", "=<nil> "} {
		s = strings.Replace(s, kind, "=", 1)
	}
	if len(s) > 120 {
		s = strings.ToValidUTF8(s[:120], "") + "…"
	}
	return s
}
