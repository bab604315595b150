package container

import (
	"encoding/binary"
	"time"
)

// Entry is one file of a container.
type Entry struct {
	Name           string // with forward slashes, never leaving the container
	Size           int64  // bytes when inflated, as declared; -1 if unknown
	CompressedSize int64  // bytes as stored, as declared
	CRC32          uint32 // 0 in folders
	Method         uint16 // of compression, as in zips
	// Modified is zero where the zip has no sensible date. Zips have no time
	// zone; UTC is assumed.
	Modified time.Time

	header    int64 // where the local header is
	data      int64 // where the data is; 0 until it was looked up
	end       int64 // where something else begins, behind the data; 0 if unknown
	partial   bool  // the container ends within it
	clipped   bool  // another entry begins within it
	noCRC     bool  // CRC32 is not known
	described bool  // checksum and sizes are told behind the data
	encrypted bool
}

// room is how many bytes of the zip the entry's data can be in.
func (e *Entry) room() int64 {
	if e.Method == stored || e.end == 0 {
		return e.CompressedSize
	}
	// Deflated data knows its own end, so a wrong size does no harm.
	return e.end - e.data
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

// dosTime reads the date of a zip. Some recorders write 0, which is no date.
func dosTime(date, clock uint16) time.Time {
	month, day := int(date>>5&15), int(date&31)
	if month < 1 || month > 12 || day < 1 {
		return time.Time{}
	}
	return time.Date(1980+int(date>>9), time.Month(month), day, int(clock>>11), int(clock>>5&63), int(clock&31)*2, 0, time.UTC)
}
