package container

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"sort"
)

// Signatures and sizes of a zip's records (APPNOTE.TXT).
const (
	localSignature      = 0x04034b50
	centralSignature    = 0x02014b50
	endSignature        = 0x06054b50
	end64Signature      = 0x06064b50
	locator64Signature  = 0x07064b50
	descriptorSignature = 0x08074b50
	localSize           = 30
	centralSize         = 46
	endSize             = 22
	extraZip64          = 1
	flagDescriptor      = 1 << 3
	flagEncrypted       = 1
	flagUTF8            = 1 << 11
)

// zipFile is the bytes of a zip.
type zipFile struct {
	r    io.ReaderAt
	size int64
}

// directoryEnd is what the end of a zip says of its directory.
type directoryEnd struct {
	at      int64 // where the directory ends
	records uint64
	size    uint64
	offset  uint64
	base    int64 // bytes of junk before the zip
}

// openZip reads the directory of a zip. Where there is none, or a broken one,
// the entries are found by walking over the file.
func (c *Container) openZip(r io.ReaderAt, size int64) error {
	c.zip = &zipFile{r, size}
	err := c.readDirectory()
	if errors.Is(err, ErrTooManyEntries) {
		return err
	}
	if err != nil {
		found := c.walk()
		if len(found) == 0 {
			if size == 0 {
				return fmt.Errorf("%w: it is empty", ErrNotAZip)
			}
			return fmt.Errorf("%w: %w, and no entries were found", ErrNotAZip, err)
		}
		c.warn("W_ZIP_NO_DIRECTORY", "", "the zip's directory is not usable (%v); %d entries were found by walking over the file", err, len(found))
		c.entries = found
		c.digest = digestOf(found)
	}
	c.index()
	c.readSeekIndex()
	return nil
}

func (c *Container) readDirectory() error {
	end, err := c.zip.findEnd()
	if err != nil {
		return err
	}
	if end.records > uint64(c.limits.Entries) {
		return fmt.Errorf("%w: %d, and %d are allowed", ErrTooManyEntries, end.records, c.limits.Entries)
	}
	if end.size > uint64(c.limits.Directory) {
		return fmt.Errorf("its directory claims %d bytes", end.size)
	}
	sum := sha256.New()
	start := end.base + int64(end.offset)
	section := io.NewSectionReader(c.zip.r, start, end.at-start)
	rd := bufio.NewReaderSize(io.TeeReader(io.LimitReader(section, c.limits.Directory), sum), 256<<10)
	err = c.readRecords(rd, end.base)
	if err != nil {
		return err
	}
	if want := end.records; uint16(len(c.entries)) != uint16(want) && len(c.entries) < int(want) {
		return fmt.Errorf("its directory has %d of %d entries", len(c.entries), want)
	}
	return c.finishDigest(rd, sum)
}

