package index

import (
	"bytes"
	"hash/maphash"

	"github.com/tracedeck/tracedeck/trace"
)

// failure is an error that is listed already.
type failure struct {
	action Row
	time   int64
}

// fail notes that an action failed. An error that a step only hands up from
// a step inside it is listed where it happened.
func (j *joiner) fail(e *entry, r *record, action Row) {
	t := j.x.tables[Actions]
	listed := ActionFlags(t.getWord(action, ActionFlagBits))&Failed != 0
	if listed && !e.ctx.runner {
		return
	}
	message := j.message(r.message)
	t.setWord(action, ActionMessage, uint32(message))
	j.setFlags(action, Failed)
	at := j.time(e, r.end)
	inside, handed := j.failures[message]
	if listed || handed && j.within(inside.action, action) {
		return
	}
	j.failures[message] = failure{action, at}
	j.addError(e, Error{Source: ActionError, Action: action, Page: t.getRef(action, ActionPage)}, at, message)
}

// within reports whether action inner lies inside outer.
func (j *joiner) within(inner, outer Row) bool {
	t := j.x.tables[Actions]
	for depth := 0; inner != NoRow && depth < 1000; depth++ {
		if inner == outer {
			return true
		}
		inner = t.getRef(inner, ActionParent)
	}
	return false
}

func (j *joiner) addError(e *entry, what Error, at int64, message StringID) {
	t := j.x.tables[Errors]
	t.add()
	t.long(ErrorTime, at)
	t.byte(ErrorKind, uint8(what.Source))
	t.ref(ErrorAction, what.Action)
	t.ref(ErrorPage, what.Page)
	t.text(ErrorMessage, message)
	j.place(t, e, ErrorFile, ErrorLine)
}

// testError adds a failure of the test. Its line has no time: it is that of
// the action that failed with it, else of the line before.
func (j *joiner) testError(e *entry, r *record) {
	message := j.message(r.message)
	at, action := e.ctx.last, NoRow
	if f, ok := j.failures[message]; ok {
		at, action = f.time, f.action
	}
	j.addError(e, Error{Source: TestError, Action: action, Page: NoRow}, at, message)
}

// event adds what happened in the browser by itself.
func (j *joiner) event(e *entry, r *record) {
	switch string(r.method) {
	case "page":
		j.pageOpened(e, r)
	case "pageError":
		j.pageError(e, r)
	case "log.entryAdded":
		j.entryAdded(e, r)
	}
	t := j.x.tables[Events]
	t.add()
	t.long(EventTime, j.time(e, r.time))
	t.text(EventClass, j.name(r.class))
	t.text(EventMethod, j.name(r.method))
	t.ref(EventPage, j.page(e, eventPage(r), r.time))
	t.text(EventText, j.text(eventText(r.params)))
	j.place(t, e, EventFile, EventLine)
}

// eventPage returns the page an event is about.
func eventPage(r *record) []byte {
	if len(r.pageID) > 0 {
		return r.pageID
	}
	return text(element(r.params, "pageId"))
}

// eventText picks what tells the most about an event.
func eventText(params []byte) []byte {
	for _, name := range []string{"message", "text", "suggestedFilename", "url"} {
		if t := text(element(params, name)); len(t) > 0 {
			return t
		}
	}
	return nil
}

func (j *joiner) pageOpened(e *entry, r *record) {
	id := text(element(r.params, "pageId"))
	if id == nil {
		id = text(element(element(r.params, "page"), "guid"))
	}
	row := j.page(e, id, r.time)
	if opener := text(element(r.params, "openerPageId")); row != NoRow && len(opener) > 0 {
		j.x.tables[Pages].setWord(row, PageOpener, uint32(j.page(e, opener, trace.NoTime)))
		j.patch(Pages, row)
	}
}

// pageError adds an uncaught error of a page.
func (j *joiner) pageError(e *entry, r *record) {
	thrown := element(r.params, "error")
	var fault record
	fault.fault(thrown)
	if len(fault.message) == 0 {
		fault.message = element(thrown, "value")
	}
	name := text(element(element(thrown, "error"), "name"))
	j.addPageError(e, r, name, fault.message)
}

func (j *joiner) addPageError(e *entry, r *record, name, message []byte) {
	if len(name) > 0 && !bytes.HasPrefix(message, name) {
		message = bytes.Join([][]byte{name, message}, []byte(": "))
	}
	page := j.page(e, eventPage(r), r.time)
	j.addError(e, Error{Source: PageError, Action: NoRow, Page: page}, j.time(e, r.time), j.text(message))
	j.counts.PageErrors++
}

// largeEntry is from how many bytes on a part of a protocol event is not
// looked at.
const largeEntry = 1 << 20

// entryAdded takes a console message or an error of a page from the protocol
// event by which some recorders keep it.
func (j *joiner) entryAdded(e *entry, r *record) {
	c, f := trace.ConsoleOf(&trace.ContextEvent{Time: r.time, Method: string(r.method), Params: without(r.params, largeEntry), PageID: string(r.pageID)})
	if f != nil {
		of := *r
		of.pageID = []byte(f.PageID)
		j.addPageError(e, &of, []byte(f.Name), []byte(f.Message))
	}
	if c == nil {
		return
	}
	var m record
	m.reset()
	m.time, m.level, m.message, m.pageID = r.time, []byte(c.Kind), []byte(c.Text), []byte(c.PageID)
	m.url, m.line, m.column = []byte(c.Location.URL), int64(c.Location.Line), int64(c.Location.Column)
	m.kind = recordEvent
	j.console(e, &m, FromPage)
}

// console adds a message.
func (j *joiner) console(e *entry, r *record, source Source) {
	if source == FromPage && j.messages.twin(e.ctx.number, r.time, maphash.Bytes(j.x.strings.seed, r.message), r.kind == recordEvent) {
		return
	}
	level := j.name(r.level)
	switch source {
	case FromStdout:
		level = j.name([]byte("stdout"))
	case FromStderr:
		level = j.name([]byte("stderr"))
	default:
		j.counts.Console++
	}
	t := j.x.tables[Console]
	t.add()
	t.long(ConsoleTime, j.time(e, r.time))
	t.text(ConsoleLevel, level)
	t.text(ConsoleText, j.text(r.message))
	t.text(ConsoleURL, j.text(r.url))
	t.word(ConsoleLineNumber, uint32(max(r.line, 0)))
	t.word(ConsoleColumn, uint32(max(r.column, 0)))
	t.ref(ConsolePage, j.page(e, r.pageID, r.time))
	t.byte(ConsoleSource, uint8(source))
	j.place(t, e, ConsoleFile, ConsoleLine)
}

// recent remembers the last messages, to see the same one told twice: traces
// that keep protocol events may have a console line beside each.
type recent struct {
	list [32]struct {
		context int
		time    trace.Time
		text    uint64 // hash
		event   bool
		used    bool
	}
	next int
	seen [2]bool // whether messages came as lines, as events
}

// twin reports whether the message has come already in the other form.
func (r *recent) twin(context int, at trace.Time, text uint64, event bool) bool {
	form := 0
	if event {
		form = 1
	}
	r.seen[form] = true
	for i := range r.list {
		m := &r.list[i]
		if !r.seen[1-form] {
			break // the usual case: a recorder writes one form only
		}
		if m.used && m.event != event && m.context == context && m.time == at && m.text == text {
			m.used = false
			return true
		}
	}
	m := &r.list[r.next%len(r.list)]
	m.context, m.time, m.text, m.event, m.used = context, at, text, event, true
	r.next++
	return false
}
