package trace

import (
	"bytes"
	"context"
	"fmt"
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
	// Filter, if set, is called for each file and returns what its events go
	// through instead of Edit; nil leaves the file as it is. It may hold events
	// back, add some and leave some out.
	Filter func(File) Filter
	// Line, if set, is called with each line of the file's entries as it is,
	// also with lines that are no events, and returns the line that is written
	// instead; nil leaves it out. Files then keep their versions, and nothing
	// else that concerns events applies.
	Line func(entry string, number int, line []byte) []byte
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
	filter  Filter
	convert *conversion // nil where lines stay as they are
}

func (c *copying) file(f File) error {
	t, err := c.target(f)
	if err != nil {
		return err
	}
	t.out = t.trace
	if err := c.lines(t, f, f.Trace); err != nil {
		return err
	}
	if f.Network != "" {
		if err := c.fail(t.openNetwork()); err != nil {
			return err
		}
		t.out = t.network
		if err := c.lines(t, f, f.Network); err != nil {
			return err
		}
	}
	c.done = append(c.done, f.Trace, f.Network)
	c.dst.mu.Lock()
	defer c.dst.mu.Unlock()
	t.stopped = true
	for _, out := range t.files() {
		if err := out.close(); err != nil {
			return c.dst.keep(err)
		}
	}
	return c.stacks(t, f)
}

// target opens what the file is written to.
func (c *copying) target(f File) (*target, error) {
	t := &target{}
	if c.o.Filter != nil {
		t.filter = c.o.Filter(f)
	}
	low := lowering{version: min(f.Version(), CurrentVersion)}
	if c.o.Convert || (c.o.Edit != nil || t.filter != nil) && f.Version() < 8 {
		var err error
		if t.convert, err = c.conversion(f); err != nil {
			return nil, err
		}
		low = t.convert.low
	}
	c.dst.mu.Lock()
	defer c.dst.mu.Unlock()
	var err error
	t.Chunk, err = c.dst.open(strings.TrimSuffix(f.Trace, ".trace"), low)
	return t, err
}

// fail remembers an error of the output.
func (c *copying) fail(err error) error {
	if err == nil {
		return nil
	}
	c.dst.mu.Lock()
	defer c.dst.mu.Unlock()
	return c.dst.keep(err)
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
