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

// Events returns what the line at p says, in the shape of the current version
// as far as one line alone can be brought there: none, one, or several events.
func (x *Index) Events(ctx context.Context, p trace.Position) ([]*trace.Event, error) {
	line, err := x.Line(ctx, p)
	if err != nil {
		return nil, err
	}
	d, first := x.decoder(ctx, p)
	if first {
		d = trace.NewDecoder(p.File)
	}
	return d.Line(line, p)
}

// decoder returns what brings lines of the entry up to date: it has seen the
// first line of the entry's context, which tells the version. First is true
// where p is that line.
func (x *Index) decoder(ctx context.Context, p trace.Position) (d *trace.Decoder, first bool) {
	name := p.File
	for _, f := range x.files.all() {
		if f.name == p.File {
			name = x.contextFile(f.context)
		}
	}
	d = trace.NewDecoder(name)
	head, ok := x.LinePosition(name, 1)
	if ok && head == p {
		return d, true
	}
	if line, err := x.Line(ctx, head); ok && err == nil {
		_, _ = d.Line(line, head) // without it the version is what the line itself tells
	}
	if name != p.File {
		d = d.Beside(p.File)
	}
	return d, false
}

func (x *Index) contextFile(context int) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.contexts[context].File
}
