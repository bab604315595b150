package trace

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"sync"
)

// WriterOptions say how a trace is written. The zero value writes what the
// most viewers open.
type WriterOptions struct {
	// Version is the format version: 8, 9 or 10; 0 means [WriteVersion].
	Version int
	// Snapshots says that a frame snapshot follows the before, input and after
	// line of every call. Versions before 9 name a snapshot on such a line, and
	// viewers show none that was not named before it came. Without it, call
	// ExpectSnapshot on the events that a snapshot follows.
	Snapshots bool
	// CumulativeNetwork puts the requests of earlier chunks into the zip of
	// each chunk, so that its snapshots find the style sheets loaded before.
	CumulativeNetwork bool
}

func (o WriterOptions) version() (int, error) {
	switch {
	case o.Version == 0:
		return WriteVersion, nil
	case o.Version < 8 || o.Version > CurrentVersion:
		return 0, hintedError{fmt.Errorf("version %d cannot be written", o.Version), "8, 9 and 10 can"}
	}
	return o.Version, nil
}

// Writer writes a trace: chunks of events, and the resources that they name.
// It is safe for concurrent use. Close it, or Discard it.
type Writer struct {
	mu      sync.Mutex
	o       WriterOptions
	version int
	out     sink
	have    map[string]bool // entries that are written
	chunks  []*Chunk
	closed  bool
	err     error // the first that writing met; nothing is written after it
}

// sink is where entries go.
type sink interface {
	text(name string) (textFile, error) // an entry that grows line by line
	data(name string, data []byte) error
	stream(name string, r io.Reader) error
	raw(e packedEntry, body io.WriterTo) error
	finish() error
	discard() error
}

// textFile is an entry of lines.
type textFile interface {
	io.Writer
	flush() error
	close() error
}

var errWriterClosed = errors.New("the trace writer is closed")

func newWriter(out sink, o WriterOptions) (*Writer, error) {
	v, err := o.version()
	if err != nil {
		return nil, err
	}
	return &Writer{o: o, version: v, out: out, have: map[string]bool{}}, nil
}

// NewWriter returns a Writer of a zip that goes to w. Events are kept aside,
// compressed, until Close.
func NewWriter(w io.Writer, o WriterOptions) (*Writer, error) {
	return newWriter(&zipSink{out: newZipOut(w)}, o)
}

// CreateZip returns a Writer of a zip that is at path once Close returned
// without error, and not before: it is written under another name beside it.
func CreateZip(path string, o WriterOptions) (*Writer, error) {
	f, err := createBeside(path)
	if err != nil {
		return nil, err
	}
	return newWriter(&zipSink{out: newZipOut(f), file: f}, o)
}

// CreateFolder returns a Writer of the folder dir, which is made. Everything
// is in the folder's files as soon as it was written, so that a trace can be
// looked at while it grows and what is there survives the writer's death;
// [Pack] makes a zip of it. Close leaves the folder.
func CreateFolder(dir string, o WriterOptions) (*Writer, error) {
	s, err := newFolderSink(dir)
	if err != nil {
		return nil, err
	}
	return newWriter(s, o)
}

// Version returns the format version that is written.
func (w *Writer) Version() int { return w.version }

// AddResource writes data as a resource, once for each content, and returns
// the name by which events mean it: "resources/" and the SHA-1 of data, and
// ext, such as ".jpeg" or "". The resource must be written before the event
// that names it.
func (w *Writer) AddResource(data []byte, ext string) (file string, err error) {
	sum := sha1.Sum(data)
	file = resourceName(sum[:], ext)
	w.mu.Lock()
	defer w.mu.Unlock()
	return file, w.once(file, func() error { return w.out.data(file, data) })
}

// AddResourceFrom is [Writer.AddResource] for bytes that may be more than fit
// in memory.
func (w *Writer) AddResourceFrom(r io.Reader, ext string) (file string, err error) {
	var s spool
	defer s.Close()
	sum := sha1.New()
	if _, err := io.Copy(io.MultiWriter(&s, sum), r); err != nil {
		return "", fmt.Errorf("resource: %w", err)
	}
	file = resourceName(sum.Sum(nil), ext)
	w.mu.Lock()
	defer w.mu.Unlock()
	return file, w.once(file, func() error { return w.out.stream(file, s.reader()) })
}

func resourceName(sum []byte, ext string) string {
	if ext != "" && ext[0] != '.' {
		ext = "." + ext
	}
	return "resources/" + hex.EncodeToString(sum) + ext
}

// AddEntry writes an entry of any name that an entry may have, such as
// "src/<hash>.ts" or "0-trace.stacks". What is written already is left as it is.
func (w *Writer) AddEntry(name string, r io.Reader) error {
	if err := checkEntryName(name); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.once(name, func() error { return w.out.stream(name, r) })
}

// Has reports whether an entry of that name was written.
func (w *Writer) Has(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.have[name]
}

func (w *Writer) once(name string, write func() error) error {
	if err := w.usable(); err != nil || w.have[name] {
		return err
	}
	w.have[name] = true
	return w.keep(write())
}

func (w *Writer) usable() error {
	if w.closed {
		return errWriterClosed
	}
	return w.err
}

// keep remembers the first error: a trace with a hole must not look whole.
func (w *Writer) keep(err error) error {
	if err != nil && w.err == nil {
		w.err = err
	}
	return err
}

// Close ends all chunks and completes the trace.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errWriterClosed
	}
	for _, c := range w.chunks {
		w.keep(c.stop())
	}
	w.closed = true
	if w.err != nil {
		w.out.discard()
		return w.err
	}
	return w.out.finish()
}

// Discard lets go of a trace that is not to be. A folder is left as it is.
// After Close it does nothing, so that it can be deferred.
func (w *Writer) Discard() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.closed = true
	for _, c := range w.chunks {
		c.abandon()
	}
	w.out.discard()
}

// Flush hands everything written so far to the operating system. Events that
// end or begin something are handed on at once; log lines, messages and
// events of the browser wait for the next of those.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.chunks {
		if err := c.flush(); err != nil {
			return w.keep(err)
		}
	}
	return w.err
}

// checkEntryName refuses names that would leave the folder of the trace.
func checkEntryName(name string) error {
	clean := path.Clean(name)
	if name == "" || clean != name || path.IsAbs(name) || clean == ".." || strings.HasPrefix(clean, "../") ||
		strings.ContainsAny(name, "\\\x00") || len(name) > 1<<15 {
		return fmt.Errorf("entry %q: not a name inside a trace", name)
	}
	return nil
}

// reader returns the bytes from the beginning.
func (s *spool) reader() io.Reader {
	if s.file == nil {
		return bytes.NewReader(s.mem.Bytes())
	}
	return io.NewSectionReader(s.file, 0, s.size)
}

// createBeside makes the file under which a zip is written until it is whole.
func createBeside(path string) (*os.File, error) {
	return os.OpenFile(path+".partial", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
}
