// Package container opens what a trace lives in (a zip, a folder, a zip at an
// http address) and streams entries out of it. It expects damage and malice:
// it never trusts a size, never uses a name as a path, keeps what is good and
// says what is not.
package container

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Limits bound what a hostile container can cost.
type Limits struct {
	Entries   int   // more are refused
	Directory int64 // bytes of a zip's central directory; more are refused
	// An entry that inflates to more than Ratio times its compressed size is
	// taken for a bomb and stopped, once it has given Freely bytes.
	Ratio  int64
	Freely int64
	Spool  int64 // bytes that are written to a temporary file
}

// DefaultLimits are far above what recorders write: real text inflates to 5 to
// 60 times its size, and the largest known traces have some 70,000 entries.
func DefaultLimits() Limits {
	return Limits{Entries: 400_000, Directory: 128 << 20, Ratio: 120, Freely: 64 << 20, Spool: 64 << 30}
}

// Entry is one file of a container.
type Entry struct {
	Name           string // with forward slashes, never leaving the container
	Size           int64  // bytes when inflated, as declared; -1 if unknown
	CompressedSize int64  // bytes as stored
	CRC32          uint32
	Method         uint16 // of compression, as in zips

	header  int64 // where the local header is
	data    int64 // where the data is; 0 until it was looked up
	partial bool  // the container ends within it
	noCRC   bool
}

// Warning is something that is not as it should be.
type Warning struct{ Code, Entry, Text string }

// DamagedError ends the reading of an entry of which a part is lost. What was
// read before it is good as far as can be told.
type DamagedError struct {
	Entry  string
	Offset int64 // inflated bytes before the damage
	Reason string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s: damaged after %d bytes: %s", e.Entry, e.Offset, e.Reason)
}

// Errors that have no data.
var (
	ErrNotThere       = errors.New("no such entry")
	ErrTooManyEntries = errors.New("more entries than the limit")
	ErrNotAZip        = errors.New("not a zip file")
)

// Container is an open zip or folder. It is safe for concurrent use.
type Container struct {
	name    string
	limits  Limits
	entries []Entry
	byName  map[string]int
	seek    *SeekIndex
	digest  string
	folder  *folder // nil for zips
	zip     *zipFile
	closers []io.Closer

	mu        sync.Mutex
	warnings  []Warning
	recovered map[string]Entry // by walking the local headers, when it was needed
	walked    bool
}

// Name returns the path or address that was opened.
func (c *Container) Name() string { return c.name }

// Entries returns all entries in the order of the container.
func (c *Container) Entries() []Entry { return c.entries }

// Growing reports whether the container is a folder, to which more may be added.
func (c *Container) Growing() bool { return c.folder != nil }

// Digest identifies the contents: the hexadecimal SHA-256 of a zip's directory.
func (c *Container) Digest() string { return c.digest }

// Warnings returns what has been found so far.
func (c *Container) Warnings() []Warning {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Warning(nil), c.warnings...)
}

func (c *Container) warn(code, entry, format string, args ...any) {
	const most = 200
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.warnings) < most {
		c.warnings = append(c.warnings, Warning{code, entry, fmt.Sprintf(format, args...)})
	}
}

// Lookup returns the entry of that name.
func (c *Container) Lookup(name string) (Entry, bool) {
	if c.folder != nil {
		return c.folder.lookup(name)
	}
	i, ok := c.byName[name]
	if !ok {
		return Entry{}, false
	}
	return c.entries[i], true
}

// Open streams the entry of that name, inflated.
func (c *Container) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	return c.OpenAt(ctx, name, 0)
}

// OpenAt streams the entry of that name from an inflated offset on. Where the
// zip says at which places inflating can begin, what is before is not read.
func (c *Container) OpenAt(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	if c.folder != nil {
		return c.folder.open(name, offset)
	}
	e, ok := c.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("%s: %s: %w", c.name, name, ErrNotThere)
	}
	return c.openZipEntry(ctx, e, offset)
}

// Raw returns the entry's bytes as they are stored, for copying them into
// another zip without inflating. It is for whole entries of zips only.
func (c *Container) Raw(name string) (Entry, *io.SectionReader, error) {
	e, ok := c.Lookup(name)
	if !ok || c.zip == nil {
		return Entry{}, nil, fmt.Errorf("%s: %s: %w", c.name, name, ErrNotThere)
	}
	e, err := c.locate(e)
	switch {
	case err != nil:
		return Entry{}, nil, err
	case e.partial || e.noCRC:
		return Entry{}, nil, &DamagedError{Entry: name, Reason: "only a part of it is there"}
	}
	return e, io.NewSectionReader(c.zip.r, e.data, e.CompressedSize), nil
}

// Close releases the files behind the container.
func (c *Container) Close() error {
	var errs []error
	for i := len(c.closers) - 1; i >= 0; i-- {
		errs = append(errs, c.closers[i].Close())
	}
	c.closers = nil
	return errors.Join(errs...)
}
