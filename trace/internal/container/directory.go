package container

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// Signatures and sizes of a zip's records (APPNOTE.TXT).
const (
	localSignature      = 0x04034b50
	centralSignature    = 0x02014b50
	end64Signature      = 0x06064b50
	locator64Signature  = 0x07064b50
	descriptorSignature = 0x08074b50
	localSize           = 30
	centralSize         = 46
	endSize             = 22
	extraZip64          = 1
	flagEncrypted       = 1
	flagDescriptor      = 1 << 3
	flagUTF8            = 1 << 11
)

// openZip reads the directory of a zip. Where there is none, or a broken one,
// the entries are found by walking over the file.
func (c *Container) openZip(ctx context.Context, r io.ReaderAt, size int64) error {
	c.zip = &zipFile{r: r, size: size, directory: size}
	if size == 0 {
		return fmt.Errorf("%w: it is empty", ErrNotAZip)
	}
	broken := c.readDirectory()
	if errors.Is(broken, ErrTooManyEntries) {
		return broken
	}
	if broken != nil {
		found, err := c.walk(ctx)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("%w: %w, and no entries were found", ErrNotAZip, broken)
		}
		c.warn("W_ZIP_NO_DIRECTORY", "", "the zip's directory is not usable (%v); %d entries were found by walking over the file", broken, len(found))
		c.entries = found
		c.digest = digestOf(found)
	} else {
		c.bound()
	}
	c.index()
	return nil
}

func (c *Container) readDirectory() error {
	end, err := c.zip.findEnd()
	if err != nil {
		return err
	}
	if end.records > uint64(c.limits.Entries) {
		return fmt.Errorf("%w: it has %d, and %d are allowed", ErrTooManyEntries, end.records, c.limits.Entries)
	}
	if end.size > uint64(c.limits.Directory) {
		return fmt.Errorf("its directory claims %d bytes", end.size)
	}
	start := end.base + int64(end.offset)
	sum := sha256.New()
	section := io.NewSectionReader(c.zip.r, start, min(end.at-start, c.limits.Directory))
	d := directoryReader{c: c, base: end.base, rd: bufio.NewReaderSize(io.TeeReader(section, sum), 256<<10)}
	d.entries = make([]Entry, 0, min(int64(end.records), section.Size()/centralSize))
	if err := d.records(); err != nil {
		return err
	}
	if d.count < end.records && uint16(d.count) != uint16(end.records) {
		return fmt.Errorf("its directory has %d of %d entries", d.count, end.records)
	}
	if _, err := io.Copy(io.Discard, d.rd); err != nil {
		return err
	}
	c.entries, c.zip.directory = d.entries, start
	c.digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// directoryReader reads the records of a central directory.
type directoryReader struct {
	c       *Container
	rd      *bufio.Reader
	base    int64
	count   uint64
	entries []Entry
	buf     []byte
}

var errShortDirectory = errors.New("its directory ends early")

// records reads up to the first record that is none.
func (d *directoryReader) records() error {
	var head [centralSize]byte
	for {
		peek, err := d.rd.Peek(4)
		if len(peek) < 4 && err != nil && err != io.EOF {
			return err
		}
		if len(peek) < 4 || binary.LittleEndian.Uint32(peek) != centralSignature {
			return nil
		}
		if d.count >= uint64(d.c.limits.Entries) {
			return fmt.Errorf("%w: %d are allowed", ErrTooManyEntries, d.c.limits.Entries)
		}
		if _, err := io.ReadFull(d.rd, head[:]); err != nil {
			return errShortDirectory
		}
		if err := d.record(head[:]); err != nil {
			return err
		}
		d.count++
	}
}

func (d *directoryReader) record(b []byte) error {
	nameLen, extraLen := int(binary.LittleEndian.Uint16(b[28:])), int(binary.LittleEndian.Uint16(b[30:]))
	if cap(d.buf) < nameLen+extraLen {
		d.buf = make([]byte, 2*(nameLen+extraLen))
	}
	rest := d.buf[:nameLen+extraLen]
	if _, err := io.ReadFull(d.rd, rest); err != nil {
		return errShortDirectory
	}
	if _, err := d.rd.Discard(int(binary.LittleEndian.Uint16(b[32:]))); err != nil {
		return errShortDirectory
	}
	flags := binary.LittleEndian.Uint16(b[8:])
	name, ok := d.c.safeName(rest[:nameLen], flags)
	if !ok {
		return nil
	}
	e := Entry{Name: name, Method: binary.LittleEndian.Uint16(b[10:]), CRC32: binary.LittleEndian.Uint32(b[16:]),
		CompressedSize: int64(binary.LittleEndian.Uint32(b[20:])), Size: int64(binary.LittleEndian.Uint32(b[24:])),
		header:    int64(binary.LittleEndian.Uint32(b[42:])),
		Modified:  dosTime(binary.LittleEndian.Uint16(b[14:]), binary.LittleEndian.Uint16(b[12:])),
		encrypted: flags&flagEncrypted != 0, described: flags&flagDescriptor != 0}
	e.zip64(rest[nameLen:])
	e.header += d.base
	if e.header < 0 || e.CompressedSize < 0 || e.Size < 0 {
		d.c.warn("W_ZIP_BAD_ENTRY", name, "its sizes make no sense")
		e.CompressedSize, e.Size = 0, -1 // found by walking when it is opened
		e.header = max(e.header, 0)
	}
	d.entries = append(d.entries, e)
	return nil
}

func digestOf(entries []Entry) string {
	sum := sha256.New()
	for _, e := range entries {
		fmt.Fprintf(sum, "%s %d %d %08x\n", e.Name, e.Size, e.CompressedSize, e.CRC32)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
