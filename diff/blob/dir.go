package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

// Dir is a store in a folder: <2 digits>/<2 digits>/<64 digits>. It is made
// when the first blob is put.
type Dir struct{ path string }

// NewDir is the store in the folder path.
func NewDir(path string) *Dir { return &Dir{path} }

// Name is the folder's path.
func (d *Dir) Name() string { return d.path }

func (d *Dir) file(ref Ref) string { return filepath.Join(d.path, filepath.FromSlash(ref.Path())) }

// Path is the file of a blob, which need not be there. It must not be written to.
func (d *Dir) Path(ref Ref) string { return d.file(ref) }

// Put is part of Store. A file appears under its name only when it is whole.
func (d *Dir) Put(ctx context.Context, ref Ref, r io.Reader) error {
	name := d.file(ref)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".put-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), io.LimitReader(contextReader{ctx, r}, MaxBytes+1))
	if err == nil && n > MaxBytes {
		err = fmt.Errorf("%s: blob %s is longer than %d MiB", d.path, ref, MaxBytes>>20)
	}
	if is := Ref(sum.Sum(nil)); err == nil && is != ref {
		err = &AlteredError{Ref: ref, Is: is, Store: d.path}
	}
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// Open is part of Store.
func (d *Dir) Open(_ context.Context, ref Ref) (io.ReadCloser, error) {
	f, err := os.Open(d.file(ref))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &MissingError{Ref: ref, Store: d.path}
	}
	if err != nil {
		return nil, err
	}
	return Checked(d.path, ref, f), nil
}

// Has is part of Store.
func (d *Dir) Has(_ context.Context, ref Ref) (bool, error) {
	info, err := os.Stat(d.file(ref))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.Mode().IsRegular(), err
}

// List is part of Store.
func (d *Dir) List(ctx context.Context) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		files, err := filepath.Glob(filepath.Join(escapeGlob(d.path), "[0-9a-f][0-9a-f]", "[0-9a-f][0-9a-f]", "*"))
		if err != nil {
			yield(Ref{}, err)
			return
		}
		for _, f := range files {
			ref, err := ParseHex(filepath.Base(f))
			if err != nil || d.file(ref) != f {
				continue
			}
			if !yield(ref, ctx.Err()) || ctx.Err() != nil {
				return
			}
		}
	}
}

// Delete is part of Store.
func (d *Dir) Delete(_ context.Context, ref Ref) error {
	if err := os.Remove(d.file(ref)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// escapeGlob makes a path match itself.
func escapeGlob(path string) string {
	var b []byte
	for i := range len(path) {
		switch path[i] {
		case '*', '?', '[':
			b = append(b, '[', path[i], ']')
		default:
			b = append(b, path[i])
		}
	}
	return string(b)
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
