package index

import (
	"math"
	"strconv"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// The methods below return one row. Those of many rows at once are
// [Index.AppendBytes], [Index.AppendWords] and [Index.AppendLongs]. They panic
// where there is no such row, as indexing a slice does.

// Action returns a row of [Actions].
func (x *Index) Action(r Row) Action {
	c := x.cursor(Actions, r)
	return Action{
		CallID: c.text(ActionCallID), Context: int(c.word(ActionContext)),
		Start: c.time(ActionStart), End: c.time(ActionEnd), Parent: c.ref(ActionParent),
		Kind: Kind(c.byte(ActionKind)), Title: c.text(ActionTitle), Detail: c.text(ActionDetail),
		Class: c.text(ActionClass), Method: c.text(ActionMethod), Page: c.ref(ActionPage),
		Flags: ActionFlags(c.word(ActionFlagBits)), Message: c.text(ActionMessage), Logs: int(c.word(ActionLogs)),
		Before: c.position(ActionFile, ActionBefore), After: c.position(ActionFile, ActionAfter),
		StepBefore: c.position(ActionStepFile, ActionStepBefore), StepAfter: c.position(ActionStepFile, ActionStepAfter),
	}
}

// Request returns a row of [Network].
func (x *Index) Request(r Row) Request {
	c := x.cursor(Network, r)
	return Request{
		Start: c.time(RequestStart), End: c.time(RequestEnd), Method: c.text(RequestMethod), URL: c.text(RequestURL),
		Status: int(c.word(RequestStatus)), MIME: c.text(RequestMIME), Type: c.text(RequestType), Size: c.long(RequestSize),
		Page: c.ref(RequestPage), Frame: c.text(RequestFrame), Flags: RequestFlags(c.word(RequestFlagBits)),
		Failure: c.text(RequestFailure), Sent: c.text(RequestSent), Body: c.text(RequestBody),
		Context: int(c.word(RequestContext)), Position: c.position(RequestFile, RequestLine),
	}
}

// Message returns a row of [Console].
func (x *Index) Message(r Row) Message {
	c := x.cursor(Console, r)
	return Message{
		Time: c.time(ConsoleTime), Level: c.text(ConsoleLevel), Text: c.text(ConsoleText), URL: c.text(ConsoleURL),
		Line: int(c.word(ConsoleLineNumber)), Column: int(c.word(ConsoleColumn)), Page: c.ref(ConsolePage),
		Source: Source(c.byte(ConsoleSource)), Position: c.position(ConsoleFile, ConsoleLine),
	}
}

// Error returns a row of [Errors].
func (x *Index) Error(r Row) Error {
	c := x.cursor(Errors, r)
	return Error{
		Time: c.time(ErrorTime), Source: ErrorSource(c.byte(ErrorKind)), Action: c.ref(ErrorAction),
		Page: c.ref(ErrorPage), Message: c.text(ErrorMessage), Position: c.position(ErrorFile, ErrorLine),
	}
}

// Frame returns a row of [Frames].
func (x *Index) Frame(r Row) Frame {
	c := x.cursor(Frames, r)
	return Frame{
		Time: c.time(FrameTime), Page: c.ref(FramePage), Entry: c.text(FrameEntry),
		Width: int(c.word(FrameWidth)), Height: int(c.word(FrameHeight)), Position: c.position(FrameFile, FrameLine),
	}
}

// Snapshot returns a row of [Snapshots].
func (x *Index) Snapshot(r Row) Snapshot {
	c := x.cursor(Snapshots, r)
	s := Snapshot{
		Time: c.time(SnapshotTime), Action: c.ref(SnapshotAction), Phase: Phase(c.byte(SnapshotPhase)),
		Frame: c.text(SnapshotFrame), Page: c.ref(SnapshotPage), Flags: SnapshotFlags(c.word(SnapshotFlagBits)),
		URL: c.text(SnapshotURL), Width: int(c.word(SnapshotWidth)), Height: int(c.word(SnapshotHeight)),
		Ordinal: int(c.word(SnapshotOrdinal)), Position: c.position(SnapshotFile, SnapshotLine),
	}
	if f := x.files.get(int(c.word(SnapshotFile))); f != nil {
		s.Context = f.context
	}
	return s
}

// Still returns a row of [Stills].
func (x *Index) Still(r Row) Still {
	c := x.cursor(Stills, r)
	return Still{
		Time: c.time(StillTime), Action: c.ref(StillAction), Phase: Phase(c.byte(StillPhase)), Kind: StillKind(c.byte(StillWhat)),
		Page: c.ref(StillPage), Entry: c.text(StillEntry), Position: c.position(StillFile, StillLine),
	}
}

// Log returns a row of [Logs].
func (x *Index) Log(r Row) Log {
	c := x.cursor(Logs, r)
	return Log{Time: c.time(LogTime), Action: c.ref(LogAction), Message: c.text(LogMessage), Position: c.position(LogFile, LogLine)}
}

// Input returns a row of [Inputs].
func (x *Index) Input(r Row) Input {
	c := x.cursor(Inputs, r)
	return Input{
		Action: c.ref(InputAction), Flags: InputFlags(c.word(InputFlagBits)),
		Point: trace.Point{X: c.real(InputX), Y: c.real(InputY)},
		Box: trace.Rect{X: c.real(InputBoxX), Y: c.real(InputBoxY),
			Width: c.real(InputBoxWidth), Height: c.real(InputBoxHeight)},
		Position: c.position(InputFile, InputLine),
	}
}

// Event returns a row of [Events].
func (x *Index) Event(r Row) Event {
	c := x.cursor(Events, r)
	return Event{
		Time: c.time(EventTime), Class: c.text(EventClass), Method: c.text(EventMethod), Page: c.ref(EventPage),
		Text: c.text(EventText), Position: c.position(EventFile, EventLine),
	}
}

// Page returns a row of [Pages].
func (x *Index) Page(r Row) Page {
	c := x.cursor(Pages, r)
	return Page{
		ID: c.text(PageID), First: c.time(PageFirst), Last: c.time(PageLast), Opener: c.ref(PageOpener),
		Context: int(c.word(PageContext)),
	}
}

// Attachment returns a row of [Attachments].
func (x *Index) Attachment(r Row) Attachment {
	c := x.cursor(Attachments, r)
	return Attachment{
		Action: c.ref(AttachmentAction), Name: c.text(AttachmentName), Type: c.text(AttachmentType),
		Entry: c.text(AttachmentEntry), Path: c.text(AttachmentPath), Time: c.time(AttachmentTime),
		Position: c.position(AttachmentFile, AttachmentLine),
	}
}

// cursor reads the cells of one row.
type cursor struct {
	x   *Index
	t   *table
	row Row
}

func (x *Index) cursor(t Table, r Row) cursor {
	if r < 0 || int(r) >= x.Len(t) {
		panic("index: no row " + strconv.Itoa(int(r)) + " in " + t.String())
	}
	return cursor{x: x, t: x.tables[t], row: r}
}

func (c cursor) byte(col int) uint8         { return c.t.getByte(c.row, col) }
func (c cursor) word(col int) uint32        { return c.t.getWord(c.row, col) }
func (c cursor) long(col int) int64         { return c.t.getLong(c.row, col) }
func (c cursor) time(col int) time.Duration { return time.Duration(c.long(col)) }
func (c cursor) text(col int) string        { return c.x.String(StringID(c.word(col))) }
func (c cursor) real(col int) float64 {
	return float64(math.Float32frombits(c.word(col)))
}

func (c cursor) position(file, line int) trace.Position {
	return c.x.position(c.word(file), c.word(line))
}

// ref leaves out a row that is not out yet: the cell was changed since the
// last batch, and the next one tells of it.
func (c cursor) ref(col int) Row {
	r := c.t.getRef(c.row, col)
	if int(r) >= c.x.Len(c.t.columns[col].of) {
		return NoRow
	}
	return r
}
