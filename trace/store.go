package trace

import (
	"context"
	"io"
)

// Entry is one file of an archive.
type Entry struct {
	Name           string // with forward slashes
	Size           int64  // bytes when inflated; -1 if that is not known
	CompressedSize int64  // bytes it takes in the archive
	CRC32          uint32 // of the inflated bytes, as a zip tells it; 0 in folders
}

// store is where an archive's entries are.
type store interface {
	entries() []Entry
	lookup(name string) (Entry, bool)
	open(ctx context.Context, name string) (io.ReadCloser, error)
	openAt(ctx context.Context, name string, offset int64) (io.ReadCloser, error)
	recover() bool // finds more entries, where a directory is broken
	digest() string
	growing() bool
	warnings() []Warning
	close() error
}
