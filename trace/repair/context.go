package repair

import (
	"encoding/json"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// context puts the first line right.
func (x *filter) context(e *trace.Event, b *trace.ContextOptions) error {
	if x.opened {
		x.fix(e, "W_REPEATED_CONTEXT", "left out: its file goes on with the clock of the first")
		x.out.Drop(e)
		return nil
	}
	x.opened = true
	if e.Position.Line == 0 {
		return x.out.Write(x.synthetic(e))
	}
	changed := false
	if b.Version > trace.CurrentVersion {
		x.fix(e, "W_NEWER_VERSION", "version %d is written as %d", b.Version, trace.CurrentVersion)
		b.Version, changed = trace.CurrentVersion, true
	}
	if b.Origin == "" {
		b.Origin, changed = "library", true
		x.fix(e, "E_NO_CONTEXT", "it says now where it comes from")
	}
	if options, ok := x.options(b.Options); ok {
		b.Options, changed = options, true
		x.fix(e, "W_NO_VIEWPORT", "%gx%g", x.viewport.Width, x.viewport.Height)
	}
	return x.pass(e, changed)
}

// open writes the first line that the file should have.
func (x *filter) open(e *trace.Event) error {
	x.opened = true
	return x.out.Write(x.synthetic(e))
}

// synthetic is the first line of a file that has none. Viewers would take it
// for a test runner's, and all its actions for one.
func (x *filter) synthetic(e *trace.Event) *trace.ContextOptions {
	c := &trace.ContextOptions{Version: x.version, Origin: "library", BrowserName: "chromium", SDKLanguage: "javascript"}
	if !x.library {
		c.Origin, c.BrowserName = "testRunner", ""
	}
	c.Options, _ = x.options(nil)
	if c.Options == nil {
		c.Options = json.RawMessage("{}")
	}
	if x.any && float64(x.last.Milliseconds()) > epoch {
		c.WallTime, c.MonotonicTime = x.last.Milliseconds(), x.last
	}
	x.run.report.add("E_NO_CONTEXT", x.file.Trace, "the file began with another line")
	return c
}

// options returns the context's options with the viewport that the pictures
// have; ok is false where they have one already or there is none to be had.
func (x *filter) options(old json.RawMessage) (json.RawMessage, bool) {
	if x.viewport == nil {
		return nil, false
	}
	obj, err := rawjson.Parse(old)
	if err != nil {
		obj = nil
	}
	if obj.Has("viewport") || string(obj.Get("viewport")) == "null" {
		return nil, false // null: the context has none on purpose
	}
	size, err := json.Marshal(x.viewport)
	if err != nil {
		return nil, false
	}
	obj.Set("viewport", size)
	return obj.AppendTo(nil), true
}
