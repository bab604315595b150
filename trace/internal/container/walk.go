package container

import (
	"context"
	"encoding/binary"
	"strings"
)

// walk finds entries by their local headers, from the beginning of the file to
// its end, for zips whose directory is lost.
func (c *Container) walk(ctx context.Context) ([]Entry, error) {
	w := &walker{c: c, z: c.zip, window: window{ctx: ctx, z: c.zip}, searches: 2 * c.zip.size}
	for pos := int64(0); pos >= 0; {
		if len(w.found) >= c.limits.Entries {
			c.warn("W_ZIP_ENTRIES", "", "only the first %d entries are read", len(w.found))
			break
		}
		pos = w.next(pos)
	}
	return w.found, w.window.err
}

type walker struct {
	c      *Container
	z      *zipFile
	window window
	found  []Entry
	// searches is how many bytes may be searched in vain for the ends of
	// stored entries: all else takes time in proportion to the file.
	searches int64
}

// next takes the entry whose header is the first at or after pos, and returns
// where to go on; -1 when there is no more.
func (w *walker) next(pos int64) int64 {
	at := w.header(pos)
	if at < 0 {
		return -1
	}
	h := w.parse(at)
	name, ok := w.c.safeName([]byte(h.name), flagUTF8)
	e := h.Entry
	e.Name = name
	w.measure(&e)
	if ok {
		w.found = append(w.found, e)
	}
	return e.data + max(e.CompressedSize, 0)
}

// header looks for a local header that can be one.
func (w *walker) header(pos int64) int64 {
	for {
		at, _ := w.window.next(pos, markLocal)
		if at < 0 || w.plausible(at) {
			return at
		}
		pos = at + 4
	}
}

func (w *walker) plausible(at int64) bool {
	b := w.window.bytes(at, localSize)
	if len(b) < localSize {
		return false
	}
	const newest, longest = 63, 4096
	version, method := binary.LittleEndian.Uint16(b[4:])&0xff, binary.LittleEndian.Uint16(b[8:])
	name := int64(binary.LittleEndian.Uint16(b[26:]))
	extra := int64(binary.LittleEndian.Uint16(b[28:]))
	_, named := methodNames[method]
	return version <= newest && (known(method) || named) && name > 0 && name <= longest && at+localSize+name+extra <= w.z.size
}

func (w *walker) parse(at int64) localHeader {
	b := w.window.bytes(at, localSize)
	n := localSize + int(binary.LittleEndian.Uint16(b[26:])) + int(binary.LittleEndian.Uint16(b[28:]))
	b = w.window.bytes(at, n)
	if len(b) < n { // the file cannot be read any more
		return localHeader{Entry: Entry{header: at, data: w.z.size, partial: true}}
	}
	return parseLocal(at, b[:localSize], b[localSize:])
}

// measure finds where an entry's data ends.
func (w *walker) measure(e *Entry) {
	if e.described && e.CompressedSize > 0 && w.somethingAt(e.data+e.CompressedSize) {
		e.described = false // some give the sizes at both places
	}
	switch {
	case e.described:
		w.search(e)
	case e.CompressedSize < 0 || !w.somethingAt(e.data+e.CompressedSize):
		w.search(e)
	default:
		e.end = e.data + e.CompressedSize
	}
}

// somethingAt reports whether an entry can end there: another record begins.
func (w *walker) somethingAt(at int64) bool {
	var b [4]byte
	switch n := min(w.z.size-at, 4); {
	case n < 0:
		return false
	case n < 4: // the file ends within it
		return w.z.read(b[:n], at) && strings.HasPrefix("PK\x01\x02", string(b[:n]))
	}
	return w.z.read(b[:], at) && b[0] == 'P' && b[1] == 'K' && b[2] < 9 && b[3] == b[2]+1
}

// search finds the end of an entry whose size is not known: by the descriptor
// behind it, which gives just the distance from the data's beginning, or else
// by what comes next.
func (w *walker) search(e *Entry) {
	candidate := int64(-1)
	for pos := e.data; ; {
		at, kind := w.window.next(pos, markDescriptor, markLocal, markCentral)
		if at < 0 || candidate >= 0 && w.searches < at-pos {
			break
		}
		if candidate >= 0 {
			w.searches -= at - pos
		}
		pos = at + 4
		if kind == markDescriptor {
			if d, ok := w.z.descriptor(e.data, at); ok {
				w.take(e, d, at)
				return
			}
			continue
		}
		if kind == markLocal && !w.plausible(at) {
			continue
		}
		if d, end, ok := w.unsigned(e.data, at); ok {
			w.take(e, d, end)
			return
		}
		// Deflated data never has a signature in it but by chance; stored
		// data does, where it is a zip itself.
		if e.Method == deflated {
			w.untilNext(e, at)
			return
		}
		if candidate < 0 {
			candidate = at
		}
	}
	w.untilNext(e, candidate)
}

func (w *walker) take(e *Entry, d Entry, end int64) {
	e.CRC32, e.Size, e.CompressedSize, e.end = d.CRC32, d.Size, end-e.data, end
}

// unsigned looks for a descriptor that has no signature before the record at at.
func (w *walker) unsigned(begin, at int64) (d Entry, end int64, ok bool) {
	for _, n := range []int64{12, 20} {
		var b [20]byte
		if end = at - n; end >= begin && w.z.read(b[:n], end) {
			if d, ok = parseDescriptor(b[:n], end-begin); ok {
				return d, end, true
			}
		}
	}
	return Entry{}, 0, false
}

// untilNext takes everything up to the next record for the entry's data, or up
// to the end of the file. Inflating stops at its own end.
func (w *walker) untilNext(e *Entry, at int64) {
	e.noCRC = e.described
	e.Size = -1
	if at < 0 {
		at = w.z.size
		e.partial = true
	}
	e.CompressedSize, e.end = at-e.data, at
}
