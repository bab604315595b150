package index

// A Row is the number of a row in its table, counted from 0. It never changes
// once the row is there.
type Row int32

// NoRow stands where a row has no other row to name.
const NoRow Row = -1

// Table names a table of an [Index].
type Table uint8

// The tables, in the order in which a batch tells of them.
const (
	Actions     Table  = iota // calls, runner steps, groups, protocol commands
	Network                   // requests
	Console                   // console messages, and what a test wrote to its standard streams
	Errors                    // failed actions, uncaught errors of pages, failures of the test
	Frames                    // screencast pictures
	Snapshots                 // DOM snapshots
	Stills                    // full pictures and accessibility trees at moments of actions
	Logs                      // log lines of actions
	Inputs                    // where actions acted
	Events                    // what happened in the browser by itself
	Pages                     // pages by id
	Attachments               // files that tests attached
	Tables      = iota        // how many tables there are
)

// String returns the table's name, in lower case.
func (t Table) String() string {
	if int(t) < len(schemas) {
		return schemas[t].name
	}
	return "unknown"
}

// ColumnType says what the cells of a column are.
type ColumnType uint8

// The kinds of cells. All but Byte and Moment are 32 bits wide.
const (
	Byte   ColumnType = iota // 8 bits, unsigned
	Number                   // unsigned
	Flags                    // bits
	Text                     // a [StringID]
	Ref                      // a Row of the table the column names, or NoRow
	Real                     // a float32
	Moment                   // 64 bits, signed: nanoseconds since the recording's start, or [NoTime]
	Count                    // 64 bits, signed: bytes; -1 unknown
)

// Wide reports whether cells have 64 bits.
func (t ColumnType) Wide() bool { return t == Moment || t == Count }

// ColumnInfo describes a column.
type ColumnInfo struct {
	Name string
	Type ColumnType
	Of   Table // of what table, for Ref
}

type schema struct {
	name    string
	columns []ColumnInfo
}

// Columns returns what columns the table has; a column's place in the list is
// its number. The caller must not change the list.
func (t Table) Columns() []ColumnInfo { return schemas[t].columns }

// StringID names a string of the index; 0 is the empty string.
type StringID uint32

// The columns of Actions.
const (
	ActionStart = iota
	ActionEnd
	ActionCallID
	ActionContext
	ActionParent
	ActionKind
	ActionTitle
	ActionDetail
	ActionClass
	ActionMethod
	ActionPage
	ActionFlagBits
	ActionMessage
	ActionLogs
	ActionFile
	ActionBefore
	ActionAfter
	ActionStepFile
	ActionStepBefore
	ActionStepAfter
)

// The columns of Network.
const (
	RequestStart = iota
	RequestEnd
	RequestMethod
	RequestURL
	RequestStatus
	RequestMIME
	RequestType
	RequestSize
	RequestPage
	RequestFrame
	RequestFlagBits
	RequestFailure
	RequestSent
	RequestBody
	RequestContext
	RequestFile
	RequestLine
)

// The columns of Console.
const (
	ConsoleTime = iota
	ConsoleLevel
	ConsoleText
	ConsoleURL
	ConsoleLineNumber
	ConsoleColumn
	ConsolePage
	ConsoleSource
	ConsoleFile
	ConsoleLine
)

// The columns of Errors.
const (
	ErrorTime = iota
	ErrorKind
	ErrorAction
	ErrorPage
	ErrorMessage
	ErrorFile
	ErrorLine
)

// The columns of Frames.
const (
	FrameTime = iota
	FramePage
	FrameEntry
	FrameWidth
	FrameHeight
	FrameFile
	FrameLine
)

// The columns of Snapshots.
const (
	SnapshotTime = iota
	SnapshotAction
	SnapshotPhase
	SnapshotFrame
	SnapshotPage
	SnapshotFlagBits
	SnapshotURL
	SnapshotWidth
	SnapshotHeight
	SnapshotOrdinal
	SnapshotFile
	SnapshotLine
)

// The columns of Stills.
const (
	StillTime = iota
	StillAction
	StillPhase
	StillWhat
	StillPage
	StillEntry
	StillFile
	StillLine
)

// The columns of Logs.
const (
	LogTime = iota
	LogAction
	LogMessage
	LogFile
	LogLine
)

// The columns of Inputs.
const (
	InputAction = iota
	InputFlagBits
	InputX
	InputY
	InputBoxX
	InputBoxY
	InputBoxWidth
	InputBoxHeight
	InputFile
	InputLine
)

// The columns of Events.
const (
	EventTime = iota
	EventClass
	EventMethod
	EventPage
	EventText
	EventFile
	EventLine
)

// The columns of Pages.
const (
	PageID = iota
	PageFirst
	PageLast
	PageOpener
	PageContext
)

// The columns of Attachments.
const (
	AttachmentAction = iota
	AttachmentName
	AttachmentType
	AttachmentEntry
	AttachmentPath
	AttachmentTime
	AttachmentFile
	AttachmentLine
)

