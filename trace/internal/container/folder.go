package container

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// folder is a container of files below a folder. Links are not followed out of it.
type folder struct {
	root *os.Root
	name string
}

func (c *Container) openFolder(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	c.closers = append(c.closers, root)
	c.folder = &folder{root, dir}
	sum := sha256.New()
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			c.warn("W_FOLDER", path, "%v", err)
			return nil
		}
		return c.addFile(path, d, sum)
	})
	c.digest = hex.EncodeToString(sum.Sum(nil))
	return err
}

func (c *Container) addFile(path string, d fs.DirEntry, sum io.Writer) error {
	const deepest = 8
	if d.IsDir() {
		if strings.Count(path, "/") >= deepest {
			return fs.SkipDir
		}
		return nil
	}
	if len(c.entries) >= c.limits.Entries {
		return fmt.Errorf("%w: %d are allowed", ErrTooManyEntries, c.limits.Entries)
	}
	e, ok := c.folder.lookup(path)
	if !ok {
		c.warn("W_FOLDER", path, "it is not a file inside the folder; it is left out")
		return nil
	}
	st, err := d.Info()
	if err == nil {
		fmt.Fprintf(sum, "%s %d %d\n", path, st.Size(), st.ModTime().UnixNano())
	}
	c.entries = append(c.entries, e)
	return nil
}

func (f *folder) lookup(name string) (Entry, bool) {
	if !local(name) {
		return Entry{}, false
	}
	st, err := f.root.Stat(name)
	if err != nil || !st.Mode().IsRegular() {
		return Entry{}, false
	}
	return Entry{Name: name, Size: st.Size(), CompressedSize: st.Size()}, true
}

func (f *folder) open(name string, offset int64) (io.ReadCloser, error) {
	if _, ok := f.lookup(name); !ok {
		return nil, fmt.Errorf("%s: %s: %w", f.name, name, ErrNotThere)
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
