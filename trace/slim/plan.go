package slim

import (
	"context"
	"crypto/sha256"
	"io"
	"math"
	"path"
	"sort"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// plan is what is kept of a trace.
type plan struct {
	ctx    context.Context
	src    *trace.Archive
	t      *trace.Trace
	o      Options
	report Report

	windows   []window
	known     map[callKey]bool
	calls     map[callKey]bool // that are kept
	failed    map[callKey]bool
	requests  map[trace.Position]bool
	pictures  map[pictureKey]int // how often one like this is kept
	snapshots map[trace.Position]bool
	shift     map[string]time.Duration // of each file's clock
	files     map[string]bool          // entries that kept lines name
	named     map[string]bool          // entries that some line named
	frames    map[string]*frame
	aside     aside
	err       error
}

type window struct{ from, to trace.Time }

type callKey struct{ file, id string }

type pictureKey struct {
	page, file string
	at         trace.Time
}

func newPlan(ctx context.Context, src *trace.Archive, t *trace.Trace, o Options) (*plan, error) {
	p := &plan{ctx: ctx, src: src, t: t, o: o, known: map[callKey]bool{}, calls: map[callKey]bool{}, failed: map[callKey]bool{}, requests: map[trace.Position]bool{},
		pictures: map[pictureKey]int{}, snapshots: map[trace.Position]bool{}, shift: map[string]time.Duration{},
		files: map[string]bool{}, named: map[string]bool{}, frames: map[string]*frame{}}
	p.report.Warnings = []trace.Warning{}
	for _, c := range t.Contexts {
		p.shift[c.File] = c.Shift
	}
	for _, f := range src.Files() {
		if f.Network != "" {
			p.shift[f.Network] = p.shift[f.Trace]
		}
	}
	if err := p.window(); err != nil {
		return nil, err
	}
	p.actions()
	p.network()
	p.screencast()
	p.pages()
	return p, nil
}

// window finds the times that are kept.
func (p *plan) window() error {
	all := window{trace.Time(p.o.From), trace.Time(math.MaxInt64)}
	if p.o.To > 0 {
		all.to = trace.Time(p.o.To)
	}
	p.windows = []window{all}
	if p.o.Failures {
		if p.windows = p.aroundFailures(all); len(p.windows) == 0 {
			return ErrNothingFailed
		}
	}
	first, last := trace.Time(math.MaxInt64), trace.Time(0)
	for _, w := range p.windows {
		first, last = min(first, w.from), max(last, w.to)
	}
	p.report.From = time.Duration(max(first, 0))
	p.report.To = min(time.Duration(last), p.t.Duration)
	return nil
}

// aroundFailures returns for each failure the time from some calls before it
// to some behind it.
func (p *plan) aroundFailures(all window) (list []window) {
	steps := p.o.Steps
	if steps <= 0 {
		steps = 5
	}
	var calls []*trace.Action
	for _, a := range p.t.Actions {
		if a.Kind == trace.KindCall {
			calls = append(calls, a)
		}
	}
	for _, f := range p.t.Errors {
		at := window{f.Time, f.Time}
		switch {
		case f.Action != nil:
			at = window{f.Action.Start, f.Action.End}
		case !f.Time.Known():
			at = window{trace.Time(p.t.Duration), trace.Time(p.t.Duration)}
		}
		if at.to < all.from || at.from > all.to {
			continue
		}
		// A failed test or step is as long as its calls: what matters is its end.
		if f.Action != nil && len(f.Action.Children) > 0 {
			at.from = at.to
		}
		lo := sort.Search(len(calls), func(i int) bool { return calls[i].Start >= at.from })
		hi := sort.Search(len(calls), func(i int) bool { return calls[i].Start > at.to })
		if lo = max(lo-steps, 0); lo < len(calls) {
			at.from = min(at.from, calls[lo].Start)
		}
		if hi = min(hi+steps, len(calls)) - 1; hi >= 0 {
			at.to = max(at.to, calls[hi].End)
		}
		list = append(list, window{max(at.from, all.from), min(at.to, all.to)})
	}
	return list
}

func (p *plan) kept(from, to trace.Time) bool {
	for _, w := range p.windows {
		if from <= w.to && to >= w.from {
			return true
		}
	}
	return false
}

// actions keeps the actions of the time that is kept, and what they are in.
func (p *plan) actions() {
	for _, a := range p.t.Actions {
		for _, key := range p.keysOf(a) {
			p.known[key] = true
		}
		if !p.kept(a.Start, max(a.End, a.Start)) {
			continue
		}
		for up := a; up != nil; up = up.Parent {
			p.keepAction(up)
		}
	}
	for _, a := range p.t.Actions {
		if p.calls[p.keysOf(a)[0]] {
			p.report.Kept.Actions++
		} else {
			p.report.Dropped.Actions++
		}
	}
}

func (p *plan) keepAction(a *trace.Action) {
	for _, key := range p.keysOf(a) {
		p.calls[key] = true
		if a.Error != nil {
			p.failed[key] = true
		}
	}
}

// keysOf says by which lines an action is told: the library's, and the test
// runner's of the same call.
func (p *plan) keysOf(a *trace.Action) []callKey {
	keys := []callKey{{a.Context.File, a.ID()}}
	if a.Runner == nil {
		return keys
	}
	for _, c := range p.t.Contexts {
		if c.Runner() {
			keys = append(keys, callKey{c.File, a.Runner.CallID})
		}
	}
	return keys
}

// network keeps the requests of the time that is kept, and those before it
// that pages of that time show something of.
func (p *plan) network() {
	end := trace.Time(0)
	for _, w := range p.windows {
		end = max(end, w.to)
	}
	for _, r := range p.t.Network {
		if p.kept(r.Start, max(r.End, r.Start)) || r.Start <= end && shown(r) {
			p.requests[r.Position] = true
			p.report.Kept.Requests++
		} else {
			p.report.Dropped.Requests++
		}
	}
}

// shown reports whether a page shows the answer, later too.
func shown(r *trace.Request) bool {
	switch r.ResourceType {
	case "stylesheet", "image", "font", "media":
		return true
	}
	kind := mediaType(r.Response.Content.MimeType)
	top, _, _ := strings.Cut(kind, "/")
	return kind == "text/css" || top == "image" || top == "font" || top == "audio" || top == "video"
}

func mediaType(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return strings.ToLower(strings.TrimSpace(s))
}

// screencast keeps the pictures of the time that is kept, and of each page the
// last one before.
func (p *plan) screencast() {
	if p.o.NoFrames {
		p.report.Dropped.Frames = len(p.t.Frames)
		return
	}
	last := map[string]*trace.Picture{}
	content := map[string]string{}
	for _, pic := range p.t.Frames {
		in := p.kept(pic.Time, pic.Time)
		if !in {
			p.report.Dropped.Frames++
			last[pic.PageID] = pic
			continue
		}
		if before := last[pic.PageID]; before != nil {
			p.report.Dropped.Frames--
			p.keepPicture(before, content)
			delete(last, pic.PageID)
		}
		p.keepPicture(pic, content)
	}
}

// keepPicture keeps a picture unless it is the same as the one kept last.
func (p *plan) keepPicture(pic *trace.Picture, content map[string]string) {
	if p.o.DuplicateFrames {
		sum := p.sum(pic.File)
		if sum != "" && content[pic.PageID] == sum {
			p.report.Dropped.Frames++
			return
		}
		content[pic.PageID] = sum
	}
	p.pictures[pictureKey{pic.PageID, pic.File, pic.Timestamp}]++
	p.report.Kept.Frames++
}

// sum returns a hash of an entry's bytes, and "" if it cannot be read.
func (p *plan) sum(file string) string {
	rc, err := p.src.Resource(p.ctx, file)
	if err != nil {
		return ""
	}
	defer rc.Close()
	h := sha256.New()
	if _, err := io.Copy(h, rc); err != nil {
		return ""
	}
	return string(h.Sum(nil))
}

// pages keeps the snapshots of the calls that are kept.
func (p *plan) pages() {
	for _, s := range p.t.Snapshots {
		file := s.Position.File
		if s.Context != nil {
			file = s.Context.File
		}
		key := callKey{file, s.CallID}
		keep := p.calls[key] || !p.known[key] && p.kept(s.Time, s.Time)
		if p.o.NoSnapshots || p.o.FailedSnapshots && !p.failed[key] {
			keep = false
		}
		if keep {
			p.snapshots[s.Position] = true
			p.report.Kept.Snapshots++
		} else {
			p.report.Dropped.Snapshots++
		}
		f := p.frame(s.Position.File, s.FrameID)
		if keep {
			f.last = f.count
		}
		f.count++
	}
}

// leavesOut reports whether a body of that type and size is left out.
func (p *plan) leavesOut(mime string, size int64) bool {
	if p.o.MaxBody > 0 && size > p.o.MaxBody {
		return true
	}
	kind := mediaType(mime)
	for _, pattern := range p.o.BodyTypes {
		if ok, _ := path.Match(strings.ToLower(pattern), kind); ok || pattern == "*/*" {
			return true
		}
	}
	return false
}

// entry keeps what some kept line names, sources, and what no line names
// because it is not of a kind that lines name.
func (p *plan) entry(e trace.Entry) bool {
	keep := p.files[e.Name] || !p.named[e.Name] && !blob(e.Name)
	c := &p.report.Dropped
	if keep {
		c = &p.report.Kept
	}
	c.Entries++
	c.Bytes += max(e.Size, 0)
	return keep
}

// blob reports whether an entry is in a folder of what lines name.
func blob(name string) bool {
	dir, base := path.Split(name)
	switch path.Base(dir) {
	case "resources":
		return !strings.HasPrefix(base, "src@")
	case "screencast", "screenshots", "aria", "attachments":
		return true
	}
	return false
}
