package viewer

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// Times and numbers of the watched folder.
const (
	walkPause  = 2 * time.Second  // between two walks
	shelfIdle  = 15 * time.Second // without a page that asks nothing is walked
	mostFound  = 5000             // traces in the folder
	mostDepth  = 8                // folders inside each other
	liveFolder = 10 * time.Second // after a folder last grew it counts as being recorded
)

// run keeps the shelf up to date until ctx ends, as long as pages ask for it.
func (s *shelf) run(ctx context.Context) {
	tick := time.NewTicker(walkPause)
	defer tick.Stop()
	for {
		s.mu.Lock()
		idle, stale := time.Since(s.wanted) > shelfIdle, time.Since(s.looked) >= walkPause
		s.mu.Unlock()
		if !idle {
			if stale {
				s.look()
			}
			s.readOne(ctx)
		}
		if !idle && s.unread() != nil && ctx.Err() == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.wake:
		}
	}
}

// look walks the folder and puts what is there on the shelf.
func (s *shelf) look() {
	var found []found
	if s.folder != "" {
		found = walk(s.root)
	}
	here := map[string]bool{}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looked = time.Now()
	for _, at := range s.recent.list() {
		f, ok := lookAt(at.Path)
		if !ok && !isAddress(at.Path) {
			continue
		}
		here[keyOf(at.Path)] = true
		s.put(at.Path, func(e *shelved) { e.Recent = millis(at.Opened); e.take(f) })
	}
	for _, f := range found {
		here[keyOf(f.path)] = true
		s.put(f.path, func(e *shelved) {
			e.Watched = true
			e.take(f)
			e.place(s.root)
		})
	}
	for key := range s.listed {
		if !here[key] {
			delete(s.listed, key)
			s.version++
		}
	}
}

func isAddress(path string) bool {
	return strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://")
}

// found is a trace in the folder.
type found struct {
	path    string
	size    int64
	changed time.Time
	folder  bool
}

// take notes what the file system says; what has changed is read again.
func (e *shelved) take(f found) {
	e.Live = f.folder && time.Since(f.changed) < liveFolder
	if f.path == "" || f.changed.Equal(e.changed) {
		return
	}
	e.changed, e.Size, e.read = f.changed, f.size, false
	if e.Recorded == 0 {
		e.Recorded = millis(f.changed)
	}
}

// walk finds the traces below a folder: zips, and folders that hold trace
// files. It follows no links.
func walk(root string) (all []found) {
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error { // what cannot be read is passed by
		rel, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return nil
		case len(all) >= mostFound:
			return filepath.SkipAll
		case d.IsDir() && (strings.Count(rel, string(filepath.Separator)) >= mostDepth || d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() && path != root && IsRecording(path):
			if f, ok := lookAt(path); ok {
				all = append(all, f)
			}
			return filepath.SkipDir
		case d.Type().IsRegular() && strings.EqualFold(filepath.Ext(path), ".zip"):
			if f, ok := lookAt(path); ok {
				all = append(all, f)
			}
		}
		return nil
	})
	return all
}

// lookAt tells of the file or folder at a path.
func lookAt(path string) (f found, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return f, false
	}
	f = found{path: path, size: info.Size(), changed: info.ModTime()}
	if !info.IsDir() {
		return f, true
	}
	f.folder, f.size = true, 0
	entries, _ := os.ReadDir(path) // what is there is enough
	for _, e := range entries {
		if i, err := e.Info(); err == nil && !i.IsDir() {
			f.size += i.Size()
			if i.ModTime().After(f.changed) {
				f.changed = i.ModTime()
			}
		}
	}
	return f, true
}

// IsRecording reports whether a folder is a trace itself, not one that holds
// traces: it has trace files in it.
func IsRecording(folder string) bool {
	entries, err := os.ReadDir(folder)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return !e.IsDir() && (strings.HasSuffix(e.Name(), ".trace") || strings.HasSuffix(e.Name(), ".network"))
	})
}

var retryMark = lazyregexp.New(`-retry(\d+)$`)

// place tells by the path below the folder which run and which try it is of.
func (e *shelved) place(folder string) {
	rel, err := filepath.Rel(folder, e.path)
	if err != nil {
		return
	}
	e.Place = filepath.ToSlash(rel)
	parts := strings.Split(e.Place, "/")
	if len(parts) > 2 {
		e.Run = parts[0]
	}
	dir := strings.TrimSuffix(parts[len(parts)-1], filepath.Ext(e.path))
	if len(parts) > 1 && dir == "trace" {
		dir = parts[len(parts)-2] // Playwright's test-results/<test>/trace.zip
	}
	if m := retryMark.FindStringSubmatch(dir); m != nil {
		e.Retry, _ = strconv.Atoi(m[1])
	}
	if e.Test == "" {
		e.Test = retryMark.ReplaceAllString(dir, "")
	}
}
