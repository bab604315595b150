package trace

import (
	"errors"
	"fmt"
)

// ErrOrphan is the cause of an error for an event of a call whose before line
// is not in the chunk. Viewers refuse a trace that holds such an event, so it
// is not written; the caller may ignore the error.
var ErrOrphan = errors.New("the chunk holds no before line of the call")

// maxHeld is how many bytes of snapshots wait for the line that names them.
const maxHeld = 64 << 20

// Chunk is one pair of files of a trace: what was recorded of one browser
// context, or a part of it. Several may be open at once. Its methods are safe
// for concurrent use.
type Chunk struct {
	w        *Writer
	prefix   string
	trace    textFile
	network  textFile
	low      lowering
	calls    map[string]*callState
	last     Time // the latest moment that was written
	held     []*FrameSnapshot
	heldSize int
	refs     map[string]bool // resources that its events name
	netRefs  map[string]bool // and its requests
	stopped  bool
	line     []byte
}

// callState is what is remembered of a call.
type callState struct {
	start Time
	group bool
	seen  bool // snapshots may be taken of it
	open  bool
}

// StartChunk begins the next chunk, "<n>-trace", with header as its first
// line; the header's Version is set.
func (w *Writer) StartChunk(header *ContextOptions) (*Chunk, error) {
	w.mu.Lock()
	n := len(w.chunks)
	w.mu.Unlock()
	return w.StartFile(fmt.Sprintf("%d-trace", n), header)
}

// StartFile is [Writer.StartChunk] for files of another prefix, such as "test".
func (w *Writer) StartFile(prefix string, header *ContextOptions) (*Chunk, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c, err := w.open(prefix, lowering{version: w.version, all: w.o.Snapshots, runner: header.Origin == "testRunner"})
	if err != nil {
		return nil, err
	}
	if err := c.openNetwork(); err != nil {
		return nil, w.keep(err)
	}
	h := *header
	h.Version = w.version
	c.last = h.MonotonicTime
	return c, w.keep(c.put(&h))
}

func (w *Writer) open(prefix string, low lowering) (*Chunk, error) {
	if err := w.usable(); err != nil {
		return nil, err
	}
	if err := checkEntryName(prefix + ".trace"); err != nil {
		return nil, err
	}
	for _, name := range []string{prefix + ".trace", prefix + ".network"} {
		if w.have[name] {
			return nil, fmt.Errorf("%s: there is a chunk of that name", name)
		}
		w.have[name] = true
	}
	c := &Chunk{w: w, prefix: prefix, low: low, calls: map[string]*callState{}, refs: map[string]bool{}, netRefs: map[string]bool{}}
	var err error
	if c.trace, err = w.out.text(prefix + ".trace"); err != nil {
		return nil, w.keep(err)
	}
	w.chunks = append(w.chunks, c)
	return c, nil
}

// openNetwork makes the .network file.
func (c *Chunk) openNetwork() (err error) {
	if c.network == nil {
		c.network, err = c.w.out.text(c.prefix + ".network")
	}
	return err
}

// Prefix returns the name of the chunk's files without their ends.
func (c *Chunk) Prefix() string { return c.prefix }

// Write writes an event: a request to the .network file, anything else to the
// .trace file. An event of a call that the chunk does not hold is not written
// and answered by [ErrOrphan]; a [Begun] is written to folders only; an end before its start is put at the start; a
// snapshot waits for the line that names it.
func (c *Chunk) Write(body Body) error {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if err := c.usable(); err != nil {
		return err
	}
	return c.write(complete(body))
}

func (c *Chunk) usable() error {
	if c.stopped {
		return fmt.Errorf("%s: the chunk is stopped", c.prefix)
	}
	return c.w.usable()
}

func (c *Chunk) write(body Body) error {
	switch b := body.(type) {
	case *ContextOptions:
		return fmt.Errorf("%s: a chunk has one context-options line", c.prefix)
	case *Before:
		kind := KindOf(b.Class, b.Method)
		c.calls[b.CallID] = &callState{start: b.StartTime, group: kind == KindGroup, seen: kind == KindCall, open: true}
		c.saw(b.StartTime)
	case *Begun:
		if _, watched := c.w.out.(*folderSink); !watched {
			return nil
		}
		c.saw(b.StartTime)
	case *Input:
		if c.calls[b.CallID] == nil {
			return c.orphan(b, b.CallID)
		}
	case *Log:
		if c.calls[b.CallID] == nil {
			return c.orphan(b, b.CallID)
		}
	case *After:
		return c.after(b)
	case *FrameSnapshot:
		c.saw(b.Timestamp)
		c.hold(b)
		return c.release(c.heldSize > maxHeld)
	}
	return c.w.keep(c.put(body))
}

