package viewer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/viewer/wire"
)

// shelfAnswer is what the start page gets.
type shelfAnswer struct {
	Version int       `json:"version"`
	Folder  string    `json:"folder"`
	Entries []shelved `json:"entries"` // null if nothing has changed
}

// shelfLot is how many bytes of entries travel in one answer.
const shelfLot = wire.MaxAnswer / 2

// shelfQuestion answers the start page.
func (c *connection) shelfQuestion(ctx context.Context, m wire.Shelf) ([]byte, error) {
	switch m.What {
	case "list":
		version, _ := strconv.Atoi(m.Text) // what is no number is no version
		return c.shelfList(m.Ref, version)
	case "open":
		path, ok := c.server.shelf.path(m.Text)
		if !ok {
			return nil, errors.New("the trace is not there any more")
		}
		return c.openNow(ctx, m.Ref, path)
	case "address":
		u, err := url.Parse(strings.TrimSpace(m.Text))
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, errors.New("that is not an http or https address")
		}
		return c.openNow(ctx, m.Ref, u.String())
	case "forget":
		c.server.shelf.forget()
		return wire.NewEncoder().Answer(m.Ref, []byte("{}"), true), nil
	}
	return nil, fmt.Errorf("nothing is known of %.40q", m.What)
}

// shelfList sends the entries in lots that fit a message.
func (c *connection) shelfList(ref uint32, version int) ([]byte, error) {
	now, entries := c.server.shelf.list(version)
	a := shelfAnswer{Version: now, Folder: c.server.shelf.folder}
	if entries == nil {
		b, err := json.Marshal(a)
		return wire.NewEncoder().Answer(ref, b, true), err
	}
	from, size := 0, 0
	for i, e := range entries {
		size += len(e.Picture) + len(e.Error) + 2*len(e.Place) + 600
		if size < shelfLot {
			continue
		}
		a.Entries = entries[from : i+1]
		b, err := json.Marshal(a)
		if err != nil {
			return nil, err
		}
		c.put(wire.NewEncoder().Answer(ref, b, false))
		from, size = i+1, 0
	}
	a.Entries = entries[from:]
	b, err := json.Marshal(a)
	return wire.NewEncoder().Answer(ref, b, true), err
}

// openNow opens a trace while the server runs and answers with its entry in
// the list of traces.
func (c *connection) openNow(_ context.Context, ref uint32, path string) ([]byte, error) {
	r, err := c.server.add(path, true)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(map[string]any{"id": r.id, "name": r.name, "live": r.archive.Growing()})
	return wire.NewEncoder().Answer(ref, b, true), err
}

// add opens a trace that the user named, once.
func (s *Server) add(path string, remember bool) (*recording, error) {
	s.mu.Lock()
	for _, r := range s.recordings {
		if r.path == path {
			s.mu.Unlock()
			return r, nil
		}
	}
	full := len(s.recordings) >= mostRecordings
	s.mu.Unlock()
	if full {
		return nil, errors.New("too many traces are open: start the viewer again")
	}
	r, err := openRecording(s.ctx, path, s.options.Index, s.options.Known) // an address is read as long as the server runs
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.recordings {
		if o.id == r.id {
			_ = r.archive.Close() // a copy of one that is open
			return o, nil
		}
	}
	s.recordings = append(s.recordings, r)
	if remember {
		s.shelf.opened(path, time.Now())
	}
	return r, nil
}

const mostRecordings = 500

// mostUpload is how large a dropped zip may be, in bytes.
const mostUpload = 16 << 30

// upload takes a zip that was dropped on the page. The page brings the token
// in a header, which no page of another origin can send without being asked.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", "POST")
		http.Error(w, "only POST", http.StatusMethodNotAllowed)
	case !s.guard.knows(token) || len(r.Header.Values("Origin")) > 0 && !s.guard.origin(r):
		http.Error(w, "this page has no right to open traces", http.StatusForbidden)
	default:
		s.takeUpload(w, r)
	}
}

func (s *Server) takeUpload(w http.ResponseWriter, r *http.Request) {
	path, err := s.store(http.MaxBytesReader(w, r.Body, mostUpload), r.URL.Query().Get("name"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInsufficientStorage)
		return
	}
	rec, err := s.add(path, false)
	if err != nil {
		_ = os.Remove(path)
		http.Error(w, strings.ReplaceAll(err.Error(), path, "the file"), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"id": rec.id, "name": rec.name, "live": false}) // whoever has left does not need it
}

// store writes an upload into a folder that is gone when the server ends.
func (s *Server) store(body io.Reader, name string) (string, error) {
	s.mu.Lock()
	if s.uploads == "" {
		dir, err := os.MkdirTemp("", "tracedeck-dropped-")
		if err != nil {
			s.mu.Unlock()
			return "", err
		}
		s.uploads = dir
	}
	s.mu.Unlock()
	folder, err := os.MkdirTemp(s.uploads, "")
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(filepath.Join(folder, uploadName(name)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, body)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return f.Name(), err
}

// uploadName makes a file's name of one that came from a page.
func uploadName(name string) string {
	name = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || strings.ContainsRune(`/\:*?"<>|`, c) {
			return '_'
		}
		return c
	}, name)
	if r := []rune(name); len(r) > 100 {
		name = string(r[len(r)-100:])
	}
	name = strings.TrimLeft(name, ".")
	if name == "" {
		return "dropped.zip"
	}
	return name
}
