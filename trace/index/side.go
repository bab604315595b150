package index

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sort"
	"sync"

	"github.com/klauspost/compress/s2"
)

// A sidecar holds the text of large entries in blocks that can be read one by
// one, so that a line in the middle of a zip is reached without inflating all
// before it. Only blocks of long lines are kept: where lines are short rows
// hold nearly all they say, and such text inflates fast.
//
// The file is the blocks, each compressed by itself, a JSON directory, the
// directory's length and checksum, and a magic number.
const (
	sideSuffix  = ".tds"
	sideMagic   = "tracedeck sides\n"
	sideFrom    = 16 << 20 // entries below are inflated again instead
	longLines   = 600      // bytes a line on average from which a block is kept
	sideVersion = 1
)

// sideBlock is where a piece of an entry is.
type sideBlock struct {
	Offset int64  // in the entry
	Size   int    // of the piece
	At     int64  // in the sidecar
	Packed int    // bytes there
	CRC    uint32 // of the packed bytes
}

type sideDirectory struct {
	Version int
	Entries map[string][]sideBlock
}

// sideWriter packs blocks on a goroutine of its own.
type sideWriter struct {
	f    *os.File
	dir  sideDirectory
	at   int64
	work chan sidePiece
	done chan struct{}
	buf  []byte
	err  error
}

type sidePiece struct {
	entry  string
	offset int64
	data   []byte
	free   func()
}

func newSideWriter(f *os.File) *sideWriter {
	s := &sideWriter{f: f, dir: sideDirectory{Version: sideVersion, Entries: map[string][]sideBlock{}},
		work: make(chan sidePiece, 2), done: make(chan struct{})}
	go s.run()
	return s
}

// add keeps a piece of an entry. It calls free when it is done with data.
func (s *sideWriter) add(entry string, offset int64, data []byte, free func()) {
	s.work <- sidePiece{entry, offset, data, free}
}

func (s *sideWriter) run() {
	defer close(s.done)
	for p := range s.work {
		if s.err == nil {
			s.pack(p)
		}
		p.free()
	}
}

func (s *sideWriter) pack(p sidePiece) {
	s.buf = s2.Encode(s.buf[:cap(s.buf)], p.data)
	if _, s.err = s.f.Write(s.buf); s.err != nil {
		return
	}
	s.dir.Entries[p.entry] = append(s.dir.Entries[p.entry], sideBlock{Offset: p.offset, Size: len(p.data), At: s.at,
		Packed: len(s.buf), CRC: crc32.Checksum(s.buf, castagnoli)})
	s.at += int64(len(s.buf))
}

// finish writes the directory.
func (s *sideWriter) finish() error {
	close(s.work)
	<-s.done
	dir, err := json.Marshal(s.dir)
	if err = errors.Join(s.err, err); err != nil {
		return err
	}
	tail := binary.LittleEndian.AppendUint32(dir, uint32(len(dir)))
	tail = binary.LittleEndian.AppendUint32(tail, crc32.Checksum(dir, castagnoli))
	_, err = s.f.Write(append(tail, sideMagic...))
	return err
}

// side reads a sidecar.
type side struct {
	f   *os.File
	dir sideDirectory

	mu     sync.Mutex
	recent [4]sidePage // blocks unpacked lately
	next   int
}

type sidePage struct {
	at   int64 // of its block, +1
	data []byte
}

func (c *cache) sidePath() string { return filepath.Join(c.dir, c.key+sideSuffix) }

// openSide opens the sidecar; nil where there is none that can be used.
func (c *cache) openSide() *side { return c.openFile(c.sidePath()) }

func (c *cache) openFile(path string) *side {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	info, err := f.Stat()
	if err == nil {
		var dir *sideDirectory
		if dir, err = readSideDirectory(f, info.Size()); err == nil {
			return &side{f: f, dir: *dir}
		}
	}
	f.Close()
	_ = os.Remove(path)
	return nil
}

func readSideDirectory(f io.ReaderAt, size int64) (*sideDirectory, error) {
	const tailSize = 8 + len(sideMagic)
	tail := make([]byte, tailSize)
	if size < int64(tailSize) {
		return nil, errDamaged
	}
	if _, err := f.ReadAt(tail, size-int64(tailSize)); err != nil || !bytes.Equal(tail[8:], []byte(sideMagic)) {
		return nil, errDamaged
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	body := size - int64(tailSize) - n
	if body < 0 {
		return nil, errDamaged
	}
	text := make([]byte, n)
	if _, err := f.ReadAt(text, body); err != nil || crc32.Checksum(text, castagnoli) != binary.LittleEndian.Uint32(tail[4:]) {
		return nil, errDamaged
	}
	var dir sideDirectory
	if json.Unmarshal(text, &dir) != nil || dir.Version != sideVersion || !dir.valid(body) {
		return nil, errDamaged
	}
	return &dir, nil
}

const largestPiece = 1 << 20

func (d *sideDirectory) valid(body int64) bool {
	for _, list := range d.Entries {
		end := int64(0)
		for _, b := range list {
			if b.Offset < end || b.Size <= 0 || b.Size > largestPiece || b.Packed <= 0 || b.Packed > 2*largestPiece ||
				b.At < 0 || b.At > body-int64(b.Packed) {
				return false
			}
			end = b.Offset + int64(b.Size)
		}
	}
	return true
}

// read returns n bytes of the entry from offset on; ok is false where the
// sidecar does not have them all.
func (s *side) read(entry string, offset int64, n int) (b []byte, ok bool) {
	if s == nil {
		return nil, false
	}
	list := s.dir.Entries[entry]
	i := sort.Search(len(list), func(i int) bool { return list[i].Offset+int64(list[i].Size) > offset })
	for at := offset; at < offset+int64(n); i++ {
		if i >= len(list) || list[i].Offset > at {
			return nil, false
		}
		piece, err := s.piece(list[i])
		if err != nil {
			return nil, false
		}
		piece = piece[at-list[i].Offset:]
		piece = piece[:min(int64(len(piece)), offset+int64(n)-at)]
		if b == nil {
			b = make([]byte, 0, n)
		}
		b = append(b, piece...)
		at += int64(len(piece))
	}
	return b, true
}

func (s *side) piece(b sideBlock) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.recent {
		if p.at == b.At+1 {
			return p.data, nil
		}
	}
	packed := make([]byte, b.Packed)
	if _, err := s.f.ReadAt(packed, b.At); err != nil {
		return nil, err
	}
	if n, err := s2.DecodedLen(packed); err != nil || n != b.Size || crc32.Checksum(packed, castagnoli) != b.CRC {
		return nil, errDamaged
	}
	data, err := s2.Decode(nil, packed)
	if err != nil {
		return nil, err
	}
	s.recent[s.next%len(s.recent)] = sidePage{b.At + 1, data}
	s.next++
	return data, nil
}

func (s *side) close() error {
	if s == nil {
		return nil
	}
	return s.f.Close()
}
