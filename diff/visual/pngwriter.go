package visual

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zlib"
)

// pngWriter writes an RGBA picture row by row. Differences are mostly flat, so rows are stored as differences to the
// row above and compressed quickly.
type pngWriter struct {
	w    io.Writer
	z    *zlib.Writer
	buf  *bufio.Writer // gathers compressed bytes into chunks
	line []byte
	prev []byte
}

func newPNGWriter(w io.Writer, width, height int) (*pngWriter, error) {
	if _, err := io.WriteString(w, "\x89PNG\r\n\x1a\n"); err != nil {
		return nil, err
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(width))
	head = binary.BigEndian.AppendUint32(head, uint32(height))
	if err := writeChunk(w, "IHDR", append(head, 8, 6, 0, 0, 0)); err != nil {
		return nil, err
	}
	p := &pngWriter{w: w, line: make([]byte, 4*width+1), prev: make([]byte, 4*width)}
	p.buf = bufio.NewWriterSize(chunkWriter{w}, 32<<10)
	var err error
	p.z, err = zlib.NewWriterLevel(p.buf, zlib.BestSpeed)
	return p, err
}

// chunkWriter makes an IDAT chunk of every write.
type chunkWriter struct{ w io.Writer }

func (c chunkWriter) Write(b []byte) (int, error) { return len(b), writeChunk(c.w, "IDAT", b) }

func writeChunk(w io.Writer, kind string, content []byte) error {
	b := binary.BigEndian.AppendUint32(make([]byte, 0, len(content)+12), uint32(len(content)))
	b = append(append(b, kind...), content...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	_, err := w.Write(b)
	return err
}

func (p *pngWriter) writeRow(row []byte) error {
	p.line[0] = 2 // filter Up
	for i, v := range row {
		p.line[i+1] = v - p.prev[i]
	}
	copy(p.prev, row)
	_, err := p.z.Write(p.line)
	return err
}

func (p *pngWriter) close() error {
	if err := p.z.Close(); err != nil {
		return err
	}
	if err := p.buf.Flush(); err != nil {
		return err
	}
	return writeChunk(p.w, "IEND", nil)
}
