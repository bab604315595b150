package visual

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/tracedeck/tracedeck/diff/visual/internal/rows"
)

// MaxBytes is the longest encoded picture that is read.
const MaxBytes = 1 << 29

// Picture is an encoded picture: PNG, JPEG or WebP.
type Picture struct {
	// Name is what errors call it.
	Name string
	// Digest, if set, is a digest of the bytes. Two pictures with the same one are equal and are not read.
	Digest string

	data []byte
	own  bool // data may be overwritten
	read func() ([]byte, error)
}

// Bytes is a picture in memory. It is not changed, and must not be while it is compared.
func Bytes(data []byte) Picture { return Picture{data: data} }

// File is a picture in a file, which is opened when it is needed.
func File(path string) Picture {
	return Picture{Name: path, read: func() ([]byte, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, bare(err)
		}
		defer f.Close()
		size := int64(0)
		if info, err := f.Stat(); err == nil {
			size = info.Size()
		}
		return readAll(f, size)
	}}
}

// Reader is a picture that open gives, which is called at most once in a comparison. size is how long it is, or 0 if
// that is not known.
func Reader(name string, size int64, open func() (io.ReadCloser, error)) Picture {
	return Picture{Name: name, read: func() ([]byte, error) {
		r, err := open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return readAll(r, size)
	}}
}

// bare takes the path out of an error, as the picture's name says it already.
func bare(err error) error {
	if e, ok := err.(*os.PathError); ok {
		return e.Err
	}
	return err
}

func readAll(r io.Reader, size int64) ([]byte, error) {
	// Padding in the same allocation spares the decoder a copy.
	const room = 1 << 10
	var b bytes.Buffer
	b.Grow(int(min(max(size, 0), MaxBytes)) + room)
	if _, err := b.ReadFrom(io.LimitReader(r, MaxBytes+1)); err != nil {
		return nil, bare(err)
	}
	if b.Len() > MaxBytes {
		return nil, &rows.DamagedError{What: fmt.Sprintf("longer than %d bytes", MaxBytes)}
	}
	return b.Bytes(), nil
}

func (p *Picture) load(otherwise string) error {
	if p.Name == "" {
		p.Name = otherwise
	}
	if p.read == nil {
		return nil
	}
	data, err := p.read()
	if err != nil {
		return &PictureError{Name: p.Name, Err: err}
	}
	p.data, p.own, p.read = data, true, nil
	return nil
}

// Files compares the pictures in two files.
func Files(ctx context.Context, pathA, pathB string, opt Options) (Result, error) {
	return Compare(ctx, File(pathA), File(pathB), opt)
}

// Compare says how b differs from a. What it cannot read is a *PictureError, a wrong option an *OptionsError, and sizes
// that differ are a *SizeError unless the options allow them; that one has the explanation in its Result, which is
// returned as well.
func Compare(ctx context.Context, a, b Picture, opt Options) (Result, error) {
	return new(Comparer).Compare(ctx, a, b, opt)
}
