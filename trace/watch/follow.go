package watch

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// FollowOptions say how a folder is followed.
type FollowOptions struct {
	Poll time.Duration // how often to look for more; 0 means [trace.DefaultPoll]
	// All tells of what was there already too. Otherwise that is only learnt
	// from: which errors are old, what endpoints answered.
	All bool
	// Stop ends the following when it is closed and what is there was read.
	Stop <-chan struct{}
}

// Follow looks at a folder that is recorded into and calls found with each
// finding as soon as it is made, from one goroutine, until ctx ends or the folder is gone, as it is when a
// recording became a zip. Damage is passed over.
func Follow(ctx context.Context, dir string, d *Detector, o FollowOptions, found func(Finding)) error {
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	if d.Body == nil {
		d.Body = func(file string) string { return beginning(dir, file) }
	}
	old := sizes(dir)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events := make(chan *trace.Event, 64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e, err := range trace.Follow(ctx, dir, o.Poll) {
			if err != nil {
				continue
			}
			select {
			case events <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() { cancel(); <-done }()
	return pump(ctx, dir, d, events, old, o, found)
}

// pump takes events as they come, and lets the detector know how time passes
// while none do.
func pump(ctx context.Context, dir string, d *Detector, events <-chan *trace.Event, old map[string]int64, o FollowOptions, found func(Finding)) error {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	var last time.Time
	idle := 0
	seen := map[string]int64{} // bytes of each file that the detector was given
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-events:
			last, idle = time.Now(), 0
			seen[e.Position.File] = e.Position.Offset + int64(e.Position.Length) + 1
			for _, f := range d.Event(e) {
				if o.All || e.Position.Offset >= old[e.Position.File] {
					found(f)
				}
			}
		case <-tick.C:
			if !last.IsZero() {
				step := time.Since(last)
				last = last.Add(step)
				for _, f := range d.Tick(d.Now().Add(step)) {
					found(f)
				}
			}
			if idle++; idle > 2 && gone(dir) {
				return rest(ctx, dir, d, seen, found)
			}
			if idle > 2 && stopped(o.Stop) {
				return nil
			}
		}
	}
}

// rest looks at what was written between the last look at a folder and its end:
// it is in the zip that the recording became. Where there is none, there is no
// more to be known.
func rest(ctx context.Context, dir string, d *Detector, seen map[string]int64, found func(Finding)) error {
	path, ok := strings.CutSuffix(filepath.Clean(dir), ".recording")
	if !ok {
		return nil
	}
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		return nil // a recording may be thrown away
	}
	defer a.Close()
	d.Body = archived(ctx, a)
	for _, f := range a.Files() {
		for e, err := range a.FileEvents(ctx, f) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil || e.Position.Offset < seen[e.Position.File] {
				continue
			}
			for _, w := range d.Event(e) {
				found(w)
			}
		}
	}
	for _, w := range d.Tick(d.Now().Add(time.Minute)) {
		found(w)
	}
	return nil
}

func gone(dir string) bool {
	_, err := os.Stat(dir)
	return errors.Is(err, os.ErrNotExist)
}

func stopped(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// sizes returns how long the files with events are now.
func sizes(dir string) map[string]int64 {
	m := map[string]int64{}
	for _, pattern := range []string{"*.trace", "*.network"} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, f := range files {
			if info, err := os.Stat(f); err == nil {
				m[filepath.Base(f)] = info.Size()
			}
		}
	}
	return m
}

// beginning returns the beginning of an entry of a folder.
func beginning(dir, file string) string {
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return ""
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return ""
	}
	defer root.Close()
	for _, name := range []string{file, "resources/" + file} {
		f, err := root.Open(filepath.FromSlash(name))
		if err != nil {
			continue
		}
		b, _ := io.ReadAll(io.LimitReader(f, mostOfBody)) // the good part of a damaged one is what there is
		f.Close()
		return string(b)
	}
	return ""
}
