package viewer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server shows recordings. Make it with [New] and run it with [Server.Serve].
type Server struct {
	options     Options
	guard       *guard
	shelf       *shelf
	comparisons comparisons
	courtesy    courtesy
	background  sync.WaitGroup // indexing and connections
	ctx         context.Context
	cancel      context.CancelFunc

	mu         sync.Mutex
	recordings []*recording
	uploads    string // folder of dropped zips; "" until there is one
}

// New opens the traces of o.Paths and gets ready to serve them. The first one
// that cannot be opened is the error; the listeners stay open then. Ctx ends
// what the server does in the background. After New, Serve must be called.
func New(ctx context.Context, o Options) (*Server, error) {
	s := &Server{options: o, guard: newGuard(o), shelf: newShelf(o.Folder, openRecent(o.Recent), o.Index)}
	for _, path := range o.Paths {
		r, err := openRecording(ctx, path, o.Index, o.Known)
		if err != nil {
			s.closeRecordings()
			return nil, err
		}
		if s.byID(r.id) != nil {
			_ = r.archive.Close() // the same zip twice
			continue
		}
		s.recordings = append(s.recordings, r)
		s.shelf.opened(r.path, time.Now())
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	if len(s.recordings) > 0 {
		s.begin(s.recordings[0])
	}
	if o.Compare && len(s.recordings) > 1 {
		s.begin(s.recordings[1])
		s.background.Go(func() { s.compareAhead(s.recordings[0], s.recordings[1]) })
	}
	s.background.Go(func() { s.shelf.run(s.ctx) })
	return s, nil
}

// Serve makes a server for o and runs it until ctx ends.
func Serve(ctx context.Context, o Options) error {
	s, err := New(ctx, o)
	if err != nil {
		return err
	}
	return s.Serve(ctx)
}

// URL returns the launch link. Whoever has it can see the traces.
func (s *Server) URL() string {
	link := url.URL{Scheme: "http", Host: s.options.Listener.Addr().String(), Path: "/", Fragment: "token=" + s.guard.token}
	return link.String()
}

// begin starts to read a recording, once.
func (s *Server) begin(r *recording) {
	r.start.Do(func() {
		s.background.Add(1)
		go func() {
			defer s.background.Done()
			r.run(s.ctx, s.courtesy.wait)
		}()
	})
}

func (s *Server) byID(id string) *recording {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.recordings, func(r *recording) bool { return r.id == id })
	if at < 0 {
		return nil
	}
	return s.recordings[at]
}

// Serve answers requests until ctx ends, closes all connections and the
// traces, and returns nil. Another error is that of a listener.
func (s *Server) Serve(ctx context.Context) error {
	defer s.closeRecordings()
	defer s.background.Wait()
	defer s.cancel()
	page, err := s.pageHandler()
	if err != nil {
		return err
	}
	servers := []*http.Server{newHTTPServer(page)}
	listeners := []net.Listener{s.options.Listener}
	if s.options.ContentListener != nil {
		servers = append(servers, newHTTPServer(s.guard.check(s.recordedHandler())))
		listeners = append(listeners, s.options.ContentListener)
	}
	failed := make(chan error, len(servers))
	for i, h := range servers {
		go func() { failed <- h.Serve(listeners[i]) }()
	}
	select {
	case <-ctx.Done():
		err = nil
	case err = <-failed:
	}
	s.cancel()
	shutdown(servers)
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// shutdownTime is how long answers that are under way may take to end.
const shutdownTime = 2 * time.Second

func shutdown(servers []*http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	for _, h := range servers {
		if err := h.Shutdown(ctx); err != nil {
			_ = h.Close() // they had their time
		}
	}
}

func newHTTPServer(h http.Handler) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10}
}

func (s *Server) closeRecordings() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uploads != "" {
		_ = os.RemoveAll(s.uploads)
	}
	for _, r := range s.recordings {
		if x := r.progress().index; x != nil {
			_ = x.Close()
		}
		_ = r.archive.Close() // both were only ever read from
	}
}

// pageHandler serves the page, its socket, and, where there is but one port,
// what was recorded.
func (s *Server) pageHandler() (http.Handler, error) {
	files, err := newAssets(s.policy)
	if err != nil {
		return nil, fmt.Errorf("built page: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			s.courtesy.expect()
		}
		files.ServeHTTP(w, r)
	})
	mux.HandleFunc("/socket", s.socket)
	mux.HandleFunc("/upload", s.upload)
	mux.HandleFunc("/export", s.export)
	if s.options.ContentListener == nil {
		mux.Handle("/c/", s.contentHandler())
		mux.HandleFunc("/d/", s.pixels)
	}
	return s.guard.check(mux), nil
}

// recordedHandler serves what was recorded from a port of its own. It is no
// ServeMux, whose redirects to cleaned paths would go out without a sandbox.
func (s *Server) recordedHandler() http.Handler {
	recorded := s.contentHandler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/d/") {
			s.pixels(w, r)
			return
		}
		recorded.ServeHTTP(w, r)
	})
}

// policy is the page's Content-Security-Policy: nothing but its own script
// and style, and pictures, frames and bodies from the content's origin.
func (s *Server) policy(r *http.Request) string {
	content := s.contentOrigin(r)
	if content == "" {
		content = "'self'"
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ws://" + r.Host + " wss://" + r.Host + " " + content +
		"; img-src " + content + " blob: data:; media-src " + content + "; frame-src " + content +
		"; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
}

// contentOrigin is where what was recorded is found, by the name that the
// browser uses for us; "" where it comes from the page's own port.
func (s *Server) contentOrigin(r *http.Request) string {
	if s.options.ContentListener == nil {
		return ""
	}
	name, _ := hostName(r.Host) // guard has let it pass
	_, port, err := net.SplitHostPort(s.options.ContentListener.Addr().String())
	if err != nil {
		return ""
	}
	return "http://" + net.JoinHostPort(name, port)
}
