// Package wholefile writes files that are there whole or not at all: whoever
// reads one while it is written, or after the writer died, sees what was there
// before.
package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts data into the file at path, whose folder must be there, and takes
// the place of what was there.
func Write(path string, data []byte, mode fs.FileMode) error {
	return Fill(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Fill is Write with what fill writes. When fill fails, the file is as it was.
func Fill(path string, mode fs.FileMode, fill func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".tracedeck-*")
	if err != nil {
		return err
	}
	err = errors.Join(fill(f), f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to tell
	}
	return err
}
