package viewer

import (
	"context"
	"errors"

	"github.com/tracedeck/tracedeck/trace/snapshot"
	"github.com/tracedeck/tracedeck/viewer/content"
)

// contentPath is the path under which a recording's things are; it holds a
// token of its own, which opens nothing but this recording.
func contentPath(r *recording) string { return r.content.Path() }

// contentHandler serves what was recorded.
func (s *Server) contentHandler() *content.Handler {
	return content.New(func(id string) (*content.Trace, bool) {
		r := s.byID(id)
		if r == nil {
			return nil, false
		}
		return r.content, true
	}, content.Options{Host: s.guard.host, InspectScript: inspectScript()})
}

var errNotRead = errors.New("nobody has asked for this trace yet")

// allSnapshots returns the snapshots that are known now.
func (r *recording) allSnapshots(ctx context.Context) (*snapshot.Store, error) {
	r.mu.Lock()
	known := r.snapshots
	r.mu.Unlock()
	if known == nil {
		return nil, errNotRead
	}
	return known.Snapshots(ctx)
}
