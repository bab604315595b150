package viewer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	stacks    map[string]map[string][]trace.StackFrame
	started   time.Time
}

func openRecording(ctx context.Context, path string, o index.Options) (*recording, error) {
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		return nil, err
	}
	r := &recording{id: recordingID(a, path), name: path, archive: a, options: o, wakers: map[chan struct{}]int{}, stacks: map[string]map[string][]trace.StackFrame{}}
	r.content = &content.Trace{ID: r.id, Token: newToken(), Archive: a, Snapshots: r.allSnapshots}
	return r, nil
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
	err   error
}

func (r *recording) progress() progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := progress{r.index, r.epoch, r.batch, r.took, r.err}
	if !p.batch.Done && r.err == nil && !r.started.IsZero() {
		p.took = time.Since(r.started)
	}
	return p
}

// run reads the recording until it is read or ctx ends, and goes on with one
// that grows. It is called once.
func (r *recording) run(ctx context.Context) {
	for {
		size := r.size()
		r.read(ctx)
		if !r.archive.Growing() || !r.grown(ctx, size) {
			return
		}
	}
}

func (r *recording) read(ctx context.Context) {
	o := r.options
	o.OnBatch = func(b index.Batch) { r.tell(func() { r.batch = b; r.took = time.Since(r.started) }) }
	b := index.NewBuilder(r.archive, o)
	r.tell(func() {
		r.index, r.epoch, r.batch, r.err, r.started = b.Index(), newToken()[:12], index.Batch{}, nil, time.Now()
		r.snapshots = content.FromIndex(r.archive, r.index)
	})
	if err := b.Run(ctx); err != nil && ctx.Err() == nil {
		r.tell(func() { r.err = err })
	}
}

// livePoll is how often a folder is looked at while it may still grow.
const livePoll = 100 * time.Millisecond

// grown waits until there is more than size bytes to read; false means that
// ctx ended first.
func (r *recording) grown(ctx context.Context, size int64) bool {
	t := time.NewTicker(livePoll)
	defer t.Stop()
	for r.size() == size {
		select {
		case <-ctx.Done():
			return false
		case <-t.C:
		}
	}
	return true
}

// size is how many bytes of events there are.
func (r *recording) size() int64 {
	var all int64
	for _, f := range r.archive.Files() {
		for _, name := range []string{f.Trace, f.Network} {
			if e, ok := r.archive.Resolve(name); ok {
				all += e.Size
			}
		}
	}
	return all
}
