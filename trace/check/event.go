package check

import (
	"bytes"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// fileState is what is known of one context while its lines go by.
type fileState struct {
	file      trace.File
	first     bool
	calls     map[string]*call
	named     map[string]string // snapshot names and the place that named them
	snapshots map[string]bool   // snapshot names, or call and phase
	early     map[string]string // snapshots whose naming line has not come yet
	last      trace.Time
	unordered int
	lastPlace string
	frames    map[string]*frameHistory
	epoch     bool
}

type call struct {
	start  trace.Time
	place  string
	ended  bool
	parent string
}

func newFileState(f trace.File) *fileState {
	return &fileState{file: f, first: true, calls: map[string]*call{}, named: map[string]string{}, snapshots: map[string]bool{},
		early: map[string]string{}, frames: map[string]*frameHistory{}}
}

func (c *checker) event(e *trace.Event) {
	place := at(e.Position)
	if c.f.first && e.Position.File == c.f.file.Trace {
		c.first(e)
	}
	switch b := e.Body.(type) {
	case *trace.ContextOptions:
		c.f.epoch = b.MonotonicTime.Milliseconds() > 1e11
		if b.Version > trace.CurrentVersion {
			c.add("W_NEWER_VERSION", place, "version %d; this program knows %d", b.Version, trace.CurrentVersion)
		}
	case *trace.Before:
		c.before(b, place)
	case *trace.Input:
		c.known(b.CallID, place, "input")
		c.names(&b.Extra, place)
	case *trace.After:
		c.after(b, place)
	case *trace.Console:
		if raw := parse(e.Raw); raw != nil && c.f.file.Version() >= 5 && !raw.Has("location") {
			c.add("E_NO_LOCATION", place, "console message %.60q", b.Text)
		}
	case *trace.ScreencastFrame:
		c.uses(b.File, place)
		c.wrongKinds(e, b.Extra.Keys(), "width", "height", "timestamp", "pageId")
	case *trace.Screenshot:
		c.uses(b.File, place)
	case *trace.AriaSnapshot:
		c.uses(b.File, place)
	case *trace.FrameSnapshot:
		c.snapshot(e, b, place)
	case *trace.ResourceSnapshot:
		c.request(e, b, place)
	case *trace.Unknown:
		c.add("I_UNKNOWN_EVENT", place, "type %q", b.Type)
	}
	c.order(e, place)
}

func (c *checker) first(e *trace.Event) {
	if _, ok := e.Body.(*trace.ContextOptions); !ok || e.Position.Line == 0 { // the reader puts one where there is none
		c.add("E_NO_CONTEXT", e.Position.File, "its first line says nothing of the recording")
	}
	c.f.first = false
}

func (c *checker) before(b *trace.Before, place string) {
	if c.f.calls[b.CallID] != nil {
		c.add("W_REPEATED_CALL", place, "%s was at %s already", b.CallID, c.f.calls[b.CallID].place)
	}
	if b.Method == "" && b.Title == "" {
		c.add("E_NO_METHOD", place, "action %s", b.CallID)
	}
	c.f.calls[b.CallID] = &call{start: b.StartTime, place: place, parent: b.ParentID}
	c.names(&b.Extra, place)
	c.kinds(place, b.Extra.Keys(), "callId", "startTime", "class", "method", "params", "stack")
}

func (c *checker) known(id, place, what string) bool {
	if c.f.calls[id] == nil {
		c.add("E_ORPHAN", place, "%s of the action %s, which did not begin in this file", what, id)
		return false
	}
	return true
}

func (c *checker) after(b *trace.After, place string) {
	c.names(&b.Extra, place)
	for _, at := range b.Attachments {
		c.uses(at.File, place)
	}
	if !c.known(b.CallID, place, "after") {
		return
	}
	act := c.f.calls[b.CallID]
	act.ended = true
	if b.EndTime < act.start {
		c.add("W_END_BEFORE_START", place, "%s ends %v before it starts", b.CallID, act.start.Sub(b.EndTime))
	}
	c.kinds(place, b.Extra.Keys(), "endTime", "error", "attachments")
}

// names takes in the snapshots that an action's line names.
func (c *checker) names(x *trace.Extra, place string) {
	for _, key := range []string{"beforeSnapshot", "inputSnapshot", "afterSnapshot"} {
		name := x.Text(key)
		if name == "" {
			continue
		}
		c.f.named[name] = place
		if where, early := c.f.early[name]; early {
			delete(c.f.early, name)
			c.add("W_SNAPSHOT_EARLY", where, "%s is named only at %s", name, place)
		}
	}
}

func (c *checker) uses(file, place string) {
	if file == "" {
		return
	}
	e, ok := c.a.Resolve(file)
	if !ok {
		c.add("W_RESOURCE_MISSING", place, "%s is not in the archive", file)
		return
	}
	c.used[e.Name] = true
}

func (c *checker) request(e *trace.Event, b *trace.ResourceSnapshot, place string) {
	c.uses(b.Entry.Response.Content.File, place)
	if b.Entry.Request.PostData != nil {
		c.uses(b.Entry.Request.PostData.File, place)
	}
	raw := parse(e.Raw).Object("snapshot")
	if raw == nil || c.f.file.Version() < 3 {
		return
	}
	if !raw.Object("response").Has("content") {
		c.add("E_NO_CONTENT", place, "%s %.80s", b.Entry.Request.Method, b.Entry.Request.URL)
	}
	if start := parseNumber(raw.Get("_monotonicTime")); c.f.epoch && start > 1e9 && start < 1e11 {
		c.add("W_SECONDS", place, "%s %.80s", b.Entry.Request.Method, b.Entry.Request.URL)
	}
}

// kinds reports members that were kept because their value is of a wrong kind.
func (c *checker) kinds(place string, extra []string, fields ...string) {
	for _, key := range extra {
		for _, f := range fields {
			if key == f {
				c.add("W_FIELD", place, "the member %q", key)
			}
		}
	}
}

func (c *checker) wrongKinds(e *trace.Event, extra []string, fields ...string) {
	if len(extra) > 0 && !bytes.Contains(e.Raw, []byte(":0")) {
		c.kinds(at(e.Position), extra, fields...)
	}
}

// order counts lines whose time is before that of the line before; it is told
// once a file, since every real recorder does it.
func (c *checker) order(e *trace.Event, place string) {
	t, ok := timeOf(e.Body)
	if !ok {
		return
	}
	if t < c.f.last {
		c.f.unordered++
		c.f.lastPlace = place
	}
	c.f.last = max(t, c.f.last)
}

func timeOf(b trace.Body) (trace.Time, bool) {
	switch b := b.(type) {
	case *trace.Before:
		return b.StartTime, true
	case *trace.After:
		return b.EndTime, true
	case *trace.ContextEvent:
		return b.Time, true
	case *trace.Console:
		return b.Time, true
	case *trace.ScreencastFrame:
		return b.Timestamp, true
	}
	return 0, false
}

func (c *checker) endOfFile() {
	f := c.f
	for _, id := range sortedKeys(f.calls) {
		act := f.calls[id]
		if !act.ended {
			c.add("W_UNFINISHED", act.place, "action %s", id)
		}
		if act.parent != "" && f.calls[act.parent] == nil && !c.elsewhere(act.parent) {
			c.add("W_UNKNOWN_PARENT", act.place, "action %s has the parent %s", id, act.parent)
		}
	}
	for _, name := range sortedKeys(f.named) {
		if !f.snapshots[name] && f.file.Version() >= 9 {
			c.add("W_SNAPSHOT_MISSING", f.named[name], "%s", name)
		}
	}
	for _, name := range sortedKeys(f.early) {
		c.add("W_SNAPSHOT_EARLY", f.early[name], "%s is never named", name)
	}
	if f.unordered > 0 {
		c.add("I_ORDER", f.lastPlace, "%d lines", f.unordered)
	}
}

// elsewhere allows parents of a merged trace to be in another of its files.
func (c *checker) elsewhere(string) bool { return len(c.a.Files()) > 1 }

func parse(line []byte) rawjson.Object {
	obj, err := rawjson.Parse(line)
	if err != nil {
		return nil
	}
	return obj
}

func parseNumber(b []byte) float64 {
	t := trace.NoTime
	if len(b) == 0 || t.UnmarshalJSON(b) != nil {
		return 0
	}
	return t.Milliseconds()
}

// picture reports whether a snapshot is Vibium's: one picture of the page.
func picture(html []byte) bool {
	return bytes.Contains(html[:min(len(html), 400)], []byte(`["IMG",{"src":"data:image/`)) && !strings.Contains(string(html[max(0, len(html)-200):]), "[[")
}
