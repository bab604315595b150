package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeOutput lets write fill the file called name, or standard output for
// "-". The file appears only when it is whole: what was there stays until then.
func writeOutput(env *env, name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(env.out)
	}
	dir := filepath.Dir(name)
	f, err := os.CreateTemp(dir, ".tracedeck-*")
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	err = errors.Join(write(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
