package trace

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"sort"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/modernize"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// Archive is an open trace: a zip, a folder that may still be growing, or a
// zip at an http(s) address. It is safe for concurrent use. Close it.
type Archive struct {
	name     string
	store    store
	options  Options
	files    []File
	dirs     []string // folders in which a hand-made zip has its entries
	warnings []Warning
}

// File is one recorded context of an archive: the names of the entries that
// hold its events, its requests and its call stacks. Only Trace is never "".
type File struct {
	Trace   string
	Network string
	Stacks  string
	header  modernize.Header
}

// Version returns the format version that the file claims.
func (f File) Version() int { return f.header.Version }

// ErrNoTrace is the cause of an error for something that opened but holds no
// trace.
var ErrNoTrace = errors.New("no .trace file inside")

func newArchive(ctx context.Context, s store, name string, o Options) (*Archive, error) {
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	a := &Archive{name: name, store: s, options: o}
	err := a.findFiles(ctx)
	if errors.Is(err, ErrNoTrace) && s.recover() {
		err = a.findFiles(ctx)
	}
	a.warnings = append(s.warnings(), a.warnings...)
	if err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return a, nil
}

// findFiles pairs the entries that belong together by their prefix.
func (a *Archive) findFiles(ctx context.Context) error {
	for _, e := range a.store.entries() {
		prefix, ok := strings.CutSuffix(e.Name, ".trace")
		if !ok || path.Base(prefix) == "" || strings.HasSuffix(prefix, "/") || prefix == "" {
			continue
		}
		f := File{Trace: e.Name}
		if a.Has(prefix + ".network") {
			f.Network = prefix + ".network"
		}
		if a.Has(prefix + ".stacks") {
			f.Stacks = prefix + ".stacks"
		}
		f.header = a.header(ctx, f)
		a.files = append(a.files, f)
		if dir := path.Dir(e.Name); dir != "." {
			a.dirs = append(a.dirs, dir)
		}
	}
	sort.SliceStable(a.files, func(i, j int) bool { return fileOrder(a.files[i].Trace, a.files[j].Trace) })
	if len(a.files) == 0 {
		return a.noTrace()
	}
	return nil
}

// fileOrder puts a test runner's file first and the others by number.
func fileOrder(x, y string) bool {
	rank := func(s string) (int, int, string) {
		base := path.Base(s)
		if strings.HasSuffix(base, "test.trace") {
			return 0, 0, s
		}
		digits := 0
		for digits < len(base) && base[digits] >= '0' && base[digits] <= '9' {
			digits++
		}
		n, _ := strconv.Atoi(base[:digits])
		return 1, n, s
	}
	r1, n1, s1 := rank(x)
	r2, n2, s2 := rank(y)
	if r1 != r2 {
		return r1 < r2
	}
	if n1 != n2 {
		return n1 < n2
	}
	return s1 < s2
}

// noTrace says what was opened instead of a trace, where that can be told.
func (a *Archive) noTrace() error {
	switch {
	case a.Has("metadata.json") && (a.hasPrefix("screenshots/") || a.hasPrefix("snapshots/")):
		a.warnings = append(a.warnings, Warning{Code: "W_LEGACY_BUNDLE", Place: "metadata.json",
			Text: "a Vibium command-line bundle: pictures and pages without events; tracedeck extract unpacks them"})
		return nil
	case a.Has("index.html"):
		return hintedError{fmt.Errorf("%w: it looks like an HTML report", ErrNoTrace), "the traces of a report are in its data folder: open one of those"}
	}
	return hintedError{ErrNoTrace, "a trace zip holds trace.trace, <n>-trace.trace or test.trace; was something else downloaded?"}
}

type hintedError struct {
	error
	hint string
}

func (h hintedError) Unwrap() error { return h.error }
func (h hintedError) Hint() string  { return h.hint }

func (a *Archive) hasPrefix(prefix string) bool {
	for _, e := range a.store.entries() {
		if strings.HasPrefix(e.Name, prefix) {
			return true
		}
	}
	return false
}

// header reads the first line of a .trace entry, which may be damaged.
func (a *Archive) header(ctx context.Context, f File) modernize.Header {
	rc, err := a.store.open(ctx, f.Trace)
	if err != nil {
		return modernize.Header{Version: CurrentVersion}
	}
	defer rc.Close()
	lines := newLineReader(rc, 1<<20)
	for range 10 {
		line, err := lines.next()
		if err != nil {
			break
		}
		if obj, perr := rawjson.Parse(line); perr == nil {
			return modernize.ReadHeader(obj)
		}
	}
	return modernize.Header{Version: CurrentVersion}
}

// Name returns the path or address that was opened.
func (a *Archive) Name() string { return a.name }

// Digest identifies what the archive holds: the same for every copy of a zip,
// on every machine. It is hexadecimal.
func (a *Archive) Digest() string { return a.store.digest() }

// Growing reports whether the archive is a folder that may still be written to.
func (a *Archive) Growing() bool { return a.store.growing() }

// Files returns the contexts: a test runner's first, then by number.
func (a *Archive) Files() []File { return a.files }

// Entries returns all entries, in the order they have in the zip.
func (a *Archive) Entries() []Entry { return a.store.entries() }

// Warnings returns what was found while opening.
func (a *Archive) Warnings() []Warning { return a.warnings }

// Close closes the archive and everything that was opened from it.
func (a *Archive) Close() error { return a.store.close() }

