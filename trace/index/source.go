package index

import (
	"context"
	"os"
	"sync"

	"github.com/tracedeck/tracedeck/trace"
)

// source is where an index's lines are: the archive, and the sidecar if there
// is one.
type source struct {
	archive *trace.Archive
	mu      sync.Mutex
	side    *side
	closed  bool
}

// Line returns the line at p as it is in the file, without reading all of the
// entry before it where that can be helped. The archive must still be open.
func (x *Index) Line(ctx context.Context, p trace.Position) ([]byte, error) {
	x.source.mu.Lock()
	side := x.source.side
	x.source.mu.Unlock()
	if b, ok := side.read(p.File, p.Offset, p.Length); ok {
		return b, nil
	}
	return x.source.archive.Line(ctx, p)
}

// Close gives back what the index holds open. The tables stay readable; the
// archive is the caller's.
func (x *Index) Close() error {
	x.source.mu.Lock()
	defer x.source.mu.Unlock()
	side := x.source.side
	x.source.side, x.source.closed = nil, true
	return side.close()
}

func (s *source) use(side *side) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = side.close()
		return
	}
	s.side = side
}

// sideFile makes the file for a sidecar, if one is worth having.
func (b *Builder) sideFile() *os.File {
	if b.cache == nil {
		return nil
	}
	large := false
	for _, e := range b.entries {
		entry, ok := b.archive.Resolve(e.name)
		// What our own recorder wrote can be read from the middle as it is.
		e.large = ok && entry.Size >= sideFrom && entry.CompressedSize < entry.Size && len(b.archive.Restarts(e.name)) == 0
		large = large || e.large
	}
	if !large || os.MkdirAll(b.cache.dir, 0o700) != nil {
		return nil
	}
	f, err := os.CreateTemp(b.cache.dir, "making-*")
	if err != nil {
		return nil
	}
	return f
}

// keepSide puts the sidecar in place.
func (b *Builder) keepSide() {
	if b.side == nil {
		return
	}
	f := b.side.f
	err := b.side.finish()
	empty := len(b.side.dir.Entries) == 0
	b.side = nil
	if f.Close() != nil || err != nil || empty || os.Rename(f.Name(), b.cache.sidePath()) != nil {
		_ = os.Remove(f.Name())
		return
	}
	b.x.source.use(b.cache.openSide())
}

// dropSide forgets a sidecar that did not get complete.
func (b *Builder) dropSide() {
	if b.side == nil {
		return
	}
	f := b.side.f
	_ = b.side.finish()
	b.side = nil
	f.Close()
	_ = os.Remove(f.Name())
}
