package mcp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/redact"
	"github.com/tracedeck/tracedeck/trace/watch"
)

// mostOpen is how many traces are open at once; the one used the longest time
// ago is closed for another.
const mostOpen = 12

// deck holds the traces that are open.
type deck struct {
	s      *Server
	ctx    context.Context // ends with the server
	cancel context.CancelFunc
	mu     sync.Mutex
	list   []*session // the one used last comes last
	next   int
}

// session is an open trace.
type session struct {
	ID, Path string
	deck     *deck
	archive  *trace.Archive
	masker   *redact.Masker
	detector *watch.Detector
	log      *watch.Log
	live     bool
	done     chan struct{} // closed when the following of a live trace ended

	mu     sync.Mutex
	trace  *trace.Trace
	size   int64 // of a growing trace's files when it was loaded
	closed bool
}

func newDeck(s *Server) *deck {
	d := &deck{s: s}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	return d
}

// get returns the session of an id or a path, which is opened if need be.
func (d *deck) get(ctx context.Context, name string) (*session, error) {
	if name == "" {
		return d.only()
	}
	if t := d.find(name); t != nil {
		return t, nil
	}
	return d.open(ctx, name)
}

// only returns the one trace that is open, for calls that do not say which.
func (d *deck) only() (*session, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch len(d.list) {
	case 0:
		return nil, errors.New("no trace is open: call open with the path of one")
	case 1:
		return d.list[0], nil
	}
	return nil, fmt.Errorf("%d traces are open: say which by its id; list names them", len(d.list))
}

func (d *deck) find(name string) *session {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, t := range d.list {
		if t.ID == name || t.Path == name || t.Path == absolute(name) {
			d.list = append(slices.Delete(d.list, i, i+1), t)
			return t
		}
	}
	return nil
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil && !trace.IsAddress(path) {
		return abs
	}
	return path
}

func (d *deck) open(ctx context.Context, path string) (*session, error) {
	if t := d.find(path); t != nil {
		return t, nil
	}
	if err := d.s.o.allowed(path); err != nil {
		return nil, err
	}
	a, err := trace.Open(d.ctx, path, d.s.o.Trace)
	if err != nil {
		return nil, fmt.Errorf("%w; a trace is a zip, a folder with .trace files, or an http(s) address%s", err, d.others())
	}
	t := &session{Path: absolute(path), deck: d, archive: a, masker: redact.NewMasker(d.s.o.Redact), log: watch.NewLog(0), live: a.Growing(), done: make(chan struct{})}
	if err := t.masker.Learn(ctx, a); err != nil {
		a.Close()
		return nil, err
	}
	d.mu.Lock()
	d.next++
	t.ID = fmt.Sprintf("t%d", d.next)
	d.list = append(d.list, t)
	old := d.surplus()
	d.mu.Unlock()
	if old != nil {
		old.close()
	}
	t.follow()
	d.s.offer(t)
	return t, nil
}

// others names what is open, for a call that names nothing.
func (d *deck) others() string {
	var ids []string
	for _, t := range d.sessions() {
		ids = append(ids, t.ID)
	}
	if len(ids) == 0 {
		return ""
	}
	slices.Sort(ids)
	return "; open are " + strings.Join(ids, ", ")
}

// surplus takes the session out that was used the longest time ago, if there
// are too many.
func (d *deck) surplus() *session {
	if len(d.list) <= mostOpen {
		return nil
	}
	old := d.list[0]
	d.list = slices.Delete(d.list, 0, 1)
	return old
}

func (d *deck) sessions() []*session {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.list)
}

func (d *deck) close() {
	d.cancel()
	for _, t := range d.sessions() {
		<-t.done
		t.archive.Close()
	}
}

// close lets go of a session that nobody will find any more. Calls that use it
// end with an error.
func (t *session) close() {
	t.deck.s.withdraw(t)
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.archive.Close()
}

// follow watches a growing trace, and scans one that is finished when it is
// first asked for.
func (t *session) follow() {
	t.detector = watch.NewDetector(t.masker)
	if !t.live {
		close(t.done)
		return
	}
	d := t.deck
	news := make(chan watch.Finding, 256)
	go func() {
		defer close(news)
		_ = watch.Follow(d.ctx, t.Path, t.detector, watch.FollowOptions{All: true}, func(f watch.Finding) { // it ends with the server, or with the folder
			news <- t.log.Add(f)
		})
	}()
	go t.notify(news)
}

// notify tells subscribers that there is news: soon, and at most once a second.
func (t *session) notify(news <-chan watch.Finding) {
	defer close(t.done)
	p := watch.NewPacer(watch.Options{Batch: 200 * time.Millisecond, Throttle: time.Second, PerMinute: 60, Repeat: time.Nanosecond})
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case f, ok := <-news:
			if !ok {
				return
			}
			p.Add(f, time.Now())
		case now := <-tick.C:
			if _, ok := p.Next(now); ok {
				_ = t.deck.s.sdk.ResourceUpdated(t.deck.ctx, &mcp.ResourceUpdatedNotificationParams{URI: t.eventsURI()}) // a client that is gone hears nothing
			}
		}
	}
}

// findings returns what was found after the one of that number.
func (t *session) findings(ctx context.Context, since int64) (list []watch.Finding, lost int64, err error) {
	if !t.live {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.log.Last() == 0 {
			found, err := watch.Scan(ctx, t.archive, t.detector)
			if err != nil {
				return nil, 0, err
			}
			for _, f := range found {
				t.log.Add(f)
			}
		}
	}
	list, lost = t.log.Since(since)
	return list, lost, nil
}

// load returns the joined view, of a growing trace as it is now.
func (t *session) load(ctx context.Context) (*trace.Trace, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, fmt.Errorf("%s was closed to make room; open %s again", t.ID, t.Path)
	}
	size := int64(0)
	if t.live {
		a, err := trace.Open(t.deck.ctx, t.Path, t.deck.s.o.Trace)
		if err != nil {
			return t.last(err)
		}
		for _, e := range a.Entries() {
			size += e.Size
		}
		if t.trace != nil && size == t.size {
			a.Close()
			return t.trace, nil
		}
		t.archive.Close()
		t.archive = a
	} else if t.trace != nil {
		return t.trace, nil
	}
	tr, err := trace.Load(ctx, t.archive, trace.LoadOptions{})
	if err != nil {
		return nil, err
	}
	t.trace, t.size = tr, size
	return tr, nil
}

// last returns what is known of a live trace whose folder is gone, as it is
// when the recording was made a zip.
func (t *session) last(err error) (*trace.Trace, error) {
	if t.trace != nil {
		return t.trace, nil
	}
	return nil, fmt.Errorf("%w; if the recording is over, open its zip", err)
}

func (t *session) eventsURI() string { return "tracedeck://events/" + t.ID }

// subscribed opens nothing: only what is open can be subscribed to.
func (d *deck) subscribed(_ context.Context, uri string) error {
	for _, t := range d.sessions() {
		if uri == t.eventsURI() {
			return nil
		}
	}
	return mcp.ResourceNotFoundError(uri)
}
