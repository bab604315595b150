package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"
)

// LoadOptions say what [Load] leaves out.
type LoadOptions struct {
	NoLogs     bool // log lines of actions
	NoProtocol bool // protocol commands and events other than pages, dialogs, downloads and errors
	// Budget is about how many bytes of memory the joined view may take; what
	// comes after is left out with a warning. 0 means 200 MiB. Package
	// trace/index holds a trace of any size in a fraction of that.
	Budget int64
}

const defaultBudget = 200 << 20

// Load reads all of an archive and joins it. It goes wrong only when there is
// nothing to read; what is damaged is in the Warnings.
func Load(ctx context.Context, a *Archive, o LoadOptions) (*Trace, error) {
	j := &joiner{o: o, t: &Trace{}, actions: map[actionKey]*Action{}, steps: map[string]*Action{},
		pages: map[string]*Page{}, frames: map[string]int{}}
	if j.o.Budget <= 0 {
		j.o.Budget = defaultBudget
	}
	for i, f := range a.Files() {
		if err := j.file(ctx, a, f, i); err != nil {
			return nil, err
		}
	}
	j.t.Warnings = append(append([]Warning(nil), a.Warnings()...), j.t.Warnings...)
	j.finish()
	return j.t, nil
}

type actionKey struct {
	context int
	id      string
}

// joiner puts events together. Times are the contexts' own until finish.
type joiner struct {
	o       LoadOptions
	t       *Trace
	ctx     *Context
	actions map[actionKey]*Action
	steps   map[string]*Action // by the id that runner and library share
	pages   map[string]*Page
	frames  map[string]int // frame id to number of its snapshots
	orphans map[string]bool
	retimes []retime
	spent   int64 // bytes of memory, about
	left    int   // events that were left out
}

// retime is a time that has to be put on the trace's clock.
type retime struct {
	t   *Time
	ctx *Context
}

func (j *joiner) time(t *Time) { j.retimes = append(j.retimes, retime{t, j.ctx}) }

func (j *joiner) file(ctx context.Context, a *Archive, f File, index int) error {
	j.ctx = &Context{ContextOptions: &ContextOptions{}, File: f.Trace, index: index}
	j.orphans = map[string]bool{}
	for e, err := range a.fileEvents(ctx, f) {
		var bad *SyntaxError
		switch {
		case errors.As(err, &bad):
			j.warn("W_BAD_LINE", bad.Position, "not read: %v", bad.Err)
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			j.t.Warnings = append(j.t.Warnings, Warning{Code: "W_CUT_OFF", Place: f.Trace, Text: err.Error()})
		case j.afford(e):
			j.event(e)
		}
	}
	if j.left > 0 {
		j.t.Warnings = append(j.t.Warnings, Warning{Code: "W_TOO_LARGE", Place: f.Trace, Text: fmt.Sprintf(
			"%d events are left out: joined, they would take more than %d MB of memory", j.left, j.o.Budget>>20)})
		j.left = 0
	}
	stacks, warnings := a.stacks(ctx, f)
	j.t.Warnings = append(j.t.Warnings, warnings...)
	for id, frames := range stacks {
		if act := j.actions[actionKey{index, id}]; act != nil && len(act.Stack) == 0 {
			act.Stack = frames
		}
	}
	return nil
}

// afford tells whether there is memory left for an event.
func (j *joiner) afford(e *Event) bool {
	cost := int64(300)
	switch b := e.Body.(type) {
	case *Dropped:
		return true
	case *Before:
		cost += 500 + int64(len(e.Raw))
	case *FrameSnapshot:
		cost += int64(len(b.FrameURL))
	case *ContextEvent:
		if j.o.NoProtocol {
			cost = 0
		}
		cost += int64(len(e.Raw))
	default:
		cost += int64(len(e.Raw))
	}
	if j.spent+cost > j.o.Budget {
		j.left++
		return false
	}
	j.spent += cost
	return true
}

