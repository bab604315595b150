package cdp

import (
	"context"

	"github.com/tracedeck/tracedeck/trace"
)

// PageID returns the id by which events mean the page of a target.
func PageID(target string) string {
	if target == "" {
		return ""
	}
	return pageRef(target)
}

// Records reports whether the page of that id is being recorded.
func (r *Recorder) Records(pageID string) (yes bool) {
	r.do(func() { yes = r.pageOf(pageID) != nil })
	return yes
}

// Settle waits until bodies and pictures under way are written, for as long as
// the options allow.
func (r *Recorder) Settle(ctx context.Context) { r.settle(ctx) }

// Restart has begin called between two events, and then tells the sink again
// which pages are open: what came before is not in the chunk that begins.
func (r *Recorder) Restart(begin func() error) (err error) {
	err = ErrGone
	r.do(func() {
		if err = begin(); err != nil {
			return
		}
		at := r.sink.Now()
		for _, p := range r.pages {
			p.cast.last, p.cast.before = "", ""
			r.announce(p, at)
		}
		r.input.restart()
	})
	return err
}

// Before writes the beginning of an action that somebody else carries out,
// with a snapshot of its page. It returns when the snapshot is taken.
func (r *Recorder) Before(b *trace.Before) {
	taken := make(chan struct{})
	if !r.do(func() {
		p := r.pageOf(b.PageID)
		if p == nil {
			r.sink.Write(b)
			close(taken)
			return
		}
		r.quicken(p)
		r.input.conclude(p, func() {
			r.input.began(b.CallID, p)
			if r.o.Snapshots {
				b.ExpectSnapshot()
			}
			r.sink.Write(b)
			r.input.snapshot(p, b.CallID, trace.PhaseBefore, func(int) { close(taken) })
		})
	}) {
		r.sink.Write(b)
		return
	}
	select {
	case <-taken:
	case <-r.ended:
	}
}

// After writes the end of an action, and then takes a snapshot and a picture
// of its page. It does not wait for them.
func (r *Recorder) After(a *trace.After, pageID string) {
	if !r.do(func() {
		r.input.over(a.CallID)
		p := r.pageOf(pageID)
		if p == nil {
			r.sink.Write(a)
			return
		}
		r.quicken(p)
		r.input.end(p, a)
	}) {
		r.sink.Write(a)
	}
}

func (r *Recorder) pageOf(id string) *page {
	for _, p := range r.pages {
		if p.id == id && id != "" {
			return p
		}
	}
	return nil
}
