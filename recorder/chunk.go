package recorder

import (
	"context"
	"errors"

	"github.com/tracedeck/tracedeck/trace"
)

// ErrNoChunk is returned where a chunk must be open and none is.
var ErrNoChunk = errors.New("no chunk of the recording is open")

// begin opens the next chunk. Its header ties the recording's clock to the
// calendar of this moment.
func (s *Session) begin(title string) error {
	h := s.header
	now := s.Now()
	h.MonotonicTime = now
	h.WallTime = float64(s.start.UnixMicro())/1000 + now.Milliseconds()
	h.Title = title
	h.TestIDAttribute = s.o.Browser.TestID
	c, err := s.w.StartChunk(&h)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chunk = c
	s.groups, s.under = nil, nil
	for _, q := range s.between {
		s.write(q)
	}
	s.between = nil
	return nil
}

// StartChunk begins the next part of the recording, which will be a zip of its
// own. A session begins with a chunk open; the one before must be stopped.
func (s *Session) StartChunk(title string) error {
	s.mu.Lock()
	busy := s.chunk != nil
	s.mu.Unlock()
	if busy {
		return errors.New("a chunk of the recording is open already")
	}
	if s.rec == nil {
		return s.begin(title)
	}
	return s.rec.Restart(func() error { return s.begin(title) })
}

// StopChunk ends the open chunk and makes a zip of it at out, unless that is
// "". What happens until the next StartChunk is not recorded, except for requests:
// the pages of the next chunk may need them. Groups that are open are closed. Bodies are stored once for all chunks, and copied into the
// zips that need them.
func (s *Session) StopChunk(ctx context.Context, out string) error {
	if s.rec != nil {
		s.rec.Settle(ctx)
	}
	s.mu.Lock()
	c := s.chunk
	s.chunk = nil
	s.groups, s.under = nil, nil
	s.mu.Unlock()
	if c == nil {
		return ErrNoChunk
	}
	if out == "" {
		return c.Stop()
	}
	_, err := c.Pack(ctx, out)
	return err
}

// StartGroup begins a group: actions until StopGroup are inside it. Groups nest.
func (s *Session) StartGroup(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.newCall()
	s.write(&trace.Before{CallID: id, StartTime: s.Now(), Class: "Tracing", Method: "tracingGroup", Title: name,
		Params: []byte("{}"), ParentID: s.group(), Stack: callers()})
	s.groups = append(s.groups, id)
}

// StopGroup ends the innermost open group. Without one it does nothing.
func (s *Session) StopGroup() {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.groups)
	if n == 0 {
		return
	}
	s.write(&trace.After{CallID: s.groups[n-1], EndTime: s.Now()})
	s.groups = s.groups[:n-1]
}
