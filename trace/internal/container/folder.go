package container

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// folder is a container of files below a folder. Links are not followed out of it.
type folder struct {
	root *os.Root
	name string
}

func (c *Container) openFolder(ctx context.Context, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	c.closers = append(c.closers, root)
	c.folder = &folder{root, dir}
	return c.Refresh(ctx)
}

// Refresh looks at a folder anew: Entries and Digest say what it has now. It
// does nothing to a zip.
func (c *Container) Refresh(ctx context.Context) error {
	if c.folder == nil {
		return nil
	}
	l := lister{ctx: ctx, c: c}
	sum := sha256.New()
	if err := fs.WalkDir(c.folder.root.FS(), ".", l.visit); err != nil {
		return err
	}
	byName := make(map[string]int, len(l.entries))
	for i, e := range l.entries {
		byName[e.Name] = i
		fmt.Fprintf(sum, "%s %d %d\n", e.Name, e.Size, e.Modified.UnixNano())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries, c.byName, c.digest = l.entries, byName, hex.EncodeToString(sum.Sum(nil))
	return nil
}

// lister takes the files of a folder.
type lister struct {
	ctx     context.Context
	c       *Container
	entries []Entry
}

func (l *lister) visit(path string, d fs.DirEntry, err error) error {
	const deepest = 16
	switch {
	case l.ctx.Err() != nil:
		return l.ctx.Err()
	case err != nil:
		l.c.warn("W_FOLDER", path, "%v", err)
		return nil
	case d.IsDir() && strings.Count(path, "/") >= deepest:
		l.c.warn("W_FOLDER", path, "it is too deep and left out")
		return fs.SkipDir
	case d.IsDir():
		return nil
	case len(l.entries) >= l.c.limits.Entries:
		return fmt.Errorf("%w: %d are allowed", ErrTooManyEntries, l.c.limits.Entries)
	}
	e, ok := l.c.folder.lookup(path)
	if !ok {
		l.c.warn("W_FOLDER", path, "it is not a file inside the folder; it is left out")
		return nil
	}
	l.entries = append(l.entries, e)
	return nil
}

func (f *folder) lookup(name string) (Entry, bool) {
	if !local(name) {
		return Entry{}, false
	}
	st, err := f.root.Stat(name)
	if err != nil || !st.Mode().IsRegular() {
		return Entry{}, false
	}
	return Entry{Name: name, Size: st.Size(), CompressedSize: st.Size(), Modified: st.ModTime()}, true
}

func (f *folder) open(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	if _, ok := f.lookup(name); !ok {
		return nil, fmt.Errorf("%s: %s: %w", f.name, shorten(name), ErrNotThere)
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	st, err := file.Stat()
	if err == nil && st.Size() < offset {
		err = fmt.Errorf("%s: %s: %w: to %d bytes", f.name, name, ErrTruncated, st.Size())
	}
	if err == nil {
		_, err = file.Seek(offset, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	// What is written from now on is for the next to open it: else reading
	// would not end before writing does.
	return &fileReader{ctx, io.LimitReader(file, st.Size()-offset), file}, nil
}

// fileReader reads a file as far as it went when it was opened.
type fileReader struct {
	ctx context.Context
	io.Reader
	file *os.File
}

func (r *fileReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}

func (r *fileReader) Close() error { return r.file.Close() }
