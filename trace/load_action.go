package trace

type actionKey struct {
	context int
	id      string
}

func (j *joiner) options(b *ContextOptions, p Position) {
	if j.ctx.Version != 0 {
		j.warn("W_REPEATED_CONTEXT", p, "a second context-options in one file: the times behind it are taken for the first one's")
		return
	}
	j.ctx.ContextOptions = b
	if b.Version > CurrentVersion {
		j.warn("W_NEWER_VERSION", p, "version %d is newer than %d: read as far as it is understood", b.Version, CurrentVersion)
	}
	j.t.Contexts = append(j.t.Contexts, j.ctx)
}

func (j *joiner) before(b *Before, p Position) {
	if len(j.t.Contexts) == 0 || j.t.Contexts[len(j.t.Contexts)-1] != j.ctx {
		j.t.Contexts = append(j.t.Contexts, j.ctx)
	}
	key := actionKey{j.ctx.index, b.CallID}
	if j.announced[key] {
		j.retell(key, b, p)
		delete(j.announced, key)
		return
	}
	if j.actions[key] != nil {
		j.warn("W_REPEATED_CALL", p, "a second action with the id %s: kept apart", b.CallID)
	}
	act := j.merged(b)
	if act == nil {
		act = &Action{Before: b, Context: j.ctx, Kind: KindOf(b.Class, b.Method), Start: b.StartTime, End: NoTime,
			Unfinished: true, Stack: b.Stack, PageID: b.PageID, Position: p}
		j.time(&act.Start)
		j.t.Actions = append(j.t.Actions, act)
	}
	j.actions[key] = act
	j.steps[stepKey(b, j.ctx)] = act
	j.page(b.PageID)
}

// begun begins an action that is still under way, or tells more of it.
func (j *joiner) begun(b *Begun, p Position) {
	key := actionKey{j.ctx.index, b.CallID}
	switch {
	case j.announced[key]:
		j.retell(key, &b.Before, p)
	case j.actions[key] == nil:
		j.before(&b.Before, p)
		j.announced[key] = true
	}
}

// retell takes what is known by now of an action that was announced.
func (j *joiner) retell(key actionKey, b *Before, p Position) {
	act := j.actions[key]
	act.Before, act.Kind, act.Start, act.Stack, act.Position = b, KindOf(b.Class, b.Method), b.StartTime, b.Stack, p
}

// stepKey is the id that the test runner's and the library's lines of one
// call share: files before version 10 have it beside the call id.
func stepKey(b *Before, c *Context) string {
	id := b.StepID
	if id == "" {
		id = b.CallID
	}
	if c.Runner() {
		return "runner " + id
	}
	return "library " + id
}

// merged joins the lines of library and runner for the same call: class,
// parameters, log and snapshots are the library's, times, error, attachments
// and parent the runner's.
func (j *joiner) merged(b *Before) *Action {
	id := b.StepID
	if id == "" {
		id = b.CallID
	}
	if j.ctx.Runner() {
		act := j.steps["library "+id]
		if act != nil && act.Runner == nil {
			j.runnerWins(act, b)
			return act
		}
		return nil
	}
	act := j.steps["runner "+id]
	if act == nil || act.Runner != nil {
		return nil
	}
	j.libraryWins(act, b)
	return act
}

func (j *joiner) libraryWins(act *Action, b *Before) {
	runner := act.Before
	act.Runner = runner
	act.Before = b
	act.Kind = KindOf(b.Class, b.Method)
	if len(runner.Stack) == 0 {
		act.Stack = b.Stack
	}
	if act.PageID == "" {
		act.PageID = b.PageID
	}
}

func (j *joiner) runnerWins(act *Action, b *Before) {
	act.Runner = b
	act.Start = b.StartTime
	act.Context = j.ctx
	j.time(&act.Start)
	if len(b.Stack) > 0 {
		act.Stack = b.Stack
	}
}

func (j *joiner) lookup(id string, p Position, what string) *Action {
	act := j.actions[actionKey{j.ctx.index, id}]
	if act == nil && !j.orphans[id] {
		j.orphans[id] = true
		j.warn("W_ORPHAN", p, "%s of the unknown action %s", what, id)
	}
	return act
}

func (j *joiner) log(b *Log, p Position) {
	if j.o.NoLogs {
		return
	}
	if act := j.lookup(b.CallID, p, "log"); act != nil {
		act.Logs = append(act.Logs, b)
		if b.Time.Known() {
			j.time(&b.Time)
		}
	}
}

func (j *joiner) after(b *After, p Position) {
	act := j.lookup(b.CallID, p, "after")
	if act == nil {
		return
	}
	if act.Runner == nil || j.ctx.Runner() || act.Unfinished {
		act.End = b.EndTime
		act.Unfinished = false
		j.retimes = append(j.retimes, retime{&act.End, j.ctx})
	}
	if b.Error != nil && (act.Error == nil || j.ctx.Runner()) {
		act.Error = b.Error
	}
	if len(b.Result) > 0 {
		act.Result = b.Result
	}
	if b.Point != nil {
		act.Point = b.Point
	}
	if len(b.Attachments) > 0 {
		act.Attachments = append(act.Attachments, b.Attachments...)
		for _, at := range b.Attachments {
			j.t.Attachments = append(j.t.Attachments, &AttachmentOf{at, act})
		}
	}
}
