package snapshot

import (
	"context"
	"fmt"
	"sort"
	"sync"

	"github.com/tracedeck/tracedeck/trace"
)

// Loader reads one snapshot. A *[trace.Archive] is one.
type Loader interface {
	SnapshotAt(ctx context.Context, p trace.Position) (*trace.FrameSnapshot, error)
}

// Picture is a picture of the screencast.
type Picture struct {
	PageID   string
	File     string
	Time     trace.Time
	Viewport trace.Size
}

// Store knows the snapshots of a trace, and what the pages loaded. It holds
// no HTML but a cache of what was read last. It is safe for concurrent use.
type Store struct {
	load     Loader
	cache    *cache
	maxNodes int // of one page

	mu       sync.RWMutex
	entries  Opener
	places   []Place
	frames   map[frameKey][]int // numbers of a frame's snapshots in file order
	ordinals []int              // of each place in its frame
	byKey    map[Key]int
	pictures []Picture
	sorted   bool
	res      resources
}

// frameKey tells frames of different contexts apart.
type frameKey struct{ file, frame string }

// DefaultCacheBytes is how much a [Store] keeps of what it parsed.
const DefaultCacheBytes = 64 << 20

// NewStore returns an empty Store that reads snapshots with load.
func NewStore(load Loader) *Store {
	return &Store{load: load, maxNodes: maxNodes, cache: newCache(DefaultCacheBytes), frames: map[frameKey][]int{}, byKey: map[Key]int{}}
}

// FromTrace returns a Store of all snapshots, responses and pictures of t,
// which was loaded from a.
func FromTrace(a *trace.Archive, t *trace.Trace) *Store {
	s := NewStore(a)
	s.OpenEntries(a)
	for _, snap := range t.Snapshots {
		s.AddPlace(PlaceOf(snap))
	}
	for _, r := range t.Network {
		if res, ok := ResourceOf(r.Entry, r.Start); ok {
			s.AddResource(res)
		}
	}
	for _, p := range t.Frames {
		s.AddPicture(Picture{PageID: p.PageID, File: p.File, Time: p.Time, Viewport: trace.Size{Width: p.Width, Height: p.Height}})
	}
	return s
}

// Add takes what it needs from an event of the trace. All events of a file
// must be added in their order. Times are taken as they are: contexts whose
// clocks differ need [FromTrace].
func (s *Store) Add(e *trace.Event) {
	switch b := e.Body.(type) {
	case *trace.FrameSnapshot:
		s.AddPlace(placeOf(b, e.Position))
	case *trace.ResourceSnapshot:
		start := trace.NoTime
		if b.Entry.HasMonotonicTime {
			start = trace.Milliseconds(b.Entry.MonotonicTime)
		}
		if r, ok := ResourceOf(&b.Entry, start); ok {
			s.AddResource(r)
		}
	case *trace.ScreencastFrame:
		s.AddPicture(Picture{PageID: b.PageID, File: b.File, Time: b.Timestamp, Viewport: trace.Size{Width: b.Width, Height: b.Height}})
	}
}

// AddPlace adds a snapshot and returns its number. Snapshots of one frame
// must be added in the order they have in the file.
func (s *Store) AddPlace(p Place) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.places)
	s.places = append(s.places, p)
	f := frameKey{p.File, p.FrameID}
	s.ordinals = append(s.ordinals, len(s.frames[f]))
	s.frames[f] = append(s.frames[f], n)
	keys := []Key{p.Key, {CallID: p.CallID, Phase: p.Phase, FrameID: p.FrameID}}
	if p.IsMainFrame {
		keys = append(keys, Key{File: p.File, CallID: p.CallID, Phase: p.Phase}, Key{CallID: p.CallID, Phase: p.Phase})
	}
	for _, k := range keys {
		if _, ok := s.byKey[k]; !ok {
			s.byKey[k] = n
		}
	}
	return n
}

// AddResource adds a response, in any order.
func (s *Store) AddResource(r Resource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.res.add(r)
}

// AddPicture adds a picture of the screencast, in any order.
func (s *Store) AddPicture(p Picture) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pictures = append(s.pictures, p)
	s.sorted = false
}

