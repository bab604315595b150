package index

import (
	"math"

	"github.com/tracedeck/tracedeck/trace"
)

// before begins an action, or adds to the one that the other of runner and
// library has begun.
func (j *joiner) before(e *entry, r *record) {
	key := callKey{e.ctx.number, j.name(r.callID)}
	if row, ok := j.announced[key]; ok {
		delete(j.announced, key)
		j.retell(e, r, row)
		return
	}
	step := stepKey{e.ctx.runner, key.id}
	if len(r.stepID) > 0 {
		step.id = j.name(r.stepID)
	}
	row, merged := j.merge(e, r, step)
	if !merged {
		row = j.begin(e, r, key)
	}
	j.calls.set(key, row)
	j.remember(key, r.callID, row)
	if j.runners && j.libraries {
		j.steps[step] = row
	}
	j.resolve(key, row)
}

// begun begins an action that is under way, or tells more of it.
func (j *joiner) begun(e *entry, r *record) {
	key := callKey{e.ctx.number, j.name(r.callID)}
	if row, ok := j.announced[key]; ok {
		j.retell(e, r, row)
		return
	}
	if _, ended := j.calls.get(key); ended {
		return // its before line has come
	}
	j.before(e, r)
	if row, ok := j.calls.get(key); ok {
		j.announced[key] = row
	}
}

// retell puts what is known by now of an action that was announced into its row.
func (j *joiner) retell(e *entry, r *record, row Row) {
	t := j.x.tables[Actions]
	title := j.describe(e, r)
	t.setLong(row, ActionStart, j.time(e, r.time))
	t.setWord(row, ActionTitle, uint32(title.text))
	t.setWord(row, ActionDetail, uint32(title.detail))
	t.setWord(row, ActionClass, uint32(j.name(r.class)))
	t.setWord(row, ActionMethod, uint32(j.name(r.method)))
	t.setWord(row, ActionFile, uint32(e.number))
	t.setWord(row, ActionBefore, uint32(e.lines.next))
	j.setFlags(row, title.flags)
	j.patch(Actions, row)
}

func (j *joiner) begin(e *entry, r *record, key callKey) Row {
	t := j.x.tables[Actions]
	row := t.add()
	title := j.describe(e, r)
	kind := kindOfAction(r.class, r.method)
	flags := Unfinished | title.flags
	if e.ctx.runner {
		flags |= Step
	} else {
		flags |= Call
	}
	t.long(ActionStart, j.time(e, r.time))
	t.long(ActionEnd, int64(NoTime))
	t.text(ActionCallID, key.id)
	t.word(ActionContext, uint32(e.ctx.number))
	t.byte(ActionKind, uint8(kind))
	t.text(ActionTitle, title.text)
	t.text(ActionDetail, title.detail)
	t.text(ActionClass, j.name(r.class))
	t.text(ActionMethod, j.name(r.method))
	t.ref(ActionPage, j.page(e, r.pageID, r.time))
	t.word(ActionFlagBits, uint32(flags))
	j.place(t, e, ActionFile, ActionBefore)
	t.ref(ActionParent, j.action(e, r.parentID, reference{Actions, row, ActionParent}))
	j.counts.Actions++
	if kind == KindGroup {
		j.counts.Groups++
	}
	return row
}

func kindOfAction(class, method []byte) Kind {
	return Kind(trace.KindOf(string(class), string(method)))
}

// merge joins the lines of library and runner for the same call: class,
// method, title, log and snapshots are the library's; times, error, attachments
// and parent the runner's.
func (j *joiner) merge(e *entry, r *record, step stepKey) (Row, bool) {
	row, ok := j.steps[stepKey{!step.runner, step.id}]
	if !ok {
		return NoRow, false
	}
	t := j.x.tables[Actions]
	const both = Step | Call
	if ActionFlags(t.getWord(row, ActionFlagBits))&both == both {
		return NoRow, false
	}
	if e.ctx.runner {
		j.addStep(e, r, row)
	} else {
		j.addCall(e, r, row)
	}
	j.patch(Actions, row)
	return row, true
}

// addStep adds a runner's line to a library's row.
func (j *joiner) addStep(e *entry, r *record, row Row) {
	t := j.x.tables[Actions]
	t.setLong(row, ActionStart, j.time(e, r.time))
	t.setWord(row, ActionStepFile, uint32(e.number))
	t.setWord(row, ActionStepBefore, uint32(e.lines.next))
	parent := j.action(e, r.parentID, reference{Actions, row, ActionParent})
	t.setWord(row, ActionParent, uint32(parent))
	j.setFlags(row, Step)
}

// addCall adds a library's line to a runner's row.
func (j *joiner) addCall(e *entry, r *record, row Row) {
	t := j.x.tables[Actions]
	t.setWord(row, ActionStepFile, t.getWord(row, ActionFile))
	t.setWord(row, ActionStepBefore, t.getWord(row, ActionBefore))
	t.setWord(row, ActionStepAfter, t.getWord(row, ActionAfter))
	t.setWord(row, ActionFile, uint32(e.number))
	t.setWord(row, ActionBefore, uint32(e.lines.next))
	t.setWord(row, ActionAfter, 0)
	t.setWord(row, ActionContext, uint32(e.ctx.number))
	t.setWord(row, ActionClass, uint32(j.name(r.class)))
	t.setWord(row, ActionMethod, uint32(j.name(r.method)))
	if page := j.page(e, r.pageID, r.time); page != NoRow {
		t.setWord(row, ActionPage, uint32(page))
	}
	title := j.describe(e, r)
	t.setWord(row, ActionTitle, uint32(title.text))
	t.setWord(row, ActionDetail, uint32(title.detail))
	// The runner's kind and group are those of a step that only stands for the call.
	hidden := t.getWord(row, ActionFlagBits) &^ uint32(Hidden)
	t.setWord(row, ActionFlagBits, hidden|uint32(Call|title.flags))
}

