package container

import (
	"bufio"
	"compress/bzip2"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
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
	zstdNew  = 93
	zstdOld  = 20
)

func known(method uint16) bool {
	switch method {
	case stored, deflated, bzipped, zstdNew, zstdOld:
		return true
	}
	return false
}

var methodNames = map[uint16]string{1: "Shrink", 6: "Implode", 9: "Deflate64", 14: "LZMA", 95: "XZ", 97: "WavPack", 98: "PPMd", 99: "AES"}

// MethodError is for an entry that is compressed in a way that is not read.
type MethodError struct {
	Entry  string
	Method uint16
}

func (e *MethodError) Error() string {
	name := methodNames[e.Method]
	if name == "" {
		name = fmt.Sprintf("method %d", e.Method)
	}
	return fmt.Sprintf("%s: compressed with %s", e.Entry, name)
}

// Hint says what to do about it.
func (e *MethodError) Hint() string { return "unpack it and zip it again with deflate" }

// locate finds where an entry's data begins: behind its local header, whose
// lengths may differ from the directory's.
func (c *Container) locate(e Entry) (Entry, error) {
	if e.data > 0 {
		return e, nil
	}
	var head [localSize]byte
	if c.zip.read(head[:], e.header) && binary.LittleEndian.Uint32(head[:]) == localSignature {
		e.data = e.header + localSize + int64(binary.LittleEndian.Uint16(head[26:])) + int64(binary.LittleEndian.Uint16(head[28:]))
		if e.data+e.CompressedSize <= c.zip.size {
			return e, nil
		}
	}
	if found, ok := c.recover(e.Name); ok {
		return found, nil
	}
	if e.data > 0 && e.data < c.zip.size {
		e.partial, e.noCRC = true, true
		e.CompressedSize = c.zip.size - e.data
		return e, nil
	}
	return e, &DamagedError{Entry: e.Name, Reason: "its header is not where the zip's directory says"}
}

// recover finds an entry by walking over the file, once for all entries.
func (c *Container) recover(name string) (Entry, bool) {
	c.mu.Lock()
	walked := c.walked
	c.walked = true
	c.mu.Unlock()
	if !walked {
		found := map[string]Entry{}
		for _, e := range c.walk() {
			found[e.Name] = e
		}
		c.mu.Lock()
		c.recovered = found
		c.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.recovered[name]
	return e, ok
}

// Recover adds the entries that are in a zip's file and not in its directory,
// and reports whether there were any.
func (c *Container) Recover() bool {
	if c.zip == nil {
		return false
	}
	added := 0
	for _, e := range c.walk() {
		if _, there := c.byName[e.Name]; !there {
			c.byName[e.Name] = len(c.entries)
			c.entries = append(c.entries, e)
			added++
		}
	}
	if added > 0 {
		c.warn("W_ZIP_HIDDEN", "", "%d entries are not in the zip's directory and were found by walking over the file", added)
	}
	return added > 0
}

func (c *Container) openZipEntry(ctx context.Context, e Entry, offset int64) (io.ReadCloser, error) {
	if !known(e.Method) {
		return nil, fmt.Errorf("%s: %w", c.name, &MethodError{e.Name, e.Method})
	}
	e, err := c.locate(e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	r := &entryReader{ctx: ctx, e: e, limits: c.limits, sum: !e.noCRC}
	from := c.seek.before(e, offset)
	if from.Inflated > 0 {
		r.sum = false
		r.offset = from.Inflated
	}
	data := io.NewSectionReader(c.zip.r, e.data+from.Compressed, e.CompressedSize-from.Compressed)
	r.start(data)
	if err := r.skip(offset - from.Inflated); err != nil {
		r.Close()
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return r, nil
}

// entryReader inflates one entry and checks it at its end.
type entryReader struct {
	ctx    context.Context
	e      Entry
	limits Limits
	r      io.Reader
	give   func() // gives the decompressor back
	offset int64  // inflated bytes so far
	crc    uint32
	sum    bool // whether crc is of all bytes so far
	err    error
}

var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

func (r *entryReader) start(data *io.SectionReader) {
	r.give = func() {}
	switch r.e.Method {
	case stored:
		r.r = data
	case deflated:
		f := inflaters.Get().(io.ReadCloser)
		r.err = f.(flate.Resetter).Reset(bufio.NewReaderSize(data, 64<<10), nil)
		r.r = f
		r.give = func() { inflaters.Put(f) }
	case bzipped:
		r.r = bzip2.NewReader(bufio.NewReaderSize(data, 64<<10))
	default:
		d, err := zstd.NewReader(data, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(128<<20))
		if err != nil {
			r.err = err
			return
		}
		r.r = d
		r.give = d.Close
	}
}

func (r *entryReader) skip(n int64) error {
	if n <= 0 {
		return nil
	}
	if s, ok := r.r.(*io.SectionReader); ok { // stored
		if _, err := s.Seek(n, io.SeekCurrent); err != nil {
			return err
		}
		r.offset += n
		r.sum = false
		return nil
	}
	_, err := io.CopyN(io.Discard, struct{ io.Reader }{r}, n)
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
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
	if r.sum {
		r.crc = crc32.Update(r.crc, crc32.IEEETable, b[:n])
	}
	switch {
	case err == io.EOF:
		r.err = r.atEnd()
	case err != nil:
		r.err = r.damaged(err)
	case r.offset > r.limits.Freely && r.offset/r.limits.Ratio > r.e.CompressedSize:
		r.err = &DamagedError{r.e.Name, r.offset, fmt.Sprintf("it inflates to more than %d times its size, as no recording does", r.limits.Ratio)}
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
	case r.sum && r.crc != r.e.CRC32:
		return r.damaged(errors.New("its checksum differs"))
	}
	return io.EOF
}

func (r *entryReader) damaged(err error) error {
	if ctxErr := r.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	reason := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		reason = "the file ends here"
	}
	return &DamagedError{r.e.Name, r.offset, reason}
}

func (r *entryReader) Close() error {
	if r.give != nil {
		r.give()
		r.give = nil
	}
	r.err = errors.New("read after close")
	return nil
}
