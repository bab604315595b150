package trace

import (
	"bytes"
	"hash/crc32"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/flate"
)

// restartEvery is after how many bytes of text the deflate window starts
// anew, so that a reader can begin in the middle of an entry.
const restartEvery = 1 << 20

// spoolInMemory is how much of an entry is kept in memory before it goes to a
// temporary file.
const spoolInMemory = 1 << 20

// spool holds bytes until they are wanted: in memory while they are few, in a
// temporary file otherwise.
type spool struct {
	mem  bytes.Buffer
	file *os.File
	size int64
}

func (s *spool) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	if s.file != nil {
		return s.file.Write(p)
	}
	if s.mem.Len()+len(p) <= spoolInMemory {
		return s.mem.Write(p)
	}
	f, err := os.CreateTemp("", "tracedeck-*")
	if err != nil {
		return 0, err
	}
	s.file = f
	if _, err := f.Write(s.mem.Bytes()); err != nil {
		return 0, err
	}
	s.mem = bytes.Buffer{}
	return f.Write(p)
}

// WriteTo writes everything out; it can be called again.
func (s *spool) WriteTo(w io.Writer) (int64, error) {
	if s.file == nil {
		n, err := w.Write(s.mem.Bytes())
		return int64(n), err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	return io.Copy(w, s.file)
}

func (s *spool) Close() error {
	s.mem = bytes.Buffer{}
	if s.file == nil {
		return nil
	}
	name := s.file.Name()
	s.file.Close()
	s.file = nil
	return os.Remove(name)
}

// restart is a place where inflating can begin.
type restart struct{ packed, plain int64 }

// deflater compresses an entry into a spool. Its window starts anew every
// [restartEvery] bytes; the whole is one ordinary deflate stream.
type deflater struct {
	out      spool
	z        *flate.Writer
	crc      uint32
	size     int64
	since    int64
	restarts []restart
}

var flateWriters = sync.Pool{New: func() any {
	z, _ := flate.NewWriter(nil, flate.DefaultCompression) // fails for unknown levels only
	return z
}}

func newDeflater() *deflater {
	d := &deflater{z: flateWriters.Get().(*flate.Writer)}
	d.z.Reset(&d.out)
	return d
}

func (d *deflater) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		if d.since >= restartEvery {
			if err := d.restart(); err != nil {
				return n, err
			}
		}
		part := p[:min(int64(len(p)), restartEvery-d.since)]
		if _, err := d.z.Write(part); err != nil {
			return n, err
		}
		d.crc = crc32.Update(d.crc, crc32.IEEETable, part)
		n += len(part)
		d.size += int64(len(part))
		d.since += int64(len(part))
		p = p[len(part):]
	}
	return n, nil
}

// restart ends the deflate blocks at a byte and forgets the window: a new
// compressor's output continues the old one's, because no block was marked
// as the last.
func (d *deflater) restart() error {
	if err := d.z.Flush(); err != nil {
		return err
	}
	d.restarts = append(d.restarts, restart{d.out.size, d.size})
	d.z.Reset(&d.out)
	d.since = 0
	return nil
}

// finish ends the stream.
func (d *deflater) finish() error {
	if d.z == nil {
		return nil
	}
	err := d.z.Close()
	flateWriters.Put(d.z)
	d.z = nil
	return err
}

func (d *deflater) discard() {
	if d.z != nil {
		flateWriters.Put(d.z)
		d.z = nil
	}
	d.out.Close()
}
