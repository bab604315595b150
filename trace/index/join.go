package index

import (
	"fmt"
	"math"
	"time"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace"
)

// joiner puts what lines say into rows. The rules of joining are those of
// [trace.Load]; here they work on one line at a time, and what a later line
// changes is told as a patch.
type joiner struct {
	x        *Index
	record   record
	contexts []*contextState
	counts   Counts
	calls    map[callKey]Row
	steps    map[stepKey]Row // by the id that runner and library share
	waiting  map[callKey][]reference
	orphans  map[callKey]bool
	pages    map[StringID]Row // by the id as it is written
	pageKeys map[string]Row
	spans    []span // of pages
	failures map[StringID]failure
	patched  map[int64]struct{} // in this batch
	messages recent
	details  describer
	lastCall struct {
		context int
		id      []byte
		row     Row
	}
	lastPage struct {
		id  []byte
		row Row
	}
	logged struct { // log lines not yet counted on their action
		action Row
		lines  uint32
	}
	end int64
}

// contextState is one file of the trace while it is read.
type contextState struct {
	number  int
	runner  bool
	epoch   bool // _monotonicTime is in seconds
	shift   trace.Time
	zeroed  time.Time // the calendar's time of the file's own zero
	options trace.ContextOptions
	frames  map[StringID]uint32 // snapshots of each frame so far
	last    int64               // the time of the line read last
}

type callKey struct {
	context int
	id      StringID
}

type stepKey struct {
	runner bool
	id     StringID
}

// reference is a cell that waits for the action it is to name.
type reference struct {
	table Table
	row   Row
	col   int
}

type span struct {
	first, last int64
	dirty       bool
}

func newJoiner(x *Index) joiner {
	return joiner{x: x, calls: map[callKey]Row{}, steps: map[stepKey]Row{}, waiting: map[callKey][]reference{},
		orphans: map[callKey]bool{}, pages: map[StringID]Row{}, pageKeys: map[string]Row{},
		failures: map[StringID]failure{}, patched: map[int64]struct{}{}, logged: struct {
			action Row
			lines  uint32
		}{action: NoRow}}
}

func (j *joiner) addContext(f trace.File, o opening, shift trace.Time) *contextState {
	c := &contextState{number: len(j.contexts), runner: o.options.Origin == "testRunner", shift: shift,
		epoch: o.options.MonotonicTime > 1e17, options: o.options, frames: map[StringID]uint32{}}
	if o.wall > 0 {
		c.zeroed = time.Unix(0, int64(o.wall-o.mono))
	}
	j.contexts = append(j.contexts, c)
	j.x.mu.Lock()
	defer j.x.mu.Unlock()
	j.x.contexts = append(j.x.contexts, Context{Options: o.options, File: f.Trace, Shift: time.Duration(shift)})
	return c
}

// join takes one record of an entry.
func (j *joiner) join(e *entry, r *record) {
	switch r.kind {
	case recordBefore:
		j.before(e, r)
	case recordAfter:
		j.after(e, r)
	case recordAction:
		j.before(e, r)
		j.after(e, r)
	case recordInput:
		j.input(e, r)
	case recordLog:
		j.log(e, r)
	case recordEvent:
		j.event(e, r)
	case recordConsole:
		j.console(e, r, FromPage)
	case recordStdout:
		j.console(e, r, FromStdout)
	case recordStderr:
		j.console(e, r, FromStderr)
	case recordError:
		j.testError(e, r)
	case recordFrame:
		j.frame(e, r)
	case recordStill, recordAria:
		j.still(e, r)
	case recordSnapshot:
		j.snapshot(e, r)
	case recordRequest:
		j.request(e, r)
	}
}

// time puts a time of the file on the index's clock.
func (j *joiner) time(e *entry, t trace.Time) int64 {
	if t == trace.NoTime {
		return int64(NoTime)
	}
	at := shifted(t, e.ctx.shift)
	e.ctx.last = at
	j.end = max(j.end, at)
	return at
}

// latest bounds all times, about 73 years either way: the difference of two
// fits into 64 bits whatever a file claims.
const latest = 1 << 61

// plus adds two times; a sum that does not fit is cut to the largest that does.
func plus(t, by trace.Time) trace.Time {
	switch sum := t + by; {
	case by > 0 && sum < t:
		return math.MaxInt64
	case by < 0 && sum > t:
		return math.MinInt64
	default:
		return sum
	}
}

// shifted adds two times and keeps the sum within bounds.
func shifted(t, by trace.Time) int64 {
	return int64(min(max(plus(t, by), -latest), latest))
}

// text keeps a string that rows show, cut to MaxText.
func (j *joiner) text(b []byte) StringID {
	return j.x.strings.add(cut(b, MaxText))
}

// message is text for strings that are compared by their numbers.
func (j *joiner) message(b []byte) StringID {
	return j.x.strings.intern(cut(b, MaxText))
}

