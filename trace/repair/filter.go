package repair

import (
	"sort"
	"strconv"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// filter is what the events of one file go through.
type filter struct {
	*scan
	run     *run
	file    trace.File
	version int // in which the file is written
	stacks  map[string][]trace.StackFrame
	out     *trace.FilterOutput

	opened  bool                      // the context-options line is written
	now     map[string]string         // call ids as they are written now
	begun   map[string]*begun         // by the id that is written
	waiting map[string][]*trace.Event // lines whose call has not begun yet
	said    map[string]bool           // names of snapshots that are written
	queue   []queued
	ended   bool // the .trace entry is done
}

type begun struct {
	start trace.Time
	open  bool
	last  trace.Time // when what lies inside ended
	from  string     // the id that was read
}

// queued is a snapshot that waits for its name. All snapshots pass through
// the queue: one refers to earlier ones of its frame by counting.
type queued struct {
	name  string
	event *trace.Event
	body  trace.Body // nil where the event stays as it was
}

func newFilter(r *run, f trace.File, s *scan) *filter {
	x := &filter{scan: s, run: r, file: f, version: r.writes(f), now: map[string]string{}, begun: map[string]*begun{},
		waiting: map[string][]*trace.Event{}, said: map[string]bool{}}
	if len(s.ids) > 0 {
		x.stacks, _ = r.src.Stacks(r.ctx, f)
	}
	if x.version != f.Version() && f.Version() < 8 {
		r.report.add("W_OLD_VERSION", f.Trace, "version %d is written as version %d", f.Version(), x.version)
	}
	return x
}

func (x *filter) fix(e *trace.Event, code, format string, args ...any) {
	x.run.report.add(code, place(e.Position), format, args...)
}

// Event puts one event right and passes it on, now or later.
func (x *filter) Event(e *trace.Event, out *trace.FilterOutput) error {
	x.out = out
	if b, ok := e.Body.(*trace.ContextOptions); ok {
		return x.context(e, b)
	}
	if !x.opened {
		if err := x.open(e); err != nil {
			return err
		}
	}
	switch b := e.Body.(type) {
	case *trace.Before:
		return x.before(e, b)
	case *trace.Input:
		return x.input(e, b)
	case *trace.Log:
		return x.log(e, b)
	case *trace.After:
		return x.after(e, b)
	case *trace.FrameSnapshot:
		return x.snapshot(e, b)
	case *trace.Screenshot:
		return x.renamed(e, &b.CallID)
	case *trace.AriaSnapshot:
		return x.renamed(e, &b.CallID)
	case *trace.Console:
		return x.console(e, b)
	case *trace.ContextEvent:
		return x.happening(e, b)
	case *trace.ResourceSnapshot:
		return x.request(e, b)
	}
	return out.Keep(e)
}

// pass writes the event: as it was, unless it was changed.
func (x *filter) pass(e *trace.Event, changed bool) error {
	if changed {
		return x.out.Write(e.Body)
	}
	return x.out.Keep(e)
}

// id is the id that a call has in the copy.
func (x *filter) id(id string) string {
	if to, ok := x.now[id]; ok {
		return to
	}
	if to, ok := x.ids[id]; ok {
		return to
	}
	return id
}

// rename changes an id in place and reports whether it is another.
func (x *filter) rename(id *string) bool {
	to := x.id(*id)
	changed := to != *id
	*id = to
	return changed
}

func (x *filter) renamed(e *trace.Event, id *string) error { return x.pass(e, x.rename(id)) }

func unusedID(id string, used func(string) bool) string {
	for n := 2; ; n++ {
		if other := id + "-" + strconv.Itoa(n); !used(other) {
			return other
		}
	}
}

func (x *filter) before(e *trace.Event, b *trace.Before) error {
	from, changed := b.CallID, false
	switch {
	case x.began(from):
		to := unusedID(from, func(id string) bool { return x.begun[id] != nil || x.calls[id] != nil })
		x.fix(e, "W_REPEATED_CALL", "the second %s is now %s", from, to)
		x.now[from] = to
	case x.ids[from] != "":
		x.fix(e, "W_REPEATED_CALL", "%s, which another file has too, is now %s", from, x.ids[from])
		if len(b.Stack) == 0 {
			b.Stack = x.stacks[from]
		}
	}
	changed = x.rename(&b.CallID)
	changed = x.rename(&b.ParentID) || changed
	if b.Class == "Tracing" && b.Method == "group" {
		x.fix(e, "W_GROUP_METHOD", "group %q", b.Title)
		b.Method, changed = "tracingGroup", true
	}
	if b.Method == "" && b.Title == "" {
		b.Title, changed = untitled(b), true
		x.fix(e, "E_NO_METHOD", "%s is now titled %q", b.CallID, b.Title)
	}
	changed = x.say(e, &b.Extra, from, "before") || changed
	x.begun[b.CallID] = &begun{start: b.StartTime, open: true, last: trace.NoTime, from: from}
	if err := x.pass(e, changed); err != nil {
		return err
	}
	return x.arrived(from)
}

func (x *filter) began(from string) bool {
	b := x.begun[x.id(from)]
	return b != nil
}

func untitled(b *trace.Before) string {
	if b.Class != "" {
		return b.Class
	}
	return "action"
}

// arrived passes on what came before the line that begins its call.
func (x *filter) arrived(from string) error {
	late := x.waiting[from]
	delete(x.waiting, from)
	for _, e := range late {
		x.fix(e, "W_LATE_BEFORE", "%s of %s", e.Body.EventType(), from)
		if err := x.Event(e, x.out); err != nil {
			return err
		}
	}
	return x.release(false)
}

// comes reports whether the call has begun; if not, its line waits for that.
func (x *filter) comes(e *trace.Event, id string) bool {
	if x.begun[x.id(id)] != nil {
		return true
	}
	if c := x.calls[id]; c != nil && c.began {
		x.waiting[id] = append(x.waiting[id], e.Clone())
		return false
	}
	x.fix(e, "E_ORPHAN", "%s of %s, which never began", e.Body.EventType(), id)
	x.out.Drop(e)
	return false
}

func (x *filter) input(e *trace.Event, b *trace.Input) error {
	if !x.comes(e, b.CallID) {
		return nil
	}
	changed := x.say(e, &b.Extra, b.CallID, "input")
	changed = x.rename(&b.CallID) || changed
	if err := x.pass(e, changed); err != nil {
		return err
	}
	return x.release(false)
}

func (x *filter) log(e *trace.Event, b *trace.Log) error {
	if !x.comes(e, b.CallID) {
		return nil
	}
	return x.renamed(e, &b.CallID)
}

func (x *filter) after(e *trace.Event, b *trace.After) error {
	if !x.comes(e, b.CallID) {
		return nil
	}
	changed := x.say(e, &b.Extra, b.CallID, "after")
	changed = x.rename(&b.CallID) || changed
	c := x.begun[b.CallID]
	if b.EndTime < c.start {
		x.fix(e, "W_END_BEFORE_START", "%s ended %v before it began", b.CallID, c.start.Sub(b.EndTime))
		b.EndTime, changed = c.start, true
	}
	c.open = false
	if err := x.pass(e, changed); err != nil {
		return err
	}
	return x.release(false)
}

// End ends what is open.
func (x *filter) End(out *trace.FilterOutput) error {
	x.out = out
	if x.ended {
		return nil
	}
	x.ended = true
	if !x.opened {
		if err := x.open(&trace.Event{Position: trace.Position{File: x.file.Trace}}); err != nil {
			return err
		}
	}
	for _, c := range x.unfinished() {
		if err := x.close(c); err != nil {
			return err
		}
	}
	return x.release(true)
}

// unfinished lists the calls without an end, the innermost first.
func (x *filter) unfinished() (ids []string) {
	for id, c := range x.begun {
		if c.open {
			ids = append(ids, id)
		}
	}
	sort.Slice(ids, func(i, j int) bool {
		a, b := x.begun[ids[i]], x.begun[ids[j]]
		return a.start > b.start || a.start == b.start && ids[i] > ids[j]
	})
	return ids
}

func (x *filter) close(id string) error {
	c := x.begun[id]
	end := max(c.start, x.last)
	if inner := x.calls[c.from]; inner != nil && inner.end.Known() {
		end = max(c.start, inner.end)
	}
	x.run.report.add("W_UNFINISHED", x.file.Trace, "%s is ended at %v ms", id, end.Milliseconds())
	return x.out.Write(&trace.After{CallID: id, EndTime: end})
}

// say makes the line name the snapshots that it owes a name, and remembers
// all that it names.
func (x *filter) say(e *trace.Event, extra *trace.Extra, call, line string) (changed bool) {
	if x.version >= 9 {
		return false
	}
	for member, phase := range snapshotMembers {
		key := owed{call, line, phase}
		if name := x.owed[key]; name != "" && extra.Text(member) == "" {
			extra.Set(member, rawjson.Quote(name))
			x.fix(e, "W_SNAPSHOT_UNNAMED", "%s of %s names %s", line, call, name)
			changed = true
		}
		if name := extra.Text(member); name != "" {
			x.said[name] = true
		}
	}
	return changed
}
