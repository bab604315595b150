package viewer

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/tracedeck/tracedeck/web"
)

// assets serves the built page: a handful of files, all in memory.
type assets struct {
	files  map[string]asset
	policy func(r *http.Request) string
}

type asset struct {
	body []byte
	kind string
	tag  string
}

// pageFiles are what the page is made of; all else in web.Dist is for others.
var pageFiles = []string{"viewer.html", "boot.js", "viewer.js", "viewer.css"}

func newAssets(policy func(r *http.Request) string) (*assets, error) {
	a := &assets{files: map[string]asset{}, policy: policy}
	for _, name := range pageFiles {
		body, err := fs.ReadFile(web.Dist(), name)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(body)
		kind := mime.TypeByExtension(path.Ext(name))
		if strings.HasSuffix(name, ".js") {
			kind = "text/javascript; charset=utf-8" // whatever the system's tables say
		}
		a.files["/"+name] = asset{body, kind, `"` + hex.EncodeToString(sum[:8]) + `"`}
	}
	a.files["/"] = a.files["/viewer.html"]
	return a, nil
}

func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := a.files[r.URL.Path]
	h := w.Header()
	h.Set("Content-Security-Policy", a.policy(r))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	switch {
	case !ok:
		http.Error(w, "there is nothing here", http.StatusNotFound)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET", http.StatusMethodNotAllowed)
		return
	}
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", f.tag)
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if r.Method == http.MethodGet {
		_, _ = w.Write(f.body) // whoever does not take it whole has left
	}
}
