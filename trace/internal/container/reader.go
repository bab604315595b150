package container

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
)

// openEntry streams an entry of a zip from an inflated offset on.
func (c *Container) openEntry(ctx context.Context, e Entry, offset int64) (io.ReadCloser, error) {
	e, err := c.locate(ctx, e)
	switch {
	case err != nil:
		return nil, err
	case e.encrypted:
		return nil, fmt.Errorf("%s: %w", shorten(e.Name), ErrEncrypted)
	case !known(e.Method):
		return nil, &MethodError{e.Name, e.Method}
	}
	r := &entryReader{ctx: ctx, c: c, e: e}
	if err := r.start(c.restartBefore(ctx, e, offset)); err != nil {
		return nil, err
	}
	if err := r.skip(offset); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// entryReader inflates one entry and checks it at its end.
type entryReader struct {
	ctx     context.Context
	c       *Container
	e       Entry
	from    Restart
	in      *source
	r       io.Reader
	release func()
	offset  int64 // inflated bytes so far
	crc     uint32
	err     error
}

func (r *entryReader) start(from Restart) error {
	r.from, r.offset, r.crc = from, from.Inflated, 0
	r.in = &source{SectionReader: io.NewSectionReader(r.c.zip.r, r.e.data+from.Compressed, r.e.room()-from.Compressed)}
	var err error
	r.r, r.release, err = decompress(r.e.Method, r.in)
	return err
}

// again begins at the entry's beginning, where a place in the middle turned
// out not to be one at which inflating can begin.
func (r *entryReader) again() error {
	offset := r.offset
	r.release()
	if err := r.start(Restart{}); err != nil {
		return err
	}
	r.c.warn("W_ZIP_SEEK", r.e.Name, "a place at which inflating should be able to begin is none")
	return r.skip(offset)
}

func (r *entryReader) skip(offset int64) error {
	if r.e.Method == stored && offset > r.offset {
		r.from = Restart{offset, offset}
		r.offset = offset
		_, err := r.in.Seek(offset, io.SeekStart)
		if err == nil && offset > r.in.Size() {
			err = r.short()
		}
		return err
	}
	_, err := io.CopyN(io.Discard, struct{ io.Reader }{r}, offset-r.offset)
	if err == io.EOF {
		return r.short()
	}
	return err
}

func (r *entryReader) short() error {
	return fmt.Errorf("%s: it has not so many bytes: %w", shorten(r.e.Name), io.ErrUnexpectedEOF)
}

func (r *entryReader) Read(b []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.r.Read(b)
	r.offset += int64(n)
	if r.from == (Restart{}) {
		r.crc = crc32.Update(r.crc, crc32.IEEETable, b[:n])
	}
	switch {
	case err == io.EOF:
		r.err = r.atEnd()
	case err != nil && r.from.Inflated > 0 && r.e.Method == deflated && n == 0:
		if r.err = r.again(); r.err == nil {
			return r.Read(b)
		}
	case err != nil && n == 0:
		r.err = r.damaged(err)
	default: // the reader gives its error again
		r.err = r.c.bomb.check(&r.e, r.offset, r.c.limits)
	}
	if n > 0 {
		return n, nil
	}
	return 0, r.err
}

// atEnd checks what can be checked once all bytes are there.
func (r *entryReader) atEnd() error {
	switch {
	case r.e.partial:
		return r.damaged(errors.New("the file ends here"))
	case r.e.clipped:
		return r.damaged(errors.New("another entry begins here"))
	case r.from != (Restart{}) || r.e.noCRC || r.crc == r.e.CRC32:
		return io.EOF
	}
	if other, ok := r.c.zip.otherCRC(r.e); ok && other == r.crc {
		r.c.warn("W_ZIP_CHECKSUM", r.e.Name, "its checksum in the zip's directory is wrong; the one beside the data is right")
		return io.EOF
	}
	return r.damaged(errors.New("its checksum differs"))
}

func (r *entryReader) damaged(err error) error {
	if ctxErr := r.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if r.in.err != nil {
		return fmt.Errorf("%s: %w", shorten(r.e.Name), r.in.err) // nothing is damaged
	}
	reason := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		reason = "its data ends here"
	}
	return &DamagedError{r.e.Name, r.offset, reason}
}

func (r *entryReader) Close() error {
	if r.release != nil {
		r.release()
		r.release = nil
	}
	r.err = errors.New("read after close")
	return nil
}

// source is an entry's bytes in the zip. It remembers an error of reading them,
// which is none of what they are.
type source struct {
	*io.SectionReader
	err error
}

func (s *source) Read(b []byte) (int, error) {
	n, err := s.SectionReader.Read(b)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// bombGuard counts by how much entries exceed the ratio to which text inflates.
type bombGuard struct {
	mu     sync.Mutex
	excess map[int64]int64 // by header
	sum    int64
}

func (g *bombGuard) check(e *Entry, offset int64, l Limits) error {
	excess := offset - l.Ratio*max(e.room(), 1)
	if excess <= 0 {
		return nil
	}
	if offset > l.Freely {
		return &DamagedError{e.Name, offset, fmt.Sprintf("it inflates to more than %d times its size, as no recording does", l.Ratio)}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.excess == nil {
		g.excess = map[int64]int64{}
	}
	more := excess - g.excess[e.header]
	if more <= 0 {
		return nil // it was read before
	}
	if g.sum+more > l.Excess {
		return &DamagedError{e.Name, offset, fmt.Sprintf("the entries inflate to more than %d times their size, as no recording does", l.Ratio)}
	}
	g.sum += more
	g.excess[e.header] = excess
	return nil
}
