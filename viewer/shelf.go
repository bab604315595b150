package viewer

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/trace/index"
)

// shelf is what the start page shows: traces that were looked at lately, and
// those in a folder that is watched. Each is read once, in the background, for
// its title and verdict.
type shelf struct {
	folder string // watched, as the user named it; "" for none
	root   string // the same, absolute
	recent *recent
	index  index.Options

	mu      sync.Mutex
	listed  map[string]*shelved // by key
	version int                 // goes up with each change
	wanted  time.Time           // when a page last asked
	looked  time.Time           // when the folder was last walked
	wake    chan struct{}
}

// shelved is a trace on the shelf.
type shelved struct {
	Key      string  `json:"key"` // names it on the wire: paths never come from the page
	Name     string  `json:"name"`
	Place    string  `json:"place"`   // path below the watched folder, or the whole path
	Recent   float64 `json:"recent"`  // when it was last opened, milliseconds since the epoch; 0 if only found in the folder
	Watched  bool    `json:"watched"` // it is in the folder
	Run      string  `json:"run"`     // CI run: the first folder, where there are several levels
	Test     string  `json:"test"`    // title of the test, without the file's place
	Retry    int     `json:"retry"`   // 0 for the first try
	Browser  string  `json:"browser"`
	Verdict  string  `json:"verdict"`  // "passed", "failed", "unread", "broken"
	Error    string  `json:"error"`    // the first line of what went wrong
	Took     float64 `json:"took"`     // of the recording, microseconds
	Recorded float64 `json:"recorded"` // when, milliseconds since the epoch; the file's time if the trace does not tell
	Size     int64   `json:"size"`     // bytes; -1 for an address
	Live     bool    `json:"live"`
	Picture  string  `json:"picture,omitempty"` // data: address of a small JPEG

	path    string
	changed time.Time // of the file, when it was read
	read    bool
}

func newShelf(folder string, r *recent, o index.Options) *shelf {
	root := ""
	if folder != "" {
		root = absolute(folder)
	}
	return &shelf{folder: folder, root: root, recent: r, index: o, listed: map[string]*shelved{}, wake: make(chan struct{}, 1)}
}

// keyOf names a path on the wire.
func keyOf(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}

// put adds or changes an entry. It is called with the lock held.
func (s *shelf) put(path string, change func(e *shelved)) *shelved {
	key := keyOf(path)
	e := s.listed[key]
	if e == nil {
		e = &shelved{Key: key, Name: filepath.Base(path), Place: path, Verdict: "unread", Size: -1, path: path}
		s.listed[key] = e
	}
	before := *e
	change(e)
	if *e != before || s.version == 0 {
		s.version++
	}
	return e
}

// list returns the entries, or nil if they are still those of a version.
func (s *shelf) list(version int) (now int, entries []shelved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted = time.Now()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	if version == s.version {
		return version, nil
	}
	entries = make([]shelved, 0, len(s.listed))
	for _, e := range s.listed {
		entries = append(entries, *e)
	}
	slices.SortFunc(entries, func(a, b shelved) int {
		switch {
		case a.Recorded != b.Recorded:
			return int(min(max(b.Recorded-a.Recorded, -1), 1))
		case a.Place < b.Place:
			return -1
		}
		return 1
	})
	return s.version, entries
}

// path returns where the trace of a key is.
func (s *shelf) path(key string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.listed[key]
	if e == nil {
		return "", false
	}
	return e.path, true
}

// opened remembers that a trace was looked at.
func (s *shelf) opened(path string, now time.Time) {
	s.recent.add(path, now)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(path, func(e *shelved) { e.Recent = millis(now) })
}

// forget takes the traces that were looked at off the shelf.
func (s *shelf) forget() {
	s.recent.clear()
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, e := range s.listed {
		e.Recent = 0
		if !e.Watched {
			delete(s.listed, key)
		}
	}
	s.version++
}

func millis(t time.Time) float64 { return float64(t.UnixMicro()) / 1000 }
