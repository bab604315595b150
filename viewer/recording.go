package viewer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer/content"
)

// recording is one trace that the user named, and its index, which is made
// when a page first asks for it.
type recording struct {
	id      string // in links: the same for every copy of a zip
	name    string
	path    string // absolute, or an address
	content *content.Trace
	archive *trace.Archive
	options index.Options
	start   sync.Once

	mu        sync.Mutex
	index     *index.Index
	epoch     string
	snapshots *content.Indexed
	batch     index.Batch
	took      time.Duration
	err       error
	wakers    map[chan struct{}]int
	// Of a folder: whether what it held at first has been read, and when it
	// grew after that.
	caughtUp bool
	grew     time.Time
	stacks   map[string]map[string][]trace.StackFrame
	started  time.Time
	joined   joined
	findings findings
	known    Known         // what to hold it against
	copying  chan struct{} // one at a time makes a copy
}

func openRecording(ctx context.Context, path string, o index.Options, k Known) (*recording, error) {
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		return nil, err
	}
	return newRecording(a, path, o, k), nil
}

func newRecording(a *trace.Archive, path string, o index.Options, k Known) *recording {
	r := &recording{id: recordingID(a, path), name: path, path: absolute(path), archive: a, options: o, wakers: map[chan struct{}]int{}, stacks: map[string]map[string][]trace.StackFrame{}, known: k, copying: make(chan struct{}, 1)}
	r.content = &content.Trace{ID: r.id, Token: newToken(), Archive: a, Snapshots: r.allSnapshots, Complete: func() bool { return r.progress().done }}
	return r
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil && !isAddress(path) {
		return abs
	}
	return path
}

// recordingID is made of what the archive holds, or, while that still
// changes, of where it is.
func recordingID(a *trace.Archive, path string) string {
	if d := a.Digest(); !a.Growing() && len(d) >= 12 {
		return d[:12]
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}

// subscribe fills wake when there is something new, until cancel is called.
func (r *recording) subscribe(wake chan struct{}) (cancel func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wakers[wake]++
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.wakers[wake]--; r.wakers[wake] == 0 {
			delete(r.wakers, wake)
		}
	}
}

// wait waits until all there is has been read. It reports false if that went
// wrong, or if ctx ended first.
func (r *recording) wait(ctx context.Context) bool {
	wake := make(chan struct{}, 1)
	defer r.subscribe(wake)()
	for {
		if p := r.progress(); p.done || p.err != nil {
			return p.err == nil
		}
		select {
		case <-ctx.Done():
			return false
		case <-wake:
		}
	}
}

// tell changes the recording and wakes all who watch it.
func (r *recording) tell(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
	for w := range r.wakers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// progress is how far a recording has been read.
type progress struct {
	index *index.Index
	epoch string
	batch index.Batch
	took  time.Duration
	done  bool // all there is now has been read
	live  bool // more is coming
	err   error
}

func (r *recording) progress() progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := progress{index: r.index, epoch: r.epoch, batch: r.batch, took: r.took, err: r.err}
	p.done = r.batch.Done || r.caughtUp
	p.live = r.archive.Growing() && time.Since(r.grew) < liveQuiet
	if !p.done && r.err == nil && !r.started.IsZero() {
		p.took = time.Since(r.started)
	}
	return p
}

// run reads the recording, and goes on with one that grows until ctx ends. It
// is called once. StandBack may wait after each batch.
func (r *recording) run(ctx context.Context, standBack func(context.Context)) {
	o := r.options
	o.OnBatch = func(b index.Batch) { r.tell(func() { r.take(b) }) }
	r.tell(func() { r.started = time.Now() })
	if r.archive.Growing() {
		r.watch(ctx, o)
		return
	}
	tell := o.OnBatch
	o.OnBatch = func(b index.Batch) {
		tell(b)
		if !b.Done {
			standBack(ctx)
		}
	}
	if _, err := index.Open(ctx, r.archive, o); err != nil && ctx.Err() == nil {
		r.tell(func() { r.err = err })
	}
}

// take remembers how far an index has come; a new index is a new epoch.
func (r *recording) take(b index.Batch) {
	if b.Index != r.index {
		r.index, r.epoch, r.err = b.Index, newToken()[:12], nil
		r.snapshots = content.FromIndex(r.archive, r.index)
	}
	if b.Done && b.Bytes == 0 {
		b.Bytes = r.size() // it came from the cache
	}
	r.batch, r.took = b, time.Since(r.started)
}

// Times of a folder that may still be written to.
const (
	livePoll  = 25 * time.Millisecond  // between two looks at it
	quietPoll = 100 * time.Millisecond // and at one that has not grown for long
	liveQuiet = 10 * time.Second       // without anything new it counts as ended
)

// watch takes what comes into a folder. A file that became shorter is another
// recording in the same place: that begins anew.
func (r *recording) watch(ctx context.Context, o index.Options) {
	b := index.NewBuilder(r.archive, o)
	for {
		grown, err := b.Resume(ctx)
		switch {
		case errors.Is(err, trace.ErrTruncated):
			b = index.NewBuilder(r.archive, o)
		case err != nil && ctx.Err() == nil:
			r.tell(func() { r.err = err })
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(r.pulse(grown)):
		}
	}
}

// pulse remembers when the recording last grew, and says when to look again.
func (r *recording) pulse(grown bool) time.Duration {
	now := time.Now()
	r.mu.Lock()
	was := r.caughtUp && now.Sub(r.grew) < liveQuiet
	if grown && r.caughtUp {
		r.grew = now
	}
	first := !r.caughtUp
	r.caughtUp = true
	live := now.Sub(r.grew) < liveQuiet
	r.mu.Unlock()
	if first || was != live {
		r.tell(func() {})
	}
	if live {
		return livePoll
	}
	return quietPoll
}

// size is how many bytes of events and requests there are.
func (r *recording) size() (all int64) {
	for _, f := range r.archive.Files() {
		for _, name := range []string{f.Trace, f.Network} {
			if e, ok := r.archive.Resolve(name); ok && name != "" {
				all += max(e.Size, 0)
			}
		}
	}
	return all
}
