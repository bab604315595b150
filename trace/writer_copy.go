package trace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Change is what is to become of an event.
type Change uint8

// What can become of an event.
const (
	Keep    Change = iota // written as it was, byte for byte where it can be
	Changed               // written anew, because its Body was changed
	Drop                  // not written
)

// CopyOptions say what [Copy] does on the way. The zero value copies all.
type CopyOptions struct {
	// Edit, if set, is called with each event, may change its Body, and says
	// what is to become of it. A file of a version before 8 is then written in
	// the Writer's version, because changed events cannot be written in its own.
	Edit func(*Event) Change
	// Entry, if set, says whether an entry other than events is copied.
	Entry func(Entry) bool
	// Convert brings all events to the Writer's version.
	Convert bool
	// DropBadLines leaves out lines that are no events. Otherwise they are
	// copied too, unless the file is converted.
	DropBadLines bool
	// Verify inflates entries to check them. A damaged one is then written as
	// far as it can be read. Otherwise packed bytes are copied as they are.
	Verify bool
}

// CopyReport says what was copied.
type CopyReport struct {
	Events   int // written
	Changed  int // of these, written anew by the caller's wish
	Dropped  int // by the caller's wish
	Entries  int // other than events
	Warnings []Warning
}

func (r *CopyReport) warn(code, place, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{Code: code, Place: place, Text: fmt.Sprintf(format, args...)})
}

// Copy writes all of src to dst: lines that nobody changes byte for byte,
// with whatever they hold that this package does not know, and other entries
// without inflating them. Files keep their names and, unless they are
// converted, their versions. What is damaged in src is a warning.
func Copy(ctx context.Context, dst *Writer, src *Archive, o CopyOptions) (*CopyReport, error) {
	c := &copying{ctx: ctx, dst: dst, src: src, o: o, renamed: map[string]string{}, taken: map[string]bool{}, sources: map[string]string{}}
	for _, f := range src.files {
		if err := c.file(f); err != nil {
			return &c.report, fmt.Errorf("%s: %w", src.name, err)
		}
	}
	if err := c.entries(); err != nil {
		return &c.report, fmt.Errorf("%s: %w", src.name, err)
	}
	return &c.report, nil
}

type copying struct {
	ctx     context.Context
	dst     *Writer
	src     *Archive
	o       CopyOptions
	report  CopyReport
	done    []string          // entries that are written as events
	renamed map[string]string // entries that have another name in the version that is written
	taken   map[string]bool   // call ids of the library's files so far
	sources map[string]string // entry of a source to its name in the version that is written
}

// target is the file that is being written, and how.
type target struct {
	*Chunk
	out     textFile
	convert *conversion // nil where lines stay as they are
}

func (c *copying) file(f File) error {
	t := &target{}
	low := lowering{version: min(f.Version(), CurrentVersion)}
	if c.o.Convert || c.o.Edit != nil && f.Version() < 8 {
		var err error
		if t.convert, err = c.conversion(f); err != nil {
			return err
		}
		low = t.convert.low
	}
	c.dst.mu.Lock()
	defer c.dst.mu.Unlock()
	var err error
	if t.Chunk, err = c.dst.open(strings.TrimSuffix(f.Trace, ".trace"), low); err != nil {
		return err
	}
	t.out = t.trace
	if err := c.lines(t, f, f.Trace); err != nil {
		return err
	}
	if f.Network != "" {
		if err := t.openNetwork(); err != nil {
			return err
		}
		t.out = t.network
		if err := c.lines(t, f, f.Network); err != nil {
			return err
		}
	}
	c.done = append(c.done, f.Trace, f.Network)
	for _, body := range t.held {
		if err := t.putTo(t.trace, body); err != nil {
			return err
		}
	}
	t.stopped = true
	for _, out := range t.files() {
		if err := out.close(); err != nil {
			return c.dst.keep(err)
		}
	}
	return c.stacks(t, f)
}

// lines copies one entry of lines.
func (c *copying) lines(t *target, f File, name string) error {
	r, err := c.src.ReadFile(c.ctx, f, name)
	if err != nil {
		c.report.warn("W_CUT_OFF", name, "not read: %v", err)
		return nil
	}
	defer r.Close()
	var line copiedLine
	for n := 0; ; n++ {
		if n%256 == 0 && c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		e, err := r.Next()
		if err == nil && (anchor(e) || line.add(e)) {
			continue
		}
		if werr := c.write(t, &line); werr != nil {
			return c.dst.keep(werr)
		}
		var bad *SyntaxError
		switch {
		case err == nil:
			line.begin(e)
		case err == io.EOF:
			return nil
		case errors.As(err, &bad):
			if err := c.bad(t, bad); err != nil {
				return err
			}
		default:
			c.report.warn("W_CUT_OFF", name, "%v", err)
			return c.ctx.Err()
		}
	}
}

// anchor holds for what a reader adds of its own.
func anchor(e *Event) bool {
	_, ok := e.Body.(*ClockAnchor)
	return ok
}

// copiedLine is a line and the events it became.
type copiedLine struct {
	raw    []byte
	events []*Event
}

// add takes another event of the same line.
func (l *copiedLine) add(e *Event) bool {
	if len(l.events) == 0 || e.Raw != nil || e.Position.Line == 0 || e.Position.Line != l.events[0].Position.Line {
		return false
	}
	l.events = append(l.events, e)
	return true
}

func (l *copiedLine) begin(e *Event) {
	l.raw = append(l.raw[:0], e.Raw...)
	if e.Raw != nil {
		e.Raw = l.raw
	}
	l.events = append(l.events[:0], e)
}

