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
		pages: map[string]*Page{}, frames: map[string]int{}, announced: map[actionKey]bool{}}
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
	// announced are the actions of which no before line has come.
	announced map[actionKey]bool
	retimes   []retime
	spent     int64 // bytes of memory, about
	left      int   // events that were left out
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
	case *Before, *Begun:
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
	case *Begun:
		j.begun(b, e.Position)
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
