package slim

import (
	"github.com/tracedeck/tracedeck/trace"
)

// frame is what is known of one frame's snapshots.
type frame struct {
	positions []trace.Position // of all its snapshots, in the order of the file
	rewrite   *rewriter
	overrides []overrides
	seen      int
}

func (p *plan) frame(file, id string) *frame {
	key := file + "\x00" + id
	f := p.frames[key]
	if f == nil {
		f = &frame{}
		f.rewrite = newRewriter(func(ordinal int) ([]byte, bool) {
			if ordinal < 0 || ordinal >= len(f.positions) {
				return nil, false
			}
			s, err := p.src.SnapshotAt(p.ctx, f.positions[ordinal])
			if err != nil {
				return nil, false
			}
			return s.HTML, true
		})
		p.frames[key] = f
	}
	return f
}

// fileFilter is what the events of one file go through.
type fileFilter struct {
	*plan
	file trace.File
}

func (p *plan) filter(f trace.File) trace.Filter { return &fileFilter{p, f} }

// End has nothing to do.
func (x *fileFilter) End(*trace.FilterOutput) error { return nil }

// Event passes on what is kept.
func (x *fileFilter) Event(e *trace.Event, out *trace.FilterOutput) error {
	trace.EachFile(e.Body, func(file *string) { x.named[x.entryOf(*file)] = true })
	keep, changed := x.keeps(e)
	if !keep {
		out.Drop(e)
		return nil
	}
	trace.EachFile(e.Body, func(file *string) { x.files[x.entryOf(*file)] = true })
	if changed {
		return out.Write(e.Body)
	}
	return out.Keep(e)
}

func (x *fileFilter) entryOf(file string) string {
	if e, ok := x.src.Resolve(file); ok {
		return e.Name
	}
	return file
}

// keeps reports whether an event is kept, and whether it was changed for that.
func (x *fileFilter) keeps(e *trace.Event) (keep, changed bool) {
	switch b := e.Body.(type) {
	case *trace.Before:
		return x.call(b.CallID), false
	case *trace.Input:
		return x.call(b.CallID), false
	case *trace.After:
		return x.call(b.CallID), false
	case *trace.Log:
		key := callKey{x.file.Trace, b.CallID}
		return x.calls[key] && (!x.o.NoLogs || x.failed[key]), false
	case *trace.Screenshot:
		return x.picture(b.CallID), false
	case *trace.AriaSnapshot:
		return x.picture(b.CallID), false
	case *trace.FrameSnapshot:
		return x.snapshot(e, b)
	case *trace.ScreencastFrame:
		return x.screencastFrame(b), false
	case *trace.ResourceSnapshot:
		return x.request(e, b)
	case *trace.Console:
		return x.message(b.Time), false
	case *trace.ContextEvent:
		return b.Method == "page" || x.in(b.Time), false
	case *trace.Stdio:
		return x.in(b.Time), false
	}
	return true, false
}

func (x *fileFilter) call(id string) bool { return x.calls[callKey{x.file.Trace, id}] }

func (x *fileFilter) picture(call string) bool {
	key := callKey{x.file.Trace, call}
	return x.calls[key] && !x.o.NoSnapshots && (!x.o.FailedSnapshots || x.failed[key])
}

// in reports whether a moment of the file's clock is kept. What has no moment is.
func (x *fileFilter) in(t trace.Time) bool {
	if !t.Known() {
		return true
	}
	at := t.Add(x.shift[x.file.Trace])
	return x.kept(at, at)
}

func (x *fileFilter) message(t trace.Time) bool {
	if x.in(t) {
		x.report.Kept.Messages++
		return true
	}
	x.report.Dropped.Messages++
	return false
}

func (x *fileFilter) screencastFrame(b *trace.ScreencastFrame) bool {
	key := pictureKey{b.PageID, b.File, b.Timestamp}
	if x.pictures[key] == 0 {
		return false
	}
	x.pictures[key]--
	return true
}

// snapshot keeps a snapshot, with references and overrides that lead to what
// is kept.
func (x *fileFilter) snapshot(e *trace.Event, b *trace.FrameSnapshot) (keep, changed bool) {
	f := x.frame(e.Position.File, b.FrameID)
	ordinal := f.seen
	f.seen++
	f.overrides = append(f.overrides, resolve(f.overrides, b.ResourceOverrides))
	if !x.snapshots[e.Position] {
		f.rewrite.drop()
		return false, false
	}
	before := f.rewrite.inlined
	html, changed := f.rewrite.keep(ordinal, b.HTML)
	x.report.Inlined += f.rewrite.inlined - before
	if changed {
		b.HTML = html
		b.ResourceOverrides = f.overrides[ordinal].list(b.ResourceOverrides)
	}
	return true, changed
}

// request keeps a request, perhaps without its bodies.
func (x *fileFilter) request(e *trace.Event, b *trace.ResourceSnapshot) (keep, changed bool) {
	if !x.requests[e.Position] {
		x.bodies(&x.report.Dropped, b)
		return false, false
	}
	c := &b.Entry.Response.Content
	if c.File != "" && x.leavesOut(c.MimeType, x.size(c.File, int64(c.Size))) {
		c.File, changed = "", true
		x.report.Dropped.Bodies++
	}
	if p := b.Entry.Request.PostData; p != nil && p.File != "" && x.leavesOut(p.MimeType, x.size(p.File, 0)) {
		p.File, changed = "", true
		x.report.Dropped.Bodies++
	}
	x.bodies(&x.report.Kept, b)
	return true, changed
}

func (x *fileFilter) bodies(c *Counts, b *trace.ResourceSnapshot) {
	trace.EachFile(b, func(*string) { c.Bodies++ })
}

func (x *fileFilter) size(file string, otherwise int64) int64 {
	if e, ok := x.src.Resolve(file); ok && e.Size >= 0 {
		return e.Size
	}
	return otherwise
}