// maxName is how long ids and names may be; a longer one is cut.
const maxName = 4096

func (j *joiner) name(b []byte) StringID {
	return j.x.strings.intern(cut(b, maxName))
}

// cut shortens b without breaking a character, and mends broken ones.
func cut(b []byte, limit int) []byte {
	if len(b) > limit {
		for limit > 0 && b[limit]&0xc0 == 0x80 {
			limit--
		}
		b = b[:limit]
	}
	if !utf8.Valid(b) {
		b = []byte(string([]rune(string(b))))
	}
	return b
}

// place sets the columns that say where a row comes from.
func (j *joiner) place(t *table, e *entry, file, line int) {
	t.word(file, uint32(e.number))
	t.word(line, uint32(e.lines.next))
}

// patch notes that a row which is out has changed.
func (j *joiner) patch(t Table, r Row) {
	if int64(r) >= j.x.tables[t].rows.Load() {
		return
	}
	key := int64(t)<<32 | int64(r)
	if _, ok := j.patched[key]; !ok {
		j.patched[key] = struct{}{}
		j.x.patches.add(t, r)
	}
}

// action returns the action a line belongs to, and NoRow where it has not
// begun yet: then the cell is filled in when it does.
func (j *joiner) action(e *entry, id []byte, ref reference) Row {
	if len(id) == 0 {
		return NoRow
	}
	// Lines of one action mostly come one after the other.
	if j.lastCall.context == e.ctx.number && string(j.lastCall.id) == string(id) {
		return j.lastCall.row
	}
	key := callKey{e.ctx.number, j.name(id)}
	if row, ok := j.calls[key]; ok {
		j.lastCall.context, j.lastCall.row = e.ctx.number, row
		j.lastCall.id = append(j.lastCall.id[:0], id...)
		return row
	}
	j.waiting[key] = append(j.waiting[key], ref)
	return NoRow
}

// resolve fills in the cells that waited for the action.
func (j *joiner) resolve(key callKey, row Row) {
	list, ok := j.waiting[key]
	if !ok {
		return
	}
	delete(j.waiting, key)
	for _, ref := range list {
		if ref.table == Actions && ref.row == row {
			continue
		}
		j.x.tables[ref.table].setWord(ref.row, ref.col, uint32(row))
		j.patch(ref.table, ref.row)
		switch ref.table {
		case Logs:
			j.countLog(row)
		case Inputs:
			j.setFlags(row, HasInput)
		case Snapshots:
			j.linkSnapshot(row, ref.row)
		case Stills:
			j.setFlags(row, HasStill)
		}
	}
}

func (j *joiner) setFlags(row Row, flags ActionFlags) {
	t := j.x.tables[Actions]
	old := t.getWord(row, ActionFlagBits)
	if old|uint32(flags) != old {
		t.setWord(row, ActionFlagBits, old|uint32(flags))
		j.patch(Actions, row)
	}
}

func (j *joiner) warn(code, place, text string) {
	const most = 1000
	j.x.mu.Lock()
	defer j.x.mu.Unlock()
	if len(j.x.warnings) < most {
		j.x.warnings = append(j.x.warnings, trace.Warning{Code: code, Place: place, Text: text})
	}
}

// orphan warns once of each action that lines name and that never began.
func (j *joiner) orphan(e *entry, key callKey, what string) {
	if j.orphans[key] {
		return
	}
	j.orphans[key] = true
	j.warn("W_ORPHAN", fmt.Sprintf("%s:%d", e.name, e.lines.next),
		fmt.Sprintf("%s of the unknown action %s", what, j.x.strings.bytes(int(key.id))))
}

// mostBad is how many bad lines are kept; the others are only counted.
const mostBad = 1000

func (j *joiner) bad(p trace.Position, reason string) {
	j.x.mu.Lock()
	defer j.x.mu.Unlock()
	j.x.badCount++
	if len(j.x.bad) < mostBad {
		j.x.bad = append(j.x.bad, BadLine{Position: p, Text: reason})
	}
}

// flush writes what is kept beside the tables until a batch goes out.
func (j *joiner) flush() {
	j.countLogs()
	pages := j.x.tables[Pages]
	for i := range j.spans {
		s := &j.spans[i]
		if !s.dirty {
			continue
		}
		s.dirty = false
		pages.setLong(Row(i), PageFirst, s.first)
		pages.setLong(Row(i), PageLast, s.last)
		j.patch(Pages, Row(i))
	}
	clear(j.patched)
	j.x.mu.Lock()
	j.x.clock.End = time.Duration(j.end)
	j.x.mu.Unlock()
}

// finish tells of what never came.
func (j *joiner) finish() {
	for key, refs := range j.waiting {
		for _, ref := range refs {
			if ref.table != Actions {
				j.orphan(&entry{name: j.x.files.get(0).name, lines: &lineTable{}}, key, ref.table.String())
				break
			}
		}
	}
}