// Has reports whether there is an entry of that name.
func (a *Archive) Has(name string) bool {
	_, ok := a.store.lookup(name)
	return ok
}

// Resolve returns the name of the entry that a file name in an event means:
// the name itself, or the name inside the folder that a hand-made zip has
// around everything.
func (a *Archive) Resolve(file string) (Entry, bool) {
	if e, ok := a.store.lookup(file); ok {
		return e, true
	}
	for _, dir := range a.dirs {
		if e, ok := a.store.lookup(dir + "/" + file); ok {
			return e, true
		}
	}
	return Entry{}, false
}

// Resource opens the entry that a file name in an event means. The reader
// ends with an error where the entry is damaged, after its good part.
func (a *Archive) Resource(ctx context.Context, file string) (io.ReadCloser, error) {
	e, ok := a.Resolve(file)
	if !ok {
		return nil, fmt.Errorf("%s: %s: %w", a.name, file, errNotThere)
	}
	return a.store.open(ctx, e.Name)
}

var errNotThere = hintedError{errors.New("no such entry"), "the recorder did not keep it, or the trace was cut"}

// Events yields all events: file after file, a file's events before its
// requests. A *[SyntaxError] is yielded for a line that is none, and reading
// goes on; another error ends the file it is in, not the archive.
func (a *Archive) Events(ctx context.Context) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for _, f := range a.files {
			for e, err := range a.fileEvents(ctx, f) {
				if !yield(e, err) {
					return
				}
			}
		}
	}
}

// FileEvents is [Archive.Events] for one context.
func (a *Archive) FileEvents(ctx context.Context, f File) iter.Seq2[*Event, error] {
	return a.fileEvents(ctx, f)
}

func (a *Archive) fileEvents(ctx context.Context, f File) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for _, name := range []string{f.Trace, f.Network} {
			if name != "" && !a.entryEvents(ctx, f, name, yield) {
				return
			}
		}
	}
}

func (a *Archive) entryEvents(ctx context.Context, f File, name string, yield func(*Event, error) bool) bool {
	r, err := a.ReadFile(ctx, f, name)
	if err != nil {
		return yield(nil, err)
	}
	defer r.Close()
	for n := 0; ; n++ {
		if n%256 == 0 && ctx.Err() != nil {
			yield(nil, ctx.Err())
			return false
		}
		e, err := r.Next()
		if err == io.EOF {
			return true
		}
		var bad *SyntaxError
		if !yield(e, err) {
			return false
		}
		if err != nil && !errors.As(err, &bad) {
			return true
		}
	}
}

// FileReader is a [Reader] of an entry. Close it.
type FileReader struct {
	*Reader
	c io.Closer
}

// Close closes the entry.
func (r *FileReader) Close() error { return r.c.Close() }

// ReadFile opens one entry of a context: its Trace or its Network.
func (a *Archive) ReadFile(ctx context.Context, f File, name string) (*FileReader, error) {
	rc, err := a.store.open(ctx, name)
	if err != nil {
		return nil, err
	}
	r := newReader(rc, name, f.header)
	r.LimitLines(a.options.MaxLine)
	if name == f.Trace {
		r.queue = r.opening()
	}
	return &FileReader{Reader: r, c: rc}, nil
}

// Line returns the line that stands at p, as it is in the file.
func (a *Archive) Line(ctx context.Context, p Position) ([]byte, error) {
	rc, err := a.store.openAt(ctx, p.File, p.Offset)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	if p.Length < 0 || p.Length > a.options.MaxLine {
		return nil, fmt.Errorf("%s:%d: %w", p.File, p.Line, ErrLineTooLong)
	}
	var line bytes.Buffer
	if _, err := io.CopyN(&line, rc, int64(p.Length)); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", p.File, p.Line, err)
	}
	return line.Bytes(), nil
}

// EventsAt returns the events of the line that stands at p, brought up to
// date as far as one line alone can be.
func (a *Archive) EventsAt(ctx context.Context, p Position) ([]*Event, error) {
	line, err := a.Line(ctx, p)
	if err != nil {
		return nil, err
	}
	obj, err := rawjson.Parse(line)
	if err != nil {
		return nil, &SyntaxError{Position: p, Err: err}
	}
	return newReader(nil, p.File, a.headerOf(p.File)).take(obj, line, p), nil
}

// SnapshotAt returns the snapshot that stands at p.
func (a *Archive) SnapshotAt(ctx context.Context, p Position) (*FrameSnapshot, error) {
	events, err := a.EventsAt(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		if s, ok := e.Body.(*FrameSnapshot); ok {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%s:%d: not a snapshot", p.File, p.Line)
}

func (a *Archive) headerOf(file string) modernize.Header {
	for _, f := range a.files {
		if f.Trace == file || f.Network == file {
			return f.header
		}
	}
	return modernize.Header{Version: CurrentVersion}
}

// Source opens the text of a source file that a stack names; ok is false if
// the recorder did not keep it.
func (a *Archive) Source(ctx context.Context, file string) (rc io.ReadCloser, ok bool) {
	sum := sha1.Sum([]byte(file))
	hash := hex.EncodeToString(sum[:])
	for _, name := range []string{"src/" + hash + path.Ext(file), "resources/src@" + hash + ".txt", "src/" + hash + ".txt", "src/" + hash} {
		if rc, err := a.Resource(ctx, name); err == nil {
			return rc, true
		}
	}
	return nil, false
}
