package container

import (
	"bytes"
	"context"
	"io"
)

// window reads a zip from its beginning to its end through one buffer.
type window struct {
	ctx context.Context
	z   *zipFile
	buf []byte
	at  int64 // where buf begins in the file
	err error // that is no end of file
}

const windowSize = 256 << 10

// bytes returns n bytes at pos, fewer at the end of the file. They are good
// until the next call.
func (w *window) bytes(pos int64, n int) []byte {
	n = int(min(int64(n), w.z.size-pos))
	if n <= 0 || pos < 0 || w.err != nil {
		return nil
	}
	if pos < w.at || pos+int64(n) > w.at+int64(len(w.buf)) {
		w.fill(pos, n)
	}
	from := pos - w.at
	return w.buf[from:min(from+int64(n), int64(len(w.buf)))]
}

func (w *window) fill(pos int64, n int) {
	if w.err = w.ctx.Err(); w.err != nil {
		w.buf, w.at = w.buf[:0], pos
		return
	}
	if size := max(n, windowSize); cap(w.buf) < size {
		w.buf = make([]byte, size)
	}
	w.buf = w.buf[:min(int64(cap(w.buf)), w.z.size-pos)]
	w.at = pos
	k, err := w.z.r.ReadAt(w.buf, pos)
	w.buf = w.buf[:k]
	if err != nil && err != io.EOF {
		w.err = err
	}
}

// rest returns what the buffer has from pos on; at least 4 bytes unless the
// file ends there.
func (w *window) rest(pos int64) []byte {
	w.bytes(pos, 4)
	if pos < w.at || pos >= w.at+int64(len(w.buf)) {
		return nil
	}
	return w.buf[pos-w.at:]
}

// mark is a signature in a zip.
type mark string

const (
	markLocal      mark = "PK\x03\x04"
	markCentral    mark = "PK\x01\x02"
	markDescriptor mark = "PK\x07\x08"
)

// next returns where the next signature at or after pos is; -1 for none.
func (w *window) next(pos int64, kinds ...mark) (int64, mark) {
	for {
		rest := w.rest(pos)
		if len(rest) < 4 {
			return -1, ""
		}
		i := bytes.Index(rest[:len(rest)-2], []byte("PK"))
		if i < 0 {
			pos += int64(len(rest) - 3)
			continue
		}
		for _, kind := range kinds {
			if bytes.HasPrefix(rest[i:], []byte(kind)) {
				return pos + int64(i), kind
			}
		}
		pos += int64(i) + 1
	}
}
