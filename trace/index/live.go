package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// liveFile is how far a growing file has been read.
type liveFile struct {
	path  string
	read  int64
	split *splitter
}

// Resume takes what has been written to a growing folder since the last time,
// and reports whether that was anything. A line counts when its end is there,
// or when it is whole and nothing has followed it since the last time.
// An error that is [trace.ErrTruncated] says that a file became shorter: then
// the index no longer fits, and another Builder has to begin anew.
func (b *Builder) Resume(ctx context.Context) (grown bool, err error) {
	if !b.archive.Growing() || b.finished {
		return false, fmt.Errorf("%s: %w", b.archive.Name(), errComplete)
	}
	if err := b.discover(); err != nil {
		return false, err
	}
	for _, e := range b.entries {
		more, err := b.resume(ctx, e)
		if err != nil {
			return grown, err
		}
		grown = grown || more
	}
	if b.batches == 0 {
		b.countResources()
		b.x.mu.Lock()
		b.x.warnings = append(b.x.warnings, b.archive.Warnings()...)
		b.x.mu.Unlock()
	}
	if grown || b.batches == 0 {
		b.publish(false)
	}
	return grown, nil
}

var errComplete = errors.New("only a folder that is not finished can grow")

// Finish ends the index of a folder that does not grow any more: last lines
// that lack their end are taken as they are. It cannot be resumed then.
func (b *Builder) Finish() {
	for _, e := range b.entries {
		if e.live != nil {
			e.live.split.end()
		}
	}
	b.finish()
	b.finished = true
	b.publish(true)
	b.x.strings.finish()
}

// discover finds files that are new in the folder: those of a .trace first,
// which tell the versions of the .network files beside them.
func (b *Builder) discover() error {
	for _, suffix := range []string{".trace", ".network"} {
		paths, err := filepath.Glob(filepath.Join(b.archive.Name(), "*"+suffix))
		if err != nil {
			return err
		}
		names := b.knownNames(suffix)
		for _, path := range paths {
			names = append(names, filepath.Base(path))
		}
		for _, name := range names {
			if b.entryOf(name) == nil {
				b.discovered(name, suffix)
			}
		}
	}
	return nil
}

// knownNames are the files that the folder had when it was opened; they may
// lie in folders of their own.
func (b *Builder) knownNames(suffix string) (names []string) {
	for _, f := range b.archive.Files() {
		for _, name := range []string{f.Trace, f.Network} {
			if strings.HasSuffix(name, suffix) {
				names = append(names, name)
			}
		}
	}
	return names
}

func (b *Builder) discovered(name, suffix string) {
	path := filepath.Join(b.archive.Name(), filepath.FromSlash(name))
	var e *entry
	if suffix == ".trace" {
		first, ok := b.liveOpening(path)
		if !ok {
			return // its first line is still being written
		}
		b.openings = append(b.openings, first)
		b.noteVersion(name, first.options.Version)
		e = b.newEntry(name, b.addContext(trace.File{Trace: name}, first, b.lateShift(first)))
		if first.options.Version < firstModern {
			e.decoder = trace.NewDecoder(name)
		}
	} else {
		of := b.entryOf(strings.TrimSuffix(name, suffix) + ".trace")
		if of == nil {
			return // nothing tells its version yet
		}
		e = b.newEntry(name, of.ctx)
		if of.decoder != nil {
			e.decoder, e.beside = of.decoder, of
		}
	}
	e.live = &liveFile{path: path, split: b.splitter(e)}
}

// lateShift puts a file that comes in later on the clock that the first one
// set.
func (b *Builder) lateShift(o opening) trace.Time {
	if len(b.openings) == 1 {
		shifts, start := align(b.openings)
		b.x.mu.Lock()
		b.x.clock.Start = start
		b.x.mu.Unlock()
		return shifts[0]
	}
	pair := []opening{b.openings[0], o}
	shifts, _ := align(pair)
	// align lets the earlier of the two be zero; here the first one stays it.
	return shifts[1] - shifts[0] + b.contexts[0].shift
}

// liveOpening reads the beginning of a growing file; ok is false while its
// first line is not complete.
func (b *Builder) liveOpening(path string) (o opening, ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return o, false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 1<<20))
	end := strings.LastIndexByte(string(head), '\n')
	if err != nil || end < 0 {
		return o, false
	}
	r := trace.NewReader(strings.NewReader(string(head[:end+1])), filepath.Base(path))
	for range lookAhead {
		ev, err := r.Next()
		if isSyntax(err) {
			continue
		}
		if err != nil || o.take(ev.Body) {
			break
		}
	}
	return o, true
}

// resume reads what a file has more than last time.
func (b *Builder) resume(ctx context.Context, e *entry) (grown bool, err error) {
	f, err := os.Open(e.live.path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	if info.Size() < e.live.read {
		return false, fmt.Errorf("%s: %w", e.live.path, trace.ErrTruncated)
	}
	if info.Size() == e.live.read {
		// Some recorders write no end behind the last line.
		return e.live.split.takeEarly(), nil
	}
	if _, err := f.Seek(e.live.read, io.SeekStart); err != nil {
		return false, err
	}
	buf := make([]byte, min(pumpBlock, info.Size()-e.live.read))
	for e.live.read < info.Size() && ctx.Err() == nil {
		n, err := f.Read(buf)
		e.live.split.feed(buf[:n])
		e.live.read += int64(n)
		b.bytes += int64(n)
		if err != nil {
			return true, noEOF(err)
		}
	}
	return true, ctx.Err()
}
