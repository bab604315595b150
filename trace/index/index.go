package index

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// Index is the tables of one trace. All methods may be called at any time by
// any goroutine, also while the index is being built; they see the rows that
// the last [Batch] told of.
type Index struct {
	tables  [Tables]*table
	strings *stringTable
	files   fileList
	patches patchLog
	counts  atomic.Pointer[Counts]
	source  source
	lanes   lanes

	mu       sync.Mutex
	contexts []Context
	bad      []BadLine
	badCount int
	warnings []trace.Warning
	clock    Clock
}

func newIndex() *Index {
	x := &Index{strings: newStringTable()}
	for i := range x.tables {
		x.tables[i] = newTable(schemas[i])
	}
	x.counts.Store(&Counts{})
	return x
}

// Context is what one file of the trace says about who recorded it.
type Context struct {
	Options trace.ContextOptions
	File    string        // the .trace entry
	Shift   time.Duration // added to the file's times to get the index's
}

// Clock ties the index's times to the calendar.
type Clock struct {
	Start time.Time     // the recording's start; zero if no file tells it
	End   time.Duration // the last moment that any row tells of
}

// BadLine is a line that is not an event.
type BadLine struct {
	Position trace.Position
	Text     string // what is wrong with it
}

// Len returns how many rows the table has.
func (x *Index) Len(t Table) int { return int(x.tables[t].rows.Load()) }

// Strings returns how many strings there are; their numbers are below it.
func (x *Index) Strings() int { return int(x.strings.count.Load()) }

// String returns a string by its number.
func (x *Index) String(id StringID) string {
	return string(x.bytes(id))
}

// bytes returns a string that is out; of one that is not, nothing.
func (x *Index) bytes(id StringID) []byte {
	if int(id) >= x.Strings() {
		return nil
	}
	return x.strings.bytes(int(id))
}

// AppendString appends a string's bytes to dst.
func (x *Index) AppendString(dst []byte, id StringID) []byte {
	return append(dst, x.bytes(id)...)
}

// AppendBytes appends n cells of a [Byte] column to dst, beginning with row.
func (x *Index) AppendBytes(dst []uint8, t Table, col int, row Row, n int) []uint8 {
	return x.tables[t].columns[col].appendBytes(dst, int(row), x.bound(t, row, n))
}

// AppendWords appends n cells of a column of 32 bits to dst, beginning with
// row. Of a [Real] column they are the bits of a float32, of a [Ref] column -1
// is all ones.
func (x *Index) AppendWords(dst []uint32, t Table, col int, row Row, n int) []uint32 {
	return x.tables[t].columns[col].appendWords(dst, int(row), x.bound(t, row, n))
}

// AppendLongs appends n cells of a column of 64 bits to dst, beginning with row.
func (x *Index) AppendLongs(dst []int64, t Table, col int, row Row, n int) []int64 {
	return x.tables[t].columns[col].appendLongs(dst, int(row), x.bound(t, row, n))
}

func (x *Index) bound(t Table, row Row, n int) int {
	if row < 0 {
		return 0
	}
	return max(0, min(n, x.Len(t)-int(row)))
}

// Counts returns how much of each thing there is.
func (x *Index) Counts() Counts { return *x.counts.Load() }

// Clock returns the recording's time span.
func (x *Index) Clock() Clock {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.clock
}

// Contexts returns what the trace's files say about themselves.
func (x *Index) Contexts() []Context {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]Context(nil), x.contexts...)
}

// BadLines returns the first thousand lines that are not events, and how many
// there are in all.
func (x *Index) BadLines() (first []BadLine, total int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]BadLine(nil), x.bad...), x.badCount
}

// Warnings returns what is not as it should be and did not keep the trace
// from being read.
func (x *Index) Warnings() []trace.Warning {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]trace.Warning(nil), x.warnings...)
}
