package raw

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// Document is a trace that was read from text.
type Document struct{ Entries []Entry }

// Entry is one entry of a trace. Events end with a line end each.
type Entry struct {
	Name string
	Data []byte
	// Omitted says that the text has only the entry's size and hash.
	Omitted bool
}

// SyntaxError is a line that cannot be read.
type SyntaxError struct {
	Line   int // counted from 1
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

const maxLine = 256 << 20

// Parse reads what [Format] writes, or a person.
func Parse(r io.Reader) (*Document, error) {
	p := &parser{lines: bufio.NewScanner(r)}
	p.lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	for p.next() {
		if err := p.line(); err != nil {
			return nil, err
		}
	}
	if err := p.lines.Err(); err != nil {
		return nil, err
	}
	return &p.doc, p.finish()
}

type parser struct {
	lines  *bufio.Scanner
	number int
	text   string
	doc    Document
	kind   string
	body   strings.Builder // of a base64 entry
	stack  []rawjson.Object
	keys   []string
}

func (p *parser) next() bool {
	if !p.lines.Scan() {
		return false
	}
	p.number++
	p.text = p.lines.Text()
	return true
}

func (p *parser) fail(reason string) error { return &SyntaxError{p.number, reason} }

func (p *parser) entry() *Entry { return &p.doc.Entries[len(p.doc.Entries)-1] }

func (p *parser) line() error {
	switch {
	case strings.HasPrefix(p.text, "=="):
		if err := p.finish(); err != nil {
			return err
		}
		return p.head(strings.TrimSpace(p.text[2:]))
	case len(p.doc.Entries) == 0:
		if strings.TrimSpace(p.text) == "" || p.text[0] == '#' {
			return nil
		}
		return p.fail(`an entry was expected: "== name"`)
	case p.kind == "text":
		return p.textLine()
	case p.kind == "base64":
		p.body.WriteString(strings.TrimPrefix(strings.TrimSpace(p.text), "|"))
		return nil
	case strings.TrimSpace(p.text) == "" || p.text[0] == '#':
		return p.flush()
	}
	return p.eventLine()
}

// head begins an entry.
func (p *parser) head(text string) error {
	name, kind, _ := strings.Cut(text, " ")
	if strings.HasPrefix(text, `"`) {
		end := strings.LastIndexByte(text, '"')
		var ok bool
		if name, ok = rawjson.Unquote([]byte(text[:end+1])); !ok {
			return p.fail("a broken name")
		}
		kind = strings.TrimSpace(text[end+1:])
	}
	if name == "" {
		return p.fail("an entry without a name")
	}
	p.kind, _, _ = strings.Cut(strings.TrimSpace(kind), " ")
	switch p.kind {
	case "", "text", "base64", "omitted":
	default:
		return p.fail("unknown kind of entry " + p.kind)
	}
	p.doc.Entries = append(p.doc.Entries, Entry{Name: name, Omitted: p.kind == "omitted"})
	return nil
}

func (p *parser) textLine() error {
	e := p.entry()
	switch {
	case strings.HasPrefix(p.text, "|"):
		e.Data = append(append(e.Data, p.text[1:]...), '\n')
	case p.text == `\`:
		e.Data = bytes.TrimSuffix(e.Data, []byte{'\n'})
	case strings.TrimSpace(p.text) != "":
		return p.fail("a text's lines begin with a bar")
	}
	return nil
}

func (p *parser) eventLine() error {
	depth := len(p.text) - len(strings.TrimLeft(p.text, "\t"))
	text := p.text[depth:]
	switch {
	case depth == 0 && text[0] == '!':
		if err := p.flush(); err != nil {
			return err
		}
		line, ok := rawjson.Unquote([]byte(text[1:]))
		if !ok {
			line = text[1:]
		}
		p.add([]byte(line))
		return nil
	case depth == 0:
		if err := p.flush(); err != nil {
			return err
		}
		return p.begin(strings.TrimSpace(text))
	case len(p.stack) == 0:
		return p.fail("a member without an event")
	}
	return p.member(depth, text)
}

// begin begins an event: by its type, or with its whole line.
func (p *parser) begin(text string) error {
	switch {
	case text == "{}":
		p.stack = []rawjson.Object{{}}
	case text[0] == '{':
		if _, err := rawjson.Parse([]byte(text)); err != nil {
			return p.fail(err.Error())
		}
		p.add([]byte(text))
	case !word(text):
		return p.fail("an event's type was expected")
	default:
		p.stack = []rawjson.Object{{{Key: "type", Value: rawjson.Quote(text)}}}
	}
	return nil
}

func (p *parser) member(depth int, text string) error {
	if depth > len(p.stack) {
		return p.fail("indented too far")
	}
	p.fold(depth)
	key, value, ok := strings.Cut(text, ":")
	if !ok || !word(key) {
		return p.fail(`a member was expected: "name: value"`)
	}
	value = strings.TrimPrefix(value, " ")
	if value == "" {
		p.keys = append(p.keys, key)
		p.stack = append(p.stack, rawjson.Object{})
		return nil
	}
	v := []byte(value)
	if !rawjson.Valid(v) || v[0] == ' ' {
		v = rawjson.Quote(value)
	}
	top := &p.stack[len(p.stack)-1]
	*top = append(*top, rawjson.Member{Key: key, Value: v})
	return nil
}

// fold puts objects that are complete into those they are in.
func (p *parser) fold(depth int) {
	for len(p.stack) > depth {
		inner := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		outer := &p.stack[len(p.stack)-1]
		*outer = append(*outer, rawjson.Member{Key: p.keys[len(p.keys)-1], Value: inner.AppendTo(nil)})
		p.keys = p.keys[:len(p.keys)-1]
	}
}

// flush ends the event at hand.
func (p *parser) flush() error {
	if len(p.stack) == 0 {
		return nil
	}
	p.fold(1)
	p.add(p.stack[0].AppendTo(nil))
	p.stack = nil
	return nil
}

func (p *parser) add(line []byte) {
	e := p.entry()
	e.Data = append(append(e.Data, line...), '\n')
}

// finish ends the entry at hand.
func (p *parser) finish() error {
	if err := p.flush(); err != nil || p.kind != "base64" {
		return err
	}
	data, err := base64.StdEncoding.DecodeString(p.body.String())
	if err != nil {
		return p.fail("not base64: " + err.Error())
	}
	p.entry().Data = data
	p.body.Reset()
	p.kind = ""
	return nil
}

// ErrOmitted is the cause of an error for a document without its resources.
var ErrOmitted = errors.New("the text holds only the size of an entry")

// Write writes the trace as it is, entry for entry, and does not close w.
func (d *Document) Write(w *trace.Writer) error {
	for _, e := range d.Entries {
		if e.Omitted {
			return fmt.Errorf("%s: %w", e.Name, ErrOmitted)
		}
		if err := w.AddEntry(e.Name, bytes.NewReader(e.Data)); err != nil {
			return err
		}
	}
	return nil
}
