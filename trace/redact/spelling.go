package redact

import (
	"encoding/base64"
	"html"
	"net/url"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// finder finds secrets in a text, however they are written in it.
type finder struct {
	first [1 << 16]bool // the two bytes that spellings begin with
	by    map[uint16][]spelling
}

// spelling is one way to write a secret.
type spelling struct {
	text   string
	with   string
	number int
	base64 bool // text is the certain part of its base64 form
}

// newFinder returns a finder of the vault's secrets.
func newFinder(v *vault) *finder {
	f := &finder{by: map[uint16][]spelling{}}
	for _, secret := range v.anywhere() {
		n := v.numbers[secret]
		with := v.marker(secret, false)
		for _, s := range spellings(secret) {
			s.with, s.number = with, n
			f.add(s)
		}
	}
	for _, list := range f.by {
		sort.SliceStable(list, func(i, j int) bool { return len(list[i].text) > len(list[j].text) })
	}
	return f
}

func (f *finder) add(s spelling) {
	if len(s.text) < 2 {
		return
	}
	head := uint16(s.text[0])<<8 | uint16(s.text[1])
	for _, other := range f.by[head] {
		if other.text == s.text {
			return
		}
	}
	f.first[head] = true
	f.by[head] = append(f.by[head], s)
}

// spellings lists the ways to write a secret: as it is, in JSON, in JSON
// inside JSON, in URLs and forms, in HTML, in base64.
func spellings(secret string) (list []spelling) {
	seen := map[string]bool{}
	add := func(text string) {
		if !seen[text] {
			seen[text] = true
			list = append(list, spelling{text: text})
		}
	}
	add(secret)
	once := quoted(secret)
	for _, text := range []string{once, strings.ReplaceAll(once, "/", `\/`), htmlInJSON(once)} {
		add(text)
		add(quoted(text))
	}
	for _, text := range []string{url.QueryEscape(secret), url.PathEscape(secret), component(secret), strings.ReplaceAll(url.QueryEscape(secret), "+", "%20")} {
		add(text)
		add(lowerHex(text))
	}
	add(html.EscapeString(secret))
	add(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(secret))
	add(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;").Replace(secret))
	for _, core := range base64Cores(secret) {
		list = append(list, spelling{text: core, base64: true})
	}
	for _, line := range keyLines(secret) {
		add(line)
	}
	return list
}

// keyLines are the lines of a secret of several that tell of it where they stand
// alone: texts are cut and indented by line.
func keyLines(secret string) (list []string) {
	if !strings.Contains(secret, "\n") {
		return nil
	}
	for _, line := range strings.FieldsFunc(secret, func(c rune) bool { return c == '\n' || c == '\r' }) {
		if line = strings.TrimSpace(line); len(line) >= 32 && !strings.Contains(line, " ") && distinctive(line) {
			list = append(list, line)
		}
	}
	return list
}

func quoted(s string) string {
	q := rawjson.Quote(s)
	return string(q[1 : len(q)-1])
}

// htmlInJSON is how encoders write it that fear for HTML.
func htmlInJSON(s string) string {
	return strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "'", `\u0027`).Replace(s)
}

// component escapes as encodeURIComponent does.
func component(s string) string {
	s = strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
	return strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(s)
}

func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			for k := 1; k <= 2; k++ {
				if b[i+k] >= 'A' && b[i+k] <= 'F' {
					b[i+k] += 'a' - 'A'
				}
			}
		}
	}
	return string(b)
}

// minCore is how long the certain part of a base64 form must be so that it
// means the secret and nothing else.
const minCore = 8

// base64Cores returns what the base64 form of any text that holds the secret
// holds: it depends on where in a group of three bytes the secret begins.
func base64Cores(secret string) (list []string) {
	for offset := range 3 {
		text := base64.RawStdEncoding.EncodeToString(append(make([]byte, offset), secret...))
		from := []int{0, 2, 3}[offset]
		to := (offset + len(secret)) * 8 / 6
		if to-from < minCore {
			continue
		}
		core := text[from:to]
		list = append(list, core)
		if other := strings.NewReplacer("+", "-", "/", "_").Replace(core); other != core {
			list = append(list, other)
		}
	}
	return list
}

// replace replaces all secrets in text, and calls found for each.
func (f *finder) replace(text string, found func(s spelling)) string {
	if f == nil || len(f.by) == 0 {
		return text
	}
	var out []byte
	copied := 0
	for i := 0; i+1 < len(text); {
		head := uint16(text[i])<<8 | uint16(text[i+1])
		if !f.first[head] {
			i++
			continue
		}
		s, ok := f.at(text[i:], head)
		if !ok {
			i++
			continue
		}
		from, to, with := i, i+len(s.text), s.with
		if s.base64 {
			from, to, with = base64Run(text, from, to, with, copied)
		}
		out = append(append(out, text[copied:from]...), with...)
		found(s)
		copied, i = to, to
	}
	if out == nil {
		return text
	}
	return string(append(out, text[copied:]...))
}

func (f *finder) at(text string, head uint16) (spelling, bool) {
	for _, s := range f.by[head] {
		if strings.HasPrefix(text, s.text) {
			return s, true
		}
	}
	return spelling{}, false
}

// maxRun is how long a base64 text may be to be replaced as a whole. Of a
// longer one only the secret's part is blanked.
const maxRun = 4096

func base64Run(text string, from, to int, with string, least int) (int, int, string) {
	lo, hi := from, to
	for lo > least && isBase64(text[lo-1]) && from-lo <= maxRun {
		lo--
	}
	for hi < len(text) && isBase64(text[hi]) && hi-to <= maxRun {
		hi++
	}
	if hi-lo > maxRun {
		return from, to, strings.Repeat("A", to-from)
	}
	for hi < len(text) && text[hi] == '=' {
		hi++
	}
	return lo, hi, with
}

func isBase64(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}
