package index

import "github.com/tracedeck/tracedeck/trace"

// recordKind is the type of a line, as far as the index has a use for it.
type recordKind uint8

const (
	recordOther recordKind = iota
	recordContext
	recordBefore
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

var recordKinds = map[string]recordKind{
	"context-options": recordContext, "before": recordBefore, "input": recordInput, "log": recordLog, "after": recordAfter,
	"action": recordAction, "event": recordEvent, "console": recordConsole, "stdout": recordStdout, "stderr": recordStderr,
	"error": recordError, "screencast-frame": recordFrame, "screenshot": recordStill, "aria-snapshot": recordAria,
	"frame-snapshot": recordSnapshot, "resource-snapshot": recordRequest,
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
}

// reset makes r ready for the next line.
func (r *record) reset() {
	*r = record{time: trace.NoTime, end: trace.NoTime, duration: trace.NoTime, size: -1}
}
