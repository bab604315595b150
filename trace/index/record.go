package index

import (
	"bytes"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// recordKind is the type of a line, as far as the index has a use for it.
type recordKind uint8

const (
	recordOther recordKind = iota
	recordContext
	recordBefore
	recordBegun // a before line that is not the last word
	recordInput
	recordLog
	recordAfter
	recordAction // before and after in one
	recordEvent
	recordConsole
	recordStdout
	recordStderr
	recordError
	recordFrame
	recordStill
	recordAria
	recordSnapshot
	recordRequest
)

// recordKindOf returns what a line of that type is.
func recordKindOf(name []byte) recordKind {
	switch string(name) {
	case "context-options":
		return recordContext
	case "before":
		return recordBefore
	case "begun":
		return recordBegun
	case "input":
		return recordInput
	case "log":
		return recordLog
	case "after":
		return recordAfter
	case "action":
		return recordAction
	case "event":
		return recordEvent
	case "console":
		return recordConsole
	case "stdout":
		return recordStdout
	case "stderr":
		return recordStderr
	case "error":
		return recordError
	case "screencast-frame":
		return recordFrame
	case "screenshot":
		return recordStill
	case "aria-snapshot":
		return recordAria
	case "frame-snapshot":
		return recordSnapshot
	case "resource-snapshot":
		return recordRequest
	}
	return recordOther
}

// record is what one line says, as far as rows hold it. Times are the file's
// own. Its bytes are parts of the line, and valid as long as that is.
type record struct {
	kind                            recordKind
	time, end                       trace.Time // NoTime where the line has none
	callID, stepID, parentID        []byte
	title, subtitle, class, method  []byte
	group, pageID                   []byte
	params                          []byte // JSON
	message                         []byte // of a log line, a console message, an error
	failed                          bool   // there is an error
	skipped                         bool
	level, url                      []byte // of a console message
	line, column                    int64
	entry                           []byte // name of the archive's entry
	hashed                          bool   // entry is a hash of a version before 9
	phase                           Phase
	frame                           []byte
	main                            bool
	width, height                   float64
	attachments                     []byte // JSON
	point, box                      []byte // JSON
	requestMethod, mime, sort, sent []byte
	status, size                    int64
	flags                           RequestFlags
	duration                        trace.Time // of a request; NoTime unknown
	open                            bool       // it had not ended
	started                         []byte     // a request's startedDateTime
	scratch                         []byte     // texts that had escapes
}

// reset makes r ready for the next line.
func (r *record) reset() {
	*r = record{time: trace.NoTime, end: trace.NoTime, duration: trace.NoTime, size: -1, scratch: r.scratch[:0]}
}

// text returns what the JSON string v says, and nil if v is no string. It is
// a part of v wherever v has no escapes, else it is r's until the next line.
func (r *record) text(v []byte) []byte {
	if len(v) < 2 || v[0] != '"' {
		return nil
	}
	at := bytes.IndexByte(v, '\\')
	if at < 0 {
		return v[1 : len(v)-1]
	}
	from := len(r.scratch)
	out, ok := unescape(append(r.scratch, v[1:at]...), v[at:len(v)-1])
	if !ok {
		// Rare escapes are rawjson's.
		all, _ := rawjson.Unquote(v)
		return []byte(all)
	}
	r.scratch = out
	return out[from:len(out):len(out)]
}

// unescape appends what v says to out, where v has none but short escapes.
func unescape(out, v []byte) ([]byte, bool) {
	for len(v) > 1 {
		switch v[1] {
		case '"', '\\', '/':
			out = append(out, v[1])
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		default:
			return nil, false
		}
		v = v[2:]
		next := bytes.IndexByte(v, '\\')
		if next < 0 {
			return append(out, v...), true
		}
		out = append(out, v[:next]...)
		v = v[next:]
	}
	return out, len(v) == 0
}
