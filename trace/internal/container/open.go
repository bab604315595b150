package container

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/tracedeck/tracedeck/trace/remote"
)

// Options say how a container is opened.
type Options struct {
	Limits Limits         // the zero value means DefaultLimits
	Remote remote.Options // for http(s) addresses
	Stdin  io.Reader      // what "-" reads; os.Stdin if nil
}

// Open opens a zip, a folder, an http(s) address, or "-" for standard input.
// "outer.zip!inner.zip" opens a zip inside a zip.
func Open(ctx context.Context, name string, o Options) (*Container, error) {
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	outer, inner, nested := cutNested(name)
	c, err := openPlain(ctx, outer, o)
	if err != nil || !nested {
		return unwrapArtifact(ctx, c, o, err)
	}
	return c.openInner(ctx, inner, o)
}

// cutNested takes "outer.zip!inner.zip" apart, unless there is such a file.
func cutNested(name string) (outer, inner string, ok bool) {
	i := strings.Index(name, ".zip!")
	if i < 0 {
		return name, "", false
	}
	if _, err := os.Stat(name); err == nil {
		return name, "", false
	}
	return name[:i+4], name[i+5:], true
}

func openPlain(ctx context.Context, name string, o Options) (*Container, error) {
	switch {
	case name == "-":
		in := o.Stdin
		if in == nil {
			in = os.Stdin
		}
		return OpenStream(ctx, in, "standard input", o)
	case strings.HasPrefix(name, "http://"), strings.HasPrefix(name, "https://"):
		return openRemote(ctx, name, o)
	}
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	c := newContainer(name, o)
	if st.IsDir() {
		return closeOnError(c, c.openFolder(name))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	c.closers = append(c.closers, f)
	return closeOnError(c, c.openZip(f, st.Size()))
}

func newContainer(name string, o Options) *Container {
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	return &Container{name: name, limits: o.Limits}
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
	c := newContainer(url, o)
	c.closers = append(c.closers, r)
	return closeOnError(c, c.openZip(r, r.Size()))
}

// OpenReaderAt opens a zip of which the bytes are in r.
func OpenReaderAt(_ context.Context, r io.ReaderAt, size int64, name string, o Options) (*Container, error) {
	c := newContainer(name, o)
	return closeOnError(c, c.openZip(r, size))
}

// OpenStream opens a zip that can only be read once, by way of a temporary file.
func OpenStream(ctx context.Context, r io.Reader, name string, o Options) (*Container, error) {
	c := newContainer(name, o)
	f, size, err := spool(ctx, r, c.limits.Spool)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c.closers = append(c.closers, f)
	return closeOnError(c, c.openZip(f, size))
}

// spoolFile is a temporary file that vanishes when it is closed.
type spoolFile struct{ *os.File }

func (f spoolFile) Close() error {
	return errors.Join(f.File.Close(), os.Remove(f.Name()))
}

func spool(ctx context.Context, r io.Reader, limit int64) (spoolFile, int64, error) {
	f, err := os.CreateTemp("", "tracedeck-*.zip")
	if err != nil {
		return spoolFile{}, 0, err
	}
	s := spoolFile{f}
	n, err := io.Copy(f, io.LimitReader(contextReader{ctx, r}, limit+1))
	if err == nil && n > limit {
		err = fmt.Errorf("more than %d bytes", limit)
	}
	if err != nil {
		return spoolFile{}, 0, errors.Join(err, s.Close())
	}
	return s, n, nil
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r contextReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

// unwrapArtifact opens the one zip that a CI artifact has around it.
func unwrapArtifact(ctx context.Context, c *Container, o Options, err error) (*Container, error) {
	if err != nil || c.zip == nil {
		return c, err
	}
	var zips []string
	for _, e := range c.entries {
		switch path.Ext(e.Name) {
		case ".trace":
			return c, nil
		case ".zip":
			zips = append(zips, e.Name)
		}
	}
	switch len(zips) {
	case 0:
		return c, nil
	case 1:
		return c.openInner(ctx, zips[0], o)
	}
	name := c.name
	c.Close()
	return nil, &NestedError{Name: name, Zips: zips}
}

// NestedError is for a zip that holds several zips.
type NestedError struct {
	Name string
	Zips []string
}

func (e *NestedError) Error() string {
	return fmt.Sprintf("%s: it holds %d zips", e.Name, len(e.Zips))
}

// Hint says how one of them is opened.
func (e *NestedError) Hint() string {
	list := e.Zips
	if len(list) > 5 {
		list = append(append([]string(nil), list[:5]...), "…")
	}
	return fmt.Sprintf("name one: '%s!%s' (there is %s)", e.Name, e.Zips[0], strings.Join(list, ", "))
}

// openInner opens a zip inside the container, which it closes.
func (c *Container) openInner(ctx context.Context, name string, o Options) (*Container, error) {
	defer c.Close()
	rc, err := c.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	inner, err := OpenStream(ctx, rc, c.name+"!"+name, o)
	if err != nil {
		return nil, err
	}
	inner.warn("W_ZIP_NESTED", name, "opened the zip inside the zip")
	return inner, nil
}
