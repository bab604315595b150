// Package tempfile keeps what can be read only once.
package tempfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// File is a temporary file that vanishes when it is closed, and where the
// operating system allows it also when the program is killed.
type File struct{ *os.File }

// Create makes an empty file.
func Create() (*File, error) {
	f, err := os.CreateTemp("", "tracedeck-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // Unix keeps the open file; Windows refuses, and Close does it
	return &File{f}, nil
}

// Close removes the file.
func (f *File) Close() error {
	err := f.File.Close()
	if gone := os.Remove(f.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// Spool copies r to a file and returns its size. When r fails, the file is
// returned beside r's error, with what came before it: the caller closes it in
// any case where it is not nil. More than limit bytes are an error.
func Spool(ctx context.Context, r io.Reader, limit int64) (*File, int64, error) {
	f, err := Create()
	if err != nil {
		return nil, 0, err
	}
	n, err := io.Copy(f.File, io.LimitReader(contextReader{ctx, r}, limit+1))
	if err == nil && n > limit {
		err = fmt.Errorf("more than %d bytes", limit)
	}
	return f, n, err
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
