package content

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// entry serves an entry of the archive. With ?download=name it is handed over
// as a file.
func (h *Handler) entry(w http.ResponseWriter, r *http.Request, t *Trace, name string) {
	e, ok := t.Archive.Resolve(name)
	if !ok {
		fail(w, http.StatusNotFound, "the recorder did not keep it, or the trace was cut")
		return
	}
	rc, err := t.Archive.Resource(r.Context(), name)
	if err != nil {
		fail(w, http.StatusNotFound, "it cannot be read: "+err.Error())
		return
	}
	defer rc.Close()
	body := bufio.NewReaderSize(rc, 32<<10)
	first, err := body.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) && len(first) == 0 {
		fail(w, http.StatusNotFound, "it is damaged: "+err.Error())
		return
	}
	h.typed(w, r, t, e, first)
	send(w, r, t, e, body)
}

// typed says what the entry is.
func (h *Handler) typed(w http.ResponseWriter, r *http.Request, t *Trace, e trace.Entry, first []byte) {
	recorded := ""
	if s, err := t.Snapshots(r.Context()); err == nil {
		recorded = s.TypeOf(e.Name)
	}
	kind := typeOf(e.Name, recorded, first, opened(r))
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Vary", "Sec-Fetch-Dest")
	if as := r.URL.Query().Get("download"); as != "" || kind == unknownType {
		if as == "" {
			as = path.Base(e.Name)
		}
		header.Set("Content-Disposition", "attachment; filename=\""+fileName(as)+"\"")
	}
}

// opened reports whether the browser asks for a document, not for a part of one.
func opened(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "document", "iframe", "frame", "object", "embed", "fencedframe":
		return true
	}
	return false
}

func fileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c >= 0x7f || strings.ContainsRune(`"\/:*?<>|%;`, c) {
			return '_'
		}
		return c
	}, name)
}

// span is a stretch of an entry, in bytes.
type span struct{ from, to int64 }

// send answers with the entry or the stretch of it that was asked for.
func send(w http.ResponseWriter, r *http.Request, t *Trace, e trace.Entry, body io.Reader) {
	header := w.Header()
	keep(header, !t.Archive.Growing())
	if e.Size < 0 {
		header.Set("Accept-Ranges", "none")
		copyBody(w, r, body)
		return
	}
	tag := fmt.Sprintf(`"%08x-%x"`, e.CRC32, e.Size)
	header.Set("ETag", tag)
	header.Set("Accept-Ranges", "bytes")
	if tagged(r.Header.Get("If-None-Match"), tag) && !t.Archive.Growing() {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	part, partial, ok := asked(r, tag, e.Size)
	if !ok {
		header.Set("Content-Range", fmt.Sprintf("bytes */%d", e.Size))
		fail(w, http.StatusRequestedRangeNotSatisfiable, "there are not so many bytes")
		return
	}
	header.Set("Content-Length", strconv.FormatInt(part.to-part.from, 10))
	if partial {
		header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", part.from, part.to-1, e.Size))
		w.WriteHeader(http.StatusPartialContent)
	}
	if r.Method == http.MethodHead {
		return
	}
	if _, err := io.CopyN(io.Discard, body, part.from); err == nil {
		copyBody(w, r, io.LimitReader(body, part.to-part.from))
	}
}

// copyBody sends what can be read: the good part of a damaged entry.
func copyBody(w io.Writer, r *http.Request, body io.Reader) {
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, body)
	}
}

func tagged(list, tag string) bool {
	for _, one := range strings.Split(list, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == tag || one == "*" {
			return true
		}
	}
	return false
}

// asked returns the stretch that the request is for. Of several only the
// whole is served. ok is false where it lies outside.
func asked(r *http.Request, tag string, size int64) (s span, partial, ok bool) {
	whole := span{0, size}
	text, isBytes := strings.CutPrefix(r.Header.Get("Range"), "bytes=")
	if since := r.Header.Get("If-Range"); !isBytes || strings.Contains(text, ",") || since != "" && since != tag {
		return whole, false, true
	}
	from, to, found := strings.Cut(strings.TrimSpace(text), "-")
	if !found {
		return whole, false, true
	}
	first, err1 := strconv.ParseInt(from, 10, 64)
	last, err2 := strconv.ParseInt(to, 10, 64)
	switch {
	case from == "" && err2 == nil && last > 0: // the last so many
		return span{max(0, size-last), size}, true, size > 0
	case err1 != nil || first < 0 || to != "" && (err2 != nil || last < first):
		return whole, false, true
	case first >= size:
		return whole, false, false
	case to == "" || last >= size:
		last = size - 1
	}
	return span{first, last + 1}, true, true
}