func (c *Container) finishDigest(rd io.Reader, sum hash.Hash) error {
	if _, err := io.Copy(io.Discard, rd); err != nil {
		return err
	}
	c.digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// findEnd looks for the end record from the back.
func (z *zipFile) findEnd() (directoryEnd, error) {
	const farthest = 1 << 20 // a comment is shorter, but junk may follow the zip
	n := min(z.size, farthest)
	for _, look := range []int64{min(n, 1<<10), min(n, 66<<10), n} {
		buf := make([]byte, look)
		if _, err := z.r.ReadAt(buf, z.size-look); err != nil && err != io.EOF {
			return directoryEnd{}, err
		}
		for i := bytes.LastIndex(buf, []byte("PK\x05\x06")); i >= 0; i = bytes.LastIndex(buf[:i], []byte("PK\x05\x06")) {
			if i+endSize > len(buf) {
				continue
			}
			if end, ok := z.parseEnd(buf[i:], z.size-look+int64(i)); ok {
				return end, nil
			}
		}
		if look == z.size {
			break
		}
	}
	return directoryEnd{}, errors.New("no end record")
}

func (z *zipFile) parseEnd(b []byte, at int64) (directoryEnd, bool) {
	end := directoryEnd{at: at, records: uint64(binary.LittleEndian.Uint16(b[10:])),
		size: uint64(binary.LittleEndian.Uint32(b[12:])), offset: uint64(binary.LittleEndian.Uint32(b[16:]))}
	if end.records == 0xffff || end.size == 0xffffffff || end.offset == 0xffffffff {
		z.parseEnd64(&end, at)
	}
	if end.size > uint64(end.at) || end.offset > uint64(z.size) {
		return end, false
	}
	end.base = end.at - int64(end.size) - int64(end.offset)
	if end.base < 0 {
		end.base = 0
	}
	if end.records > 0 && !z.has(end.base+int64(end.offset), centralSignature) {
		if end.base == 0 || !z.has(int64(end.offset), centralSignature) {
			return end, false
		}
		end.base = 0
	}
	return end, true
}

func (z *zipFile) parseEnd64(end *directoryEnd, at int64) {
	locator := make([]byte, 20)
	if at < 20 || !z.read(locator, at-20) || binary.LittleEndian.Uint32(locator) != locator64Signature {
		return
	}
	where := int64(binary.LittleEndian.Uint64(locator[8:]))
	record := make([]byte, 56)
	for _, p := range []int64{where, at - 20 - 56} { // the second where junk precedes the zip
		if p >= 0 && z.read(record, p) && binary.LittleEndian.Uint32(record) == end64Signature {
			end.records = binary.LittleEndian.Uint64(record[32:])
			end.size = binary.LittleEndian.Uint64(record[40:])
			end.offset = binary.LittleEndian.Uint64(record[48:])
			end.at = p
			return
		}
	}
}

func (z *zipFile) read(b []byte, at int64) bool {
	n, _ := z.r.ReadAt(b, at)
	return n == len(b)
}

func (z *zipFile) has(at int64, signature uint32) bool {
	var b [4]byte
	return at >= 0 && z.read(b[:], at) && binary.LittleEndian.Uint32(b[:]) == signature
}

// readRecords reads the directory's records up to the first that is none.
func (c *Container) readRecords(rd *bufio.Reader, base int64) error {
	var head [centralSize]byte
	for {
		peek, _ := rd.Peek(4)
		if len(peek) < 4 || binary.LittleEndian.Uint32(peek) != centralSignature {
			return nil
		}
		if len(c.entries) >= c.limits.Entries {
			return fmt.Errorf("%w: %d are allowed", ErrTooManyEntries, c.limits.Entries)
		}
		if _, err := io.ReadFull(rd, head[:]); err != nil {
			return errors.New("its directory ends early")
		}
		if err := c.readRecord(rd, head[:], base); err != nil {
			return err
		}
	}
}

func (c *Container) readRecord(rd *bufio.Reader, b []byte, base int64) error {
	nameLen, extraLen, commentLen := binary.LittleEndian.Uint16(b[28:]), binary.LittleEndian.Uint16(b[30:]), binary.LittleEndian.Uint16(b[32:])
	rest := make([]byte, int(nameLen)+int(extraLen))
	if _, err := io.ReadFull(rd, rest); err != nil {
		return errors.New("its directory ends early")
	}
	if _, err := rd.Discard(int(commentLen)); err != nil {
		return errors.New("its directory ends early")
	}
	flags := binary.LittleEndian.Uint16(b[8:])
	e := Entry{Method: binary.LittleEndian.Uint16(b[10:]), CRC32: binary.LittleEndian.Uint32(b[16:]),
		CompressedSize: int64(binary.LittleEndian.Uint32(b[20:])), Size: int64(binary.LittleEndian.Uint32(b[24:])),
		header: int64(binary.LittleEndian.Uint32(b[42:]))}
	e.zip64(rest[nameLen:])
	e.header += base
	name, ok := c.safeName(rest[:nameLen], flags)
	switch {
	case !ok:
		return nil
	case flags&flagEncrypted != 0:
		c.warn("W_ZIP_ENCRYPTED", name, "it is encrypted and left out")
		return nil
	case e.header < 0 || e.CompressedSize < 0 || e.Size < 0:
		c.warn("W_ZIP_BAD_ENTRY", name, "its sizes make no sense")
		return nil
	}
	e.Name = name
	c.entries = append(c.entries, e)
	return nil
}

// zip64 replaces those 32-bit values that are all ones by the 64-bit values of
// the extra field.
func (e *Entry) zip64(extra []byte) {
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			return
		}
		if id != extraZip64 {
			extra = extra[n:]
			continue
		}
		field := extra[:n]
		for _, v := range []*int64{&e.Size, &e.CompressedSize, &e.header} {
			if *v == 0xffffffff && len(field) >= 8 {
				*v = int64(binary.LittleEndian.Uint64(field))
				field = field[8:]
			}
		}
		return
	}
}

// index makes names unique (the last of a name wins) and drops what overlaps.
func (c *Container) index() {
	c.byName = make(map[string]int, len(c.entries))
	twice := false
	for i, e := range c.entries {
		if _, there := c.byName[e.Name]; there {
			twice = true
			c.warn("W_ZIP_DUPLICATE", e.Name, "it is in the zip more than once; the last one counts")
		}
		c.byName[e.Name] = i
	}
	overlaps := c.overlapping()
	if !twice && len(overlaps) == 0 {
		return
	}
	kept := make([]Entry, 0, len(c.byName))
	for i, e := range c.entries {
		if c.byName[e.Name] == i && !overlaps[i] {
			kept = append(kept, e)
		}
	}
	c.entries = kept
	clear(c.byName)
	for i, e := range kept {
		c.byName[e.Name] = i
	}
}

// overlapping returns the entries that lie within others, by which a small zip
// can claim to be a huge one.
func (c *Container) overlapping() map[int]bool {
	order := make([]int, len(c.entries))
	sorted := true
	for i := range order {
		order[i] = i
		sorted = sorted && (i == 0 || c.entries[i].header >= c.entries[i-1].header)
	}
	if !sorted {
		sort.SliceStable(order, func(a, b int) bool { return c.entries[order[a]].header < c.entries[order[b]].header })
	}
	var bad map[int]bool
	end := int64(-1)
	for _, i := range order {
		e := c.entries[i]
		if e.header < end {
			if bad == nil {
				bad = map[int]bool{}
			}
			bad[i] = true
			c.warn("W_ZIP_OVERLAP", e.Name, "it lies within another entry and is left out")
			continue
		}
		end = max(end, e.header+localSize+e.CompressedSize)
	}
	return bad
}

func digestOf(entries []Entry) string {
	sum := sha256.New()
	for _, e := range entries {
		fmt.Fprintf(sum, "%s %d %d %08x\n", e.Name, e.Size, e.CompressedSize, e.CRC32)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