// write writes a line: as it was where nothing of it is changed.
func (c *copying) write(t *target, l *copiedLine) error {
	if len(l.events) == 0 {
		return nil
	}
	events := l.events
	l.events = l.events[:0]
	changes := make([]Change, len(events))
	plain := t.convert == nil
	for i, e := range events {
		if c.o.Edit != nil {
			changes[i] = c.o.Edit(e)
		}
		plain = plain && changes[i] == Keep
	}
	if plain {
		if events[0].Position.Line == 0 {
			return nil // an opening line that the file does without
		}
		c.report.Events += len(events)
		for _, e := range events {
			t.note(e.Body)
		}
		return putLine(t.out, l.raw, false)
	}
	for i, e := range events {
		if err := c.writeEvent(t, e, changes[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *copying) writeEvent(t *target, e *Event, change Change) error {
	if _, ok := e.Body.(*Dropped); ok && (change != Keep || t.convert != nil) {
		return nil
	}
	if change == Drop {
		c.report.Dropped++
		return nil
	}
	if change == Changed {
		c.report.Changed++
	}
	c.report.Events++
	body := e.Body
	if t.convert != nil {
		body = t.convert.body(body)
		eachFile(body, func(file *string) { c.rename(*file, t.low.fileName(*file)) })
	}
	return t.putTo(t.out, body)
}

// rename remembers that an entry gets another name.
func (c *copying) rename(from, to string) {
	if from == to {
		return
	}
	if e, ok := c.src.Resolve(from); ok {
		c.renamed[e.Name] = to
	}
}

// bad copies a line that is no event.
func (c *copying) bad(t *target, bad *SyntaxError) error {
	place := fmt.Sprintf("%s:%d", bad.File, bad.Line)
	if c.o.DropBadLines || t.convert != nil {
		c.report.warn("W_BAD_LINE", place, "left out: %v", bad.Err)
		return nil
	}
	line, err := c.src.Line(c.ctx, bad.Position)
	if err != nil {
		c.report.warn("W_BAD_LINE", place, "left out: %v", bad.Err)
		return nil
	}
	return c.dst.keep(putLine(t.out, line, false))
}

// entries copies what is not events.
func (c *copying) entries() error {
	done := map[string]bool{seekEntry: true}
	for _, name := range c.done {
		done[name] = true
	}
	for _, e := range c.src.Entries() {
		if done[e.Name] || c.o.Entry != nil && !c.o.Entry(e) {
			continue
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
		to := e.Name
		if name, ok := c.renamed[e.Name]; ok {
			to = name
		} else if name, ok := c.sources[e.Name]; ok {
			to = name
		}
		if err := c.entry(e, to); err != nil {
			return err
		}
	}
	return nil
}

func (c *copying) entry(e Entry, to string) error {
	if err := checkEntryName(to); err != nil {
		c.report.warn("W_ENTRY_NAME", e.Name, "left out: %v", err)
		return nil
	}
	err := c.dst.copyEntry(c.ctx, c.src, e.Name, to, c.o.Verify)
	var cut *cutEntryError
	if errors.As(err, &cut) {
		c.report.warn("W_DAMAGED_ENTRY", e.Name, "%v", cut.err)
		return nil
	}
	if err == nil {
		c.report.Entries++
	}
	return err
}

// cutEntryError is an entry of which only a part was copied.
type cutEntryError struct{ err error }

func (e *cutEntryError) Error() string { return e.err.Error() }

// CopyResource writes the entry of src that file means under the name to,
// without inflating it, and keeps it as it is.
func (w *Writer) CopyResource(ctx context.Context, src *Archive, file, to string) error {
	e, ok := src.Resolve(file)
	if !ok {
		return fmt.Errorf("%s: %s: %w", src.name, file, errNotThere)
	}
	if err := checkEntryName(to); err != nil {
		return err
	}
	return w.copyEntry(ctx, src, e.Name, to, false)
}

// rawStore is a store that hands out packed bytes.
type rawStore interface {
	openRaw(ctx context.Context, name string) (packedEntry, io.ReadCloser, error)
}

func (w *Writer) copyEntry(ctx context.Context, src *Archive, from, to string, verify bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.usable(); err != nil || w.have[to] {
		return err
	}
	raws, ok := src.store.(rawStore)
	if _, zipped := w.out.(*zipSink); ok && zipped && !verify {
		if e, rc, err := raws.openRaw(ctx, from); err == nil {
			defer rc.Close()
			e.name = to
			w.have[to] = true
			return w.keep(w.out.raw(e, copier{rc}))
		}
	}
	rc, err := src.store.open(ctx, from)
	if err != nil {
		return &cutEntryError{err}
	}
	defer rc.Close()
	r := &cutReader{r: rc}
	if err := w.once(to, func() error { return w.out.stream(to, r) }); err != nil {
		return err
	}
	if r.err != nil {
		return &cutEntryError{r.err}
	}
	return nil
}

type copier struct{ r io.Reader }

func (c copier) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, c.r) }

// cutReader ends where its reader goes wrong, and remembers why.
type cutReader struct {
	r   io.Reader
	err error
}

func (c *cutReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err != nil && err != io.EOF {
		c.err, err = err, io.EOF
	}
	return n, err
}

// stacks writes the .stacks entry of a converted file; that of another is
// copied with the other entries.
func (c *copying) stacks(t *target, f File) error {
	if t.convert == nil || f.Stacks == "" {
		return nil
	}
	c.done = append(c.done, f.Stacks)
	text, ok := t.convert.stacksText()
	if !ok {
		return nil
	}
	name := t.prefix + path.Ext(f.Stacks)
	return c.dst.once(name, func() error { return c.dst.out.stream(name, bytes.NewReader(text)) })
}
