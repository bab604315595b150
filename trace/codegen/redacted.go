package codegen

import (
	"context"
	"os"
	"path/filepath"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/redact"
)

// Redacted makes a copy of a trace without its secrets in a folder of its own
// and opens it, named as the trace is. Call done when it is no longer needed.
func Redacted(ctx context.Context, a *trace.Archive, o redact.Options) (copied *trace.Archive, done func(), err error) {
	dir, err := os.MkdirTemp("", "tracedeck-redacted-")
	if err != nil {
		return nil, nil, err
	}
	remove := func() { os.RemoveAll(dir) }
	defer func() {
		if err != nil {
			remove()
		}
	}()
	path := filepath.Join(dir, baseName(filepath.ToSlash(a.Name())))
	if filepath.Ext(path) != ".zip" {
		path += ".zip"
	}
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	if err != nil {
		return nil, nil, err
	}
	if _, err := redact.Run(ctx, w, a, o); err != nil {
		w.Discard()
		return nil, nil, err
	}
	if err := w.Close(); err != nil {
		return nil, nil, err
	}
	if copied, err = trace.Open(ctx, path, trace.Options{}); err != nil {
		return nil, nil, err
	}
	return copied, func() { copied.Close(); remove() }, nil
}
