package container

import (
	"context"
	"encoding/binary"
	"sync"
)

// localHeader is what stands before an entry's data.
type localHeader struct {
	Entry // Size, CompressedSize and CRC32 only if not described
	name  string
}

// local reads the header at that place.
func (z *zipFile) local(at int64) (localHeader, bool) {
	var head [localSize]byte
	if at < 0 || at > z.size-localSize || !z.read(head[:], at) || binary.LittleEndian.Uint32(head[:]) != localSignature {
		return localHeader{}, false
	}
	rest := make([]byte, int(binary.LittleEndian.Uint16(head[26:]))+int(binary.LittleEndian.Uint16(head[28:])))
	if !z.read(rest, at+localSize) {
		return localHeader{}, false
	}
	return parseLocal(at, head[:], rest), true
}

func parseLocal(at int64, head, rest []byte) localHeader {
	flags := binary.LittleEndian.Uint16(head[6:])
	nameLen := min(int(binary.LittleEndian.Uint16(head[26:])), len(rest))
	h := localHeader{name: decodeName(rest[:nameLen], flags), Entry: Entry{
		Method: binary.LittleEndian.Uint16(head[8:]), CRC32: binary.LittleEndian.Uint32(head[14:]),
		CompressedSize: int64(binary.LittleEndian.Uint32(head[18:])), Size: int64(binary.LittleEndian.Uint32(head[22:])),
		Modified:  dosTime(binary.LittleEndian.Uint16(head[12:]), binary.LittleEndian.Uint16(head[10:])),
		encrypted: flags&flagEncrypted != 0, described: flags&flagDescriptor != 0}}
	// The order in a local extra field is the same, and without an offset.
	h.zip64(rest[nameLen:])
	h.header = at
	h.data = at + localSize + int64(len(rest))
	return h
}

// lostEntries are those found by walking over the file, when it was needed.
type lostEntries struct {
	mu     sync.Mutex
	done   bool
	byName map[string]Entry
}

// find looks for an entry by walking over the file, once for all entries.
func (c *Container) find(ctx context.Context, name string) (Entry, bool) {
	l := &c.lost
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.done {
		found, err := c.walk(ctx)
		if err != nil {
			return Entry{}, false
		}
		l.done, l.byName = true, make(map[string]Entry, len(found))
		for _, e := range found {
			l.byName[e.Name] = e
		}
	}
	e, ok := l.byName[name]
	return e, ok
}

// locate finds where an entry's data is: behind its local header. Where header
// and directory disagree, it takes what fits together.
func (c *Container) locate(ctx context.Context, e Entry) (Entry, error) {
	if e.data > 0 {
		return e, nil // found by walking
	}
	h, ok := c.zip.local(e.header)
	if !ok || !c.sameName(h, e) {
		found, there := c.find(ctx, e.Name)
		switch {
		case there:
			c.warn("W_ZIP_MOVED", e.Name, "it is not where the zip's directory says, and was found elsewhere")
			return found, nil
		case ctx.Err() != nil:
			return e, ctx.Err()
		case !ok:
			return e, &DamagedError{Entry: e.Name, Reason: "its header is not where the zip's directory says"}
		}
		c.warn("W_ZIP_RENAMED", e.Name, "its header gives it another name, %s", shorten(h.name))
	}
	e.data = h.data
	c.reconcile(&e, h)
	c.fit(&e)
	return e, nil
}

func (c *Container) sameName(h localHeader, e Entry) bool {
	if h.name == e.Name {
		return true
	}
	name, ok := c.safeName([]byte(h.name), flagUTF8)
	return ok && name == e.Name
}

// reconcile decides what of directory and header is to be believed.
func (c *Container) reconcile(e *Entry, h localHeader) {
	e.encrypted = e.encrypted && h.encrypted
	if h.Method != e.Method && likelier(h.Method, e) {
		c.warn("W_ZIP_METHOD", e.Name, "the zip's directory and its header name different compression; the header's is used")
		e.Method = h.Method
	}
}

// likelier reports whether the other method is the entry's, rather than its
// own: stored bytes are as many as inflated ones, and nearly all else is
// deflated.
func likelier(method uint16, e *Entry) bool {
	if e.CompressedSize == e.Size {
		return method == stored || e.Method != stored && method == deflated
	}
	return method == deflated || e.Method == stored
}

// fit keeps the entry's data within its place in the file.
func (c *Container) fit(e *Entry) {
	end := c.zip.size
	if e.end >= e.data {
		end = e.end
	}
	e.end = end
	if e.Method == stored && e.CompressedSize != e.Size {
		c.zip.fitStored(e)
	}
	if e.data+e.CompressedSize <= end {
		return
	}
	if e.Method != deflated {
		e.clipped = true
	}
	e.CompressedSize = max(end-e.data, 0)
}

// fitStored decides which of two sizes, that should be the same, is right.
func (z *zipFile) fitStored(e *Entry) {
	for _, size := range []int64{e.Size, e.CompressedSize} {
		other := *e
		other.CompressedSize, other.Size = size, size
		if size >= 0 && e.data+size <= e.end && z.certain(other) {
			*e = other
			return
		}
	}
}

// certain reports whether the bytes that the entry claims are exactly its own:
// the header, or what stands behind the data, says so, too.
func (z *zipFile) certain(e Entry) bool {
	if e.partial || e.clipped || e.noCRC || e.encrypted || e.Size < 0 {
		return false
	}
	h, ok := z.local(e.header)
	if !ok || h.Method != e.Method {
		return false
	}
	if !h.described {
		return h.CompressedSize == e.CompressedSize && h.CRC32 == e.CRC32
	}
	d, ok := z.descriptor(e.data, e.data+e.CompressedSize)
	return ok && d.CRC32 == e.CRC32 && d.Size == e.Size
}

// otherCRC returns the checksum that stands with the entry's data. The
// directory's may be what is damaged.
func (z *zipFile) otherCRC(e Entry) (uint32, bool) {
	h, ok := z.local(e.header)
	if ok && !h.described {
		return h.CRC32, true
	}
	d, ok := z.descriptor(e.data, e.data+e.CompressedSize)
	return d.CRC32, ok
}

// descriptor reads what stands behind the data from begin to end if the sizes
// come only there. It has four forms: with and without a signature, with sizes
// of 4 and of 8 bytes.
func (z *zipFile) descriptor(begin, end int64) (Entry, bool) {
	var b [24]byte
	n, _ := z.r.ReadAt(b[:], end)
	d := b[:n]
	if n >= 4 && binary.LittleEndian.Uint32(d) == descriptorSignature {
		if e, ok := parseDescriptor(d[4:], end-begin); ok {
			return e, true
		}
	}
	return parseDescriptor(d, end-begin)
}

func parseDescriptor(d []byte, length int64) (Entry, bool) {
	// An empty entry's short form looks like a long one.
	const empty = 16
	switch {
	case len(d) >= 20 && int64(binary.LittleEndian.Uint64(d[4:])) == length && (length > empty || binary.LittleEndian.Uint32(d) != 0):
		return Entry{CRC32: binary.LittleEndian.Uint32(d), CompressedSize: length, Size: int64(binary.LittleEndian.Uint64(d[12:]))}, true
	case len(d) >= 12 && int64(binary.LittleEndian.Uint32(d[4:])) == length:
		return Entry{CRC32: binary.LittleEndian.Uint32(d), CompressedSize: length, Size: int64(binary.LittleEndian.Uint32(d[8:]))}, true
	}
	return Entry{}, false
}