func (c *Chunk) orphan(body Body, id string) error {
	return fmt.Errorf("%s: %s of %s: %w", c.prefix, body.EventType(), id, ErrOrphan)
}

func (c *Chunk) saw(t Time) {
	if t.Known() && t > c.last {
		c.last = t
	}
}

func (c *Chunk) after(b *After) error {
	call := c.calls[b.CallID]
	if call == nil {
		return c.orphan(b, b.CallID)
	}
	if b.EndTime < call.start {
		moved := *b
		moved.EndTime = call.start
		b = &moved
	}
	c.saw(b.EndTime)
	if err := c.w.keep(c.put(b)); err != nil {
		return err
	}
	call.open = false
	return c.release(false)
}

// hold queues a snapshot. All of them pass through the queue: what refers to
// an earlier snapshot of its frame counts them in the order of the file.
func (c *Chunk) hold(s *FrameSnapshot) {
	c.held = append(c.held, s)
	c.heldSize += len(s.HTML)
}

// release writes the snapshots at the head of the queue that are named.
func (c *Chunk) release(all bool) error {
	for len(c.held) > 0 {
		s := c.held[0]
		call := c.calls[s.CallID]
		if waits := c.low.version < 9 && s.Phase == PhaseAfter && call != nil && call.open; waits && !all {
			return nil
		}
		c.held = c.held[1:]
		c.heldSize -= len(s.HTML)
		if err := c.w.keep(c.put(s)); err != nil {
			return err
		}
	}
	return nil
}

// put writes an event's line to the file that it belongs to.
func (c *Chunk) put(body Body) error {
	if _, request := body.(*ResourceSnapshot); !request {
		return c.putTo(c.trace, body)
	}
	if err := c.openNetwork(); err != nil {
		return err
	}
	return c.putTo(c.network, body)
}

func (c *Chunk) putTo(f textFile, body Body) (err error) {
	c.note(body)
	c.low.quiet = c.quiet(body)
	c.line, err = c.low.append(c.line[:0], body)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", c.prefix, body.EventType(), err)
	}
	return putLine(f, c.line, !chatter(body))
}

// quiet holds for the ends of groups and the like, of which there are no
// snapshots.
func (c *Chunk) quiet(body Body) bool {
	b, ok := body.(*After)
	return ok && c.calls[b.CallID] != nil && !c.calls[b.CallID].seen
}

// chatter is what comes often and is not worth a system call each.
func chatter(body Body) bool {
	switch body.(type) {
	case *Log, *Console, *ContextEvent:
		return true
	}
	return false
}

func putLine(f textFile, line []byte, flush bool) error {
	if _, err := f.Write(line); err != nil {
		return err
	}
	if _, err := f.Write(lineEnd); err != nil || !flush {
		return err
	}
	return f.flush()
}

var lineEnd = []byte{'\n'}

// note remembers which resources the event names.
func (c *Chunk) note(body Body) {
	files := c.refs
	if _, ok := body.(*ResourceSnapshot); ok {
		files = c.netRefs
	}
	EachFile(body, func(file *string) { files[c.low.fileName(*file)] = true })
}

// Stop ends the chunk: groups left open are closed, other calls stay without
// an end.
func (c *Chunk) Stop() error {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if err := c.usable(); err != nil {
		return err
	}
	return c.w.keep(c.stop())
}

func (c *Chunk) stop() error {
	if c.stopped {
		return nil
	}
	err := c.closeGroups()
	if err == nil {
		err = c.release(true)
	}
	c.stopped = true
	for _, f := range c.files() {
		err = errors.Join(err, f.close())
	}
	return err
}

// closeGroups ends the innermost groups first: they began last.
func (c *Chunk) closeGroups() error {
	for {
		var id string
		for k, call := range c.calls {
			if call.group && call.open && (id == "" || call.start > c.calls[id].start || call.start == c.calls[id].start && k > id) {
				id = k
			}
		}
		if id == "" {
			return nil
		}
		if err := c.after(&After{CallID: id, EndTime: c.last}); err != nil {
			return err
		}
	}
}

func (c *Chunk) abandon() {
	if !c.stopped {
		c.stopped = true
		for _, f := range c.files() {
			f.close()
		}
	}
}

func (c *Chunk) flush() (err error) {
	if c.stopped {
		return nil
	}
	for _, f := range c.files() {
		err = errors.Join(err, f.flush())
	}
	return err
}

func (c *Chunk) files() []textFile {
	if c.network == nil {
		return []textFile{c.trace}
	}
	return []textFile{c.trace, c.network}
}
