package snapshot

import (
	"bufio"
	"io"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// htmlWriter writes escaped text and counts bytes. The first error stays.
type htmlWriter struct {
	w    *bufio.Writer
	left int64
	err  error
}

func newHTMLWriter(w io.Writer, limit int64) *htmlWriter {
	return &htmlWriter{w: bufio.NewWriterSize(w, 32<<10), left: limit}
}

// raw writes markup of our own.
func (h *htmlWriter) raw(text string) {
	if h.err != nil {
		return
	}
	if h.left -= int64(len(text)); h.left < 0 {
		h.err = ErrTooLarge
		return
	}
	_, h.err = h.w.WriteString(text)
}

func (h *htmlWriter) flush() error {
	if h.err == nil {
		h.err = h.w.Flush()
	}
	return h.err
}

// text writes recorded text.
func (h *htmlWriter) text(text string) { h.escaped(text, false) }

// attribute writes an attribute with a recorded value.
func (h *htmlWriter) attribute(name, value string) {
	h.raw(" ")
	h.raw(name)
	if value == "" {
		h.raw(`=""`)
		return
	}
	h.raw(`="`)
	h.escaped(value, true)
	h.raw(`"`)
}

func (h *htmlWriter) escaped(text string, quoted bool) {
	from := 0
	for i := 0; i < len(text); i++ {
		with := ""
		switch text[i] {
		case '&':
			with = "&amp;"
		case '<':
			with = "&lt;"
		case '>':
			with = "&gt;"
		case '"':
			if quoted {
				with = "&quot;"
			}
		case '\r':
			with = "&#13;"
		case 0:
			with = "\ufffd"
		}
		if with != "" {
			h.raw(text[from:i])
			h.raw(with)
			from = i + 1
		}
	}
	h.raw(text[from:])
}

// jsonText writes the text of a JSON string, which is mostly free of escapes.
func (h *htmlWriter) jsonText(value []byte) {
	text, ok := rawjson.Unquote(value)
	if !ok {
		return
	}
	h.text(text)
}
