package trace

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/container"
	"github.com/tracedeck/tracedeck/trace/remote"
)

// Open opens a trace: the path of a zip or of a folder, an http(s) address, or
// "-" for standard input. "outer.zip!inner.zip" opens a zip inside a zip; a
// zip that holds nothing but one other, as CI artifacts do, opens by itself.
// The context governs the archive of an address for as long as it is open.
func Open(ctx context.Context, path string, o Options) (*Archive, error) {
	c, err := container.Open(ctx, path, o.container())
	if err != nil {
		if ext := filepath.Ext(path); ext == ".trace" || ext == ".network" || ext == ".stacks" {
			return nil, hintedError{err, "it is a part of an unzipped trace: open its folder, " + filepath.Dir(path)}
		}
		return nil, explain(err)
	}
	return newArchive(ctx, &containerStore{c}, c.Name(), o)
}

// OpenReaderAt opens a trace zip of which the bytes are in r. The name is for
// messages.
func OpenReaderAt(ctx context.Context, r io.ReaderAt, size int64, name string, o Options) (*Archive, error) {
	c, err := container.OpenReaderAt(ctx, r, size, name, o.container())
	if err != nil {
		return nil, explain(err)
	}
	return newArchive(ctx, &containerStore{c}, name, o)
}

func (o Options) container() container.Options {
	return container.Options{Stdin: o.Stdin, Remote: remote.Options{Client: o.Client, Header: o.Header}}
}

// explain adds what to do about an error of opening.
func explain(err error) error {
	var h interface{ Hint() string }
	switch {
	case errors.As(err, &h):
		return err
	case errors.Is(err, container.ErrNotAZip):
		return hintedError{err, "a trace is a zip: was the download complete, or is it a page that asks to sign in?"}
	case errors.Is(err, container.ErrEncrypted):
		return hintedError{err, "unzip it with its password and zip it again"}
	case errors.Is(err, container.ErrTooManyEntries):
		return hintedError{err, "no recorder writes so many: is it a trace?"}
	}
	return err
}

// DamagedError ends the reading of an entry of which a part is lost.
type DamagedError = container.DamagedError

// containerStore is a store in a zip or a folder.
type containerStore struct{ c *container.Container }

func (s *containerStore) entries() []Entry {
	list := s.c.Entries()
	all := make([]Entry, 0, len(list))
	for _, e := range list {
		if e.Name != container.SeekEntry {
			all = append(all, entryOf(e))
		}
	}
	return all
}

func entryOf(e container.Entry) Entry {
	return Entry{Name: e.Name, Size: e.Size, CompressedSize: e.CompressedSize, CRC32: e.CRC32}
}

func (s *containerStore) lookup(name string) (Entry, bool) {
	e, ok := s.c.Lookup(name)
	return entryOf(e), ok
}

func (s *containerStore) open(ctx context.Context, name string) (io.ReadCloser, error) {
	return s.c.Open(ctx, name)
}

func (s *containerStore) openAt(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	return s.c.OpenAt(ctx, name, offset)
}

// recover looks for entries that the zip's directory does not tell of.
func (s *containerStore) recover() bool { return s.c.Recover() }

func (s *containerStore) digest() string { return s.c.Digest() }
func (s *containerStore) growing() bool  { return s.c.Growing() }
func (s *containerStore) close() error   { return s.c.Close() }

func (s *containerStore) warnings() []Warning {
	var list []Warning
	for _, w := range s.c.Warnings() {
		list = append(list, Warning{Code: w.Code, Place: w.Entry, Text: w.Text})
	}
	return list
}

// Restarts returns the inflated offsets of an entry at which [Archive.Line]
// can begin to inflate, its beginning not among them.
func (a *Archive) Restarts(name string) []int64 {
	s, ok := a.store.(*containerStore)
	if !ok {
		return nil
	}
	var list []int64
	for _, r := range s.c.Restarts(name) {
		list = append(list, r.Inflated)
	}
	return list
}

// IsAddress reports whether a trace's name is an http(s) address.
func IsAddress(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// Options say how an archive is opened. The zero value is what most want.
type Options struct {
	MaxLine int          // bytes; 0 means [DefaultMaxLine]
	Stdin   io.Reader    // what "-" reads; os.Stdin if nil
	Client  *http.Client // for addresses; nil means one with timeouts
	Header  http.Header  // for addresses, such as Authorization
}
