package index

import (
	"bytes"

	"github.com/tracedeck/tracedeck/trace"
)

// scan reads a line of version 8 or newer into r, or reports that it is no
// event. It does not look into what rows do not hold: a line that goes wrong
// only deep inside passes.
func scan(line []byte, r *record) bool {
	if scanLog(line, r) {
		return true
	}
	r.reset()
	for n := len(line); n > 0 && (line[n-1] == ' ' || line[n-1] == '\t' || line[n-1] == '\r'); n-- {
		line = line[:n-1]
	}
	switch r.kind = kindOf(line); r.kind {
	case recordSnapshot:
		return scanSnapshot(line, r)
	case recordRequest:
		return scanRequest(line, r)
	}
	return scanEvent(line, r)
}

var (
	typeFirst = []byte(`{"type":"`)
	typeLast  = []byte(`"type":"`)
)

// longestType is how far from its ends a line is searched for its type.
const longestType = 40

// kindOf finds the line's type, which nearly always comes first or last.
func kindOf(line []byte) recordKind {
	if bytes.HasPrefix(line, typeFirst) {
		rest := line[len(typeFirst):]
		if end := bytes.IndexByte(rest[:min(longestType, len(rest))], '"'); end >= 0 {
			return recordKindOf(rest[:end])
		}
	}
	if k, ok := kindAtEnd(line); ok {
		return k
	}
	return recordKindOf(text(element(line, "type")))
}

// kindAtEnd looks for `,"type":"x"}`. Quotes inside strings have a backslash,
// so that this cannot be the end of a string.
func kindAtEnd(line []byte) (recordKind, bool) {
	if !bytes.HasSuffix(line, []byte(`"}`)) {
		return 0, false
	}
	from := max(0, len(line)-longestType)
	tail := line[from : len(line)-2]
	at := bytes.LastIndex(tail, typeLast)
	if at < 1 || tail[at-1] != ',' && tail[at-1] != '{' {
		return 0, false
	}
	name := tail[at+len(typeLast):]
	if bytes.IndexByte(name, '"') >= 0 || bytes.IndexByte(name, '\\') >= 0 {
		return 0, false
	}
	k := recordKindOf(name)
	return k, k != recordOther
}

// scanEvent reads the members at the top of any other line.
func scanEvent(line []byte, r *record) bool {
	w := walker{b: line}
	w.enter()
	for key, ok := w.next(); ok; key, ok = w.next() {
		r.member(key, w.value())
	}
	return w.whole()
}

// member takes one member at the top of a line.
func (r *record) member(key, v []byte) {
	switch string(key) {
	case "callId":
		r.callID = r.text(v)
	case "stepId":
		r.stepID = r.text(v)
	case "parentId":
		r.parentID = r.text(v)
	case "title", "apiName":
		r.title = r.text(v)
	case "subtitle":
		r.subtitle = r.text(v)
	case "class":
		r.class = r.text(v)
	case "method":
		r.method = r.text(v)
	case "group":
		r.group = r.text(v)
	case "pageId":
		r.pageID = r.text(v)
	case "params":
		r.params = v
	case "startTime", "time", "timestamp":
		if string(key) == timeMember(r.kind) {
			r.time, _ = moment(v)
		}
	case "endTime":
		r.end, _ = moment(v)
	case "message":
		if r.kind == recordLog || r.kind == recordError {
			r.message = r.text(v)
		}
	case "text":
		if r.kind == recordConsole || r.kind == recordStdout || r.kind == recordStderr {
			r.message = r.text(v)
		}
	case "base64":
		if r.message == nil {
			r.message = decoded(text(v))
		}
	case "messageType":
		r.level = r.text(v)
	case "location":
		r.location(v)
	case "error":
		r.fault(v)
	case "file":
		r.entry, r.hashed = r.text(v), false
	case "sha1":
		if r.entry == nil {
			r.entry, r.hashed = r.text(v), true
		}
	case "phase":
		r.phase = phaseOf(text(v))
	case "width":
		r.width = real(v)
	case "height":
		r.height = real(v)
	case "attachments":
		r.attachments = v
	case "annotations":
		r.skipped = r.skipped || bytes.Contains(v, []byte(`"type":"skip"`))
	case "point":
		r.point = v
	case "box":
		r.box = v
	}
}

// timeMember returns the name of the member that dates such a line.
func timeMember(kind recordKind) string {
	switch kind {
	case recordBefore, recordBegun, recordAction:
		return "startTime"
	case recordLog, recordEvent, recordConsole:
		return "time"
	}
	return "timestamp"
}

func (r *record) location(v []byte) {
	w := walker{b: v}
	w.enter()
	for key, ok := w.next(); ok; key, ok = w.next() {
		switch got := w.value(); string(key) {
		case "url":
			r.url = r.text(got)
		case "lineNumber":
			r.line = whole(got)
		case "columnNumber":
			r.column = whole(got)
		}
	}
}

// fault reads an error in any shape it has had: a string, an object, or one
// object more around it. An empty object is how null is written.
func (r *record) fault(v []byte) { r.faultWithin(v, 3) }

func (r *record) faultWithin(v []byte, levels int) {
	if t := r.text(v); t != nil {
		r.failed, r.message = true, t
		return
	}
	w := walker{b: v}
	w.enter()
	members := 0
	for key, ok := w.next(); ok; key, ok = w.next() {
		members++
		got := w.value()
		switch string(key) {
		case "message":
			r.message = r.text(got)
		case "error":
			if levels > 1 {
				r.faultWithin(got, levels-1)
			}
		case "value":
			if r.message == nil {
				r.message = got
			}
		}
	}
	r.failed = r.failed || !w.bad && members > 0
}

func phaseOf(name []byte) Phase {
	switch string(name) {
	case "before":
		return Before
	case "action", "input":
		return During
	case "after":
		return After
	}
	return NoPhase
}

// named takes the phase and the call out of a snapshot's name,
// "before@call@9", where the line does not say them otherwise.
func (r *record) named(name []byte) {
	prefix, call, ok := bytes.Cut(name, []byte("@"))
	if !ok {
		return
	}
	if r.phase == NoPhase {
		r.phase = phaseOf(prefix)
	}
	if r.callID == nil {
		r.callID = call
	}
}

func (r *record) viewport(v []byte) {
	w := walker{b: v}
	w.enter()
	for key, ok := w.next(); ok; key, ok = w.next() {
		switch got := w.value(); string(key) {
		case "width":
			r.width = real(got)
		case "height":
			r.height = real(got)
		}
	}
}

// at returns t as a time of the file, which may be unknown.
func at(v []byte) trace.Time {
	t, _ := moment(v)
	return t
}
