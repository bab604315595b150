package content

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

// Archive is where entries are: a *[trace.Archive].
type Archive interface {
	Resolve(file string) (trace.Entry, bool)
	Resource(ctx context.Context, file string) (io.ReadCloser, error)
	Growing() bool
}

// Trace is an open trace.
type Trace struct {
	ID      string // as in addresses: letters, digits, dashes
	Token   string // that opens it
	Archive Archive
	// Snapshots returns what is known of the snapshots now.
	Snapshots func(ctx context.Context) (*snapshot.Store, error)
	// Complete reports whether Snapshots knows all there ever will be, so that
	// browsers may keep pages. nil means no.
	Complete func() bool
}

// Path returns where the trace's things are served; it ends with a slash.
func (t *Trace) Path() string { return "/c/" + t.Token + "/" + t.ID + "/" }

// Options say how recordings are served.
type Options struct {
	// Host reports whether a request's Host header is one that the server is
	// known by; nil lets the names of the loopback pass.
	Host func(header string) bool
	// InspectScript is the one script that runs in pages asked for with
	// ?inspect=1. It is the viewer's own; "" means there is no such mode.
	InspectScript string
}

// Handler answers requests for what was recorded. It is safe for concurrent
// use.
type Handler struct {
	lookup  func(id string) (*Trace, bool)
	options Options
	hash    string // of the script, as policies name it
}

// New returns a Handler for the traces that lookup knows.
func New(lookup func(id string) (*Trace, bool), o Options) *Handler {
	if o.Host == nil {
		o.Host = loopback
	}
	sum := sha256.Sum256([]byte(o.InspectScript))
	return &Handler{lookup: lookup, options: o, hash: base64.StdEncoding.EncodeToString(sum[:])}
}

func loopback(header string) bool {
	host := header
	if h, _, err := net.SplitHostPort(header); err == nil {
		host = h
	}
	switch strings.ToLower(strings.Trim(host, "[]")) {
	case "127.0.0.1", "localhost", "::1":
		return true
	}
	return false
}

// policy is what recorded bytes may do: be looked at.
const policy = "default-src 'none'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; " +
	"media-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'"

// GuardHeaders sets the headers without which nothing that was recorded, or
// was made of it, may be served.
func GuardHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "sandbox; "+policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Access-Control-Allow-Origin", "*")
}

// ServeHTTP answers GET and HEAD. An error is an answer too: all have the
// same headers.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	GuardHeaders(w.Header())
	switch {
	case !h.options.Host(r.Host):
		fail(w, http.StatusForbidden, "this name is not the viewer's")
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, http.StatusMethodNotAllowed, "recordings are only looked at")
	default:
		h.route(w, r)
	}
}

func (h *Handler) route(w http.ResponseWriter, r *http.Request) {
	parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/c/"), "/", 4)
	if len(parts) != 4 || !strings.HasPrefix(r.URL.Path, "/c/") {
		fail(w, http.StatusNotFound, "there is nothing here")
		return
	}
	t, ok := h.lookup(parts[1])
	if !ok || t.Token == "" || subtle.ConstantTimeCompare([]byte(t.Token), []byte(parts[0])) != 1 {
		fail(w, http.StatusNotFound, "there is nothing here")
		return
	}
	switch kind, rest := parts[2], parts[3]; kind {
	case "snapshot":
		h.snapshot(w, r, t, rest)
	case "style":
		h.style(w, r, t, rest)
	case "r":
		h.entry(w, r, t, rest)
	default:
		fail(w, http.StatusNotFound, "there is nothing here")
	}
}

func fail(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n")
}

// keep lets browsers keep an answer for good if nothing can come that would
// change it.
func keep(h http.Header, final bool) {
	if final {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
		return
	}
	h.Set("Cache-Control", "private, no-cache")
}

// final reports whether pages will stay as they are: while a trace is being
// read or written, responses come in that they use.
func (t *Trace) final() bool {
	return t.Complete != nil && t.Complete() && !t.Archive.Growing()
}
