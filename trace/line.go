package trace

import (
	"bytes"
	"io"
)

// lineReader cuts a stream into lines. It keeps one buffer, which grows to
// the longest line and no further.
type lineReader struct {
	r      io.Reader
	buf    []byte
	lo, hi int // what of buf has been read and not yet returned
	max    int
	line   int   // number of the line returned last, counted from 1
	offset int64 // bytes before that line
	next64 int64 // bytes before the next
	err    error
	opened bool
}

const firstBuffer = 64 << 10

func newLineReader(r io.Reader, max int) lineReader {
	return lineReader{r: r, max: max}
}

// next returns the next line without its end (LF, or CR LF), valid until the
// next call. A line that is too long is cut, with ErrLineTooLong.
func (l *lineReader) next() ([]byte, error) {
	seen := 0
	for {
		if n := bytes.IndexByte(l.buf[l.lo+seen:l.hi], '\n'); n >= 0 {
			line := l.cut(seen+n, 1)
			if len(line) > l.max {
				return line[:min(1024, len(line))], ErrLineTooLong
			}
			return line, nil
		}
		seen = l.hi - l.lo
		if l.err != nil {
			return l.rest()
		}
		if seen >= l.max {
			return l.skip()
		}
		l.read()
	}
}

// cut takes a line of n bytes and its end from the buffer.
func (l *lineReader) cut(n, end int) []byte {
	line := l.buf[l.lo : l.lo+n]
	l.lo += n + end
	l.line++
	l.offset = l.next64
	l.next64 += int64(n + end)
	if !l.opened {
		l.opened = true
		if trimmed := bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")); len(trimmed) < len(line) {
			l.offset += 3
			line = trimmed
		}
	}
	return bytes.TrimSuffix(line, []byte("\r"))
}

func (l *lineReader) rest() ([]byte, error) {
	if l.hi == l.lo {
		return nil, l.err
	}
	return l.cut(l.hi-l.lo, 0), nil
}

// skip drops the remainder of a line that is too long.
func (l *lineReader) skip() ([]byte, error) {
	head := bytes.Clone(l.buf[l.lo:min(l.lo+1024, l.hi)])
	dropped := int64(0)
	for {
		n := bytes.IndexByte(l.buf[l.lo:l.hi], '\n')
		if n >= 0 || l.err != nil {
			if n < 0 {
				n = l.hi - l.lo - 1
			}
			dropped += int64(n + 1)
			l.lo += n + 1
			break
		}
		dropped += int64(l.hi - l.lo)
		l.lo = l.hi
		l.read()
	}
	l.line++
	l.offset = l.next64
	l.next64 += dropped
	return head, ErrLineTooLong
}

// read makes room and reads once.
func (l *lineReader) read() {
	switch {
	case l.lo > 0 && l.hi-l.lo <= len(l.buf)/2:
		l.hi = copy(l.buf, l.buf[l.lo:l.hi])
		l.lo = 0
	case l.hi == len(l.buf):
		grown := make([]byte, max(firstBuffer, min(2*(l.hi-l.lo), l.max+firstBuffer)))
		l.hi = copy(grown, l.buf[l.lo:l.hi])
		l.buf, l.lo = grown, 0
	}
	for range 100 {
		n, err := l.r.Read(l.buf[l.hi:])
		l.hi += n
		if err != nil {
			l.err = err
		}
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}
