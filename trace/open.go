package trace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/klauspost/compress/zip"
)

// Open opens a trace: the path of a zip or a folder, or an http(s) address.
func Open(ctx context.Context, path string, o Options) (*Archive, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	return newArchive(ctx, &zipStore{z}, path, o)
}

type zipStore struct{ z *zip.ReadCloser }

func (s *zipStore) entries() []Entry {
	var all []Entry
	for _, f := range s.z.File {
		all = append(all, Entry{f.Name, int64(f.UncompressedSize64), int64(f.CompressedSize64)})
	}
	return all
}

func (s *zipStore) lookup(name string) (Entry, bool) {
	for _, e := range s.entries() {
		if e.Name == name {
			return e, true
		}
	}
	return Entry{}, false
}

func (s *zipStore) open(_ context.Context, name string) (io.ReadCloser, error) { return s.z.Open(name) }

func (s *zipStore) openAt(_ context.Context, name string, offset int64) (io.ReadCloser, error) {
	rc, err := s.z.Open(name)
	if err == nil {
		_, err = io.CopyN(io.Discard, rc, offset)
	}
	return rc, err
}

func (s *zipStore) digest() string {
	h := sha256.New()
	for _, f := range s.z.File {
		fmt.Fprintln(h, f.Name, f.CRC32, f.UncompressedSize64)
	}
	return hex.EncodeToString(h.Sum(nil))
}
func (s *zipStore) growing() bool       { return false }
func (s *zipStore) warnings() []Warning { return nil }
func (s *zipStore) close() error        { return s.z.Close() }
