package slim

import (
	"os"

	"github.com/tracedeck/tracedeck/trace"
)

// frame is what is known of one frame's snapshots.
type frame struct {
	last      int // the last snapshot that is kept; -1 if there is none
	count     int // snapshots in all
	rewrite   *rewriter
	overrides []overrides
	seen      int
	dropped   map[int]span // where the HTML of those is that are left out
}

// span is a part of the file that HTML is put aside in.
type span struct {
	at     int64
	length int
}

func (p *plan) frame(file, id string) *frame {
	key := file + "\x00" + id
	f := p.frames[key]
	if f == nil {
		f = &frame{last: -1, dropped: map[int]span{}}
		f.rewrite = newRewriter(func(ordinal int) ([]byte, bool) {
			s, ok := f.dropped[ordinal]
			if !ok {
				return nil, false
			}
			return p.aside.get(s)
		})
		p.frames[key] = f
	}
	return f
}

// aside keeps HTML that later snapshots may refer to, in a temporary file:
// going back in the trace would mean to inflate it again from the start.
type aside struct {
	file *os.File
	size int64
}

func (a *aside) put(html []byte) (span, error) {
	if a.file == nil {
		f, err := os.CreateTemp("", "tracedeck-*")
		if err != nil {
			return span{}, err
		}
		a.file = f
	}
	s := span{a.size, len(html)}
	n, err := a.file.WriteAt(html, a.size)
	a.size += int64(n)
	return s, err
}

func (a *aside) get(s span) ([]byte, bool) {
	html := make([]byte, s.length)
	_, err := a.file.ReadAt(html, s.at)
	return html, err == nil
}

func (a *aside) close() {
	if a.file != nil {
		a.file.Close()
		os.Remove(a.file.Name())
	}
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
	if x.err != nil {
		return x.err
	}
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
		if ordinal < f.last {
			f.dropped[ordinal], x.err = x.aside.put(b.HTML)
		}
		return false, false
	}
	before := f.rewrite.inlined
	html, changed := f.rewrite.keep(ordinal, b.HTML)
	x.report.Inlined += f.rewrite.inlined - before
	if ordinal == f.last { // nothing will be asked of it again
		f.rewrite.forget()
	}
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
