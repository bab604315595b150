package viewer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/trace/wholefile"
)

// recent is the file that remembers which traces were looked at; without a
// path it remembers until the server ends.
type recent struct {
	path string

	mu    sync.Mutex
	known []recentTrace // the latest first
}

type recentTrace struct {
	Path   string    `json:"path"` // absolute, or an address
	Opened time.Time `json:"opened"`
}

const mostRecent = 24

func openRecent(path string) *recent {
	r := &recent{path: path}
	if b, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(b, &r.known) // a damaged list is an empty one
	}
	r.known = r.known[:min(len(r.known), mostRecent)]
	return r
}

func (r *recent) list() []recentTrace {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.known)
}

func (r *recent) add(path string, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known = slices.DeleteFunc(r.known, func(o recentTrace) bool { return o.Path == path })
	r.known = slices.Insert(r.known, 0, recentTrace{path, now})
	r.known = r.known[:min(len(r.known), mostRecent)]
	r.save()
}

func (r *recent) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known = nil
	r.save()
}

// save writes the list. That it cannot be written is no reason to show
// nothing: it is only not remembered.
func (r *recent) save() {
	if r.path == "" {
		return
	}
	b, err := json.MarshalIndent(r.known, "", "  ")
	if err != nil || os.MkdirAll(filepath.Dir(r.path), 0o700) != nil {
		return
	}
	_ = wholefile.Write(r.path, b, 0o600)
}
