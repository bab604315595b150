package viewer

import (
	"net/http"
	"strings"

	"github.com/tracedeck/tracedeck/trace/redact"
)

// export serves a trace, or two (?a=id&b=id), as one file. Like an upload it
// needs the token in a header.
func (s *Server) export(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		http.Error(w, "only POST", http.StatusMethodNotAllowed)
		return
	}
	if !s.guard.knows(token) || len(r.Header.Values("Origin")) > 0 && !s.guard.origin(r) {
		http.Error(w, "this page has no right to see the traces", http.StatusForbidden)
		return
	}
	var all []*recording
	for _, name := range []string{"a", "b"} {
		id := r.URL.Query().Get(name)
		if id == "" && name == "b" {
			continue
		}
		rec := s.byID(id)
		if rec == nil || !rec.progress().done {
			http.Error(w, "the trace is not open, or still being read", http.StatusNotFound)
			return
		}
		all = append(all, rec)
	}
	o := ExportOptions{Version: s.options.Version, Known: s.options.Known}
	if q := r.URL.Query(); q.Get("redact") == "1" || q.Get("pictures") == "0" {
		o.Redact = &redact.Options{NoPictures: q.Get("pictures") == "0"}
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="trace.html"`)
	if _, err := exportRecordings(r.Context(), w, o, all); err != nil {
		panic(http.ErrAbortHandler) // half a file must not look like a whole one
	}
}
