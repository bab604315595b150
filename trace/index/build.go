package index

import (
	"context"
	"fmt"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// Build makes the index of an archive in one pass over its events, and leaves
// the cache alone. What is damaged is left out and told in [Index.BadLines]
// and [Index.Warnings]; an error means that ctx ended.
func Build(ctx context.Context, a *trace.Archive, o Options) (*Index, error) {
	o.NoCache = true
	return build(ctx, a, o)
}

func build(ctx context.Context, a *trace.Archive, o Options) (*Index, error) {
	b := NewBuilder(a, o)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	if a.Growing() {
		b.Finish()
	}
	return b.Index(), nil
}

// Builder makes an index that can be read meanwhile, and goes on with one
// whose trace is still growing.
type Builder struct {
	x       *Index
	archive *trace.Archive
	options Options
	entries []*entry
	joiner
	total    int64
	bytes    int64
	last     time.Time // of the last batch
	batches  int
	since    int // rows since the last batch
	finished bool
	cache    *cache
	side     *sideWriter
	openings []opening // of the files of a growing folder
}

// entry is one file of the archive and how far it has been read.
type entry struct {
	name   string
	number int // in the index
	ctx    *contextState
	lines  *lineTable
	large  bool // worth a sidecar
	// Lines of old versions are brought up to date by package trace: those of
	// a .network file beside its .trace file.
	decoder *trace.Decoder
	beside  *entry
	live    *liveFile // where the entry is still growing
}

// NewBuilder returns a Builder that has read nothing yet. Unless the options
// say otherwise it leaves what it makes in the cache.
func NewBuilder(a *trace.Archive, o Options) *Builder {
	x := newIndex()
	x.source.archive = a
	b := &Builder{x: x, archive: a, options: o, joiner: newJoiner(x)}
	b.cache, _ = openCache(a, o)
	if a.Growing() {
		b.runners, b.libraries = true, true // the one may come later than the other
	}
	return b
}

// Index returns the index, which grows while the Builder runs.
func (b *Builder) Index() *Index { return b.x }

// The first rows should be on a screen at once, later ones in larger lots.
const (
	firstRows = 256
	firstTime = 8 * time.Millisecond
	laterRows = 16 << 10
	laterTime = 50 * time.Millisecond
)

// Run reads the archive to its end. Where it is still growing that is the end
// it has now; see [Builder.Resume].
func (b *Builder) Run(ctx context.Context) error {
	b.last = time.Now()
	if b.archive.Growing() {
		_, err := b.Resume(ctx)
		return err
	}
	b.prepare(ctx)
	if f := b.sideFile(); f != nil {
		b.side = newSideWriter(f)
	}
	defer b.dropSide()
	for _, e := range b.entries {
		if err := b.read(ctx, e); err != nil {
			return err
		}
	}
	b.finish()
	b.keepSide()
	b.publish(true)
	b.x.strings.finish()
	if b.cache != nil {
		b.cache.save(b.x)
	}
	return nil
}

// prepare reads the beginnings of all files, which tell their clocks.
func (b *Builder) prepare(ctx context.Context) {
	b.countResources()
	files := b.archive.Files()
	openings := make([]opening, len(files))
	for i, f := range files {
		openings[i] = readOpening(ctx, b.archive, f)
	}
	shifts, start := align(openings)
	b.x.mu.Lock()
	b.x.clock.Start = start
	b.x.warnings = append(b.x.warnings, b.archive.Warnings()...)
	b.x.mu.Unlock()
	for i, f := range files {
		c := b.addContext(f, openings[i], shifts[i])
		b.noteVersion(f.Trace, openings[i].options.Version)
		b.addEntry(f, f.Trace, c)
	}
	for i, f := range files {
		b.addEntry(f, f.Network, b.contexts[i])
	}
}

// noteVersion warns of a version that is newer than what is known here.
func (b *Builder) noteVersion(file string, version int) {
	if version > trace.CurrentVersion {
		b.warn("W_NEWER_VERSION", file, fmt.Sprintf("version %d is newer than %d: read as far as it is understood", version, trace.CurrentVersion))
	}
}

// firstModern is the oldest version whose lines scan understands itself.
const firstModern = 8

func (b *Builder) addEntry(f trace.File, name string, c *contextState) {
	if name == "" {
		return
	}
	e := b.newEntry(name, c)
	if f.Version() < firstModern {
		e.decoder = trace.NewDecoder(name)
		if name == f.Network {
			e.beside = b.entryOf(f.Trace)
		}
	}
	if of, ok := b.archive.Resolve(name); ok && of.Size > 0 {
		b.total += of.Size
	}
}

func (b *Builder) newEntry(name string, c *contextState) *entry {
	number, added := b.x.files.add(name, c.number)
	e := &entry{name: name, number: number, ctx: c, lines: &added.lines}
	b.entries = append(b.entries, e)
	return e
}

func (b *Builder) entryOf(name string) *entry {
	for _, e := range b.entries {
		if e.name == name {
			return e
		}
	}
	return nil
}

func (b *Builder) read(ctx context.Context, e *entry) error {
	cause := b.readLines(ctx, e)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if cause != nil {
		b.warn("W_CUT_OFF", fmt.Sprintf("%s:%d", e.name, e.lines.next+1), cause.Error())
	}
	return nil
}

// pulse publishes what has come in, when it is time.
func (b *Builder) pulse() {
	b.since++
	rows, wait := laterRows, laterTime
	if b.batches == 0 {
		rows, wait = firstRows, firstTime
	}
	if b.since >= rows || b.since%64 == 0 && time.Since(b.last) >= wait {
		b.publish(false)
	}
}

// publish lets readers see all rows there are.
func (b *Builder) publish(done bool) {
	b.flush()
	for _, e := range b.entries {
		e.lines.publish()
	}
	b.x.strings.publish()
	b.x.patches.publish()
	batch := Batch{Index: b.x, Bytes: b.bytes, Total: b.total, Done: done, Patched: b.x.patches.next}
	for i, t := range b.x.tables {
		t.publish()
		batch.Rows[i] = t.next
	}
	counts := b.counts
	b.x.counts.Store(&counts)
	b.batches++
	b.since = 0
	if b.options.OnBatch != nil {
		b.options.OnBatch(batch)
	}
	b.last = time.Now()
}
