package content

import (
	"context"
	"sync"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

// Indexed feeds a store of snapshots from an index that may still be growing.
// The number of a snapshot is its row in [index.Snapshots].
type Indexed struct {
	mu       sync.Mutex
	x        *index.Index
	a        *trace.Archive
	store    *snapshot.Store
	requests index.Row
	frames   index.Row
}

// FromIndex returns the snapshots of an archive that x is the index of.
func FromIndex(a *trace.Archive, x *index.Index) *Indexed {
	store := snapshot.NewStore(lineLoader{a, x})
	store.OpenEntries(a)
	return &Indexed{x: x, a: a, store: store}
}

// lineLoader reads lines by way of the index, which reaches the middle of
// large entries faster than the archive.
type lineLoader struct {
	a *trace.Archive
	x *index.Index
}

// SnapshotAt reads a snapshot. The file's first line comes before it, since it
// tells the version that the others are in.
func (l lineLoader) SnapshotAt(ctx context.Context, p trace.Position) (*trace.FrameSnapshot, error) {
	d := trace.NewDecoder(p.File)
	first, ok := l.x.LinePosition(p.File, 1)
	if !ok {
		return l.a.SnapshotAt(ctx, p)
	}
	for _, at := range []trace.Position{first, p} {
		line, err := l.x.Line(ctx, at)
		if err != nil {
			return nil, err
		}
		events, err := d.Line(line, at)
		if err != nil && at == p {
			return nil, err
		}
		for _, e := range events {
			if b, ok := e.Body.(*trace.FrameSnapshot); ok && at == p {
				return b, nil
			}
		}
	}
	return l.a.SnapshotAt(ctx, p)
}

// Snapshots adds the rows that are new since the last call, and returns the
// store. It is what [Trace.Snapshots] wants.
func (i *Indexed) Snapshots(ctx context.Context) (*snapshot.Store, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	x := i.x
	for n := i.store.Len(); n < x.Len(index.Snapshots); n++ {
		i.store.AddPlace(i.place(ctx, x.Snapshot(index.Row(n))))
	}
	for ; int(i.requests) < x.Len(index.Network); i.requests++ {
		if r, ok := i.resource(x.Request(i.requests)); ok {
			i.store.AddResource(r)
		}
	}
	for ; int(i.frames) < x.Len(index.Frames); i.frames++ {
		f := x.Frame(i.frames)
		i.store.AddPicture(snapshot.Picture{PageID: i.page(f.Page), File: f.Entry, Time: trace.Time(f.Time),
			Viewport: trace.Size{Width: float64(f.Width), Height: float64(f.Height)}})
	}
	return i.store, nil
}

func (i *Indexed) page(r index.Row) string {
	if r == index.NoRow {
		return ""
	}
	return i.x.Page(r).ID
}

func (i *Indexed) place(ctx context.Context, s index.Snapshot) snapshot.Place {
	p := snapshot.Place{Key: snapshot.Key{File: s.Position.File, Phase: s.Phase.Trace(), FrameID: s.Frame}, PageID: i.page(s.Page),
		FrameURL: s.URL, IsMainFrame: s.Flags&index.MainFrame != 0, Time: trace.Time(s.Time),
		Viewport: trace.Size{Width: float64(s.Width), Height: float64(s.Height)}, Position: s.Position}
	if s.Action != index.NoRow {
		p.CallID = i.x.Action(s.Action).CallID
		return p
	}
	// The action is in none of the rows yet, since its line comes later, or
	// not at all; the snapshot's own line knows its name.
	if b, err := i.a.SnapshotAt(ctx, s.Position); err == nil {
		p.CallID, p.Name = b.CallID, b.Name
		p.Complete()
	}
	return p
}

func (i *Indexed) resource(r index.Request) (snapshot.Resource, bool) {
	if r.Status == 304 || r.Flags&index.RequestWebSocket != 0 || r.URL == "" {
		return snapshot.Resource{}, false
	}
	res := snapshot.Resource{URL: r.URL, Method: r.Method, FrameID: r.Frame, MimeType: r.MIME, File: r.Body, Start: trace.Time(r.Start)}
	if r.Status >= 300 && r.Status < 400 {
		res.Next = func(ctx context.Context) string { return i.redirect(ctx, r.Position) }
	}
	return res, true
}

// redirect reads where a request was sent on to, which is not in the index.
func (i *Indexed) redirect(ctx context.Context, p trace.Position) string {
	events, err := i.a.EventsAt(ctx, p)
	if err != nil {
		return ""
	}
	for _, e := range events {
		if r, ok := e.Body.(*trace.ResourceSnapshot); ok {
			return r.Entry.Response.RedirectURL
		}
	}
	return ""
}
