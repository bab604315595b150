package title

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace/locator"
)

// params fills parameters into texts. They are looked at only when a text asks for one.
type params struct {
	raw      json.RawMessage
	language locator.Language
	vibium   bool // selectors are Vibium's own, not Playwright's

	checked bool // raw is valid, or nil
}

// fill replaces every {name} of a template. What names nothing stays, and makes the answer incomplete.
func (p *params) fill(template string) (text string, complete bool) {
	if !strings.Contains(template, "{") {
		return template, true
	}
	var b strings.Builder
	complete = true
	for {
		open := strings.IndexByte(template, '{')
		if open < 0 {
			break
		}
		end := strings.IndexByte(template[open:], '}')
		if end < 0 {
			break
		}
		b.WriteString(template[:open])
		placeholder := template[open : open+end+1]
		value, ok := p.value(placeholder[1 : len(placeholder)-1])
		if !ok {
			value, complete = placeholder, false
		}
		b.WriteString(value)
		template = template[open+end+1:]
	}
	b.WriteString(template)
	return b.String(), complete
}

func (p *params) value(names string) (string, bool) {
	if names == "" {
		return "", false
	}
	for name := range strings.SplitSeq(names, "|") {
		raw, ok := p.lookup(name)
		if !ok {
			continue
		}
		if value, ok := p.show(name, raw); ok {
			return strings.ReplaceAll(value, "\n", `\n`), true
		}
	}
	return "", false
}

// lookup follows a dotted name into objects and lists.
func (p *params) lookup(path string) (json.RawMessage, bool) {
	if !p.checked {
		p.checked = true
		if !json.Valid(p.raw) {
			p.raw = nil
		}
	}
	raw := p.raw
	for {
		name, rest, dotted := strings.Cut(path, ".")
		found, ok := member(raw, name)
		if !ok || !dotted {
			return found, ok
		}
		raw, path = found, rest
	}
}

func (p *params) show(name string, raw json.RawMessage) (string, bool) {
	text := plain(raw)
	switch {
	case name == "url":
		if bytes.Equal(raw, []byte("null")) {
			return "", false
		}
		return shortURL(text), true
	case name == "timeNumber":
		return date(raw), true
	case (name == "selector" || strings.HasSuffix(name, ".selector")) && !p.vibium:
		return locator.Describe(text, p.language), true
	}
	return text, true
}

// plain shows a value as JavaScript's String would, but lists and objects as JSON.
func plain(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return s
		}
	case '[', '{':
		var b bytes.Buffer
		if json.Compact(&b, raw) == nil {
			return b.String()
		}
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return number(raw)
	}
	return string(raw)
}

// number writes a number as JavaScript does.
func number(raw json.RawMessage) string {
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return string(raw)
	}
	if a := math.Abs(n); a != 0 && (a < 1e-6 || a >= 1e21) {
		s := strconv.FormatFloat(n, 'e', -1, 64)
		mantissa, exponent, _ := strings.Cut(s, "e")
		return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
	}
	return strconv.FormatFloat(n+0, 'f', -1, 64) // +0 drops the sign of zero
}

// date writes a time given in milliseconds since 1970 as JavaScript's Date does, in UTC: the words must not
// depend on where they are read.
func date(raw json.RawMessage) string {
	ms, err := strconv.ParseFloat(plain(raw), 64)
	const most = 8.64e15 // the range of Date
	if err != nil || math.Abs(ms) > most {
		return "Invalid Date"
	}
	return time.UnixMilli(int64(ms)).UTC().Format("Mon Jan 02 2006 15:04:05 GMT+0000") + " (Coordinated Universal Time)"
}
