package trace

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zip"
)

// packedEntry says how the bytes of an entry stand in a zip.
type packedEntry struct {
	name     string
	method   uint16
	crc      uint32
	size     int64
	packed   int64
	restarts []restart
}

// zipOut writes entries one after another. All sizes stand before the bytes,
// so that what was written survives when the end does not.
type zipOut struct {
	buf   *bufio.Writer
	z     *zip.Writer
	names map[string]bool
	index seekIndex
}

func newZipOut(w io.Writer) *zipOut {
	buf := bufio.NewWriterSize(w, 256<<10)
	return &zipOut{buf: buf, z: zip.NewWriter(buf), names: map[string]bool{}}
}

// raw writes an entry whose bytes are packed already.
func (o *zipOut) raw(e packedEntry, body io.WriterTo) error {
	if o.names[e.name] {
		return fmt.Errorf("entry %s is written already", e.name)
	}
	o.names[e.name] = true
	h := &zip.FileHeader{Name: e.name, Method: e.method, CRC32: e.crc,
		CompressedSize64: uint64(e.packed), UncompressedSize64: uint64(e.size)}
	h.SetMode(0o644)
	h.ReaderVersion = 20
	if !ascii(e.name) {
		h.Flags |= utf8Name
	}
	if e.size >= maxUint32 || e.packed >= maxUint32 {
		h.Flags |= sizesBehind // a local header has no room for them
		h.ReaderVersion = 45
	}
	// The same session gives the same bytes: every entry is of 1980-01-01.
	h.ModifiedDate = 1<<5 | 1 //lint:ignore SA1019 a raw header is written from no other field
	w, err := o.z.CreateRaw(h)
	if err != nil {
		return fmt.Errorf("entry %s: %w", e.name, err)
	}
	n, err := body.WriteTo(w)
	if err == nil && n != e.packed {
		err = fmt.Errorf("%d bytes of %d: %w", n, e.packed, io.ErrUnexpectedEOF)
	}
	if err != nil {
		return fmt.Errorf("entry %s: %w", e.name, err)
	}
	o.index.add(e)
	return nil
}

const (
	utf8Name    = 0x800
	sizesBehind = 0x8
	maxUint32   = 1<<32 - 1
)

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// data writes an entry from memory: stored where deflating does not pay.
func (o *zipOut) data(name string, data []byte) error {
	d, e, err := packBytes(name, data)
	if err != nil {
		return err
	}
	if d == nil {
		return o.raw(e, bytes.NewReader(data))
	}
	defer d.discard()
	return o.raw(e, &d.out)
}

// packBytes deflates data; d is nil where it is better stored.
func packBytes(name string, data []byte) (d *deflater, e packedEntry, err error) {
	e = packedEntry{name: name, method: zip.Store, size: int64(len(data)), packed: int64(len(data))}
	if !compressed(data) {
		d = newDeflater()
		if _, err = d.Write(data); err == nil {
			err = d.finish()
		}
		if err != nil {
			d.discard()
			return nil, e, err
		}
		if d.out.size < e.size {
			return d, d.entry(name), nil
		}
		d.discard()
	}
	e.crc = crc32.ChecksumIEEE(data)
	return nil, e, nil
}

func (d *deflater) entry(name string) packedEntry {
	return packedEntry{name: name, method: zip.Deflate, crc: d.crc, size: d.size, packed: d.out.size, restarts: d.restarts}
}

// deflated writes a finished deflater's entry and lets go of it.
func (o *zipOut) deflated(name string, d *deflater) error {
	defer d.discard()
	if err := d.finish(); err != nil {
		return err
	}
	return o.raw(d.entry(name), &d.out)
}

// stream writes an entry from r, which may be larger than memory.
func (o *zipOut) stream(name string, r io.Reader) error {
	br := bufio.NewReaderSize(r, 64<<10)
	head, _ := br.Peek(sniffLength)
	if compressed(head) {
		return o.stored(name, br)
	}
	d := newDeflater()
	if _, err := io.Copy(d, br); err != nil {
		d.discard()
		return fmt.Errorf("entry %s: %w", name, err)
	}
	return o.deflated(name, d)
}

func (o *zipOut) stored(name string, r io.Reader) error {
	var s spool
	defer s.Close()
	crc := crc32.NewIEEE()
	if _, err := io.Copy(io.MultiWriter(&s, crc), r); err != nil {
		return fmt.Errorf("entry %s: %w", name, err)
	}
	return o.raw(packedEntry{name: name, method: zip.Store, crc: crc.Sum32(), size: s.size, packed: s.size}, &s)
}

// finish writes the seek index and the directory.
func (o *zipOut) finish() error {
	if text := o.index.text(); text != nil {
		if err := o.data(seekEntry, text); err != nil {
			return err
		}
	}
	if err := o.z.Close(); err != nil {
		return err
	}
	return o.buf.Flush()
}