var schemas = [Tables]schema{
	Actions: {"actions", []ColumnInfo{
		{Name: "start", Type: Moment}, {Name: "end", Type: Moment}, {Name: "callId", Type: Text}, {Name: "context", Type: Number},
		{Name: "parent", Type: Ref, Of: Actions}, {Name: "kind", Type: Byte}, {Name: "title", Type: Text}, {Name: "detail", Type: Text},
		{Name: "class", Type: Text}, {Name: "method", Type: Text}, {Name: "page", Type: Ref, Of: Pages}, {Name: "flags", Type: Flags},
		{Name: "message", Type: Text}, {Name: "logs", Type: Number}, {Name: "file", Type: Number}, {Name: "before", Type: Number},
		{Name: "after", Type: Number}, {Name: "stepFile", Type: Number}, {Name: "stepBefore", Type: Number}, {Name: "stepAfter", Type: Number},
	}},
	Network: {"network", []ColumnInfo{
		{Name: "start", Type: Moment}, {Name: "end", Type: Moment}, {Name: "method", Type: Text}, {Name: "url", Type: Text},
		{Name: "status", Type: Number}, {Name: "mime", Type: Text}, {Name: "type", Type: Text}, {Name: "size", Type: Count},
		{Name: "page", Type: Ref, Of: Pages}, {Name: "frame", Type: Text}, {Name: "flags", Type: Flags}, {Name: "failure", Type: Text},
		{Name: "sent", Type: Text}, {Name: "body", Type: Text}, {Name: "context", Type: Number},
		{Name: "file", Type: Number}, {Name: "line", Type: Number},
	}},
	Console: {"console", []ColumnInfo{
		{Name: "time", Type: Moment}, {Name: "level", Type: Text}, {Name: "text", Type: Text}, {Name: "url", Type: Text},
		{Name: "lineNumber", Type: Number}, {Name: "column", Type: Number}, {Name: "page", Type: Ref, Of: Pages},
		{Name: "source", Type: Byte}, {Name: "file", Type: Number}, {Name: "line", Type: Number},
	}},
	Errors: {"errors", []ColumnInfo{
		{Name: "time", Type: Moment}, {Name: "source", Type: Byte}, {Name: "action", Type: Ref, Of: Actions},
		{Name: "page", Type: Ref, Of: Pages}, {Name: "message", Type: Text}, {Name: "file", Type: Number}, {Name: "line", Type: Number},
	}},
	Frames: {"frames", []ColumnInfo{
		{Name: "time", Type: Moment}, {Name: "page", Type: Ref, Of: Pages}, {Name: "entry", Type: Text}, {Name: "width", Type: Number},
		{Name: "height", Type: Number}, {Name: "file", Type: Number}, {Name: "line", Type: Number},
	}},
	Snapshots: {"snapshots", []ColumnInfo{
		{Name: "time", Type: Moment}, {Name: "action", Type: Ref, Of: Actions}, {Name: "phase", Type: Byte}, {Name: "frame", Type: Text},
		{Name: "page", Type: Ref, Of: Pages}, {Name: "flags", Type: Flags}, {Name: "url", Type: Text}, {Name: "width", Type: Number},
		{Name: "height", Type: Number}, {Name: "ordinal", Type: Number}, {Name: "file", Type: Number}, {Name: "line", Type: Number},
	}},
	Stills: {"stills", []ColumnInfo{
		{Name: "time", Type: Moment}, {Name: "action", Type: Ref, Of: Actions}, {Name: "phase", Type: Byte}, {Name: "kind", Type: Byte},
		{Name: "page", Type: Ref, Of: Pages}, {Name: "entry", Type: Text}, {Name: "file", Type: Number}, {Name: "line", Type: Number},
	}},
	Logs: {"logs", []ColumnInfo{
		{Name: "time", Type: Moment}, {Name: "action", Type: Ref, Of: Actions}, {Name: "message", Type: Text},
		{Name: "file", Type: Number}, {Name: "line", Type: Number},
	}},
	Inputs: {"inputs", []ColumnInfo{
		{Name: "action", Type: Ref, Of: Actions}, {Name: "flags", Type: Flags}, {Name: "x", Type: Real}, {Name: "y", Type: Real},
		{Name: "boxX", Type: Real}, {Name: "boxY", Type: Real}, {Name: "boxWidth", Type: Real}, {Name: "boxHeight", Type: Real},
		{Name: "file", Type: Number}, {Name: "line", Type: Number},
	}},
	Events: {"events", []ColumnInfo{
		{Name: "time", Type: Moment}, {Name: "class", Type: Text}, {Name: "method", Type: Text}, {Name: "page", Type: Ref, Of: Pages},
		{Name: "text", Type: Text}, {Name: "file", Type: Number}, {Name: "line", Type: Number},
	}},
	Pages: {"pages", []ColumnInfo{
		{Name: "id", Type: Text}, {Name: "first", Type: Moment}, {Name: "last", Type: Moment}, {Name: "opener", Type: Ref, Of: Pages},
		{Name: "context", Type: Number},
	}},
	Attachments: {"attachments", []ColumnInfo{
		{Name: "action", Type: Ref, Of: Actions}, {Name: "name", Type: Text}, {Name: "type", Type: Text}, {Name: "entry", Type: Text},
		{Name: "path", Type: Text}, {Name: "time", Type: Moment}, {Name: "file", Type: Number}, {Name: "line", Type: Number},
	}},
}
