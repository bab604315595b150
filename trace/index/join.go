package index

import (
	"fmt"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// joiner puts what lines say into rows. The rules of joining are those of
// [trace.Load]; here they work on one line at a time, and what a later line
// changes is told as a patch.
type joiner struct {
	x        *Index
	record   record
	contexts []*contextState
	// Steps and calls have to be joined where both sorts of files are there.
	runners, libraries bool
	counts             Counts
	calls              callRows
	steps              map[stepKey]Row // by the id that runner and library share
	waiting            map[callKey][]reference
	orphans            map[callKey]bool
	announced          map[callKey]Row  // actions of which no before line has come
	pages              map[StringID]Row // by the id as it is written
	pageKeys           map[string]Row
	spans              []span // of pages
	failures           map[StringID]failure
	patched            map[int64]struct{} // in this batch
	messages           recent
	details            describer
	lastCall           struct {
		key callKey
		id  []byte
		row Row
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
	return joiner{x: x, calls: newCallRows(), steps: map[stepKey]Row{}, waiting: map[callKey][]reference{},
		orphans: map[callKey]bool{}, announced: map[callKey]Row{}, pages: map[StringID]Row{}, pageKeys: map[string]Row{},
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
	j.runners, j.libraries = j.runners || c.runner, j.libraries || !c.runner
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
	case recordBegun:
		j.begun(e, r)
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
