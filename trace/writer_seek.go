package trace

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/klauspost/compress/zip"

	"github.com/tracedeck/tracedeck/trace/internal/container"
)

// seekEntry is the entry that says where inflating can begin. Readers that do
// not know it do without.
const seekEntry = container.SeekEntry

// seekIndex collects the restart points of a zip's entries.
type seekIndex struct{ entries map[string][][2]int64 }

func (s *seekIndex) add(e packedEntry) {
	if len(e.restarts) == 0 {
		return
	}
	if s.entries == nil {
		s.entries = map[string][][2]int64{}
	}
	for _, r := range e.restarts {
		s.entries[e.name] = append(s.entries[e.name], [2]int64{r.packed, r.plain})
	}
}

// text is the entry's content, and nil where there is nothing to say.
func (s *seekIndex) text() []byte {
	if s.entries == nil {
		return nil
	}
	text, _ := json.Marshal(container.SeekIndex{Version: 1, Entries: s.entries}) // of numbers and strings
	return text
}

var errNotRaw = errors.New("the packed bytes cannot be used as they are")

// openRaw hands out an entry's packed bytes, with the places at which
// inflating can begin.
func (s *containerStore) openRaw(_ context.Context, name string) (packedEntry, io.ReadCloser, error) {
	e, data, err := s.c.Raw(name)
	if err != nil {
		return packedEntry{}, nil, err
	}
	if e.Size < 0 || data.Size() != e.CompressedSize || e.Method != zip.Store && e.Method != zip.Deflate {
		return packedEntry{}, nil, errNotRaw
	}
	p := packedEntry{name: name, method: e.Method, crc: e.CRC32, size: e.Size, packed: e.CompressedSize}
	for _, r := range s.c.Restarts(name) {
		p.restarts = append(p.restarts, restart{r.Compressed, r.Inflated})
	}
	return p, io.NopCloser(data), nil
}