// after ends an action.
func (j *joiner) after(e *entry, r *record) {
	key, row := j.call(e, r.callID)
	if row == NoRow {
		j.orphan(e, key, "after")
		return
	}
	t := j.x.tables[Actions]
	flags := ActionFlags(t.getWord(row, ActionFlagBits))
	col := ActionAfter
	if e.ctx.runner && flags&Call != 0 {
		col = ActionStepAfter
	}
	t.setWord(row, col, uint32(e.lines.next))
	// The runner knows best when a call began and ended; the library's line
	// counts where the runner's is missing.
	if e.ctx.runner || flags&Step == 0 || flags&Unfinished != 0 {
		t.setLong(row, ActionEnd, j.time(e, r.end))
	}
	flags &^= Unfinished
	if r.skipped {
		flags |= Skipped
	}
	t.setWord(row, ActionFlagBits, uint32(flags))
	j.patch(Actions, row)
	if r.failed {
		j.fail(e, r, row)
	}
	j.attach(e, r, row)
}

// input notes where an action acted.
func (j *joiner) input(e *entry, r *record) {
	t := j.x.tables[Inputs]
	row := t.add()
	action := j.action(e, r.callID, reference{Inputs, row, InputAction})
	t.ref(InputAction, action)
	var flags InputFlags
	if x, y, ok := numbers(r.point, "x", "y"); ok {
		flags |= HasPoint
		t.word(InputX, float32Bits(x))
		t.word(InputY, float32Bits(y))
	}
	if x, y, ok := numbers(r.box, "x", "y"); ok {
		w, h, _ := numbers(r.box, "width", "height")
		flags |= HasBox
		t.word(InputBoxX, float32Bits(x))
		t.word(InputBoxY, float32Bits(y))
		t.word(InputBoxWidth, float32Bits(w))
		t.word(InputBoxHeight, float32Bits(h))
	}
	t.word(InputFlagBits, uint32(flags))
	j.place(t, e, InputFile, InputLine)
	j.counts.Inputs++
	if action != NoRow {
		j.setFlags(action, HasInput)
	}
}

// numbers returns two members of the object v.
func numbers(v []byte, first, second string) (a, b float64, ok bool) {
	if len(v) == 0 || v[0] != '{' {
		return 0, 0, false
	}
	x, y := element(v, first), element(v, second)
	return real(x), real(y), x != nil && y != nil
}

func float32Bits(v float64) uint32 { return math.Float32bits(float32(v)) }

// log adds a line to an action's log.
func (j *joiner) log(e *entry, r *record) {
	t := j.x.tables[Logs]
	row := t.add()
	action := j.action(e, r.callID, reference{Logs, row, LogAction})
	t.long(LogTime, j.time(e, r.time))
	t.ref(LogAction, action)
	t.text(LogMessage, j.text(r.message))
	j.place(t, e, LogFile, LogLine)
	j.counts.Logs++
	if action != NoRow {
		j.countLog(action)
	}
}

// countLog counts a log line on its action; a run of them is counted at once.
func (j *joiner) countLog(action Row) {
	if j.logged.action != action {
		j.countLogs()
		j.logged.action = action
	}
	j.logged.lines++
}

func (j *joiner) countLogs() {
	action, lines := j.logged.action, j.logged.lines
	j.logged.action, j.logged.lines = NoRow, 0
	if action == NoRow {
		return
	}
	t := j.x.tables[Actions]
	t.setWord(action, ActionLogs, t.getWord(action, ActionLogs)+lines)
	j.patch(Actions, action)
}

// attach adds the files that an after line names.
func (j *joiner) attach(e *entry, r *record, action Row) {
	eachElement(r.attachments, func(v []byte) {
		t := j.x.tables[Attachments]
		t.add()
		var name, kind, file, path []byte
		w := walker{b: v}
		w.enter()
		for key, ok := w.next(); ok; key, ok = w.next() {
			switch got := text(w.value()); string(key) {
			case "name":
				name = got
			case "contentType":
				kind = got
			case "file":
				file = got
			case "sha1":
				if file == nil {
					file = append([]byte("resources/"), got...)
				}
			case "path":
				path = got
			}
		}
		t.ref(AttachmentAction, action)
		t.text(AttachmentName, j.text(name))
		t.text(AttachmentType, j.name(kind))
		t.text(AttachmentEntry, j.name(file))
		t.text(AttachmentPath, j.name(path))
		t.long(AttachmentTime, j.time(e, r.end))
		j.place(t, e, AttachmentFile, AttachmentLine)
		j.counts.Attachments++
		j.setFlags(action, HasAttachment)
	})
}

// eachElement hands out the elements of a JSON array.
func eachElement(v []byte, f func(v []byte)) {
	if len(v) == 0 || v[0] != '[' {
		return
	}
	for i := 1; i < len(v); {
		switch v[i] {
		case ' ', ',', '\t':
			i++
			continue
		case ']':
			return
		}
		end := valueEnd(v, i)
		if end <= i {
			return
		}
		f(v[i:end])
		i = end
	}
}
