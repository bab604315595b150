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
	"slices"
	"sync"
)

// Container is an open zip or folder. It is safe for concurrent use. Close it.
type Container struct {
	name    string
	limits  Limits
	folder  *folder  // nil for zips
	zip     *zipFile // nil for folders
	closers []io.Closer
	bomb    bombGuard
	seek    seekTable
	lost    lostEntries

	mu       sync.RWMutex // of what follows
	entries  []Entry
	byName   map[string]int
	digest   string
	warnings []Warning
}

// Name returns the path or address that was opened.
func (c *Container) Name() string { return c.name }

// Entries returns all entries in the order of the container. The caller must
// not change the slice.
func (c *Container) Entries() []Entry {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.entries
}

// Growing reports whether the container is a folder, to which more may be
// added: see [Container.Refresh].
func (c *Container) Growing() bool { return c.folder != nil }

// Digest identifies the contents: the hexadecimal SHA-256 of a zip's directory
// (names, sizes, checksums), or of a folder's names, sizes and times.
func (c *Container) Digest() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.digest
}

// Warnings returns what has been found so far: reading entries can add more.
func (c *Container) Warnings() []Warning {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Clone(c.warnings)
}

func (c *Container) warn(code, entry, format string, args ...any) {
	const most = 200
	c.mu.Lock()
	defer c.mu.Unlock()
	w := Warning{code, shorten(entry), fmt.Sprintf(format, args...)}
	if len(c.warnings) < most && !slices.Contains(c.warnings, w) {
		c.warnings = append(c.warnings, w)
	}
}

// Lookup returns the entry of that name. For a folder it looks at the file as
// it is now.
func (c *Container) Lookup(name string) (Entry, bool) {
	if c.folder != nil {
		return c.folder.lookup(name)
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	i, ok := c.byName[name]
	if !ok {
		return Entry{}, false
	}
	return c.entries[i], true
}

// Open streams the entry of that name, inflated. Its checksum is checked at the
// end. Reading gives the good part and then a *[DamagedError] where the rest is
// lost. The context governs the reading, too. Close the stream.
func (c *Container) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	return c.OpenAt(ctx, name, 0)
}

// OpenAt streams the entry of that name from an inflated offset on. Where the
// zip says at which places inflating can begin, what is before is not read;
// without that, and for entries that are not deflated or stored, it is read and
// thrown away. No checksum is checked. In a folder it reads what the file has
// now, and an offset behind that is an [ErrTruncated].
func (c *Container) OpenAt(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	if offset < 0 {
		return nil, fmt.Errorf("%s: %s: negative offset %d", c.name, shorten(name), offset)
	}
	if c.folder != nil {
		return c.folder.open(ctx, name, offset)
	}
	e, ok := c.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("%s: %s: %w", c.name, shorten(name), ErrNotThere)
	}
	r, err := c.openEntry(ctx, e, offset)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return r, nil
}

// Raw returns the entry's bytes as they are stored, for copying them into
// another zip without inflating. It is for whole entries of zips only: an entry
// about which directory and header disagree is a *[DamagedError]; it may still
// be read by Open.
func (c *Container) Raw(name string) (Entry, *io.SectionReader, error) {
	e, ok := c.Lookup(name)
	if !ok || c.zip == nil {
		return Entry{}, nil, fmt.Errorf("%s: %s: %w", c.name, shorten(name), ErrNotThere)
	}
	e, err := c.locate(context.Background(), e)
	if err == nil && !c.zip.certain(e) {
		err = &DamagedError{Entry: name, Reason: "it is not certain which bytes are its own"}
	}
	if err != nil {
		return Entry{}, nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return e, io.NewSectionReader(c.zip.r, e.data, e.CompressedSize), nil
}

// Close releases the files behind the container.
func (c *Container) Close() error {
	var errs []error
	for _, closer := range slices.Backward(c.closers) {
		errs = append(errs, closer.Close())
	}
	c.closers = nil
	return errors.Join(errs...)
}