func (j *joiner) warn(code string, p Position, format string, args ...any) {
	place := p.File
	if p.Line > 0 {
		place = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	j.t.Warnings = append(j.t.Warnings, Warning{Code: code, Place: place, Text: fmt.Sprintf(format, args...)})
}

func (j *joiner) event(e *Event) {
	switch b := e.Body.(type) {
	case *ContextOptions:
		j.options(b, e.Position)
	case *ClockAnchor:
		j.ctx.MonotonicTime = b.MonotonicTime
		if b.WallTime > 0 {
			j.ctx.WallTime = b.WallTime
		}
	case *Before:
		j.before(b, e.Position)
	case *Input:
		if act := j.lookup(b.CallID, e.Position, "input"); act != nil {
			act.Inputs = append(act.Inputs, b)
		}
	case *Log:
		j.log(b, e.Position)
	case *After:
		j.after(b, e.Position)
	case *ContextEvent:
		j.happening(b, e.Position)
	case *Console:
		j.console(b, e.Position)
	case *Stdio:
		out := &Output{Stdio: b, Time: b.Time}
		j.time(&out.Time)
		j.t.Stdio = append(j.t.Stdio, out)
	case *TestError:
		j.testError(b, e.Position)
	case *ScreencastFrame:
		pic := &Picture{ScreencastFrame: b, Time: b.Timestamp}
		j.time(&pic.Time)
		j.t.Frames = append(j.t.Frames, pic)
		j.page(b.PageID)
	case *Screenshot:
		if act := j.actions[actionKey{j.ctx.index, b.CallID}]; act != nil {
			act.Screenshots = append(act.Screenshots, b)
			j.time(&b.Timestamp)
		}
	case *AriaSnapshot:
		if act := j.actions[actionKey{j.ctx.index, b.CallID}]; act != nil {
			act.Aria = append(act.Aria, b)
			j.time(&b.Timestamp)
		}
	case *FrameSnapshot:
		j.snapshot(b, e.Position)
	case *ResourceSnapshot:
		j.request(b, e.Position)
	}
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

func (j *joiner) page(id string) *Page {
	if id == "" {
		return nil
	}
	p := j.pages[PageKey(id)]
	if p == nil {
		p = &Page{ID: id, Opened: NoTime, Ended: NoTime}
		j.pages[PageKey(id)] = p
		j.t.Pages = append(j.t.Pages, p)
	}
	return p
}

// PageKey returns what is the same for all spellings of a page's id: Vibium
// writes it in upper and lower case, with and without a prefix.
func PageKey(id string) string {
	return strings.ToLower(strings.TrimPrefix(id, "page@"))
}

func (j *joiner) happening(b *ContextEvent, p Position) {
	h := &Happening{ContextEvent: b, Time: b.Time, Position: p}
	switch b.Method {
	case "page":
		j.pageOpened(b)
	case "pageError":
		j.pageError(b, p)
	case "log.entryAdded":
		j.entryAdded(b, p)
	case "dialog", "download", "pageClosed":
	default:
		if j.o.NoProtocol {
			return
		}
	}
	j.page(b.PageID)
	j.time(&h.Time)
	j.t.Events = append(j.t.Events, h)
}

func (j *joiner) pageOpened(b *ContextEvent) {
	var params struct {
		PageID       string
		OpenerPageID string
		Page         struct{ GUID string }
	}
	_ = json.Unmarshal(b.Params, &params)
	if params.PageID == "" {
		params.PageID = params.Page.GUID
	}
	if pg := j.page(params.PageID); pg != nil {
		pg.OpenerID = params.OpenerPageID
		if !pg.Opened.Known() {
			pg.Opened = b.Time
			j.time(&pg.Opened)
		}
	}
}

func (j *joiner) pageError(b *ContextEvent, p Position) {
	f := pageFailure(b)
	f.Position = p
	j.time(&f.Time)
	j.t.Errors = append(j.t.Errors, f)
}

func (j *joiner) entryAdded(b *ContextEvent, p Position) {
	c, f := ConsoleOf(b)
	if c != nil {
		j.console(c, p)
	}
	if f != nil {
		f.Position = p
		j.time(&f.Time)
		j.t.Errors = append(j.t.Errors, f)
	}
}

func (j *joiner) console(b *Console, p Position) {
	m := &Message{Console: b, Time: b.Time, Position: p}
	j.time(&m.Time)
	j.page(b.PageID)
	j.t.Console = append(j.t.Console, m)
}

func (j *joiner) testError(b *TestError, p Position) {
	f := &Failure{Kind: FailedTest, Message: b.Message, Time: NoTime, Position: p}
	if len(b.Stack) > 0 {
		f.Location = Location{URL: b.Stack[0].File, Line: b.Stack[0].Line - 1, Column: b.Stack[0].Column - 1}
	}
	j.t.Errors = append(j.t.Errors, f)
}

func (j *joiner) snapshot(b *FrameSnapshot, p Position) {
	s := &Snapshot{CallID: b.CallID, Phase: b.Phase, Name: b.Name, PageID: b.PageID, FrameID: b.FrameID, FrameURL: b.FrameURL,
		IsMainFrame: b.IsMainFrame, Time: b.Timestamp, Context: j.ctx, Position: p}
	if b.Viewport != nil {
		s.Viewport = *b.Viewport
	}
	frame := fmt.Sprint(j.ctx.index, " ", b.FrameID)
	s.Ordinal = j.frames[frame]
	j.frames[frame]++
	j.time(&s.Time)
	j.page(b.PageID)
	j.t.Snapshots = append(j.t.Snapshots, s)
}

func (j *joiner) request(b *ResourceSnapshot, p Position) {
	r := &Request{Entry: &b.Entry, Start: NoTime, End: NoTime, Context: j.ctx, Position: p}
	if b.Entry.HasMonotonicTime {
		r.Start = Milliseconds(b.Entry.MonotonicTime)
	} else if at, err := time.Parse(time.RFC3339Nano, b.Entry.StartedDateTime); err == nil {
		r.Start = j.ctx.MonotonicTime + Time(at.UnixNano()) - Milliseconds(j.ctx.WallTime)
	}
	j.time(&r.Start)
	j.t.Network = append(j.t.Network, r)
}

// sortByTime orders without moving what happened at the same moment.
func sortByTime[T any](list []T, at func(T) Time) {
	sort.SliceStable(list, func(a, b int) bool { return at(list[a]) < at(list[b]) })
}
