package container

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tracedeck/tracedeck/trace/internal/tempfile"
	"github.com/tracedeck/tracedeck/trace/remote"
)

// Options say how a container is opened.
type Options struct {
	Limits Limits         // the zero value means DefaultLimits
	Remote remote.Options // for http(s) addresses
	Stdin  io.Reader      // what "-" reads; os.Stdin if nil
}

// Open opens a zip, a folder, an http(s) address, or "-" for standard input.
// "outer.zip!inner.zip" opens a zip inside a zip; a zip with just one zip and
// no trace in it, as CI artifacts are, opens by itself. The context governs
// Open, and all reading from an address.
func Open(ctx context.Context, name string, o Options) (*Container, error) {
	o.Limits = o.Limits.orDefault()
	outer, inner := cutNested(name)
	c, err := openPlain(ctx, outer, o)
	for _, zip := range inner {
		if err == nil {
			c, err = c.openInner(ctx, zip)
		}
	}
	if err != nil {
		return nil, err
	}
	return c.unwrap(ctx)
}

func openPlain(ctx context.Context, name string, o Options) (*Container, error) {
	switch {
	case name == "-":
		in := o.Stdin
		if in == nil {
			in = os.Stdin
		}
		return openStream(ctx, in, "standard input", o)
	case isAddress(name):
		return openRemote(ctx, name, o)
	}
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	c := &Container{name: name, limits: o.Limits}
	if st.IsDir() {
		return closeOnError(c, c.openFolder(ctx, name))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() { // such as <(unzip …)
		defer f.Close()
		return openStream(ctx, f, name, o)
	}
	c.closers = append(c.closers, f)
	return closeOnError(c, c.openZip(ctx, f, st.Size()))
}

func closeOnError(c *Container, err error) (*Container, error) {
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", c.name, err), c.Close())
	}
	return c, nil
}

func openRemote(ctx context.Context, url string, o Options) (*Container, error) {
	r, err := remote.Open(ctx, url, o.Remote)
	if err != nil {
		return nil, err
	}
	c := &Container{name: remote.Display(url), limits: o.Limits, closers: []io.Closer{r}}
	return closeOnError(c, c.openZip(ctx, r, r.Size()))
}

// OpenReaderAt opens a zip of which the bytes are in r, which must outlive the
// container. The name is for messages.
func OpenReaderAt(ctx context.Context, r io.ReaderAt, size int64, name string, o Options) (*Container, error) {
	c := &Container{name: name, limits: o.Limits.orDefault()}
	c, err := closeOnError(c, c.openZip(ctx, r, size))
	if err != nil {
		return nil, err
	}
	return c.unwrap(ctx)
}

// OpenStream opens a zip that can only be read once, by way of a temporary file.
func OpenStream(ctx context.Context, r io.Reader, name string, o Options) (*Container, error) {
	o.Limits = o.Limits.orDefault()
	c, err := openStream(ctx, r, name, o)
	if err != nil {
		return nil, err
	}
	return c.unwrap(ctx)
}

func openStream(ctx context.Context, r io.Reader, name string, o Options) (*Container, error) {
	f, size, err := tempfile.Spool(ctx, r, o.Limits.Spool)
	var damaged *DamagedError
	if f == nil || err != nil && !errors.As(err, &damaged) {
		if f != nil {
			f.Close()
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c := &Container{name: name, limits: o.Limits, closers: []io.Closer{f}}
	if damaged != nil {
		c.warn("W_ZIP_DAMAGED", damaged.Entry, "%v", damaged)
	}
	return closeOnError(c, c.openZip(ctx, f, size))
}
