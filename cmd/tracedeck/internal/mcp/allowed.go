package mcp

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// allowed refuses what lies outside of the folders, links followed.
func (o *Options) allowed(path string) error {
	if len(o.Folders) == 0 {
		return nil
	}
	outer, _, _ := strings.Cut(path, "!")
	if !trace.IsAddress(path) {
		for _, dir := range o.Folders {
			if within(dir, outer) {
				return nil
			}
		}
	}
	return fmt.Errorf("%s is not in a folder that traces may be opened from: %s", path, strings.Join(o.Folders, ", "))
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(real(dir), real(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// real is where a path leads; of one that leads nowhere, where it would.
func real(path string) string {
	path = absolute(path)
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(real(up), filepath.Base(path))
	}
	return path
}
