// Package raw writes a trace as text that people can read and change, and
// reads that text back: for tests, and for looking at a trace by hand.
//
// Each entry begins with its name behind "==". An event is its type on a line
// and its members, indented, one a line; objects that are long are indented
// further:
//
//	== 0-trace.trace
//	before
//		callId: call@2
//		startTime: 5.123
//		params: {"selector":"#go"}
//	!"a line that is no event"
//
//	== resources/0a1b….css text
//	|body { color: red }
//
//	== resources/2c3d….jpeg base64
//	|/9j/4AAQ…
//
// A value is JSON, or text up to the end of the line where it is none.
package raw

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// Options say how much is written.
type Options struct {
	// Bodies writes the bytes of resources. Without it there is a line with
	// their size and hash instead, which cannot be read back.
	Bodies bool
}

// Format writes the trace. What [Parse] makes of it, with Bodies, is the same
// trace, byte for byte but for the ends of lines.
func Format(ctx context.Context, w io.Writer, a *trace.Archive, o Options) error {
	f := &formatter{ctx: ctx, w: bufio.NewWriter(w), a: a, o: o}
	events := map[string]bool{}
	for _, file := range a.Files() {
		for _, name := range []string{file.Trace, file.Network} {
			if name != "" {
				events[name] = true
				if err := f.events(name); err != nil {
					return err
				}
			}
		}
	}
	for _, e := range a.Entries() {
		if events[e.Name] {
			continue
		}
		if err := f.entry(e.Name); err != nil {
			return err
		}
	}
	return f.w.Flush()
}

type formatter struct {
	ctx   context.Context
	w     *bufio.Writer
	a     *trace.Archive
	o     Options
	begun bool
}

func (f *formatter) head(name, kind string) {
	if f.begun {
		f.w.WriteByte('\n')
	}
	f.begun = true
	fmt.Fprintf(f.w, "== %s%s\n", nameText(name), kind)
}

// nameText quotes a name that would not be read back as it is.
func nameText(name string) string {
	for _, r := range name {
		if r == ' ' || r == '"' || !unicode.IsPrint(r) {
			return string(rawjson.Quote(name))
		}
	}
	return name
}

func (f *formatter) events(name string) error {
	f.head(name, "")
	return f.a.Lines(f.ctx, name, func(_ int, line []byte, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		_, err = f.w.WriteString(Line(line))
		return err
	})
}

func (f *formatter) entry(name string) error {
	rc, err := f.a.Resource(f.ctx, name)
	if err != nil {
		return err
	}
	defer rc.Close()
	if !f.o.Bodies {
		sum := sha1.New()
		n, err := io.Copy(sum, rc)
		if err != nil {
			return err
		}
		f.head(name, fmt.Sprintf(" omitted %d %s", n, hex.EncodeToString(sum.Sum(nil))))
		return nil
	}
	data, err := io.ReadAll(rc)
	if err != nil {
		return err
	}
	if readable(data) {
		f.head(name, " text")
		f.text(data)
		return nil
	}
	f.head(name, " base64")
	text := base64.StdEncoding.EncodeToString(data)
	const width = 76
	for ; len(text) > width; text = text[width:] {
		fmt.Fprintf(f.w, "|%s\n", text[:width])
	}
	fmt.Fprintf(f.w, "|%s\n", text)
	return nil
}

// text writes lines behind bars. A text that does not end with a line end
// ends with a backslash on a line of its own.
func (f *formatter) text(data []byte) {
	if len(data) == 0 {
		return
	}
	whole := data[len(data)-1] == '\n'
	for _, line := range bytes.Split(bytes.TrimSuffix(data, []byte{'\n'}), []byte{'\n'}) {
		f.w.WriteByte('|')
		f.w.Write(line)
		f.w.WriteByte('\n')
	}
	if !whole {
		f.w.WriteString("\\\n")
	}
}

// readable reports whether data is text that comes back as it was.
func readable(data []byte) bool {
	if !utf8.Valid(data) {
		return false
	}
	for _, c := range data {
		if c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// longValue is how long an object may be to stand on one line.
const longValue = 80

// Line returns the text of one line of a trace: of an event, or of a line
// that is none.
func Line(line []byte) string {
	obj, err := rawjson.Parse(line)
	if err != nil || !plainKeys(obj) || !exact(line, obj) {
		return "!" + string(rawjson.Quote(string(line))) + "\n"
	}
	var b bytes.Buffer
	typ := obj[:min(len(obj), 1)].Text("type") // a second member of that name is written like any other
	first := word(typ) && string(obj[0].Value) == `"`+typ+`"`
	if first {
		b.WriteString(typ + "\n")
		obj = obj[1:]
	} else {
		b.WriteString("{}\n")
	}
	members(&b, obj, "\t")
	return b.String()
}

// exact reports whether the line is written without blanks and needless
// escapes, so that it comes back as it is.
func exact(line []byte, obj rawjson.Object) bool {
	return utf8.Valid(line) && bytes.Equal(obj.AppendTo(nil), line) && bytes.IndexByte(line, '\r') < 0
}

func plainKeys(obj rawjson.Object) bool {
	for _, m := range obj {
		if !word(m.Key) {
			return false
		}
	}
	return true
}

// word reports whether a name can stand without quotes.
func word(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.' || r == '$') {
			return false
		}
	}
	return s != ""
}

func members(b *bytes.Buffer, obj rawjson.Object, indent string) {
	for _, m := range obj {
		b.WriteString(indent + m.Key + ":")
		inner, err := rawjson.Parse(m.Value)
		if len(m.Value) > longValue && err == nil && plainKeys(inner) && exact(m.Value, inner) {
			b.WriteByte('\n')
			members(b, inner, indent+"\t")
			continue
		}
		b.WriteString(" " + scalar(m.Value) + "\n")
	}
}

// scalar leaves the quotes off a string that is read back as one without.
func scalar(value []byte) string {
	s, ok := rawjson.Unquote(value)
	if ok && bytes.Equal(rawjson.Quote(s), value) && bare(s) {
		return s
	}
	return string(value)
}

// bare reports whether a text is taken for itself: it is no JSON, and neither
// blanks nor line ends could get lost.
func bare(s string) bool {
	if s == "" || s[0] == ' ' || s[len(s)-1] == ' ' || rawjson.Valid([]byte(s)) {
		return false
	}
	switch s[0] {
	case '"', '{', '[', '\t':
		return false
	}
	for _, r := range s {
		if r < ' ' || r == utf8.RuneError || r == '\u2028' || r == '\u0085' {
			return false
		}
	}
	return true
}
