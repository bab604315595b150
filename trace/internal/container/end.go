package container

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// zipFile is the bytes of a zip.
type zipFile struct {
	r         io.ReaderAt
	size      int64
	directory int64 // where the central directory begins, or the file's size
}

func (z *zipFile) read(b []byte, at int64) bool {
	n, _ := z.r.ReadAt(b, at)
	return n == len(b)
}

func (z *zipFile) has(at int64, signature uint32) bool {
	var b [4]byte
	return at >= 0 && at <= z.size-4 && z.read(b[:], at) && binary.LittleEndian.Uint32(b[:]) == signature
}

// directoryEnd is what the end of a zip says of its directory.
type directoryEnd struct {
	at      int64 // where the directory ends
	records uint64
	size    uint64
	offset  uint64
	base    int64 // bytes of junk before the zip
}

// candidates is how many end records are tried: each can cost requests.
const candidates = 32

// findEnd looks for the end record from the back.
func (z *zipFile) findEnd() (directoryEnd, error) {
	const farthest = 1 << 20 // a comment is shorter, but junk may follow the zip
	for _, look := range []int64{1 << 10, 66 << 10, farthest} {
		look = min(look, z.size)
		buf := make([]byte, look)
		if n, err := z.r.ReadAt(buf, z.size-look); int64(n) < look {
			return directoryEnd{}, err
		}
		if end, ok := z.findEndIn(buf, z.size-look); ok {
			return end, nil
		}
		if look == z.size {
			break
		}
	}
	return directoryEnd{}, errors.New("it has no end record")
}

func (z *zipFile) findEndIn(buf []byte, at int64) (directoryEnd, bool) {
	i := len(buf)
	for range candidates {
		if i = bytes.LastIndex(buf[:i], []byte("PK\x05\x06")); i < 0 {
			break
		}
		if i+endSize > len(buf) {
			continue
		}
		if end, ok := z.parseEnd(buf[i:], at+int64(i)); ok {
			return end, true
		}
	}
	return directoryEnd{}, false
}

func (z *zipFile) parseEnd(b []byte, at int64) (directoryEnd, bool) {
	end := directoryEnd{at: at, records: uint64(binary.LittleEndian.Uint16(b[10:])),
		size: uint64(binary.LittleEndian.Uint32(b[12:])), offset: uint64(binary.LittleEndian.Uint32(b[16:]))}
	if end.records == 0xffff || end.size == 0xffffffff || end.offset == 0xffffffff {
		z.parseEnd64(&end, at)
	}
	if end.size > uint64(end.at) || end.offset > uint64(end.at) {
		return end, false
	}
	end.base = max(end.at-int64(end.size)-int64(end.offset), 0)
	if end.records == 0 || z.has(end.base+int64(end.offset), centralSignature) {
		return end, true
	}
	end.base = 0 // the directory's own size may be what is wrong
	return end, z.has(int64(end.offset), centralSignature)
}

func (z *zipFile) parseEnd64(end *directoryEnd, at int64) {
	locator := make([]byte, 20)
	if at < 20 || !z.read(locator, at-20) || binary.LittleEndian.Uint32(locator) != locator64Signature {
		return
	}
	where := binary.LittleEndian.Uint64(locator[8:])
	record := make([]byte, 56)
	for _, p := range []int64{int64(where), at - 20 - 56} { // the second where junk precedes the zip
		if p >= 0 && p < at && z.read(record, p) && binary.LittleEndian.Uint32(record) == end64Signature {
			end.records = binary.LittleEndian.Uint64(record[32:])
			end.size = binary.LittleEndian.Uint64(record[40:])
			end.offset = binary.LittleEndian.Uint64(record[48:])
			end.at = p
			return
		}
	}
}
