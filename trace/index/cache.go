package index

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// DefaultCacheSize is how many bytes the cache may take unless told otherwise.
const DefaultCacheSize = 8 << 30

// Open returns the index of an archive: from the cache, where an earlier call
// has left it for the same bytes, else by [Build]. A cache that is damaged,
// too old or cannot be written is no error. OnBatch is called in any case.
func Open(ctx context.Context, a *trace.Archive, o Options) (*Index, error) {
	if c, ok := openCache(a, o); ok {
		if x := c.load(); x != nil {
			x.source.archive, x.source.side = a, c.openSide()
			if o.OnBatch != nil {
				o.OnBatch(x.batch())
			}
			return x, nil
		}
	}
	return build(ctx, a, o)
}

// batch tells of an index that came whole.
func (x *Index) batch() Batch {
	b := Batch{Index: x, Done: true}
	for t := range b.Rows {
		b.Rows[t] = x.Len(Table(t))
	}
	return b
}

// cache is where the index of one archive is kept.
type cache struct {
	dir, key string
	limit    int64
}

const cacheSuffix = ".tdx"

// openCache returns the place for an archive; ok is false where there is none.
func openCache(a *trace.Archive, o Options) (c *cache, ok bool) {
	key := a.Digest()
	if o.NoCache || a.Growing() || !isKey(key) {
		return nil, false
	}
	dir, err := CacheDir(o)
	if err != nil {
		return nil, false
	}
	limit := o.CacheSize
	if limit <= 0 {
		limit = DefaultCacheSize
	}
	return &cache{dir: dir, key: key, limit: limit}, true
}

// isKey reports whether a digest may be a file's name.
func isKey(key string) bool {
	return len(key) >= 16 && len(key) <= 128 && strings.Trim(key, "0123456789abcdefABCDEF") == ""
}

// CacheDir returns the folder in which indexes are kept.
func CacheDir(o Options) (string, error) {
	if o.CacheDir != "" {
		return o.CacheDir, nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "tracedeck"), err
}

func (c *cache) path() string { return filepath.Join(c.dir, c.key+cacheSuffix) }

// load returns the index, and nil where there is none that can be used.
func (c *cache) load() *Index {
	f, err := os.Open(c.path())
	if err != nil {
		return nil
	}
	defer f.Close()
	x, err := readIndex(f)
	if err != nil {
		_ = os.Remove(c.path())
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(c.path(), now, now) // the cache forgets what was used the longest time ago
	return x
}

// save keeps the index. It is put in place whole or not at all.
func (c *cache) save(x *Index) {
	_ = c.write(c.path(), func(f *os.File) error { return writeIndex(f, x) })
	c.trim()
}

// write makes a file that readers see only when it is complete.
func (c *cache) write(path string, fill func(*os.File) error) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(c.dir, "making-*")
	if err != nil {
		return err
	}
	err = errors.Join(fill(f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// leftover is how old an unfinished file must be to be nobody's.
const leftover = time.Hour

// trim removes what was used the longest time ago, until the cache is within
// its limit.
func (c *cache) trim() {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	var kept []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		ours := strings.HasSuffix(e.Name(), cacheSuffix) || strings.HasSuffix(e.Name(), sideSuffix)
		if strings.HasPrefix(e.Name(), "making-") && time.Since(info.ModTime()) > leftover {
			_ = os.Remove(filepath.Join(c.dir, e.Name()))
		} else if ours {
			kept = append(kept, info)
			total += info.Size()
		}
	}
	sort.Slice(kept, func(i, j int) bool { return kept[i].ModTime().Before(kept[j].ModTime()) })
	for _, info := range kept {
		if total <= c.limit {
			return
		}
		if os.Remove(filepath.Join(c.dir, info.Name())) == nil {
			total -= info.Size()
		}
	}
}
