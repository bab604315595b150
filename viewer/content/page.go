package content

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

// addresses gives what snapshot n of a trace loads its place on this server.
type addresses struct {
	ctx   context.Context
	t     *Trace
	store *snapshot.Store
	n     int
	// Child frames are inspected with the page around them.
	inspect bool
}

// Resource returns the route of a response's body. Style sheets are asked for
// by their address, since what they load depends on the snapshot.
func (a *addresses) Resource(address string, use snapshot.Use) string {
	r, ok := a.store.Resource(a.ctx, a.n, address)
	if !ok {
		return ""
	}
	if use == snapshot.UseStyle {
		return a.t.Path() + "style/" + strconv.Itoa(a.n) + "/" + base64.RawURLEncoding.EncodeToString([]byte(address))
	}
	return a.Entry(r.File)
}

// Entry returns the route of an entry, and "" where the trace has none of
// that name.
func (a *addresses) Entry(file string) string {
	if _, ok := a.t.Archive.Resolve(file); !ok {
		return ""
	}
	return a.t.Path() + "r/" + escapePath(file)
}

func escapePath(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

// Frame returns the route of a child frame's snapshot of the same moment.
func (a *addresses) Frame(f snapshot.Frame) string {
	n, ok := a.store.FrameOf(a.n, f.ID)
	if !ok {
		return ""
	}
	to := a.t.Path() + "snapshot/" + strconv.Itoa(n)
	q := url.Values{}
	if f.Known {
		q.Set("box", point(f.Offset))
	}
	if a.inspect {
		q.Set("inspect", "1")
		q.Set("target", "0")
	}
	if len(q) > 0 {
		to += "?" + q.Encode()
	}
	return to
}

func point(p trace.Point) string {
	return strconv.FormatFloat(p.X, 'f', -1, 64) + "," + strconv.FormatFloat(p.Y, 'f', -1, 64)
}

func parsePoint(text string) (p trace.Point, ok bool) {
	x, y, _ := strings.Cut(text, ",")
	var err1, err2 error
	p.X, err1 = strconv.ParseFloat(x, 64)
	p.Y, err2 = strconv.ParseFloat(y, 64)
	return p, err1 == nil && err2 == nil
}

// snapshot serves a rebuilt page. The query may hold point=x,y (where to draw
// the pointer), target=0, canvas=0, inspect=1, and box=x,y in child frames.
func (h *Handler) snapshot(w http.ResponseWriter, r *http.Request, t *Trace, number string) {
	final := t.final() // before the store is asked: what comes between counts as later
	store, n, ok := h.find(w, r, t, number)
	if !ok {
		return
	}
	q := r.URL.Query()
	o := snapshot.Options{Addresses: &addresses{ctx: r.Context(), t: t, store: store, n: n, inspect: q.Get("inspect") == "1"}, NoTarget: q.Get("target") == "0", NoCanvas: q.Get("canvas") == "0"}
	if p, ok := parsePoint(q.Get("point")); ok {
		o.Point = &p
	}
	o.Offset, _ = parsePoint(q.Get("box"))
	if q.Get("inspect") == "1" && h.options.InspectScript != "" {
		o.Scripts = true
		o.Head = "<script>" + h.options.InspectScript + "</script>"
		w.Header().Set("Content-Security-Policy", "sandbox allow-scripts; script-src 'sha256-"+h.hash+"'; "+policy)
	}
	out := &lateWriter{w: w, before: func() {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		keep(w.Header(), final)
	}}
	if r.Method == http.MethodHead {
		out.before()
		return
	}
	if _, err := store.Render(r.Context(), out, n, o); err != nil && !out.begun {
		fail(w, http.StatusNotFound, "the snapshot cannot be shown: "+err.Error())
	}
}

// lateWriter sets headers only when there is something to send, so that an
// error before that can still be answered.
type lateWriter struct {
	w      io.Writer
	before func()
	begun  bool
}

func (l *lateWriter) Write(b []byte) (int, error) {
	if !l.begun {
		l.begun = true
		l.before()
	}
	return l.w.Write(b)
}

// find returns the snapshot of that number, or has answered.
func (h *Handler) find(w http.ResponseWriter, r *http.Request, t *Trace, number string) (*snapshot.Store, int, bool) {
	store, err := t.Snapshots(r.Context())
	if err != nil {
		fail(w, http.StatusServiceUnavailable, "the snapshots are not known yet: "+err.Error())
		return nil, 0, false
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= store.Len() {
		fail(w, http.StatusNotFound, "there is no such snapshot")
		return nil, 0, false
	}
	return store, n, true
}

// maxStyle is how large a style sheet may be, in bytes.
const maxStyle = 32 << 20

// style serves a style sheet of a snapshot's page.
func (h *Handler) style(w http.ResponseWriter, r *http.Request, t *Trace, rest string) {
	number, code, _ := strings.Cut(rest, "/")
	address, err := base64.RawURLEncoding.DecodeString(code)
	final := t.final()
	store, n, ok := h.find(w, r, t, number)
	if !ok {
		return
	}
	res, ok := store.Resource(r.Context(), n, string(address))
	if err != nil || !ok {
		fail(w, http.StatusNotFound, "the trace does not hold this style sheet")
		return
	}
	text, err := readText(r.Context(), t.Archive, res)
	if err != nil {
		fail(w, http.StatusNotFound, "the style sheet cannot be read: "+err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	keep(w.Header(), final)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, snapshot.CSS(text, res.URL, &addresses{ctx: r.Context(), t: t, store: store, n: n}))
	}
}

// readText reads a body as text in the encoding that it is in. Of a damaged
// one it returns the good part.
func readText(ctx context.Context, a Archive, res snapshot.Resource) (string, error) {
	rc, err := a.Resource(ctx, res.File)
	if err != nil {
		return "", err
	}
	defer rc.Close()
	raw, err := io.ReadAll(io.LimitReader(rc, maxStyle))
	if err != nil && len(raw) == 0 {
		return "", err
	}
	kind := res.MimeType
	if !strings.Contains(kind, "charset") {
		kind = "text/css; charset=" + declared(raw)
	}
	if decoded, err := charset.NewReader(bytes.NewReader(raw), kind); err == nil {
		if text, err := io.ReadAll(decoded); err == nil {
			return string(text), nil
		}
	}
	return string(raw), nil
}

// declared returns the encoding that a style sheet names itself.
func declared(sheet []byte) string {
	if rest, ok := bytes.CutPrefix(sheet, []byte(`@charset "`)); ok {
		if end := bytes.IndexByte(rest, '"'); end > 0 && end < 40 {
			return string(rest[:end])
		}
	}
	return "utf-8"
}
