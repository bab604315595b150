package container

import (
	"bufio"
	"compress/bzip2"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// Compression methods that are read.
const (
	stored   = 0
	deflated = 8
	bzipped  = 12
	zstdOld  = 20
	zstdNew  = 93
)

func known(method uint16) bool {
	switch method {
	case stored, deflated, bzipped, zstdNew, zstdOld:
		return true
	}
	return false
}

// readAhead is how much of a zip is read at once while inflating.
const readAhead = 64 << 10

// inflater is a decompressor with its buffer; both are used again.
type inflater struct {
	in *bufio.Reader
	z  io.ReadCloser
}

var inflaters = sync.Pool{New: func() any {
	in := bufio.NewReaderSize(nil, readAhead)
	return &inflater{in, flate.NewReader(in)}
}}

func inflate(data io.Reader) (io.Reader, func()) {
	f := inflaters.Get().(*inflater)
	f.in.Reset(data)
	f.z.(flate.Resetter).Reset(f.in, nil) // has no error to give
	return f.z, func() {
		f.in.Reset(nil)
		inflaters.Put(f)
	}
}

// decompress returns a reader of an entry's data, and what gives it back.
func decompress(method uint16, data io.Reader) (io.Reader, func(), error) {
	const memory = 128 << 20
	switch method {
	case stored:
		return data, func() {}, nil
	case deflated:
		r, release := inflate(data)
		return r, release, nil
	case bzipped:
		return bzip2.NewReader(bufio.NewReaderSize(data, readAhead)), func() {}, nil
	}
	d, err := zstd.NewReader(data, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(memory), zstd.WithDecoderMaxWindow(memory))
	if err != nil {
		return nil, nil, err
	}
	return d, d.Close, nil
}
