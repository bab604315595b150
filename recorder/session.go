package recorder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/trace"
)

// Session is a recording under way. Its methods are safe for concurrent use.
// Stop it.
type Session struct {
	o        Options
	dir      string
	start    time.Time
	tap      *tap
	rec      *cdp.Recorder
	done     chan struct{} // closed by Stop
	asked    chan struct{} // closed when a person wants the end
	askOnce  sync.Once
	over     chan struct{} // closed when there is nothing more to record, or no way to
	overOnce sync.Once
	hotGroup int // number of the group that a hot key began; the recorder's loop has it

	mu       sync.Mutex
	w        *trace.Writer
	header   trace.ContextOptions
	chunk    *trace.Chunk // nil between chunks
	calls    int
	groups   []string                  // call ids of those that are open
	under    []string                  // call ids of actions under way
	between  []*trace.ResourceSnapshot // requests that ended while no chunk was open
	warnings []trace.Warning
	err      error
	stopped  bool
	flushing sync.WaitGroup
	soon     chan struct{} // something that people wait for is written
}

// Options returns what the session was started with.
func (s *Session) Options() Options { return s.o }

// maxBetween is how many requests between two chunks are kept.
const maxBetween = 10000

// New begins a session that no browser feeds. It is for sources of one's own,
// which write to it as a [cdp.Sink]. header says who they are; its clocks are
// set here.
func New(o Options, header trace.ContextOptions) (*Session, error) {
	dir, err := o.dir()
	if err != nil {
		return nil, err
	}
	if err := free(dir); err != nil {
		return nil, err
	}
	w, err := trace.CreateFolder(dir, trace.WriterOptions{CumulativeNetwork: true})
	if err != nil {
		return nil, fmt.Errorf("recording into %s: %w", dir, err)
	}
	s := &Session{o: o, dir: dir, start: time.Now(), done: make(chan struct{}), asked: make(chan struct{}), over: make(chan struct{}), w: w, header: header, soon: make(chan struct{}, 1)}
	if err := s.begin(o.Title); err != nil {
		w.Discard()
		return nil, err
	}
	s.flushing.Add(1)
	go s.flush()
	return s, nil
}

// free makes sure that no recording is in the folder: it may be the only copy
// of one whose recorder died.
func free(dir string) error {
	list, err := filepath.Glob(filepath.Join(dir, "*.trace"))
	if err == nil && len(list) > 0 {
		return &exists{dir}
	}
	return nil
}

// exists is the error for a folder that holds a recording.
type exists struct{ dir string }

func (e *exists) Error() string { return fmt.Sprintf("%s: there is a recording already", e.dir) }
func (e *exists) Hint() string {
	return "tracedeck pack makes a zip of it if its recorder died; then remove the folder"
}

// flush hands on what waits for company, so that a recording can be watched.
func (s *Session) flush() {
	defer s.flushing.Done()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-s.done:
			return
		case <-tick.C:
		case <-s.soon:
		}
		if err := s.w.Flush(); err != nil {
			s.fail(err)
		}
	}
}

// Dir returns the folder that is recorded into.
func (s *Session) Dir() string { return s.dir }

// Now returns the time on the recording's clock, which begins with it.
func (s *Session) Now() trace.Time { return trace.Time(time.Since(s.start)) }

// Write writes an event to the chunk that is open, and drops it if none is.
// Requests are kept for the next one, whose snapshots may need what they brought.
// The first error of the writer is returned by Stop.
func (s *Session) Write(b trace.Body) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(b)
}

func (s *Session) write(b trace.Body) {
	if s.chunk == nil {
		if q, ok := b.(*trace.ResourceSnapshot); ok && len(s.between) < maxBetween {
			s.between = append(s.between, q)
		}
		return
	}
	if err := s.chunk.Write(b); err != nil && !errors.Is(err, trace.ErrOrphan) {
		s.broken(err)
	}
	if _, ends := b.(*trace.After); ends {
		select {
		case s.soon <- struct{}{}:
		default: // it is about to be
		}
	}
}

// fail remembers why nothing more can be written. The session is done then.
func (s *Session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken(err)
}

func (s *Session) broken(err error) {
	if s.err == nil {
		s.err = err
	}
	s.overOnce.Do(func() { close(s.over) })
}

// AddResource writes bytes and returns the name by which events mean them.
func (s *Session) AddResource(data []byte, ext string) (string, error) {
	return s.w.AddResource(data, ext)
}

// Stream makes an entry of the recording that grows.
func (s *Session) Stream(name string) (io.WriteCloser, error) {
	if err := s.w.AddEntry(name, bytes.NewReader(nil)); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(s.dir, filepath.FromSlash(name)), os.O_APPEND|os.O_WRONLY, 0o644)
}

// NewCall returns an id for an action, and the id of the group that it is in.
func (s *Session) NewCall() (id, parent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newCall(), s.group()
}

func (s *Session) newCall() string {
	s.calls++
	return fmt.Sprintf("call@%d", s.calls)
}

func (s *Session) group() string {
	if n := len(s.groups); n > 0 {
		return s.groups[n-1]
	}
	return ""
}

// Warn remembers something that is not in the recording, and says so in it.
func (s *Session) Warn(w trace.Warning) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.warnings = append(s.warnings, w)
}

// Warnings returns what is not in the recording, and why.
func (s *Session) Warnings() []trace.Warning {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]trace.Warning(nil), s.warnings...)
}

// Done is closed when there is nothing more to record: the browser is gone, the
// session is stopped, or nothing can be written any more, as when the disk is
// full. Stop says why. A session without a browser is done when stopped.
func (s *Session) Done() <-chan struct{} { return s.over }

// Stop ends the recording and makes the zip, if there is to be one. The
// browser goes on. Whatever goes wrong, what was recorded stays in the folder.
func (s *Session) Stop(ctx context.Context) error {
	s.mu.Lock()
	if s.stopped {
		s.mu.Unlock()
		return errors.New("the recording is stopped already")
	}
	s.stopped = true
	s.mu.Unlock()
	if s.tap != nil {
		s.tap.remove()
	}
	if s.rec != nil {
		_ = s.rec.Stop(ctx) // the connection may be gone already
	}
	close(s.done)
	s.overOnce.Do(func() { close(s.over) })
	s.flushing.Wait()
	return s.finish(ctx)
}

func (s *Session) finish(ctx context.Context) error {
	s.mu.Lock()
	s.chunk = nil
	err := s.err
	s.mu.Unlock()
	if cerr := s.w.Close(); err == nil {
		err = cerr
	}
	if s.o.Output == "" {
		return err
	}
	if _, perr := trace.Pack(ctx, s.dir, s.o.Output); perr != nil {
		return &cutShort{errors.Join(err, perr), s.dir, fmt.Sprintf("make room, or choose another disk, and run: tracedeck pack %s -o %s", s.dir, s.o.Output)}
	}
	if err != nil {
		return &cutShort{err, s.o.Output, "make room; what came before the error is in " + s.o.Output + " and in " + s.dir}
	}
	if s.o.Dir == "" {
		return os.RemoveAll(s.dir)
	}
	return nil
}

// cutShort is the error for a recording that is not all there.
type cutShort struct {
	err   error
	place string // what there is
	hint  string
}

func (e *cutShort) Error() string { return fmt.Sprintf("%v; the recording is in %s", e.err, e.place) }
func (e *cutShort) Unwrap() error { return e.err }
func (e *cutShort) Hint() string  { return e.hint }
