package container

import (
	"bytes"
	"encoding/binary"
	"io"
)

// walk finds entries by their local headers, from the beginning of the file to
// its end, for zips whose directory is lost.
func (c *Container) walk() []Entry {
	w := &walker{c: c, z: c.zip}
	for pos := int64(0); pos >= 0 && len(w.found) < c.limits.Entries; {
		pos = w.next(pos)
	}
	return w.found
}

type walker struct {
	c     *Container
	z     *zipFile
	found []Entry
	buf   []byte
}

// next takes the entry whose header is the first at or after pos, and returns
// where to go on; -1 when there is no more.
func (w *walker) next(pos int64) int64 {
	at, head := w.findHeader(pos)
	if at < 0 {
		return -1
	}
	e, ok := w.parse(at, head)
	if !ok {
		return at + 4
	}
	w.found = append(w.found, e)
	return e.data + max(e.CompressedSize, 0)
}

// findHeader looks for a local header that can be one.
func (w *walker) findHeader(pos int64) (int64, []byte) {
	for {
		at := w.find(pos, []byte("PK\x03\x04"))
		if at < 0 {
			return -1, nil
		}
		head := make([]byte, localSize)
		if !w.z.read(head, at) {
			return -1, nil
		}
		if plausible(head) {
			return at, head
		}
		pos = at + 4
	}
}

func plausible(b []byte) bool {
	version, method, name := binary.LittleEndian.Uint16(b[4:]), binary.LittleEndian.Uint16(b[8:]), binary.LittleEndian.Uint16(b[26:])
	return version&0xff <= 63 && known(method) && name > 0 && name <= 4096
}

// find returns where needle is at or after pos, or -1.
func (w *walker) find(pos int64, needle []byte) int64 {
	const block = 256 << 10
	if w.buf == nil {
		w.buf = make([]byte, block)
	}
	for pos < w.z.size {
		n, err := w.z.r.ReadAt(w.buf[:min(block, w.z.size-pos)], pos)
		if i := bytes.Index(w.buf[:n], needle); i >= 0 {
			return pos + int64(i)
		}
		if err != nil && err != io.EOF || n <= len(needle) {
			return -1
		}
		pos += int64(n - len(needle) + 1)
	}
	return -1
}

func (w *walker) parse(at int64, head []byte) (Entry, bool) {
	flags := binary.LittleEndian.Uint16(head[6:])
	nameLen, extraLen := int64(binary.LittleEndian.Uint16(head[26:])), int64(binary.LittleEndian.Uint16(head[28:]))
	rest := make([]byte, nameLen+extraLen)
	if !w.z.read(rest, at+localSize) {
		return Entry{}, false
	}
	name, ok := w.c.safeName(rest[:nameLen], flags)
	if !ok || flags&flagEncrypted != 0 {
		return Entry{}, false
	}
	e := Entry{Name: name, Method: binary.LittleEndian.Uint16(head[8:]), CRC32: binary.LittleEndian.Uint32(head[14:]),
		CompressedSize: int64(binary.LittleEndian.Uint32(head[18:])), Size: int64(binary.LittleEndian.Uint32(head[22:])), header: at}
	e.zip64(rest[nameLen:])
	e.header = at
	e.data = at + localSize + nameLen + extraLen
	if flags&flagDescriptor != 0 {
		w.measure(&e)
	} else if e.data+e.CompressedSize > w.z.size || e.CompressedSize < 0 {
		w.cutOff(&e)
	}
	return e, true
}

// measure finds the end of an entry whose size is told only behind it: by the
// descriptor that gives just the distance from the data's beginning.
func (w *walker) measure(e *Entry) {
	for pos := e.data; ; {
		at := w.find(pos, []byte("PK\x07\x08"))
		if at < 0 {
			break
		}
		var d [24]byte
		n, _ := w.z.r.ReadAt(d[:], at)
		length := at - e.data
		switch {
		case n >= 16 && int64(binary.LittleEndian.Uint32(d[8:])) == length:
			e.Size = int64(binary.LittleEndian.Uint32(d[12:]))
		case n >= 24 && int64(binary.LittleEndian.Uint64(d[8:])) == length:
			e.Size = int64(binary.LittleEndian.Uint64(d[16:]))
		default:
			pos = at + 4
			continue
		}
		e.CRC32 = binary.LittleEndian.Uint32(d[4:])
		e.CompressedSize = length
		return
	}
	w.withoutDescriptor(e)
}

// withoutDescriptor takes everything up to the next header for the entry's
// data. Inflating stops at its own end.
func (w *walker) withoutDescriptor(e *Entry) {
	e.noCRC = true
	e.Size = -1
	if at, _ := w.findHeader(e.data); at >= 0 {
		e.CompressedSize = at - e.data
		return
	}
	w.cutOff(e)
}

func (w *walker) cutOff(e *Entry) {
	e.partial, e.noCRC = true, true
	e.CompressedSize = w.z.size - e.data
	e.Size = -1
}
