package codegen

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace/locator"
)

// jsString writes a text as a literal of JavaScript. Nothing in it can end the
// literal, the line, or a script element around it.
func jsString(s string) string { return "'" + jsEscape(s, '\'') + "'" }

func jsEscape(s string, quote rune) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"):
			b.WriteString(`\ufffd`)
		case r == quote || r == '\\' || quote == '`' && r == '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '<' && (strings.HasPrefix(s[i:], "</script") || strings.HasPrefix(s[i:], "<!--")):
			b.WriteString(`\x3c`)
		case unprintable(r):
			if r > 0xffff {
				fmt.Fprintf(&b, `\u{%x}`, r)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unprintable reports whether a character would not be seen, or would change
// how the line around it looks.
func unprintable(r rune) bool { return !strconv.IsPrint(r) && r != ' ' }

// jsText writes a text of which parts are given at run time.
func jsText(pieces []Piece) string {
	if len(pieces) == 1 {
		switch p := pieces[0]; {
		case p.Env != "":
			return p.Env
		case p.ID != "":
			return "id(" + jsString(p.ID) + ")"
		default:
			return jsString(p.Literal)
		}
	}
	if literal, ok := onlyLiteral(pieces); ok {
		return jsString(literal)
	}
	var b strings.Builder
	b.WriteByte('`')
	for _, p := range pieces {
		switch {
		case p.Env != "":
			b.WriteString("${" + p.Env + "}")
		case p.ID != "":
			b.WriteString("${id(" + jsString(p.ID) + ")}")
		default:
			b.WriteString(jsEscape(p.Literal, '`'))
		}
	}
	b.WriteByte('`')
	return b.String()
}

// jsLines is jsText for a text of several lines, which stay lines.
func jsLines(pieces []Piece) string {
	text := jsText(pieces)
	if literal, ok := onlyLiteral(pieces); ok && strings.Contains(literal, "\n") {
		lines := strings.Split(literal, "\n")
		for i, line := range lines {
			lines[i] = jsEscape(line, '`')
		}
		return "`" + strings.Join(lines, "\n") + "`"
	}
	return text
}

func onlyLiteral(pieces []Piece) (string, bool) {
	var b strings.Builder
	for _, p := range pieces {
		if p.Env != "" || p.ID != "" {
			return "", false
		}
		b.WriteString(p.Literal)
	}
	return b.String(), true
}

// jsRegexp writes a regular expression of JavaScript: as a literal if it is
// sure to be one, else as a text that becomes one when the program runs.
func jsRegexp(source, flags string) string {
	flags = onlyFlags(flags)
	if source == "" || strings.ContainsAny(flags, "uv") || strings.HasPrefix(source, "*") || !plainRegexp(source) {
		return "new RegExp(" + jsString(source) + ", " + jsString(flags) + ")"
	}
	return "/" + source + "/" + flags
}

// plainRegexp reports whether a source means the same to Go and to JavaScript,
// and ends where its literal does.
func plainRegexp(source string) bool {
	if _, err := regexp.Compile(strings.ReplaceAll(source, `\/`, "/")); err != nil || strings.Contains(strings.ReplaceAll(source, "(?:", ""), "(?") {
		return false
	}
	escaped := false
	for _, r := range source {
		if r == '/' && !escaped || unprintable(r) || escaped && (r == 'Q' || r == 'E') {
			return false
		}
		escaped = r == '\\' && !escaped
	}
	return !escaped && !strings.Contains(source, "[[:")
}

// onlyFlags drops what is no flag, and repetitions.
func onlyFlags(flags string) (kept string) {
	for _, r := range flags {
		if strings.ContainsRune("dgimsuvy", r) && !strings.ContainsRune(kept, r) {
			kept += string(r)
		}
	}
	if strings.Contains(kept, "u") {
		kept = strings.ReplaceAll(kept, "v", "") // they exclude each other
	}
	return kept
}

// describe is an element in words: locator code.
func describe(e Element) string {
	return cut(oneLine(locator.Format(e.Selector, locator.JavaScript)), 100)
}

// optionsText writes options as an object of JavaScript.
func optionsText(list []Option) string {
	if len(list) == 0 {
		return ""
	}
	var parts []string
	for _, o := range list {
		parts = append(parts, o.Name+": "+jsValue(o.Value))
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}
