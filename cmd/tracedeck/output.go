package main

import (
	"fmt"
	"io"

	"github.com/tracedeck/tracedeck/trace/wholefile"
)

// writeOutput lets write fill the file called name, or standard output for
// "-". The file appears only when it is whole: what was there stays until then.
func writeOutput(env *env, name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(env.out)
	}
	began := false
	err := wholefile.Fill(name, 0o644, func(w io.Writer) error {
		began = true
		return write(w)
	})
	if err != nil && !began {
		return fmt.Errorf("%s: %w", name, err)
	}
	return err
}