// Len returns how many snapshots there are. They are numbered from 0.
func (s *Store) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.places)
}

// Place returns the place of snapshot n; ok is false if there is none.
func (s *Store) Place(n int) (p Place, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n < 0 || n >= len(s.places) {
		return Place{}, false
	}
	return s.places[n], true
}

// Lookup returns the number of a snapshot.
func (s *Store) Lookup(k Key) (n int, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n, ok = s.byKey[k]
	return n, ok
}

// LookupName returns the number of the main frame's snapshot of that name, as
// versions before 9 name them; the name of newer ones is phase@callId.
func (s *Store) LookupName(name string) (n int, ok bool) {
	phase, call := splitName(name)
	return s.Lookup(Key{CallID: call, Phase: phase})
}

// FrameOf returns the snapshot of another frame that belongs to snapshot n:
// that of the same moment.
func (s *Store) FrameOf(n int, frameID string) (int, bool) {
	p, ok := s.Place(n)
	if !ok || frameID == "" {
		return 0, false
	}
	k := p.Key
	k.FrameID = frameID
	return s.Lookup(k)
}

// earlier returns the number of the snapshot of the same frame that is age
// places before n.
func (s *Store) earlier(n, age int) (int, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := s.frames[frameKey{s.places[n].File, s.places[n].FrameID}]
	at := s.ordinals[n] - age
	if age < 0 || at < 0 {
		return 0, false
	}
	return list[at], true
}

// TypeOf returns the MIME type that the entry had as a response, or "".
func (s *Store) TypeOf(file string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.res.byFile[file]
}

// order sorts what is searched by time.
func (s *Store) order() {
	s.mu.RLock()
	done := s.sorted && s.res.sorted
	s.mu.RUnlock()
	if done {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.res.sort()
	sort.SliceStable(s.pictures, func(i, j int) bool { return s.pictures[i].Time < s.pictures[j].Time })
	s.sorted = true
}

// Picture returns the picture of the page that is nearest to snapshot n.
func (s *Store) Picture(n int) (Picture, bool) {
	p, ok := s.Place(n)
	if !ok {
		return Picture{}, false
	}
	s.order()
	s.mu.RLock()
	defer s.mu.RUnlock()
	var best *Picture
	distance := func(q *Picture) trace.Time { return max(q.Time-p.Time, p.Time-q.Time) }
	page := trace.PageKey(p.PageID)
	from := sort.Search(len(s.pictures), func(i int) bool { return s.pictures[i].Time >= p.Time })
	for i := from; i < len(s.pictures) && best == nil; i++ {
		if trace.PageKey(s.pictures[i].PageID) == page {
			best = &s.pictures[i]
		}
	}
	for i := from - 1; i >= 0; i-- {
		if q := &s.pictures[i]; trace.PageKey(q.PageID) == page {
			if best == nil || distance(q) <= distance(best) {
				best = q
			}
			break
		}
	}
	if best == nil {
		return Picture{}, false
	}
	return *best, true
}

// parsed is a snapshot that was read.
type parsed struct {
	*tree
	doctype   string
	overrides []trace.ResourceOverride
}

func (p *parsed) override(address string) int {
	for i := range p.overrides {
		if canonical(p.overrides[i].URL) == address {
			return i
		}
	}
	return -1
}

// parsed reads snapshot n, or has it in the cache.
func (s *Store) parsed(ctx context.Context, n int) (*parsed, error) {
	if t := s.cache.get(n); t != nil {
		return t, nil
	}
	p, ok := s.Place(n)
	if !ok {
		return nil, fmt.Errorf("snapshot %d: there is none", n)
	}
	b, err := s.load.SnapshotAt(ctx, p.Position)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s of %s: %w", p.Phase, p.CallID, err)
	}
	t, err := parseTree(b.HTML)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s of %s: %s:%d: %w", p.Phase, p.CallID, p.Position.File, p.Position.Line, err)
	}
	all := &parsed{tree: t, doctype: b.Doctype, overrides: b.ResourceOverrides}
	s.cache.put(n, all)
	return all, nil
}
